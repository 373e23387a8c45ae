import { type Big, type Decimal, exact, toDecimal } from "../../../kernel/decimal";

/** How a period's on-demand charges stand to the minimum that was charged for it in advance. Major units. */
export interface MinimumSpendSettlement {
	/** What the minimum has already paid for: at most all of it, and at most all on-demand charges. */
	readonly drawn: Decimal;
	/** What is left to be paid: on-demand charges beyond the minimum. drawn + excess = on-demand charges. */
	readonly excess: Decimal;
	/** What was paid in advance and not used up. It is not credited. drawn + unspent = minimum. */
	readonly unspent: Decimal;
}

/**
 * Settles a period: on-demand charges draw on what was paid in advance, the excess lands on the next invoice. Both amounts
 * are in whole minor units, before discount and tax; less than nothing counts as nothing.
 * Source: docs/interface/catalogue.md, Prices.
 */
export function settleMinimumSpend(minimum: Decimal, onDemand: Decimal): MinimumSpendSettlement {
	const [paid, due] = [positive(minimum), positive(onDemand)];
	const drawn = paid.lt(due) ? paid : due;
	return { drawn: toDecimal(drawn), excess: toDecimal(due.minus(drawn)), unspent: toDecimal(paid.minus(drawn)) };
}

const positive = (amount: Decimal): Big => (exact(amount).lt(0) ? exact(0) : exact(amount));
