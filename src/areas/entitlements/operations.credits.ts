import type { Instant } from "../../kernel/clock";
import { zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { nextDueOfWallet, periodEndOfWallet, shownNow, walletsFor } from "../credits/operations.wallets";
import type { CreditWalletRow } from "../credits/table";
import { currenciesByIds } from "../currencies/operations";
import type { CurrencyRow } from "../currencies/table";
import type { CreditBalance, CreditTerms } from "./credits";
import type { Resolved } from "./operations.resolve";

/** What a customer, or one of its resources, has of one currency: what its wallet holds, and whether it may use that. */
export interface HeldCredits extends CreditBalance {
	readonly currency: CurrencyRow;
	/** What entitlements say of it; none where all was granted by hand. */
	readonly terms: readonly CreditTerms[];
	/** Undefined where nothing was ever granted or consumed. */
	readonly wallet: CreditWalletRow | undefined;
	readonly periodEnd: Instant | null;
	readonly updatedAt: Instant;
	/** When it is another, though nobody calls. */
	readonly changesAt: Instant | null;
}

/** Credits of all currencies: those that are sold to it, and those of which there is a wallet, since a grant by hand needs no entitlement. */
export function creditsHeld(work: Work, resolved: Resolved, resourceRef: string | null): HeldCredits[] {
	const { customerId, credits } = resolved;
	if (customerId === null) return [];
	const wallets = new Map(walletsFor(work, customerId, resourceRef).map((wallet) => [wallet.currencyId, wallet]));
	const sold = [...credits.values()];
	const others = currenciesByIds(
		work,
		[...wallets.keys()].filter((id) => !sold.some(({ currency }) => currency.id === id)),
	);
	return [
		...sold.map(({ currency, terms }) => heldCredits(work, currency, terms, wallets.get(currency.id))),
		...[...others.values()].map((currency) => heldCredits(work, currency, [], wallets.get(currency.id))),
	];
}

/** Returns the balance of one currency in a wallet, with the terms of the entitlements to it. */
export function heldCredits(
	work: Work,
	currency: CurrencyRow,
	terms: readonly CreditTerms[],
	wallet: CreditWalletRow | undefined,
): HeldCredits {
	const shown = wallet && shownNow(work, wallet);
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
