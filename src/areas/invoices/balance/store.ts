import { and, eq, type SQL } from "drizzle-orm";
import { type Page, readPage } from "../../../kernel/page";
import { amongIds, idsIn } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { type CustomerBalanceEntryRow, customerBalanceEntries } from "../table";
import type { BalanceEntryListQuery } from "./schema";

const ofCustomer = ({ actor }: Work, customerId: string, currency: string | undefined): SQL | undefined =>
	and(
		eq(customerBalanceEntries.environmentId, actor.environmentId),
		eq(customerBalanceEntries.customerId, customerId),
		currency === undefined ? undefined : eq(customerBalanceEntries.currency, currency),
	);

/** The entries of a customer's balance, newest first; of all its currencies unless one is asked for. */
export const pageBalanceEntries = (
	work: Work,
	customerId: string,
	query: BalanceEntryListQuery,
): Page<CustomerBalanceEntryRow> =>
	readPage(
		query,
		customerBalanceEntries.id,
		(cursor) =>
			work.tx
				.select({ id: customerBalanceEntries.id })
				.from(customerBalanceEntries)
				.where(and(ofCustomer(work, customerId, undefined), eq(customerBalanceEntries.id, cursor)))
				.get() !== undefined,
		(beyondCursor, order, rowsMax) =>
			work.tx
				.select()
				.from(customerBalanceEntries)
				.where(and(ofCustomer(work, customerId, query.currency), beyondCursor))
				.orderBy(order)
				.limit(rowsMax)
				.all(),
	);

export const selectBalanceEntries = (work: Work, ids: readonly string[]): CustomerBalanceEntryRow[] =>
	work.prepared(entriesOfIds).all(idsIn(work, ids));

const entriesOfIds = (tx: Transaction) =>
	tx
		.select()
		.from(customerBalanceEntries)
		.where(amongIds(customerBalanceEntries.environmentId, customerBalanceEntries.id))
		.prepare();
