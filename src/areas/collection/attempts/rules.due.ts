import type { Instant } from "../../../kernel/clock";
import type { AttemptResult, Outcome } from "./rules.apply";
import { isFinal } from "./rules.states";

const lookMsMin = 2_000;
const lookMsMax = 3_600_000;

/** The customer has this long to authenticate a payment; see the design of payments. */
const actionMs = 7 * 86_400_000;

/** Returns whether the customer has not authenticated in time. */
export const isActionOver = (
	{ state, startedAt }: Pick<AttemptResult, "state"> & { readonly startedAt: Instant },
	machineNow: Instant,
): boolean => state === "REQUIRES_ACTION" && machineNow >= startedAt + actionMs;

/**
 * Returns the time of the next call; null for a final attempt. A step forward is followed at once. What has not moved is looked up soon
 * after the start, and less often the older it is.
 */
export function dueAfter(
	before: AttemptResult & { readonly startedAt: Instant },
	after: AttemptResult,
	outcome: Outcome,
	machineNow: Instant,
): Instant | null {
	if (isFinal(after.state)) return null;
	const { state, pending, isCancelWanted } = after;
	const moves = state === "CREATED" || state === "PLANNED" || state === "CONFIRMING";
	const hasMoved = state !== before.state || pending !== before.pending || isCancelWanted !== before.isCancelWanted;
	if (outcome.kind === "ANSWER" && hasMoved && (moves || isCancelWanted)) return machineNow;
	const ageMs = machineNow - before.startedAt;
	return (machineNow + Math.min(lookMsMax, Math.max(lookMsMin, Math.round(ageMs / 4)))) as Instant;
}
