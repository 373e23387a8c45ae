import { type Big, type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import { roundToMinor } from "../../kernel/money";
import type { RatedCharge } from "./models/charge";

/**
 * What a usage window adds since earlier invoices: its rounded cost so far less the rounded cost of what they billed. Both
 * are rounded before the difference is taken, so that the invoices of a window sum to what one invoice would have charged,
 * to the last minor unit. A window is a billing period for pay as you go, a reset period for overage.
 *
 * `rateWindow` tells what a window costs, exact, by the usage in it; `usage` and `billed` are as reported. `billed` is the
 * most that any earlier invoice of the window counted. Usage that was taken back since costs nothing and is not refunded;
 * but where volume tiers make more units cheaper in all, the difference is negative, since the sum is that of one bill.
 * (Our choices.)
 */
export function rateSinceBilled(
	rateWindow: (usage: Decimal) => RatedCharge,
	usage: Decimal,
	billed: Decimal,
	currency: string,
): RatedCharge {
	const now = rateWindow(exact(billed).gt(exact(usage)) ? billed : usage);
	const before = rateWindow(billed);
	if (unitsOf(before).eq(0)) return now;
	const quantity = unitsOf(now).minus(unitsOf(before));
	const amount = roundToMinor(now.amount, currency).minus(roundToMinor(before.amount, currency));
	// The tiers of the whole would not sum to a part of it.
	const unitPrice = unitPriceOfPart(now, { quantity, amount }, currency);
	return { quantity: toDecimal(quantity), unitPrice, tiers: null, amount };
}

/** Returns the unit price of the whole if it explains a part of it; null if rounding moved the part's amount. */
export function unitPriceOfPart(
	{ unitPrice }: Pick<RatedCharge, "unitPrice">,
	{ quantity, amount }: { readonly quantity: Big; readonly amount: Big },
	currency: string,
): Decimal | null {
	const isLinear = unitPrice !== null && roundToMinor(exact(unitPrice).times(quantity), currency).eq(amount);
	return isLinear ? unitPrice : null;
}

const unitsOf = ({ quantity }: RatedCharge) => exact(quantity ?? zero);
