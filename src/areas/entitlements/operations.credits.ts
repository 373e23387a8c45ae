import type { Instant } from "../../kernel/clock";
import { zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { currentTotals, nextDueOfWallet, periodEndOfWallet, walletsFor } from "../credits/operations.wallets";
import type { CreditWalletRow } from "../credits/table";
import { currenciesByIds } from "../currencies/operations";
import type { CurrencyRow } from "../currencies/table";
import type { CreditState, CreditTerms } from "./credits";
import type { Resolved } from "./operations.resolve";

/** The credits of a customer or a resource in one currency: the wallet, and the terms for using it. */
export interface CustomerCredits extends CreditState {
	readonly currency: CurrencyRow;
	/** The terms of entitlements; none where all credits were granted manually. */
	readonly terms: readonly CreditTerms[];
	/** Undefined where nothing was ever granted or consumed. */
	readonly wallet: CreditWalletRow | undefined;
	readonly periodEnd: Instant | null;
	readonly updatedAt: Instant;
	/** When the state changes without a request. */
	readonly changesAt: Instant | null;
}

/** Returns the credits of all currencies with an entitlement or a wallet. A manual grant needs no entitlement. */
export function creditsOf(work: Work, resolved: Resolved, resourceRef: string | null): CustomerCredits[] {
	const { customerId, credits } = resolved;
	if (customerId === null) return [];
	const wallets = new Map(walletsFor(work, customerId, resourceRef).map((wallet) => [wallet.currencyId, wallet]));
	const sold = [...credits.values()];
	const others = currenciesByIds(
		work,
		[...wallets.keys()].filter((id) => !sold.some(({ currency }) => currency.id === id)),
	);
	return [
		...sold.map(({ currency, terms }) => creditsOfCurrency(work, currency, terms, wallets.get(currency.id))),
		...[...others.values()].map((currency) => creditsOfCurrency(work, currency, [], wallets.get(currency.id))),
	];
}

/** Returns the balance of one currency in a wallet, with the terms of the entitlements to it. */
export function creditsOfCurrency(
	work: Work,
	currency: CurrencyRow,
	terms: readonly CreditTerms[],
	wallet: CreditWalletRow | undefined,
): CustomerCredits {
	const shown = wallet && currentTotals(work, wallet);
	const updates = terms.map(({ updatedAt }) => updatedAt);
	return {
		currency,
		terms,
		wallet,
		isRevoked: terms.some(({ isGranted }) => !isGranted),
		isSoft: terms.some(({ hasSoftLimit }) => hasSoftLimit),
		limit: shown?.limit ?? zero,
		used: shown?.usage ?? zero,
		periodEnd: wallet ? periodEndOfWallet(work, wallet.id) : null,
		updatedAt: Math.max(0, wallet?.updatedAt ?? 0, ...updates) as Instant,
		changesAt: wallet ? nextDueOfWallet(work, wallet.id) : null,
	};
}
