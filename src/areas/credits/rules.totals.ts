import { type Decimal, minus, plus } from "../../kernel/decimal";

/** The totals of a wallet: the credits of its active grants, and the used credits with the overdraft and accepted consumptions. */
export interface WalletTotals {
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

export const totalsOf = ({ id, activeAmount, activeConsumed, overdraft, waiting }: Wallet): WalletTotals => ({
	walletId: id,
	limit: activeAmount,
	usage: plus(plus(activeConsumed, overdraft), waiting),
});

/** Returns the remaining credits; less than zero where consumption exceeds the grants. */
export const remainingOf = ({ limit, usage }: WalletTotals): Decimal => minus(limit, usage);
