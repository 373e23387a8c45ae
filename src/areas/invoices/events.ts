import { type Instant, toIso, toIsoOrNull } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { cancelAttemptOf } from "../collection/attempts/operations";
import { customersByIds } from "../customers/operations";
import { cancelPlannedDebit } from "../direct-debit/operations";
import { hasDunning } from "../dunning/policies/operations";
import { scheduleNotice, writeEvent } from "../outbox/operations";
import { selectMembers } from "./consolidated/store";
import { overdueFrom, receiptNumber } from "./rules";
import type { CreditNoteRow, InvoiceRow } from "./table";
import type { AllocationRow, ReceiptRow } from "./table.receipts";

function payloadOf(work: Work, row: InvoiceRow) {
	const customer = customersByIds(work, [row.customerId]).get(row.customerId);
	return {
		id: row.id,
		entityId: row.id,
		number: row.number,
		state: row.state,
		billingReason: row.billingReason,
		customer: { id: customer?.refId ?? "" },
		subscription: row.subscriptionId === null ? null : { entityId: row.subscriptionId },
		...(row.subscriptionId === null && row.billingReason === "BILLING_CYCLE" && subscriptionsOf(work, row)),
		contract: row.contractRefId === null ? null : { id: row.contractRefId },
		currency: row.currency,
		subTotal: toWire(row.subTotal),
		discount: toWire(row.discount),
		tax: toWire(row.tax),
		total: toWire(row.total),
		amountPaid: toWire(row.amountPaid),
		issuedAt: toIso(row.issuedAt),
		dueDate: toIso(row.dueAt),
		paidAt: toIsoOrNull(row.paidAt),
	};
}

/** The subscriptions of a consolidated invoice that an event names. Its lines name all of them. */
const namedMax = 100;

/** Returns the subscriptions of a consolidated invoice, and their number. */
function subscriptionsOf(work: Work, row: InvoiceRow) {
	const members = selectMembers(work, [row.id]);
	if (members.length === 0) return {};
	const named = members.slice(0, namedMax);
	return {
		subscriptions: named.map((one) => ({ id: one.subscriptionRefId, entityId: one.subscriptionId })),
		subscriptionsCount: members.length,
	};
}

/** Emits the event of an issued invoice. A draft emits it when it is issued. */
export function invoiceIssued(work: Work, row: InvoiceRow): void {
	if (row.state === "DRAFT") return;
	if (row.state === "OPEN") followDunning(work, row);
	const payload = payloadOf(work, row);
	writeEvent(work, "invoice.created", row.id, payload);
	if (row.state === "PAID") writeEvent(work, "invoice.paid", row.id, payload);
	if (row.state === "OPEN") scheduleNotice(work, "invoice.overdue", row.id, overdueFrom(row.dueAt));
}

/** Emits the event of a changed state; an unchanged state emits none. */
export function invoiceChanged(work: Work, before: Pick<InvoiceRow, "state">, row: InvoiceRow): void {
	if (before.state === row.state) return;
	if (before.state === "DRAFT") invoiceIssued(work, row);
	else followDunning(work, row);
	if (before.state === "PAID")
		scheduleNotice(work, "invoice.overdue", row.id, Math.max(overdueFrom(row.dueAt), work.now) as Instant);
	if (before.state === "DRAFT" || row.state === "OPEN") return;
	cancelAttemptOf(work, row.id);
	cancelPlannedDebit(work, row.id);
	scheduleNotice(work, "invoice.overdue", row.id, null);
	writeEvent(work, row.state === "PAID" ? "invoice.paid" : "invoice.canceled", row.id, payloadOf(work, row));
}

/** Lets the dunning case of an invoice follow its state, in an environment with dunning. The case starts or ends as a step of this instant. */
function followDunning(work: Work, { id }: InvoiceRow): void {
	if (hasDunning(work)) scheduleNotice(work, "dunning.follow", id, work.now);
}

export const invoiceOverdue = (work: Work, row: InvoiceRow): void =>
	writeEvent(work, "invoice.overdue", row.id, payloadOf(work, row));

/** Emits the event of a reversed payment. A PAID invoice with an amount due is OPEN again. */
export const paymentReversed = (work: Work, row: InvoiceRow, reversal: AllocationRow): void =>
	writeEvent(work, "invoice.payment_reversed", row.id, {
		...payloadOf(work, row),
		payment: {
			id: reversal.reversesId ?? "",
			amount: toWire(reversal.amount),
			balanceAmount: toWire(reversal.balancePart),
			reason: reversal.reason ?? "RETURNED",
		},
	});

/** Emits an event of a receipt. */
export function receiptChanged(
	work: Work,
	type: `receipt.${"created" | "allocated" | "allocation_reversed" | "refunded" | "returned"}`,
	row: ReceiptRow,
): void {
	const customer = customersByIds(work, [row.customerId]).get(row.customerId);
	writeEvent(work, type, row.id, {
		id: row.id,
		entityId: row.id,
		number: receiptNumber(row),
		kind: row.kind,
		customer: { id: customer?.refId ?? "" },
		currency: row.currency,
		amount: toWire(row.amount),
		unallocatedAmount: toWire(row.unallocated),
		refundedAmount: toWire(row.refunded),
		method: row.method,
		receivedAt: toIso(row.receivedAt),
	});
}

export const invoiceCredited = (work: Work, row: InvoiceRow, note: CreditNoteRow): void =>
	writeEvent(work, "invoice.credited", row.id, {
		...payloadOf(work, row),
		creditNote: { id: note.id, number: note.number, reason: note.reasonCode, total: toWire(note.total) },
	});
