import { and, asc, eq, getTableColumns, type SQL } from "drizzle-orm";
import { type Page, readTablePage } from "../../../kernel/page";
import { amongIds, changeRow, idsIn, insertRow, insertRows } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { sealOfAllocation, sealOfReceipt } from "../rules.seal";
import {
	type AllocationRow,
	allocations,
	type ReceiptRefundRow,
	type ReceiptRow,
	receiptRefunds,
	receipts,
} from "../table.receipts";
import type { PaymentListQuery } from "./schema";

/** An allocation with the receipt's columns that a payment shows. */
export type PaymentRow = Omit<AllocationRow, "seal"> &
	Pick<ReceiptRow, "method" | "reference" | "note"> & { readonly paidAt: ReceiptRow["receivedAt"] };

const { seal: _, ...allocationColumns } = getTableColumns(allocations);

const paymentColumns = {
	...allocationColumns,
	method: receipts.method,
	reference: receipts.reference,
	note: receipts.note,
	paidAt: receipts.receivedAt,
};

/** Returns an allocation as a payment. */
export const paymentOf = (
	{ seal: _, ...allocation }: AllocationRow,
	{ method, reference, note, receivedAt }: ReceiptRow,
): PaymentRow => ({ ...allocation, method, reference, note, paidAt: receivedAt });

/** Writes a receipt; `operations.record.ts` numbers it. */
export const writeReceipt = (work: Work, row: Omit<ReceiptRow, "seal">): ReceiptRow =>
	insertRow(work, receipts, { ...row, seal: sealOfReceipt(row) });

export const changeReceipt = (
	work: Work,
	{ id }: ReceiptRow,
	changes: Partial<Pick<ReceiptRow, "refunded" | "unallocated" | "disputed">>,
): ReceiptRow => changeRow(work, receipts, id, changes);

export const insertAllocation = (
	work: Work,
	allocation: Omit<AllocationRow, "id" | "environmentId" | "createdAt" | "seal">,
): AllocationRow => {
	const row = { ...allocation, id: work.newId(), environmentId: work.actor.environmentId, createdAt: work.now };
	return insertRow(work, allocations, { ...row, seal: sealOfAllocation(row) });
};

export const insertRefundParts = (work: Work, parts: ReadonlyArray<Omit<ReceiptRefundRow, "environmentId">>): void =>
	insertRows(
		work,
		receiptRefunds,
		parts.map((part) => ({ ...part, environmentId: work.actor.environmentId })),
	);

/** Returns the receipt with that reference in a scope, of one kind. */
export const findReceiptByReference = (
	{ tx, actor }: Work,
	{ kind, referenceScope, reference }: Pick<ReceiptRow, "kind" | "referenceScope"> & { readonly reference: string },
): ReceiptRow | undefined =>
	tx
		.select()
		.from(receipts)
		.where(
			and(
				eq(receipts.environmentId, actor.environmentId),
				eq(receipts.referenceScope, referenceScope),
				eq(receipts.kind, kind),
				eq(receipts.reference, reference),
			),
		)
		.get();

/** Returns the allocation with that id in this environment. */
export const findAllocation = ({ tx, actor }: Work, id: string): AllocationRow | undefined =>
	tx
		.select()
		.from(allocations)
		.where(and(eq(allocations.environmentId, actor.environmentId), eq(allocations.id, id)))
		.get();

const ofInvoice = ({ actor }: Work, invoiceId: string): SQL | undefined =>
	and(eq(allocations.environmentId, actor.environmentId), eq(allocations.invoiceId, invoiceId));

const ofReceipt = eq(receipts.id, allocations.receiptId);

/** Returns the payments of an invoice, in the order of recording. */
export const paymentsOf = (work: Work, invoiceId: string): PaymentRow[] =>
	work.tx
		.select(paymentColumns)
		.from(allocations)
		.innerJoin(receipts, ofReceipt)
		.where(ofInvoice(work, invoiceId))
		.orderBy(asc(allocations.id))
		.all();

/** Returns the allocations of several invoices, by their row ids. */
export const allocationsOfInvoices = (work: Work, invoiceIds: readonly string[]): AllocationRow[] =>
	work.prepared(allocationsAmong).all(idsIn(work, invoiceIds));

const allocationsAmong = (tx: Transaction) =>
	tx.select().from(allocations).where(amongIds(allocations.environmentId, allocations.invoiceId)).prepare();

export const selectPayments = (work: Work, ids: readonly string[]): PaymentRow[] =>
	work.prepared(paymentsOfIds).all(idsIn(work, ids));

const paymentsOfIds = (tx: Transaction) =>
	tx
		.select(paymentColumns)
		.from(allocations)
		.innerJoin(receipts, ofReceipt)
		.where(amongIds(allocations.environmentId, allocations.id))
		.prepare();

export const selectReceipts = (work: Work, ids: readonly string[]): ReceiptRow[] =>
	work.prepared(receiptsOfIds).all(idsIn(work, ids));

const receiptsOfIds = (tx: Transaction) =>
	tx.select().from(receipts).where(amongIds(receipts.environmentId, receipts.id)).prepare();

/** Returns the first payment of an invoice, or its first refund, whose receipt has that reference. */
export const findByReference = (
	work: Work,
	invoiceId: string,
	kind: "PAYMENT" | "REFUND",
	reference: string,
): PaymentRow | undefined =>
	work.tx
		.select(paymentColumns)
		.from(allocations)
		.innerJoin(receipts, ofReceipt)
		.where(and(ofInvoice(work, invoiceId), eq(allocations.kind, kind), eq(receipts.reference, reference)))
		.orderBy(asc(allocations.id))
		.limit(1)
		.get();

/** Returns a page of the payments of an invoice. */
export function pagePayments(work: Work, invoiceId: string, query: PaymentListQuery): Page<PaymentRow> {
	const page = readTablePage(work, query, allocations, ofInvoice(work, invoiceId));
	const receiptOf = new Map(
		selectReceipts(work, [...new Set(page.rows.map(({ receiptId }) => receiptId))]).map((row) => [row.id, row]),
	);
	return { ...page, rows: page.rows.flatMap((row) => paymentsWith(row, receiptOf.get(row.receiptId))) };
}

const paymentsWith = (row: AllocationRow, receipt: ReceiptRow | undefined): PaymentRow[] =>
	receipt ? [paymentOf(row, receipt)] : [];
