import type { Instant } from "../../../kernel/clock";
import { type Decimal, divide, exact, plus, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { roundToMinor } from "../../../kernel/money";
import { addDays, addMonths, startOfMonth } from "../../../kernel/period";
import { creditAmountMax, creditPlacesMax } from "../rules.amounts";

export const expirationPeriods = ["1_MONTH", "1_YEAR"] as const;
export type ExpirationPeriod = (typeof expirationPeriods)[number];

export const thresholdTypes = ["CREDIT_AMOUNT", "DOLLAR_AMOUNT"] as const;
export type ThresholdType = (typeof thresholdTypes)[number];

/** The price of one credit, in major units; above zero. */
export interface CreditPrice {
	readonly amount: Decimal;
	readonly currency: string;
}

export const expiryOf = (period: ExpirationPeriod, from: Instant): Instant =>
	addMonths(from, period === "1_MONTH" ? 1 : 12);

/** Converts a threshold in money into the credits that it buys. */
export const thresholdInCredits = (type: ThresholdType, value: Decimal, price: CreditPrice | undefined): Decimal => {
	if (type === "CREDIT_AMOUNT") return value;
	return price ? toDecimal(divide(exact(value), exact(price.amount), creditPlacesMax, "down")) : zero;
};

/** Throws BadUserInput unless the target is above the threshold. */
export function assertTargetAbove(threshold: Decimal, target: Decimal): void {
	if (exact(target).lte(exact(threshold)))
		throw fail(
			"BadUserInput",
			`/targetBalance: must be more than the threshold, which is ${threshold} credits; otherwise there is nothing to recharge.`,
		);
}

interface Settings {
	readonly targetBalance: Decimal;
	readonly maxSpendLimit: Decimal | null;
	readonly spentMonth: Instant | null;
	readonly spent: Decimal;
}

/** Returns the cost of recharges in the calendar month (UTC) of a time. */
export const spentInMonth = ({ spentMonth, spent }: Pick<Settings, "spentMonth" | "spent">, now: Instant): Decimal =>
	spentMonth === startOfMonth(now) ? spent : zero;

export type Decision =
	| { readonly amount: Decimal; readonly cost: CreditPrice; readonly spent: Decimal }
	| { readonly problem: string; readonly retryAt: Instant };

/** Decides a recharge up to the target balance: its amount and cost, or the problem. Never recharges partly (docs/interface/credits.md). */
export function decideRecharge(
	settings: Settings,
	balance: Decimal,
	price: CreditPrice | undefined,
	now: Instant,
): Decision {
	if (!price)
		return {
			problem: "A credit has no price: neither the customer's plan nor the settings have one.",
			retryAt: addDays(now, 1),
		};
	const amount = exact(settings.targetBalance).minus(exact(balance));
	if (amount.gt(creditAmountMax))
		return {
			problem: `The recharge would need ${amount.toFixed()} credits; a grant has at most ${creditAmountMax}.`,
			retryAt: addDays(now, 1),
		};
	const cost = toDecimal(roundToMinor(amount.times(exact(price.amount)), price.currency));
	const spent = plus(spentInMonth(settings, now), cost);
	if (settings.maxSpendLimit !== null && exact(spent).gt(exact(settings.maxSpendLimit)))
		return {
			problem: `The recharge of ${cost} ${price.currency} would increase the spend of the month to ${spent}, above its limit of ${settings.maxSpendLimit}.`,
			retryAt: addMonths(startOfMonth(now), 1),
		};
	return { amount: toDecimal(amount), cost: { amount: cost, currency: price.currency }, spent };
}
