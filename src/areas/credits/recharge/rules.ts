import type { Instant } from "../../../kernel/clock";
import { type Decimal, divide, exact, plus, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { roundToMinor } from "../../../kernel/money";
import { addUnits, startOfMonth } from "../../../kernel/period";
import { creditAmountMax, creditPlacesMax } from "../rules.amounts";

export const expirationPeriods = ["1_MONTH", "1_YEAR"] as const;
export type ExpirationPeriod = (typeof expirationPeriods)[number];

export const thresholdTypes = ["CREDIT_AMOUNT", "DOLLAR_AMOUNT"] as const;
export type ThresholdType = (typeof thresholdTypes)[number];

/** What one credit costs, in major units; above zero. */
export interface CreditPrice {
	readonly amount: Decimal;
	readonly currency: string;
}

export const expiryOf = (period: ExpirationPeriod, from: Instant): Instant =>
	addUnits(from, period === "1_MONTH" ? "months" : "years", 1);

/** A threshold in money is as many credits as that buys. */
export const thresholdInCredits = (type: ThresholdType, value: Decimal, price: CreditPrice | undefined): Decimal => {
	if (type === "CREDIT_AMOUNT") return value;
	return price ? toDecimal(divide(exact(value), exact(price.amount), creditPlacesMax, "down")) : zero;
};

/** BadUserInput unless there is something to be filled up. */
export function assertTargetAbove(threshold: Decimal, target: Decimal): void {
	if (exact(target).lte(exact(threshold)))
		throw fail(
			"BadUserInput",
			`/targetBalance: must be more than the threshold, which is ${threshold} credits; there would be nothing to fill up.`,
		);
}

interface Settings {
	readonly targetBalance: Decimal;
	readonly maxSpendLimit: Decimal | null;
	readonly spentMonth: Instant | null;
	readonly spent: Decimal;
}

/** What recharges have cost in the calendar month (UTC) of a time. */
export const spentIn = ({ spentMonth, spent }: Pick<Settings, "spentMonth" | "spent">, now: Instant): Decimal =>
	spentMonth === startOfMonth(now) ? spent : zero;

export type Decision =
	| { readonly amount: Decimal; readonly cost: CreditPrice; readonly spent: Decimal }
	| { readonly problem: string; readonly retryAt: Instant };

/** What fills a balance up to the target, or why it is not done now: never a part of it (docs/interface/credits.md). */
export function decide(settings: Settings, balance: Decimal, price: CreditPrice | undefined, now: Instant): Decision {
	if (!price)
		return {
			problem:
				"There is no price of a credit: neither does the customer's plan sell them, nor do the settings name one.",
			retryAt: addUnits(now, "days", 1),
		};
	const amount = exact(settings.targetBalance).minus(exact(balance));
	if (amount.gt(creditAmountMax))
		return {
			problem: `The recharge would be of ${amount.toFixed()} credits; a grant has at most ${creditAmountMax}.`,
			retryAt: addUnits(now, "days", 1),
		};
	const cost = toDecimal(roundToMinor(amount.times(exact(price.amount)), price.currency));
	const spent = plus(spentIn(settings, now), cost);
	if (settings.maxSpendLimit !== null && exact(spent).gt(exact(settings.maxSpendLimit)))
		return {
			problem: `The recharge of ${cost} ${price.currency} would bring the month to ${spent}, beyond its limit of ${settings.maxSpendLimit}.`,
			retryAt: addUnits(startOfMonth(now), "months", 1),
		};
	return { amount: toDecimal(amount), cost: { amount: cost, currency: price.currency }, spent };
}
