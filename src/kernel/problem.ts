import type { Instant } from "./clock";
import type { ErrorCode } from "./error-codes";
import { DomainError, shownMessage } from "./errors";
import { addUnits } from "./period";

/** What happens by itself, and when. */
export interface Due<Kind extends string> {
	readonly at: Instant;
	readonly kind: Kind;
}

/** Why a due step could not be carried out, for as long as that step is what is due. */
export interface DueProblem<Kind extends string> {
	readonly kind: Kind;
	/** When the step was due. */
	readonly dueAt: Instant;
	/** The refusal's; null for a fault of the service, which the log explains. */
	readonly code: ErrorCode | null;
	readonly message: string;
	/** When it failed for the first time. */
	readonly since: Instant;
	readonly attempts: number;
	readonly retryAt: Instant;
}

/**
 * What blocks the step that is due, as far as it is that step: what has been carried out, or is no longer due, is
 * no longer blocked.
 */
export const stillBlocks = <Kind extends string>(
	problem: DueProblem<Kind> | null,
	due: Due<Kind> | undefined,
): DueProblem<Kind> | null =>
	problem !== null && problem.kind === due?.kind && problem.dueAt === due.at ? problem : null;

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
