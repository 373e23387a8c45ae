import { fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { getShownCurrency } from "../../currencies/operations";
import { getCustomer } from "../../customers/operations";
import type { CustomerRow } from "../../customers/table";
import { findWallet } from "../store.wallets";
import type { BalanceQuery, BalancesQuery, CreditBalance, WalletsQuery } from "./schema";
import { pageWallets, selectWalletIds, type WalletsOf } from "./store";
import { viewBalance, viewNoBalance } from "./view";

/** What a customer has in credits, wallet by wallet, the newest first. CustomerNotFound, CustomCurrencyNotFound, BadUserInput. */
export function listBalances(work: Work, query: BalancesQuery): Page<CreditBalance> {
	const { customer, of } = walletsOf(work, query);
	const page = pageWallets(work, of, query);
	return { ...page, rows: page.rows.map((wallet) => viewBalance(work, customer, wallet)) };
}

/**
 * What a customer has of one currency, on one resource or on none; nothing of it where nothing was granted or consumed.
 * CustomerNotFound, CustomCurrencyNotFound.
 */
export function getBalance(work: Work, query: BalanceQuery): CreditBalance {
	const customer = getCustomer(work, query.customerId);
	const currency = getShownCurrency(work, query.currencyId);
	const resourceRef = query.resourceId ?? "";
	const wallet = findWallet(work, {
		customerId: customer.id,
		currencyId: currency.id,
		resourceRef,
	});
	return wallet
		? viewBalance(work, customer, wallet)
		: viewNoBalance(work, { customerId: customer.refId, currencyId: currency.refId, resourceId: resourceRef || null });
}

/** Which wallets a query means. CustomerNotFound, CustomCurrencyNotFound. */
export function walletsOf(
	work: Work,
	{ customerId, currencyId, resourceId }: WalletsQuery,
): { readonly customer: CustomerRow; readonly of: WalletsOf } {
	const customer = getCustomer(work, customerId);
	if (currencyId !== undefined) getShownCurrency(work, currencyId);
	return { customer, of: { customerId: customer.id, currencyRef: currencyId, resourceRef: resourceId } };
}

/** Our choice: whose ids one read looks up at once. */
const walletsMax = 10_000;

/** Of all wallets that are meant. BadUserInput where they are too many. */
export function walletIdsOf(work: Work, of: WalletsOf): string[] {
	const ids = selectWalletIds(work, of, walletsMax + 1);
	if (ids.length > walletsMax) throw tooMuch(walletsMax, "wallets");
	return ids;
}

/** BadUserInput for what is too much to be read at once; `rows` says of what. */
export const tooMuch = (rowsMax: number, rows: string) =>
	fail(
		"BadUserInput",
		`query: more than ${rowsMax} ${rows} lie in this range; ask for a shorter one, or for one currency or resource.`,
	);
