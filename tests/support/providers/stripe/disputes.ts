import type Stripe from "stripe";
import type { Account } from "./account";
import { wrongState } from "./errors";
import { type Params, texts } from "./form";
import { move } from "./money";
import { newDispute } from "./objects";

const disputeFee = 1500;

export function openDispute(
	account: Account,
	charge: Stripe.Charge,
	why: "fraudulent" | "product_not_received" | "inquiry" | "debit_returned",
): Stripe.Dispute {
	const isInquiry = why === "inquiry";
	const dispute = newDispute(account, charge, {
		reason: isInquiry ? "fraudulent" : why,
		// A returned direct debit cannot be contested.
		status: isInquiry ? "warning_needs_response" : why === "debit_returned" ? "lost" : "needs_response",
	});
	if (why === "debit_returned") dispute.evidence_details.due_by = null;
	account.objects.disputes.set(dispute.id, dispute);
	charge.disputed = true;
	account.emit("charge.dispute.created", dispute);
	if (!isInquiry) withdraw(account, dispute);
	if (why === "debit_returned") account.emit("charge.dispute.closed", dispute);
	return dispute;
}

function withdraw(account: Account, dispute: Stripe.Dispute): void {
	const { amount, currency, id } = dispute;
	const movement = move(account, "adjustment", { amount: -amount, currency, source: id }, disputeFee);
	dispute.balance_transactions.push(movement);
	account.emit("charge.dispute.funds_withdrawn", dispute);
}

/** An inquiry becomes a chargeback. */
export function escalate(account: Account, dispute: Stripe.Dispute): void {
	if (!dispute.status.startsWith("warning_") || dispute.status === "warning_closed") return;
	dispute.status = "needs_response";
	withdraw(account, dispute);
	account.emit("charge.dispute.updated", dispute);
}

/** Ends a dispute, or an inquiry. A dispute that is won gives the money back, without the fee. */
export function closeDispute(account: Account, dispute: Stripe.Dispute, outcome: "won" | "lost"): void {
	if (["won", "lost", "warning_closed"].includes(dispute.status)) return;
	const isInquiry = dispute.status.startsWith("warning_");
	dispute.status = isInquiry ? "warning_closed" : outcome;
	if (!isInquiry && outcome === "won") {
		const { amount, currency, id } = dispute;
		dispute.balance_transactions.push(move(account, "adjustment", { amount, currency, source: id }));
		account.emit("charge.dispute.funds_reinstated", dispute);
	}
	account.emit("charge.dispute.closed", dispute);
}

/**
 * Takes evidence. Two texts decide the dispute at once, as the provider documents: `winning_evidence` and `losing_evidence` in
 * `uncategorized_text`.
 */
export function takeEvidence(account: Account, dispute: Stripe.Dispute, evidence: Params, isSubmitted: boolean): void {
	if (!dispute.status.endsWith("needs_response"))
		throw wrongState("This dispute is already closed or under review.", "dispute_evidence_already_submitted");
	Object.assign(dispute.evidence, texts(evidence));
	dispute.evidence_details.has_evidence = true;
	if (isSubmitted) {
		dispute.evidence_details.submission_count += 1;
		dispute.evidence_details.submission_method = "manual";
		dispute.status = dispute.status === "warning_needs_response" ? "warning_under_review" : "under_review";
	}
	account.emit("charge.dispute.updated", dispute);
	if (!isSubmitted) return;
	const said = dispute.evidence.uncategorized_text;
	if (said === "winning_evidence") closeDispute(account, dispute, "won");
	if (said === "losing_evidence") closeDispute(account, dispute, "lost");
}

/** The account accepts a dispute. */
export function acceptDispute(account: Account, dispute: Stripe.Dispute): void {
	if (!dispute.status.endsWith("needs_response"))
		throw wrongState("This dispute cannot be closed any more.", "dispute_already_closed");
	closeDispute(account, dispute, "lost");
}
