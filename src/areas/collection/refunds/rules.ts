import type { Instant } from "../../../kernel/clock";
import type { RefundAnswer } from "../providers/provider";
import { isLaterRefund, type RefundState } from "./rules.states";

/** The progress of a refund. */
export interface RefundProgress {
	readonly state: RefundState;
	readonly ref: string | null;
	/** Whether a call was sent that has no definite answer yet. */
	readonly pending: boolean;
	readonly keyNumber: number;
	/** The machine's time of the first call with this key. */
	readonly keySince: Instant | null;
	readonly failure: { readonly code: string; readonly message: string } | null;
}

export type RefundStep = "SEND" | "LOOK";

/** The outcome of a call: as for attempts (`attempts/rules.apply.ts`). */
export type RefundOutcome =
	| { readonly kind: "ANSWER"; readonly answer: RefundAnswer }
	| { readonly kind: "NOT_FOUND" | "LATER" | "UNANSWERED" }
	| { readonly kind: "REJECTED"; readonly code: string | null; readonly message: string };

/** Returns the next call; null for a failed refund. A call without an answer is looked up by our reference before it is repeated. */
export function nextRefundStep({ state, ref, pending }: RefundProgress): RefundStep | null {
	if (state === "FAILED") return null;
	return ref !== null || pending || state === "SUCCEEDED" ? "LOOK" : "SEND";
}

const hourMs = 3_600_000;

/** Returns the refund as its row is written before the call that sends it. An expired key gets a new number. */
export function beforeSending<Refund extends RefundProgress>(
	refund: Refund,
	keyHours: number,
	machineNow: Instant,
): Refund {
	const { keySince, keyNumber } = refund;
	const isExpired = keySince !== null && machineNow >= keySince + (keyHours - 1) * hourMs;
	return {
		...refund,
		...{ state: "SENT", pending: true },
		...{
			keyNumber: isExpired ? keyNumber + 1 : keyNumber,
			keySince: isExpired ? machineNow : (keySince ?? machineNow),
		},
	};
}

export const refundKeyOf = (id: string, { keyNumber }: Pick<RefundProgress, "keyNumber">): string =>
	`${id}:refund:${keyNumber}`;

/** Applies the outcome of a call. Statements may arrive late, twice and in any order: the end is the same for every order. */
export function applyRefundOutcome<Refund extends RefundProgress>(
	refund: Refund,
	step: RefundStep,
	outcome: RefundOutcome,
): Refund {
	switch (outcome.kind) {
		case "ANSWER":
			return applyRefundAnswer(refund, outcome.answer);
		case "NOT_FOUND":
			// The look-up by our reference is complete, so the call has not arrived.
			return refund.ref === null ? { ...refund, pending: false } : refund;
		case "LATER":
			// The provider keeps this answer under the key. The look-up before the next call finds what it did all the same.
			return step === "SEND" ? { ...refund, keyNumber: refund.keyNumber + 1, keySince: null } : refund;
		case "REJECTED":
			if (step === "LOOK" || refund.ref !== null || !isLaterRefund("FAILED", refund.state)) return refund;
			return {
				...refund,
				...{ state: "FAILED", pending: false },
				failure: { code: outcome.code ?? "rejected", message: outcome.message },
			};
		case "UNANSWERED":
			return refund;
	}
}

function applyRefundAnswer<Refund extends RefundProgress>(refund: Refund, answer: RefundAnswer): Refund {
	const known = { ...refund, ref: refund.ref ?? answer.ref, pending: false };
	const state: RefundState = answer.state === "PROCESSING" ? "SENT" : answer.state;
	if (!isLaterRefund(state, refund.state)) return known;
	const { code = "unknown", message = "The provider gives no reason." } = answer.failure ?? {};
	return { ...known, state, failure: state === "FAILED" ? { code, message } : null };
}

const lookMsMin = 2_000;
const lookMsMax = hourMs;
const dayMs = 24 * hourMs;
/** A provider can report a failure weeks after a success, and its event can get lost. */
const lateLooksMs = [dayMs, 7 * dayMs, 30 * dayMs];

/** Returns the time of the next call; null once nothing is to be called. */
export function refundDueAfter(
	{ startedAt }: { readonly startedAt: Instant },
	after: RefundProgress,
	machineNow: Instant,
): Instant | null {
	const ageMs = machineNow - startedAt;
	if (after.state === "FAILED") return null;
	if (after.state === "SUCCEEDED") {
		const next = lateLooksMs.find((ms) => ms > ageMs);
		return next === undefined ? null : ((startedAt + next) as Instant);
	}
	if (nextRefundStep(after) === "SEND") return machineNow;
	return (machineNow + Math.min(lookMsMax, Math.max(lookMsMin, Math.round(ageMs / 4)))) as Instant;
}
