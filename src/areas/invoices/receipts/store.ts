import { and, count, eq } from "drizzle-orm";
import { type Page, readTablePage } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { allocations, isUnallocated, type ReceiptRow, receiptRefunds, receipts } from "../table.receipts";
import type { ReceiptListQuery } from "./schema";

/** Returns a page of receipts, newest first: of one customer (by row id), or of all. */
export const pageReceipts = (
	work: Work,
	{ kind, unallocated, ...query }: Omit<ReceiptListQuery, "customerId">,
	customerId: string | undefined,
): Page<ReceiptRow> =>
	readTablePage(
		work,
		query,
		receipts,
		and(
			eq(receipts.environmentId, work.actor.environmentId),
			customerId === undefined ? undefined : eq(receipts.customerId, customerId),
		),
		[kind === undefined ? undefined : eq(receipts.kind, kind), unallocated === undefined ? undefined : isUnallocated],
	);

/** Returns the number of allocations, reversals and refunds of a receipt. */
export function countRows({ tx }: Work, receiptId: string): number {
	const allocated = tx.select({ rows: count() }).from(allocations).where(eq(allocations.receiptId, receiptId)).get();
	const refunded = tx
		.select({ rows: count() })
		.from(receiptRefunds)
		.where(eq(receiptRefunds.receiptId, receiptId))
		.get();
	return (allocated?.rows ?? 0) + (refunded?.rows ?? 0);
}
