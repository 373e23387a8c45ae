import { HttpRefusal } from "../../../http/refusal";
import { type Instant, instantOf } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { getInvoicedCustomer } from "../operations";
import { getReceipt, returnReceipt } from "../payments/operations.return";
import { refundableOf } from "../payments/rules";
import { amountToReverse } from "../payments/rules.reverse";
import { allocationsOfInvoices, changeReceipt, selectReceipts } from "../payments/store";
import { assertRoom } from "../receipts/rules";
import { assertWholeMinorUnits } from "../rules";
import type { ReceiptRow } from "../table.receipts";
import { disputeChanged } from "./events";
import { assertDisputable, assertMayMove, disputedOf, holdsMoney, takesMoney } from "./rules";
import type { DisputeChange, DisputeListQuery, DisputeReport, DisputeState } from "./schema";
import { changeDispute, disputesOfReceipts, insertDispute, pageDisputes, selectDisputes } from "./store";
import type { DisputeRow } from "./table";

/** Returns the dispute with that id. The catalogue of errors has no code for an unknown one. */
export function getDispute(work: Work, disputeId: string): DisputeRow {
	const [dispute] = selectDisputes(work, [disputeId]);
	if (!dispute) throw new HttpRefusal(404, `There is no dispute '${disputeId}' in this environment.`);
	return dispute;
}

/** Returns the disputes of the receipts that have paid a part of an invoice. */
export const disputesOfInvoice = (work: Work, invoiceId: string): DisputeRow[] =>
	disputesOfReceipts(work, [...new Set(allocationsOfInvoices(work, [invoiceId]).map(({ receiptId }) => receiptId))]);

/** Lists disputes, newest first. Throws CustomerNotFound. */
export const listDisputes = (work: Work, { customerId, ...query }: DisputeListQuery): Page<DisputeRow> =>
	pageDisputes(work, query, customerId === undefined ? undefined : getInvoicedCustomer(work, customerId).id);

/**
 * Records a dispute of a receipt (by row id) as reported. Unless it is an INQUIRY, the money cannot be refunded until the dispute ends. A
 * repeated reference of the receipt is recorded once. Throws InvalidArgumentError for more than what is left of the receipt and for a
 * date before the money arrived or in the future.
 */
export function recordDispute(work: Work, receiptId: string, report: DisputeReport): DisputeRow {
	const [found] = selectReceipts(work, [receiptId]);
	if (!found) throw new HttpRefusal(404, `There is no receipt '${receiptId}' in this environment.`);
	const receipt = getReceipt(work, receiptId);
	const others = disputesOfReceipts(work, [receipt.id]);
	const { reference = null, reason = null, note = null, state = "NEEDS_RESPONSE" } = report;
	const known = reference === null ? undefined : others.find((one) => one.reference === reference);
	if (known) return assertSame(known, report);
	assertRoom(receipt, others.length);
	const asked = report.amount === undefined ? null : toDecimal(report.amount);
	if (asked !== null) assertWholeMinorUnits("amount", asked, receipt.currency);
	if (asked !== null) assertDisputable(receipt, exact(asked));
	const amount = toDecimal(amountToReverse(`the receipt '${receipt.id}'`, refundableOf(receipt), asked));
	const openedAt = dateOf(work, "openedDate", report.openedDate, receipt.receivedAt);
	const evidenceDueAt = report.evidenceDueDate === undefined ? null : instantOf(report.evidenceDueDate);
	const { id, customerId } = receipt;
	const texts = { reason, reference, note };
	const dispute = insertDispute(work, { receiptId: id, customerId, state, amount, ...texts, openedAt, evidenceDueAt });
	keepDisputed(work, receipt);
	disputeChanged(work, "dispute.created", dispute, receipt);
	return dispute;
}

function assertSame(known: DisputeRow, { amount }: DisputeReport): DisputeRow {
	if (amount !== undefined && !exact(known.amount).eq(exact(toDecimal(amount))))
		throw fail(
			"InvalidArgumentError",
			`The reference '${known.reference}' is already recorded for this receipt, with an amount of ${known.amount}; another dispute needs another reference.`,
		);
	return known;
}

/** Changes the state of a dispute as reported. The codes of `moveDispute`. */
export function changeReported(work: Work, disputeId: string, report: DisputeChange): DisputeRow {
	const dispute = getDispute(work, disputeId);
	const { state, note, evidenceDueDate } = report;
	const at = dateOf(work, "changedDate", report.changedDate, dispute.openedAt);
	return moveDispute(work, dispute, state, {
		at,
		...(note !== undefined && { note }),
		...(evidenceDueDate !== undefined && { evidenceDueAt: instantOf(evidenceDueDate) }),
	});
}

interface Move extends Partial<Pick<DisputeRow, "note" | "evidenceDueAt">> {
	/** The time of the change. */
	readonly at: Instant;
}

/**
 * Moves a dispute to another state. LOST and ACCEPTED withdraw the money of the receipt: the invoices that it paid are OPEN again. The
 * present state changes nothing. Throws InvalidArgumentError for a change that the table of states does not have, for an inquiry whose
 * money has left, and the causes of `returnReceipt`.
 */
export function moveDispute(
	work: Work,
	dispute: DisputeRow,
	state: DisputeState,
	{ at, ...details }: Move,
): DisputeRow {
	if (dispute.state === state) return changeDispute(work, dispute, details);
	assertMayMove(dispute, state);
	const receipt = getReceipt(work, dispute.receiptId);
	const moved = { ...dispute, state };
	if (!holdsMoney(dispute) && (holdsMoney(moved) || takesMoney(moved)))
		assertDisputable(receipt, exact(dispute.amount));
	const isEnd = !holdsMoney(moved) && state !== "INQUIRY";
	const changed = changeDispute(work, dispute, { ...details, state, ...(isEnd && { endedAt: at }) });
	keepDisputed(work, receipt);
	const ended = takesMoney(moved) ? withdraw(work, changed, at) : changed;
	disputeChanged(work, "dispute.updated", ended, receipt);
	return ended;
}

function withdraw(work: Work, dispute: DisputeRow, at: Instant): DisputeRow {
	const { id, receiptId, amount, note } = dispute;
	const reference = dispute.reference ?? id;
	const { returned } = returnReceipt(work, receiptId, { amount, reason: "CHARGEBACK", reference, note, at });
	return changeDispute(work, dispute, { returnId: returned.id });
}

/** Sets the disputed part of a receipt to the sum of its disputes. */
function keepDisputed(work: Work, receipt: ReceiptRow): void {
	const disputed: Decimal = toDecimal(disputedOf(disputesOfReceipts(work, [receipt.id])));
	assert(exact(disputed).lte(exact(receipt.amount)), "no more is disputed than arrived");
	if (!exact(disputed).eq(exact(receipt.disputed))) changeReceipt(work, receipt, { disputed });
}

/** Returns a reported date, by default now. Throws InvalidArgumentError for one in the future or before `earliest`. */
function dateOf(work: Work, key: string, date: string | undefined, earliest: Instant): Instant {
	const at = date === undefined ? work.now : instantOf(date);
	if (at > work.now) throw fail("InvalidArgumentError", `'${key}' lies in the future; give a time that has come.`);
	if (at < earliest)
		throw fail("InvalidArgumentError", `'${key}' lies before the dispute could begin; give a later time.`);
	return at;
}
