import { type Big, type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import { roundToMinor } from "../../kernel/money";
import { type PricedCharge, type RatedCharge, rateCharge, rateUnits } from "./models/charge";

/**
 * Rates the usage that a window adds since earlier invoices: its rounded cost so far, minus the rounded cost of the billed usage.
 * Rounding both first makes the invoices of a window sum to one invoice for all of it, to the last minor unit. A window is a billing
 * period for pay as you go, and a reset period for overage.
 *
 * `costs` return the exact cost of a usage total, now and at the earlier invoice; `usage` and `billed` are as reported. `billed` is the highest total that an
 * earlier invoice of the window counted. Usage that was removed after billing costs nothing and is not refunded. If volume tiers make
 * more units cheaper in total, the difference is negative, because one invoice would charge that sum. Our choices (docs/interface/subscriptions.md#periods).
 */
export function rateSinceBilled(
	costs: { readonly now: (usage: Decimal) => RatedCharge; readonly before: (usage: Decimal) => RatedCharge },
	usage: Decimal,
	billed: Decimal,
	currency: string,
): RatedCharge {
	const now = costs.now(exact(billed).gt(exact(usage)) ? billed : usage);
	const before = costs.before(billed);
	if (unitsOf(before).eq(0) && before.amount.eq(0)) return now;
	const quantity = unitsOf(now).minus(unitsOf(before));
	const amount = roundToMinor(now.amount, currency).minus(roundToMinor(before.amount, currency));
	// The tiers of the whole would not sum to the amount of a part.
	const unitPrice = unitPriceOfPart(now, { quantity, amount }, currency);
	return { quantity: toDecimal(quantity), unitPrice, tiers: null, amount };
}

/**
 * Rates the units above the highest number that is charged for the period already; the whole charge if none is. A volume tier that
 * makes more units cheaper costs nothing. Throws InvalidQuantity.
 */
export function rateAddedUnits(charge: PricedCharge, units: Decimal, billed: Decimal): RatedCharge {
	const now = rateCharge(charge, units);
	if (exact(billed).eq(0)) return now;
	const before = rateUnits(charge, billed);
	const quantity = unitsOf(now).minus(unitsOf(before));
	const amount = now.amount.minus(before.amount);
	const { unitPrice } = now;
	if (quantity.lte(0) || amount.lt(0)) return { quantity: zero, unitPrice, tiers: null, amount: exact(0) };
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
