import { and, asc, eq, gt, inArray, type SQL } from "drizzle-orm";
import { assert } from "../../../kernel/errors";
import { type Page, readTablePage } from "../../../kernel/page";
import { queryValues } from "../../../kernel/query";
import { amongIds, changeRow, idsIn, insertRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { refundTransitions } from "./rules.states";
import type { RefundListQuery } from "./schema";
import { isDue, type ProviderRefundRow, providerRefunds } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(providerRefunds.environmentId, actor.environmentId);

const byIds = (tx: Transaction) =>
	tx.select().from(providerRefunds).where(amongIds(providerRefunds.environmentId, providerRefunds.id)).prepare();

export const selectRefunds = (work: Work, ids: readonly string[]): ProviderRefundRow[] =>
	work.prepared(byIds).all(idsIn(work, ids));

/** Returns due refunds of all environments, the longest due first. */
export const listDueRefunds = (work: Work, rowsMax: number): ProviderRefundRow[] =>
	work.tx.select().from(providerRefunds).where(isDue).orderBy(asc(providerRefunds.dueAt)).limit(rowsMax).all();

export const selectRefundsAfter = (work: Work, after: string, rowsMax: number): ProviderRefundRow[] =>
	work.tx
		.select()
		.from(providerRefunds)
		.where(and(inEnvironment(work), gt(providerRefunds.id, after)))
		.orderBy(asc(providerRefunds.id))
		.limit(rowsMax)
		.all();

/** Returns a page of refunds, newest first. `customerId` is a row id. */
export const pageRefunds = (
	work: Work,
	{ receiptId, state, customerId: _, ...query }: RefundListQuery,
	customerId: string | undefined,
): Page<ProviderRefundRow> => {
	const states = queryValues(state) as ProviderRefundRow["state"][] | undefined;
	return readTablePage(
		work,
		query,
		providerRefunds,
		and(
			inEnvironment(work),
			customerId === undefined ? undefined : eq(providerRefunds.customerId, customerId),
			receiptId === undefined ? undefined : eq(providerRefunds.receiptId, receiptId),
		),
		[states && inArray(providerRefunds.state, states)],
	);
};

export const insertRefund = (
	work: Work,
	refund: Omit<ProviderRefundRow, "environmentId" | "createdAt" | "updatedAt">,
): ProviderRefundRow =>
	insertRow(work, providerRefunds, {
		...refund,
		...{ environmentId: work.actor.environmentId, createdAt: work.now, updatedAt: work.now },
	});

export function saveRefund(
	work: Work,
	before: ProviderRefundRow,
	changes: Partial<ProviderRefundRow>,
): ProviderRefundRow {
	const row = changeRow(work, providerRefunds, before.id, { ...changes, updatedAt: work.now });
	assert(row.state === before.state || refundTransitions[before.state].includes(row.state), "a refund never goes back");
	return row;
}
