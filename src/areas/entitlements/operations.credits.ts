import type { Instant } from "../../kernel/clock";
import { exact, toDecimal, zero } from "../../kernel/decimal";
import { earliest } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import { nextDueOfWallet, periodEndOfWallet, shownNow, walletsFor } from "../credits/operations.wallets";
import type { CreditWalletRow } from "../credits/table";
import { currenciesByIds } from "../currencies/operations";
import type { CurrencyRow } from "../currencies/table";
import { type CreditBalance, type CreditGrantTerms, totalCredits } from "./credits";
import type { Resolved } from "./resolve";

/** What a customer, or one of its resources, has of one currency: what is granted to it, and what its wallet holds. */
export interface HeldCredits extends CreditBalance {
	readonly currency: CurrencyRow;
	/** The terms by which it is granted; none where all was granted by hand. */
	readonly terms: readonly CreditGrantTerms[];
	/** Undefined where nothing was ever granted or consumed. */
	readonly wallet: CreditWalletRow | undefined;
	readonly periodEnd: Instant | null;
	readonly updatedAt: Instant;
	/** When it is another, though nobody calls. */
	readonly changesAt: Instant | null;
}

/** Credits of all currencies: those that are granted, and those of which there is a wallet, since a grant by hand needs no entitlement. */
export function creditsHeld(work: Work, resolved: Resolved, resourceRef: string | null): HeldCredits[] {
	const { customerId, credits } = resolved;
	if (customerId === null) return [];
	const wallets = new Map(walletsFor(work, customerId, resourceRef).map((wallet) => [wallet.currencyId, wallet]));
	const granted = [...credits.values()];
	const others = currenciesByIds(
		work,
		[...wallets.keys()].filter((id) => !granted.some(({ currency }) => currency.id === id)),
	);
	return [
		...granted.map(({ currency, grants }) => held(work, currency, grants, wallets.get(currency.id))),
		...[...others.values()].map((currency) => held(work, currency, [], wallets.get(currency.id))),
	];
}

function held(
	work: Work,
	currency: CurrencyRow,
	terms: readonly CreditGrantTerms[],
	wallet: CreditWalletRow | undefined,
): HeldCredits {
	const total = totalCredits(terms, work.now);
	const shown = wallet && shownNow(work, wallet);
	const periodEnd = earliest([total.periodEnd, wallet ? periodEndOfWallet(work, wallet.id) : null]);
	return {
		currency,
		terms,
		wallet,
		isRevoked: total.isRevoked,
		isSoft: total.isSoft,
		limit: toDecimal(exact(total.granted).plus(exact(shown?.limit ?? zero))),
		used: shown?.usage ?? zero,
		periodEnd,
		updatedAt: Math.max(total.updatedAt, wallet?.updatedAt ?? 0) as Instant,
		changesAt: earliest([periodEnd, wallet ? nextDueOfWallet(work, wallet.id) : null]),
	};
}
