import type { Decimal } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { minus, plus } from "./posting";
import { findWallet, periodEndOfWallet, type WalletOf } from "./store.wallets";
import type { CreditWalletRow } from "./table";

/** What a wallet shows: credits of its active grants, and what is used of them, with the overdraft and what waits to be settled. */
export interface WalletShown {
	readonly walletId: string;
	readonly limit: Decimal;
	readonly usage: Decimal;
}

export const shownOf = ({ id, activeAmount, activeConsumed, overdraft, waiting }: CreditWalletRow): WalletShown => ({
	walletId: id,
	limit: activeAmount,
	usage: plus(plus(activeConsumed, overdraft), waiting),
});

/** What is left; less than zero where more was consumed than there was. */
export const leftOf = ({ limit, usage }: WalletShown): Decimal => minus(limit, usage);

/** What the wallet shows; undefined where nothing was ever granted or consumed. */
export function findShown(work: Work, of: WalletOf): WalletShown | undefined {
	const wallet = findWallet(work, of);
	return wallet && shownOf(wallet);
}

/** The soonest end of the wallet's active recurring grants; null when there are none. */
export { periodEndOfWallet };
