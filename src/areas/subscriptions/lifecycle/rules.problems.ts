import type { Instant } from "../../../kernel/clock";
import { DomainError, shownMessage } from "../../../kernel/errors";
import { addUnits } from "../../../kernel/period";
import type { Due, DueProblem } from "./rules.due";

/** Our choices, in minutes: the first pause, and the longest; each pause is twice the one before. */
const pauses = {
	/** The catalogue, the customer or the subscription must be changed by somebody first. */
	refusal: { first: 60, longest: 24 * 60 },
	/** It may have been a passing trouble, and somebody was alarmed. */
	fault: { first: 1, longest: 60 },
} as const;

/** How many pauses are counted: from then on they are the longest anyway. */
const attemptsMax = 1_000_000;

/**
 * What is kept of a step that could not be carried out; `before` is what was kept of the attempt before, if it was this
 * step.
 */
export function problemOf<Kind extends string>(
	{ kind, at }: Due<Kind>,
	failure: unknown,
	{ before, refId, now }: { readonly before: DueProblem<Kind> | null; readonly refId: string; readonly now: Instant },
): DueProblem<Kind> {
	const isRefusal = failure instanceof DomainError;
	const attempts = Math.min((before?.attempts ?? 0) + 1, attemptsMax);
	const { first, longest } = isRefusal ? pauses.refusal : pauses.fault;
	const pause = Math.min(first * 2 ** Math.min(attempts - 1, 20), longest);
	return {
		kind,
		dueAt: at,
		code: isRefusal ? failure.code : null,
		message: shownMessage(failure, refId),
		since: before?.since ?? now,
		attempts,
		retryAt: addUnits(now, "minutes", pause),
	};
}
