import { type Big, type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import { roundToMinor } from "../../kernel/money";
import { type FreeUnits, freeUnitsAt } from "./free-units";
import type { PricedCharge, RatedCharge } from "./models/charge";
import { rateOverage } from "./models/overage";
import { rateUsage } from "./models/usage";
import { prorate, type Share } from "./proration";
import { amountInPhase } from "./rules.phases";
import { convertUnits, type UnitTransformation } from "./unit-conversion";

/** The place of a bill among the bills of its window of usage. */
export interface WindowState {
	/**
	 * The usage of the window that was billed on other terms or by nobody, in reported units. Its cost does not count
	 * towards the minimum and the maximum.
	 */
	readonly base?: Decimal;
	/** The units of it that coupons made free. Missing: none. */
	readonly baseFree?: Decimal;
	/** The window ends with this bill (NOW), or an earlier bill ended it (BEFORE). Missing: it continues. */
	readonly ended?: "NOW" | "BEFORE";
	/** The minimum up to which an earlier true-up of the window has paid: whole minor units. */
	readonly minimum?: Decimal;
}

/** The terms by which the usage of a window is priced. */
export interface WindowPrice {
	readonly charge: PricedCharge & { readonly isOverage?: boolean };
	readonly unitTransformation?: UnitTransformation | null;
	readonly limit?: Decimal | null;
	readonly window?: WindowState;
	/** The units of the window that coupons make free. Missing: none. */
	readonly freeUnits?: readonly FreeUnits[];
}

/** Returns whether a price counts units. The usage of transactions, of segments and of levels over time is their cost. */
export const countsUnits = ({ priceTerms }: Pick<PricedCharge, "priceTerms">): boolean =>
	!priceTerms?.transactionPrice &&
	!priceTerms?.segments &&
	!priceTerms?.commitment &&
	priceTerms?.usageMeasure !== "TIME_WEIGHTED";

/** Returns the units of usage that a price charges, before free units. */
export function unitsCharged({ charge, unitTransformation = null, limit = zero }: WindowPrice, usage: Decimal): Big {
	if (charge.isOverage && limit === null) return exact(0);
	const units = exact(convertUnits(usage, unitTransformation)).minus(charge.isOverage && limit ? limit : zero);
	return units.lt(0) ? exact(0) : units;
}

/** Returns the price of usage, exact, without minimum and maximum. Without a limit, there is no overage. `free` units cost nothing. */
export function priceOfUsage(
	{ charge, unitTransformation = null, limit = zero }: WindowPrice,
	usage: Decimal,
	isEnded: boolean,
	free: Decimal = zero,
): RatedCharge {
	const { priceTerms } = charge;
	if (!countsUnits(charge))
		return {
			quantity: usage,
			unitPrice: null,
			tiers: null,
			amount: exact(amountInPhase(usage, priceTerms?.percentOff)),
		};
	// An unused flat price is due at the end of the window.
	const priced = isEnded || !priceTerms?.chargesFlatPriceUnused ? charge : { ...charge, priceTerms: null };
	const units = convertUnits(usage, unitTransformation);
	if (charge.isOverage) return rateOverage(priced, units, limit && toDecimal(exact(limit).plus(exact(free))));
	return free === zero ? rateUsage(priced, usage, unitTransformation) : rateOverage(priced, units, free);
}

/**
 * Returns the exact cost of a window with this usage: its price up to the maximum, and at least the minimum that was
 * paid. Without such terms it is the price. `at` names the free units that count: those before the bill, or those after it.
 */
export function costOfWindow(
	price: WindowPrice,
	usage: Decimal,
	isEnded: boolean,
	at: "before" | "used" = "used",
): RatedCharge {
	const { charge, window = {} } = price;
	const rated = priceOfUsage(price, usage, isEnded, freeUnitsAt(price.freeUnits, at));
	const before = costOfBase(price);
	const amount = limited(rated.amount.minus(before), charge.priceTerms?.maximumAmount, window.minimum);
	return amount.eq(rated.amount) ? rated : { ...rated, unitPrice: null, tiers: null, amount };
}

/** Returns the price of the usage that was billed on other terms. */
export const costOfBase = (price: WindowPrice): Big =>
	price.window?.base === undefined
		? exact(0)
		: priceOfUsage(price, price.window.base, false, price.window.baseFree).amount;

function limited(cost: Big, maximum: Decimal | undefined, minimum: Decimal | undefined): Big {
	const most = maximum !== undefined && cost.gt(maximum) ? exact(maximum) : cost;
	return minimum !== undefined && most.lt(minimum) ? exact(minimum) : most;
}

/**
 * Returns what the lines of segments exceed the bounded cost of their window by, as a negative amount, since earlier bills. The
 * usage is the sum of the lines.
 */
export function adjustmentOfWindow(
	price: WindowPrice & { readonly quantity: Decimal; readonly billed?: Decimal },
	currency: string,
): Big {
	const { quantity, billed = zero, window } = price;
	const costOf = (usage: Decimal, isEnded: boolean) =>
		roundToMinor(costOfWindow(price, usage, isEnded).amount, currency);
	const added = costOf(quantity, window?.ended !== undefined).minus(costOf(billed, window?.ended === "BEFORE"));
	return added.minus(exact(quantity).minus(billed));
}

/** Returns the minimum of a part of a window, rounded once; undefined without a minimum. */
export const minimumOfWindow = ({ charge }: WindowPrice, share: Share, currency: string): Big | undefined => {
	const minimum = charge.priceTerms?.minimumAmount;
	return minimum === undefined ? undefined : prorate(exact(minimum), share, currency);
};

/** Returns the amount that a window's cost lacks to its minimum at its end: whole minor units, never negative. */
export function trueUpOfWindow(price: WindowPrice, usage: Decimal, share: Share, currency: string): Big {
	const minimum = minimumOfWindow(price, share, currency) ?? exact(0);
	const missing = minimum.minus(roundToMinor(costOfWindow(price, usage, true).amount, currency));
	return missing.lt(0) ? exact(0) : missing;
}
