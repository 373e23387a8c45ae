import { type Big, type Decimal, exact, zero } from "../../kernel/decimal";
import { roundToMinor } from "../../kernel/money";
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
}

/** Returns the price of usage, exact, without minimum and maximum. Without a limit, there is no overage. */
export function priceOfUsage(
	{ charge, unitTransformation = null, limit = zero }: WindowPrice,
	usage: Decimal,
	isEnded: boolean,
): RatedCharge {
	const { priceTerms } = charge;
	// The usage of transactions, of segments and of levels over time is their cost.
	if (priceTerms?.transactionPrice || priceTerms?.segments || priceTerms?.usageMeasure === "TIME_WEIGHTED")
		return {
			quantity: usage,
			unitPrice: null,
			tiers: null,
			amount: exact(amountInPhase(usage, priceTerms.percentOff)),
		};
	// An unused flat price is due at the end of the window.
	const priced = isEnded || !priceTerms?.chargesFlatPriceUnused ? charge : { ...charge, priceTerms: null };
	return charge.isOverage
		? rateOverage(priced, convertUnits(usage, unitTransformation), limit)
		: rateUsage(priced, usage, unitTransformation);
}

/**
 * Returns the exact cost of a window with this usage: its price up to the maximum, and at least the minimum that was
 * paid. Without such terms it is the price.
 */
export function costOfWindow(price: WindowPrice, usage: Decimal, isEnded: boolean): RatedCharge {
	const { charge, window = {} } = price;
	const rated = priceOfUsage(price, usage, isEnded);
	const before = window.base === undefined ? exact(0) : priceOfUsage(price, window.base, false).amount;
	const amount = limited(rated.amount.minus(before), charge.priceTerms?.maximumAmount, window.minimum);
	return amount.eq(rated.amount) ? rated : { ...rated, unitPrice: null, tiers: null, amount };
}

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
