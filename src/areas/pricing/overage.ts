import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import { type Period, periodContaining } from "../../kernel/period";
import { type PricedCharge, type RatedCharge, rateUnits } from "./charge";

export type OverageBillingPeriod = "ON_SUBSCRIPTION_RENEWAL" | "MONTHLY";

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

/**
 * The parts of a billing period after each of which its overage is billed: the whole, or months counted from the
 * subscription's `anchor`, so that one on the 31st does not drift. They follow each other and cover the period.
 */
export function overagePeriods(
	{ start, end }: Period,
	overageBillingPeriod: OverageBillingPeriod,
	anchor: Instant,
): Period[] {
	if (overageBillingPeriod === "ON_SUBSCRIPTION_RENEWAL") return [{ start, end }];
	const parts: Period[] = [];
	for (let at = start; at < end; ) {
		const month = periodContaining(anchor, "months", 1, at);
		const part = { start: at, end: month.end < end ? month.end : end };
		parts.push(part);
		at = part.end;
	}
	return parts;
}
