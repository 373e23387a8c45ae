import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import { type Period, periodContaining } from "../../kernel/period";
import { type PricedCharge, type RatedCharge, rateUnits } from "./charge";

export type OverageBillingPeriod = "ON_SUBSCRIPTION_RENEWAL" | "MONTHLY";

/**
 * What lies beyond a limit costs its unit's or its block's price, exact. `usage` is what one reset period has used in all,
 * in the units of the limit: a feature's, or the credits used of those granted. No limit (null): nothing is beyond it.
 *
 * `billed` is how much of that usage earlier bills have counted: where a year's limit is billed by the month, each month
 * pays for what it added, and the months sum to what the year would have paid at once. Usage that was taken back since is
 * not refunded. (Our choice.) Source: semantics-extra 10, Overage.
 */
export function rateOverage(
	charge: PricedCharge,
	usage: Decimal,
	limit: Decimal | null,
	billed: Decimal = zero,
): RatedCharge {
	const reached = exact(billed).gt(exact(usage)) ? billed : usage;
	const now = rateUnits(charge, beyond(reached, limit));
	const before = rateUnits(charge, beyond(billed, limit));
	if (exact(before.quantity ?? zero).eq(0)) return now;
	return {
		quantity: toDecimal(exact(now.quantity ?? zero).minus(exact(before.quantity ?? zero))),
		unitPrice: now.unitPrice,
		// The tiers of the whole would not sum to the part that is billed.
		tiers: null,
		amount: now.amount.minus(before.amount),
	};
}

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
