import { and, asc, eq, gt } from "drizzle-orm";
import { amongIds, idsIn } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import {
	type AllocationRow,
	allocations,
	type ReceiptRefundRow,
	type ReceiptRow,
	receiptRefunds,
	receipts,
} from "../table.receipts";

/** The number of receipts in memory at once, with their allocations. */
const receiptsAtOnceMax = 200;

/** Returns the next few receipts after an id. */
export const readReceipts = ({ tx, actor }: Work, after: string): ReceiptRow[] =>
	tx
		.select()
		.from(receipts)
		.where(and(eq(receipts.environmentId, actor.environmentId), gt(receipts.id, after)))
		.orderBy(asc(receipts.id))
		.limit(receiptsAtOnceMax)
		.all();

/** Returns the allocations of receipts, in the order of recording. */
export const allocationsOfReceipts = (work: Work, ids: readonly string[]): AllocationRow[] =>
	work.prepared(allocationsAmong).all(idsIn(work, ids));

const allocationsAmong = (tx: Transaction) =>
	tx
		.select()
		.from(allocations)
		.where(amongIds(allocations.environmentId, allocations.receiptId))
		.orderBy(asc(allocations.id))
		.prepare();

/** Returns the parts of refunds that come from these receipts. */
export const refundsOfReceipts = (work: Work, ids: readonly string[]): ReceiptRefundRow[] =>
	work.prepared(refundsAmong).all(idsIn(work, ids));

const refundsAmong = (tx: Transaction) =>
	tx.select().from(receiptRefunds).where(amongIds(receiptRefunds.environmentId, receiptRefunds.receiptId)).prepare();

/** Returns the parts of these refunds, by the receipts that they come from. */
export const partsOfRefunds = (work: Work, ids: readonly string[]): ReceiptRefundRow[] =>
	work.prepared(partsAmong).all(idsIn(work, ids));

const partsAmong = (tx: Transaction) =>
	tx.select().from(receiptRefunds).where(amongIds(receiptRefunds.environmentId, receiptRefunds.refundId)).prepare();
