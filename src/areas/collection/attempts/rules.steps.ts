import type { Instant } from "../../../kernel/clock";
import type { Capabilities } from "../providers/provider";
import { type AttemptState, isFinal } from "./rules.states";

/** A call at the provider. LOOK changes nothing there. */
export type Step = "CREATE" | "CONFIRM" | "CANCEL" | "LOOK";

/** The part of an attempt that decides about its calls. */
export interface AttemptProgress {
	readonly state: AttemptState;
	/** The provider's reference; null until it is known. */
	readonly ref: string | null;
	/** The step whose row was written before its call, and that has no definite answer yet. */
	readonly pending: "CREATE" | "CONFIRM" | null;
	/** The number in the key of the next call; it rises only after a definite answer. */
	readonly keyNumber: number;
	/** The machine's time of the first call with this key; null before it. */
	readonly keySince: Instant | null;
	/** Nothing is due any more. */
	readonly isCancelWanted: boolean;
}

type Can = Pick<Capabilities, "twoSteps" | "findByReference" | "keyHours">;

/**
 * Returns the next step of an attempt; null if there is none. A call without an answer is looked up before it is repeated. A provider
 * that charges in one step gets the same key while it remembers it, and never another one.
 */
export function nextStep(attempt: AttemptProgress, can: Can, machineNow: Instant): Step | null {
	const { state, ref, pending, isCancelWanted } = attempt;
	if (isFinal(state)) return null;
	if (isCancelWanted && ref !== null) return "CANCEL";
	switch (state) {
		case "PLANNED":
			// `endUncalled` ends an attempt that was never called.
			if (isCancelWanted && pending === null) return null;
			return pending !== null && can.findByReference ? "LOOK" : "CREATE";
		case "CREATED":
			return "CONFIRM";
		case "CONFIRMING":
			if (can.twoSteps) return pending === null ? "CONFIRM" : "LOOK";
			if (ref !== null) return "LOOK";
			return isKeyValid(attempt, can, machineNow) ? "CREATE" : "LOOK";
		default:
			return ref !== null || can.findByReference ? "LOOK" : null;
	}
}

const hourMs = 3_600_000;

/** Returns whether the provider still remembers the key, with an hour to spare for the call itself. */
export const isKeyValid = (
	{ keySince }: Pick<AttemptProgress, "keySince">,
	{ keyHours }: Pick<Can, "keyHours">,
	machineNow: Instant,
): boolean => keySince === null || machineNow < keySince + (keyHours - 1) * hourMs;

/** Returns the attempt as its row is written before the call of a step. */
export function beforeCall<Attempt extends AttemptProgress>(
	attempt: Attempt,
	step: "CREATE" | "CONFIRM",
	can: Can,
	machineNow: Instant,
): Attempt {
	const charges = step === "CONFIRM" || !can.twoSteps;
	return {
		...attempt,
		...(charges && { state: "CONFIRMING" as const }),
		pending: step,
		keySince: attempt.keySince ?? machineNow,
	};
}

/** Returns the idempotency key of a call. */
export const keyOf = (attemptId: string, step: Step, { keyNumber }: Pick<AttemptProgress, "keyNumber">): string =>
	`${attemptId}:${step.toLowerCase()}:${keyNumber}`;
