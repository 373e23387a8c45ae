import type { Instant } from "../../../kernel/clock";
import { exact } from "../../../kernel/decimal";
import type { Answer, Bucket, Capabilities, Failure } from "../providers/provider";
import { isFinal, isLater } from "./rules.states";
import { type AttemptProgress, isKeyValid, type Step } from "./rules.steps";

/** An attempt with the results that the provider has reported. */
export interface AttemptResult extends AttemptProgress {
	/** The received amount; null before the first answer. */
	readonly received: Answer["received"]["amount"] | null;
	readonly failure: Failure | null;
	readonly actionUrl: string | null;
}

/**
 * The outcome of a call. LATER: the provider answered that it cannot now, and keeps that answer under the key. REJECTED: the call is
 * wrong and has charged nothing. UNANSWERED: nothing is known.
 */
export type Outcome =
	| { readonly kind: "ANSWER"; readonly answer: Answer }
	| { readonly kind: "NOT_FOUND" }
	| { readonly kind: "LATER" }
	| { readonly kind: "REJECTED"; readonly code: string | null; readonly message: string }
	| { readonly kind: "UNANSWERED" };

type Can = Pick<Capabilities, "twoSteps" | "findByReference" | "keyHours">;

/** Applies the outcome of a step to an attempt. */
export function applyOutcome<Attempt extends AttemptResult>(
	attempt: Attempt,
	step: Step,
	outcome: Outcome,
	can: Can,
	machineNow: Instant,
): Attempt {
	switch (outcome.kind) {
		case "ANSWER":
			return applyAnswer(attempt, outcome.answer);
		case "NOT_FOUND":
			return applyNotFound(attempt, can, machineNow);
		case "LATER":
			// The look-up before the next call still finds an object that the provider made in spite of its answer.
			return step === "LOOK" || step === "CANCEL" || !can.twoSteps || isFinal(attempt.state)
				? attempt
				: { ...attempt, keyNumber: attempt.keyNumber + 1, keySince: null };
		case "REJECTED":
			return step === "CREATE" || step === "CONFIRM" ? applyRejection(attempt, outcome, can) : attempt;
		case "UNANSWERED":
			return attempt;
	}
}

/**
 * Applies a provider's statement about a payment, whichever call, look-up or event brought it. Statements may arrive late, twice and in
 * any order: the latest state counts, and the end is the same for every order.
 */
export function applyAnswer<Attempt extends AttemptResult>(attempt: Attempt, answer: Answer): Attempt {
	const known = {
		...attempt,
		ref: attempt.ref ?? answer.ref,
		received: greater(attempt.received, answer.received.amount),
	};
	if (answer.state === "UNCONFIRMED") {
		if (known.state === "PLANNED") return { ...known, state: "CREATED", pending: null };
		// The confirmation has not arrived there, so it is sent again, with the same key.
		return known.state === "CONFIRMING" ? { ...known, pending: null } : known;
	}
	if (!isLater(answer.state, attempt.state)) return known;
	return {
		...known,
		state: answer.state,
		pending: null,
		failure: answer.state === "FAILED" ? answer.failure : null,
		actionUrl: answer.state === "REQUIRES_ACTION" ? answer.actionUrl : null,
	};
}

const greater = (one: AttemptResult["received"], other: Answer["received"]["amount"]) =>
	one !== null && exact(one).gt(exact(other)) ? one : other;

/** A look-up by our reference found nothing. */
function applyNotFound<Attempt extends AttemptResult>(attempt: Attempt, can: Can, machineNow: Instant): Attempt {
	const { state, ref, pending } = attempt;
	if (ref !== null || pending === null) return attempt;
	if (state === "PLANNED") return { ...attempt, pending: null };
	// The charge may have happened, and the provider may not show it yet (decision 0083).
	if (state === "CONFIRMING" && !can.twoSteps && !isKeyValid(attempt, can, machineNow))
		return { ...attempt, state: "UNKNOWN" };
	return attempt;
}

/** A rejected call has charged nothing, unless an earlier call with this key has had no answer. */
function applyRejection<Attempt extends AttemptResult>(
	attempt: Attempt,
	{ code, message }: { readonly code: string | null; readonly message: string },
	{ twoSteps }: Can,
): Attempt {
	if (isFinal(attempt.state) || (!twoSteps && attempt.pending === null)) return attempt;
	const bucket: Bucket = "OURS";
	return { ...attempt, state: "FAILED", pending: null, failure: { code: code ?? "rejected", message, bucket } };
}

/** Ends an attempt of which nothing is due any more and that was never called. */
export const endUncalled = <Attempt extends AttemptResult>(attempt: Attempt): Attempt =>
	attempt.state === "PLANNED" && attempt.pending === null && attempt.isCancelWanted
		? { ...attempt, state: "CANCELED" }
		: attempt;
