import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type Page, type PageQuery, readPage } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { customCurrencies } from "../../currencies/table";
import { type CreditWalletRow, creditWallets } from "../table";

/** Wallets of a customer (its row id): the caller's ids of a currency, archived or not, and of a resource narrow them. */
export interface WalletsOf {
	readonly customerId: string;
	readonly currencyRef: string | undefined;
	readonly resourceRef: string | undefined;
}

const among = ({ actor }: Work, { customerId, currencyRef, resourceRef }: WalletsOf): SQL | undefined =>
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

/** So many of them at most. */
export const selectWalletIds = (work: Work, of: WalletsOf, rowsMax: number): string[] =>
	work.tx
		.select({ id: creditWallets.id })
		.from(creditWallets)
		.where(among(work, of))
		.limit(rowsMax)
		.all()
		.map(({ id }) => id);

export const pageWallets = (work: Work, of: WalletsOf, query: PageQuery): Page<CreditWalletRow> =>
	readPage(
		query,
		creditWallets.id,
		(cursor) => selectWallets(work, [cursor]).get(cursor)?.customerId === of.customerId,
		(beyondCursor, order, rowsMax) =>
			work.tx
				.select()
				.from(creditWallets)
				.where(and(among(work, of), beyondCursor))
				.orderBy(order)
				.limit(rowsMax)
				.all(),
	);
