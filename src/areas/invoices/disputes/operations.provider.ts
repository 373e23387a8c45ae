import { toIso } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Cause, Work } from "../../../kernel/work";
import { findAttemptOf } from "../../collection/attempts/operations";
import { planCall } from "../../collection/calls/operations";
import {
	followDispute,
	type PlannedDisputeCall,
	postponeDispute,
	type ReportedDispute,
} from "../../collection/disputes/operations";
import { findReceiptByReference, selectReceipts } from "../payments/store";
import { getDispute, moveDispute, recordDispute } from "./operations";
import { type DisputeState, nextDisputeStates } from "./schema";
import { disputesOfReceipts } from "./store";
import type { DisputeRow } from "./table";

/**
 * Applies a provider's statement about a dispute, whichever event or look-up brought it. Statements may arrive late, twice and in any
 * order: a dispute never goes back. A dispute of a foreign payment changes nothing. Throws InvalidArgumentError if the books cannot follow,
 * for example because the money was refunded by hand.
 */
export function applyProviderDispute(work: Work, reported: ReportedDispute): null {
	const { connectionId, answer, byChoice = false } = reported;
	const { ref: reference, paymentRef, state, reason, evidenceDueAt, amount } = answer;
	const receipt = findReceiptByReference(work, {
		...{ kind: "PAYMENT", referenceScope: connectionId, reference: paymentRef },
	});
	if (!receipt) {
		// The payment is ours, and its receipt is still to come.
		if (findAttemptOf(work, connectionId, { ref: paymentRef, ours: null })) postponeDispute(work, reported);
		return null;
	}
	const known = disputesOfReceipts(work, [receipt.id]).find((one) => one.reference === reference);
	const dispute =
		known ??
		recordDispute(work, receipt.id, {
			...{ amount: toWire(amount), reference, reason: reason.slice(0, 255) || "unknown", state: firstOf(state) },
			...(evidenceDueAt !== null && { evidenceDueDate: toIso(evidenceDueAt) }),
		});
	const target: DisputeState = byChoice && state === "LOST" ? "ACCEPTED" : state;
	if (nextDisputeStates[dispute.state].includes(target))
		moveDispute(work, dispute, target, { at: work.now, ...(evidenceDueAt !== null && { evidenceDueAt }) });
	followDispute(work, reported);
	return null;
}

const firstOf = (state: ReportedDispute["answer"]["state"]): "INQUIRY" | "NEEDS_RESPONSE" =>
	state === "INQUIRY" || state === "CLOSED" ? "INQUIRY" : "NEEDS_RESPONSE";

/**
 * Plans the call that sends evidence to the provider, or accepts the dispute there. Returns the id of the call. Throws
 * InvalidArgumentError for a dispute that was recorded by hand, and for one that does not wait for evidence.
 */
export function planDisputeCall(
	work: Work,
	{
		disputeId,
		kind,
		evidence,
		cause,
	}: {
		readonly disputeId: string;
		readonly kind: "SEND_EVIDENCE" | "ACCEPT_DISPUTE";
		readonly evidence: PlannedDisputeCall["evidence"];
		readonly cause: Cause;
	},
): string {
	Object.assign(work.cause, cause);
	const dispute = getDispute(work, disputeId);
	assertWaits(dispute);
	const [receipt] = selectReceipts(work, [dispute.receiptId]);
	const { reference: ref } = dispute;
	if (receipt?.source !== "PROVIDER" || ref === null)
		throw fail(
			"InvalidArgumentError",
			`The dispute '${disputeId}' was recorded by hand: no payment provider has it. Answer it where it was opened, and record its state by POST /api/v1/disputes/{disputeId}/state.`,
		);
	const request: PlannedDisputeCall = { connectionId: receipt.referenceScope, ref, evidence };
	return planCall(work, { kind, subjectId: dispute.id, request: { ...request } }).id;
}

function assertWaits({ id, state }: DisputeRow): void {
	if (state !== "INQUIRY" && state !== "NEEDS_RESPONSE")
		throw fail(
			"InvalidArgumentError",
			`The dispute '${id}' is ${state}; only one that is INQUIRY or NEEDS_RESPONSE takes evidence or can be accepted.`,
		);
}
