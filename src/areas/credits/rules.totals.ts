import { type Decimal, minus, plus } from "../../kernel/decimal";

/** What a wallet shows: credits of its active grants, and what is used of them, with the overdraft and what waits to be settled. */
export interface WalletShown {
	readonly walletId: string;
	readonly limit: Decimal;
	readonly usage: Decimal;
}

interface Wallet {
	readonly id: string;
	readonly activeAmount: Decimal;
	readonly activeConsumed: Decimal;
	readonly overdraft: Decimal;
	readonly waiting: Decimal;
}

export const shownOf = ({ id, activeAmount, activeConsumed, overdraft, waiting }: Wallet): WalletShown => ({
	walletId: id,
	limit: activeAmount,
	usage: plus(plus(activeConsumed, overdraft), waiting),
});

/** What is left; less than zero where more was consumed than there was. */
export const leftOf = ({ limit, usage }: WalletShown): Decimal => minus(limit, usage);
