import { and, eq } from "drizzle-orm";
import { type Page, readTablePage } from "../../../kernel/page";
import { amongIds, changeRow, idsIn, insertRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import type { DisputeListQuery } from "./schema";
import { type DisputeRow, disputes } from "./table";

export const insertDispute = (
	work: Work,
	dispute: Omit<DisputeRow, "id" | "environmentId" | "createdAt" | "endedAt" | "returnId">,
): DisputeRow =>
	insertRow(work, disputes, {
		...{ ...dispute, id: work.newId(), environmentId: work.actor.environmentId, createdAt: work.now },
		...{ endedAt: null, returnId: null },
	});

export const changeDispute = (
	work: Work,
	{ id }: DisputeRow,
	changes: Partial<Pick<DisputeRow, "state" | "note" | "evidenceDueAt" | "endedAt" | "returnId">>,
): DisputeRow => changeRow(work, disputes, id, changes);

export const selectDisputes = (work: Work, ids: readonly string[]): DisputeRow[] =>
	work.prepared(disputesOfIds).all(idsIn(work, ids));

const disputesOfIds = (tx: Transaction) =>
	tx.select().from(disputes).where(amongIds(disputes.environmentId, disputes.id)).prepare();

/** Returns the disputes of receipts. */
export const disputesOfReceipts = (work: Work, receiptIds: readonly string[]): DisputeRow[] =>
	work.prepared(disputesAmong).all(idsIn(work, receiptIds));

const disputesAmong = (tx: Transaction) =>
	tx.select().from(disputes).where(amongIds(disputes.environmentId, disputes.receiptId)).prepare();

/** Returns a page of disputes, newest first: of one customer (by row id), or of all. */
export const pageDisputes = (
	work: Work,
	{ receiptId, state, ...query }: Omit<DisputeListQuery, "customerId">,
	customerId: string | undefined,
): Page<DisputeRow> =>
	readTablePage(
		work,
		query,
		disputes,
		and(
			eq(disputes.environmentId, work.actor.environmentId),
			customerId === undefined ? undefined : eq(disputes.customerId, customerId),
		),
		[
			receiptId === undefined ? undefined : eq(disputes.receiptId, receiptId),
			state === undefined ? undefined : eq(disputes.state, state),
		],
	);
