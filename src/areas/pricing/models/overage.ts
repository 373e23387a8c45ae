import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { type PricedCharge, type RatedCharge, rateUnits } from "./charge";

/**
 * What lies beyond a limit costs its unit's or its block's price, exact. `usage` is what one reset period has used in all,
 * in the units of the limit: a feature's, or the credits used of those granted. No limit (null): nothing is beyond it.
 * Source: docs/interface/catalogue.md, Prices.
 */
export const rateOverage = (charge: PricedCharge, usage: Decimal, limit: Decimal | null): RatedCharge =>
	rateUnits(charge, beyond(usage, limit));

function beyond(usage: Decimal, limit: Decimal | null): Decimal {
	if (limit === null) return zero;
	const excess = exact(usage).minus(exact(limit));
	return excess.gt(0) ? toDecimal(excess) : zero;
}
