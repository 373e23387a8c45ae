import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type Page, type PageQuery, readPage } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { customCurrencies } from "../../currencies/table";
import { type CreditWalletRow, creditWallets } from "../table";

/** A filter of a customer's wallets (its row id) by a currency, archived or not, and a resource (the caller's ids). */
export interface WalletFilter {
	readonly customerId: string;
	readonly currencyRef: string | undefined;
	readonly resourceRef: string | undefined;
}

const conditionOf = ({ actor }: Work, { customerId, currencyRef, resourceRef }: WalletFilter): SQL | undefined =>
	and(
		eq(creditWallets.customerId, customerId),
		currencyRef === undefined
			? undefined
			: sql`${creditWallets.currencyId} in (select ${customCurrencies.id} from ${customCurrencies} where ${and(
					eq(customCurrencies.environmentId, actor.environmentId),
					eq(customCurrencies.refId, currencyRef),
				)})`,
		resourceRef === undefined ? undefined : eq(creditWallets.resourceRef, resourceRef),
	);

export function selectWallets(work: Work, ids: readonly string[]): Map<string, CreditWalletRow> {
	if (ids.length === 0) return new Map();
	const found = work.tx
		.select()
		.from(creditWallets)
		.where(inArray(creditWallets.id, [...ids]))
		.all();
	return new Map(found.map((wallet) => [wallet.id, wallet]));
}

/** Returns at most `rowsMax` row ids. */
export const selectWalletIds = (work: Work, of: WalletFilter, rowsMax: number): string[] =>
	work.tx
		.select({ id: creditWallets.id })
		.from(creditWallets)
		.where(conditionOf(work, of))
		.limit(rowsMax)
		.all()
		.map(({ id }) => id);

export const pageWallets = (work: Work, of: WalletFilter, query: PageQuery): Page<CreditWalletRow> =>
	readPage(
		query,
		creditWallets.id,
		(cursor) => selectWallets(work, [cursor]).get(cursor)?.customerId === of.customerId,
		(beyondCursor, order, rowsMax) =>
			work.tx
				.select()
				.from(creditWallets)
				.where(and(conditionOf(work, of), beyondCursor))
				.orderBy(order)
				.limit(rowsMax)
				.all(),
	);
