import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { type PricedCharge, type RatedCharge, rateUnits } from "./charge";

/**
 * Rates the usage beyond a limit, by unit or by block, exact. `usage` is the total of one reset period, in the units of
 * the limit: a feature's units, or granted credits. Without a limit (null) there is no overage. Source:
 * docs/interface/catalogue.md#prices.
 */
export const rateOverage = (charge: PricedCharge, usage: Decimal, limit: Decimal | null): RatedCharge =>
	rateUnits(charge, beyond(usage, limit));

function beyond(usage: Decimal, limit: Decimal | null): Decimal {
	if (limit === null) return zero;
	const excess = exact(usage).minus(exact(limit));
	return excess.gt(0) ? toDecimal(excess) : zero;
}
