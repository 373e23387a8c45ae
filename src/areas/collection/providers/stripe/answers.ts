import type { Stripe } from "stripe";
import type { Instant } from "../../../../kernel/clock";
import { type Decimal, toDecimal } from "../../../../kernel/decimal";
import type { Answer, DisputeAnswer, Failure, RefundAnswer, SavedMethod } from "../provider";
import { fromUnits } from "./amounts";
import { bucketOf } from "./buckets";

/** Metadata of the provider's objects: our reference, and whether a page of the provider makes the payment. */
export const referenceField = "tollgate";
export const pageField = "tollgate_page";

const instantOf = (seconds: number): Instant => (seconds * 1000) as Instant;

/** Returns the id of a field that is an id or the object itself. */
export const idOf = (field: string | { readonly id: string } | null | undefined): string | null =>
	typeof field === "string" ? field : (field?.id ?? null);

const objectOf = <T extends object>(field: string | T | null | undefined): T | null =>
	typeof field === "object" ? field : null;

export function methodOf(method: Stripe.PaymentMethod): SavedMethod {
	const { id, type, card, sepa_debit: sepa, us_bank_account: bank, link } = method;
	const base = { ref: id, customerRef: idOf(method.customer) ?? "", expiresMonth: null, expiresYear: null };
	if (card)
		return {
			...{ ...base, kind: card.wallet ? "WALLET" : "CARD", brand: card.brand, last4: card.last4 },
			...{ expiresMonth: card.exp_month, expiresYear: card.exp_year, country: card.country },
		};
	if (sepa) return { ...base, kind: "DIRECT_DEBIT", brand: null, last4: sepa.last4, country: sepa.country };
	if (bank) return { ...base, kind: "DIRECT_DEBIT", brand: bank.bank_name, last4: bank.last4, country: "US" };
	if (type.endsWith("_debit")) return { ...base, kind: "DIRECT_DEBIT", brand: type, last4: null, country: null };
	return { ...base, kind: link ? "WALLET" : "OTHER", brand: type, last4: null, country: null };
}

/** The state of an intent. A payment page lets its customer try again, so a failed try there does not end the payment. */
function stateOf({ status, last_payment_error: error, metadata }: Stripe.PaymentIntent): Answer["state"] {
	switch (status) {
		case "succeeded":
			return "SUCCEEDED";
		case "canceled":
			return "CANCELED";
		case "requires_action":
			return "REQUIRES_ACTION";
		case "processing":
		case "requires_capture":
			return "PROCESSING";
		default:
			return error !== null && metadata[pageField] === undefined ? "FAILED" : "UNCONFIRMED";
	}
}

/** Returns why a charge failed, by the error of the provider. */
export function failureOf(error: { code?: string; decline_code?: string; message?: string }): Failure {
	const { code, decline_code: declineCode, message } = error;
	return {
		code: declineCode ?? code ?? "unknown",
		message: message ?? "The provider gives no reason.",
		bucket: bucketOf(declineCode ?? null, code ?? null),
	};
}

function feeOf(charge: Stripe.Charge | null, currency: string): Decimal | null {
	const movement = objectOf(charge?.balance_transaction);
	if (!movement || movement.currency !== currency) return null;
	return fromUnits(movement.fee, currency).amount;
}

/** The fields to expand of an intent, so that `answerOf` finds them. */
export const expandedIntent = ["latest_charge.balance_transaction", "payment_method"] as const;

export function answerOf(intent: Stripe.PaymentIntent, disputes: readonly Stripe.Dispute[] = []): Answer {
	const { id, currency, metadata, next_action: action, last_payment_error: error } = intent;
	const charge = objectOf(intent.latest_charge);
	const state = stateOf(intent);
	const method = objectOf(intent.payment_method) ?? error?.payment_method ?? null;
	const [dispute] = [...disputes].sort((one, other) => other.created - one.created);
	const arrived = state === "SUCCEEDED" ? charge : null;
	const movedAt = objectOf(arrived?.balance_transaction)?.created ?? arrived?.created;
	return {
		...{ ref: id, ours: metadata[referenceField] ?? null, state, method: method && methodOf(method) },
		received: fromUnits(intent.amount_received, currency),
		refunded: arrived ? fromUnits(arrived.amount_refunded, currency).amount : toDecimal(0),
		fee: feeOf(arrived, currency),
		failure: state === "FAILED" && error ? failureOf(error) : null,
		actionUrl: state === "REQUIRES_ACTION" ? (action?.redirect_to_url?.url ?? null) : null,
		movedAt: movedAt === undefined ? null : instantOf(movedAt),
		dispute: dispute ? disputeOf(dispute) : null,
	};
}

const refundStates: Readonly<Record<string, RefundAnswer["state"]>> = {
	pending: "PROCESSING",
	requires_action: "PROCESSING",
	succeeded: "SUCCEEDED",
	failed: "FAILED",
	canceled: "FAILED",
};

export function refundOf(refund: Stripe.Refund): RefundAnswer {
	const state = refundStates[refund.status ?? ""] ?? "PROCESSING";
	const code = refund.failure_reason ?? refund.status ?? "unknown";
	return {
		...{ ref: refund.id, ours: refund.metadata?.[referenceField] ?? null, state },
		money: fromUnits(refund.amount, refund.currency),
		failure: state === "FAILED" ? { code, message: `The refund ended with '${code}'.`, bucket: "NEVER" } : null,
	};
}

const disputeStates: Readonly<Record<string, DisputeAnswer["state"]>> = {
	warning_needs_response: "INQUIRY",
	warning_under_review: "INQUIRY",
	warning_closed: "CLOSED",
	// Ended before the bank opened it: the provider has refunded the payment.
	prevented: "CLOSED",
	needs_response: "NEEDS_RESPONSE",
	appeal_needs_response: "NEEDS_RESPONSE",
	under_review: "UNDER_REVIEW",
	appeal_under_review: "UNDER_REVIEW",
	won: "WON",
	lost: "LOST",
};

export function disputeOf(dispute: Stripe.Dispute): DisputeAnswer {
	const state = disputeStates[dispute.status] ?? "UNDER_REVIEW";
	const withdrawn = state === "INQUIRY" || state === "CLOSED" ? 0 : dispute.amount;
	const { due_by: dueBy } = dispute.evidence_details;
	return {
		...{ ref: dispute.id, paymentRef: idOf(dispute.payment_intent) ?? idOf(dispute.charge) ?? "", state },
		amount: fromUnits(dispute.amount, dispute.currency).amount,
		money: fromUnits(withdrawn, dispute.currency),
		reason: dispute.reason,
		evidenceDueAt: dueBy === null ? null : instantOf(dueBy),
	};
}
