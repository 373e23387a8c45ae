import type { Instant } from "./clock";
import type { ErrorCode } from "./error-codes";
import { DomainError, shownMessage } from "./errors";
import { addMinutes } from "./period";

/** A step that is due at a time. */
export interface Due<Kind extends string> {
	readonly at: Instant;
	readonly kind: Kind;
}

/** The reason why a due step failed, stored as long as this step is due. */
export interface DueProblem<Kind extends string> {
	readonly kind: Kind;
	/** When the step was due. */
	readonly dueAt: Instant;
	/** The code of the error; null for a fault of the service, which the log explains. */
	readonly code: ErrorCode | null;
	readonly message: string;
	/** When it failed for the first time. */
	readonly since: Instant;
	readonly attempts: number;
	readonly retryAt: Instant;
}

/**
 * Returns the problem that blocks the due step. The problem of another step, which was carried out or is no longer due, blocks nothing.
 */
export const stillBlocks = <Kind extends string>(
	problem: DueProblem<Kind> | null,
	due: Due<Kind> | undefined,
): DueProblem<Kind> | null =>
	problem !== null && problem.kind === due?.kind && problem.dueAt === due.at ? problem : null;

/** The first and the longest pause, in minutes. Each pause is twice the former one. */
const pauses = {
	/** A person must first change the catalogue, the customer or the subscription. */
	refusal: { first: 60, longest: 24 * 60 },
	/** The fault may be temporary, and the log has alerted the operator. */
	fault: { first: 1, longest: 60 },
} as const;

/** The number of counted pauses: further pauses have the maximum length. */
const attemptsMax = 1_000_000;

/**
 * Returns the problem to store for a failed step. `before` is the stored problem of the previous attempt, if it was the same step.
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
		retryAt: addMinutes(now, pause),
	};
}
