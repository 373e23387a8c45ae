import { and, eq, type SQL, sql } from "drizzle-orm";
import { createdWithin, fewCreated, type Page, readPage } from "../../../kernel/page";
import { amongIds, idsIn, isOneOf } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { selectGrants } from "../store.wallets";
import { type CreditGrantRow, type CreditWalletRow, creditGrants, creditWallets } from "../table";
import type { GrantListQuery } from "./schema";

/** A filter of grants by row ids: the grants of one wallet, or of a resource ("" for no resource). */
export interface GrantFilter {
	readonly customerId: string;
	readonly resourceRef: string;
	/** Undefined: any currency. */
	readonly walletId: string | undefined;
}

export const conditionOf = ({ customerId, resourceRef, walletId }: GrantFilter): SQL | undefined =>
	walletId === undefined
		? and(eq(creditGrants.customerId, customerId), eq(creditGrants.resourceRef, resourceRef))
		: eq(creditGrants.walletId, walletId);

export const pageGrants = (work: Work, query: GrantListQuery, of: GrantFilter): Page<CreditGrantRow> =>
	readPage(
		query,
		creditGrants.id,
		(cursor) => selectGrants(work, [cursor])[0]?.customerId === of.customerId,
		(beyondCursor, order, rowsMax) => {
			const created = createdWithin(query, creditGrants.createdAt);
			const few = fewCreated(work, creditGrants, created);
			return work.tx
				.select()
				.from(creditGrants)
				.where(and(conditionOf(of), beyondCursor, few && isOneOf(creditGrants.id, few), ...created))
				.orderBy(order)
				.limit(rowsMax)
				.all();
		},
	);

export const selectWallets = (work: Work, ids: readonly string[]): CreditWalletRow[] =>
	work.prepared(walletsAmong).all(idsIn(work, ids));

const walletsAmong = (tx: Transaction) =>
	tx.select().from(creditWallets).where(amongIds(creditWallets.environmentId, creditWallets.id)).prepare();

/** Returns the grants that an invoice (its row id) bills. */
export const selectGrantsOfInvoice = (work: Work, invoiceId: string): CreditGrantRow[] =>
	work.prepared(ofInvoice).all({ invoiceId });

const ofInvoice = (tx: Transaction) =>
	tx
		.select()
		.from(creditGrants)
		.where(eq(creditGrants.invoiceId, sql.placeholder("invoiceId")))
		.prepare();

/** Whether any wallet of a currency (its row id) has a balance or an overdraft. */
export const hasBalances = (work: Work, currencyId: string): boolean =>
	work.prepared(firstWithBalance).get({ currencyId }) !== undefined;

const firstWithBalance = (tx: Transaction) =>
	tx
		.select({ id: creditWallets.id })
		.from(creditWallets)
		.where(and(eq(creditWallets.currencyId, sql.placeholder("currencyId")), sql`(balance <> '0' or overdraft <> '0')`))
		.limit(1)
		.prepare();
