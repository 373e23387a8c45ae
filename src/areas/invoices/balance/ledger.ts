import { and, desc, eq, sql } from "drizzle-orm";
import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Money } from "../../../kernel/money";
import { insertRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { sealOfBalanceEntry } from "../rules.seal";
import { type CustomerBalanceEntryRow, customerBalanceEntries } from "../table.receipts";

/** The owner of a balance (the customer's row id) and its currency (ISO 4217, lower case). A balance pays only in its own currency. */
export interface BalanceOwner {
	readonly customerId: string;
	readonly currency: string;
}

const lastEntry = (work: Work, { customerId, currency }: BalanceOwner): CustomerBalanceEntryRow | undefined =>
	work.prepared(lastOf).get({ environmentId: work.actor.environmentId, customerId, currency });

const lastOf = (tx: Transaction) =>
	tx
		.select()
		.from(customerBalanceEntries)
		.where(
			and(
				eq(customerBalanceEntries.environmentId, sql.placeholder("environmentId")),
				eq(customerBalanceEntries.customerId, sql.placeholder("customerId")),
				eq(customerBalanceEntries.currency, sql.placeholder("currency")),
			),
		)
		.orderBy(desc(customerBalanceEntries.sequence))
		.limit(1)
		.prepare();

/** Returns a customer's balance, in major units. */
export const balanceOf = (work: Work, owner: BalanceOwner): Decimal => lastEntry(work, owner)?.balance ?? zero;

/** Returns a customer's balances that are not zero, one for each currency. */
export function balancesOf(work: Work, customerId: string): Money[] {
	const currencies = work.tx
		.selectDistinct({ currency: customerBalanceEntries.currency })
		.from(customerBalanceEntries)
		.where(
			and(
				eq(customerBalanceEntries.environmentId, work.actor.environmentId),
				eq(customerBalanceEntries.customerId, customerId),
			),
		)
		.orderBy(customerBalanceEntries.currency)
		.all();
	return currencies
		.map(({ currency }) => ({ amount: balanceOf(work, { customerId, currency }), currency }))
		.filter(({ amount }) => exact(amount).gt(0));
}

/** The source of an entry: at most one document. An adjustment has a reason instead. */
type EntrySource = Partial<Pick<CustomerBalanceEntryRow, "invoiceId" | "creditNoteId" | "paymentId" | "reason">>;

/** Adds an entry to a customer's balance; an amount of 0 adds none. */
export function addBalanceEntry(
	work: Work,
	owner: BalanceOwner,
	entry: Pick<CustomerBalanceEntryRow, "kind" | "amount"> & EntrySource,
): void {
	if (!exact(entry.amount).eq(0)) insertBalanceEntry(work, owner, entry);
}

export function insertBalanceEntry(
	work: Work,
	{ customerId, currency }: BalanceOwner,
	entry: Pick<CustomerBalanceEntryRow, "kind" | "amount"> & EntrySource,
): CustomerBalanceEntryRow {
	const last = lastEntry(work, { customerId, currency });
	const balance = exact(last?.balance ?? zero).plus(exact(entry.amount));
	assert(balance.gte(0), "no more is taken from a balance than there is");
	const { invoiceId = null, creditNoteId = null, paymentId = null } = entry;
	const row = {
		...{ ...entry, invoiceId, creditNoteId, paymentId },
		id: work.newId(),
		environmentId: work.actor.environmentId,
		customerId,
		currency,
		sequence: (last?.sequence ?? 0) + 1,
		balance: toDecimal(balance),
		createdAt: work.now,
	};
	return insertRow(work, customerBalanceEntries, { ...row, seal: sealOfBalanceEntry(row) });
}
