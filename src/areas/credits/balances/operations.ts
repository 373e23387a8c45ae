import { fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { getShownCurrency } from "../../currencies/operations";
import { getCustomer } from "../../customers/operations";
import type { CustomerRow } from "../../customers/table";
import { findWallet } from "../store.wallets";
import type { BalanceQuery, BalancesQuery, CreditBalance, WalletsQuery } from "./schema";
import { pageWallets, selectWalletIds, type WalletFilter } from "./store";
import { viewBalance, viewNoBalance } from "./view";

/** Lists a customer's balances, one for each wallet, the newest first. Throws CustomerNotFound, CustomCurrencyNotFound, BadUserInput. */
export function listBalances(work: Work, query: BalancesQuery): Page<CreditBalance> {
	const { customer, of } = walletFilterOf(work, query);
	const page = pageWallets(work, of, query);
	return { ...page, rows: page.rows.map((wallet) => viewBalance(work, customer, wallet)) };
}

/**
 * Returns a customer's balance in one currency, on one resource or on none; zero where nothing was ever granted or consumed.
 * Throws CustomerNotFound, CustomCurrencyNotFound.
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

/** Returns the customer of a query, and its filter of wallets. Throws CustomerNotFound, CustomCurrencyNotFound. */
export function walletFilterOf(
	work: Work,
	{ customerId, currencyId, resourceId }: WalletsQuery,
): { readonly customer: CustomerRow; readonly of: WalletFilter } {
	const customer = getCustomer(work, customerId);
	if (currencyId !== undefined) getShownCurrency(work, currencyId);
	return { customer, of: { customerId: customer.id, currencyRef: currencyId, resourceRef: resourceId } };
}

/** The wallets of one read. */
const walletsMax = 10_000;

/** Returns the row ids of all matching wallets. BadUserInput where they are too many. */
export function walletIdsOf(work: Work, of: WalletFilter): string[] {
	const ids = selectWalletIds(work, of, walletsMax + 1);
	if (ids.length > walletsMax) throw tooManyRows(walletsMax, "wallets");
	return ids;
}

/** Throws BadUserInput for more rows than one request reads; `rows` names their kind. */
export const tooManyRows = (rowsMax: number, rows: string) =>
	fail(
		"BadUserInput",
		`query: more than ${rowsMax} ${rows} match; request a shorter range, or one currency or resource.`,
	);
