import { and, eq } from "drizzle-orm";
import { type Page, readTablePage } from "../../../kernel/page";
import { amongIds, idsIn } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { type CustomerBalanceEntryRow, customerBalanceEntries } from "../table.receipts";
import type { BalanceEntryListQuery } from "./schema";

/** Returns the entries of a customer's balances, newest first, in all currencies or one. */
export const pageBalanceEntries = (
	work: Work,
	customerId: string,
	query: BalanceEntryListQuery,
): Page<CustomerBalanceEntryRow> =>
	readTablePage(
		work,
		query,
		customerBalanceEntries,
		and(
			eq(customerBalanceEntries.environmentId, work.actor.environmentId),
			eq(customerBalanceEntries.customerId, customerId),
		),
		[query.currency === undefined ? undefined : eq(customerBalanceEntries.currency, query.currency)],
	);

export const selectBalanceEntries = (work: Work, ids: readonly string[]): CustomerBalanceEntryRow[] =>
	work.prepared(entriesOfIds).all(idsIn(work, ids));

const entriesOfIds = (tx: Transaction) =>
	tx
		.select()
		.from(customerBalanceEntries)
		.where(amongIds(customerBalanceEntries.environmentId, customerBalanceEntries.id))
		.prepare();
