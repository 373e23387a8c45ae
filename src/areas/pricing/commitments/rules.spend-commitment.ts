import { exact, toDecimal, toWire } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Interval } from "../../../kernel/period";
import type { SpendCommitment } from "../models/spend-commitment";
import { type BillingPeriod, intervalOf, lengthOf, periodOf, periodText } from "../rules.billing-period";
import type { SpendCommitments, SpendCommitmentsShown } from "./schema.spend-commitment";

/** The longest window, as of billing periods. */
const monthsMax = 120;
const daysMax = 3652;

/**
 * Returns commitments as they are stored: without defaults, sorted by currency and scope. Throws BadUserInput for two of one currency
 * and scope, UnsupportedParameter for windows of an hour.
 */
export function storedCommitments(commitments: SpendCommitments, where: string): SpendCommitment[] {
	const first = new Map<string, number>();
	return commitments
		.map(({ scope = "ALL", currency, amount, overageFactor = 1, interval, isTrueUp = true }, at): SpendCommitment => {
			const key = `${currency} ${scope}`;
			const former = first.get(key);
			if (former !== undefined)
				throw fail(
					"BadUserInput",
					`${where}/${at}: '${currency}' with the scope ${scope} is that of ${where}/${former} too; send one for each currency and scope.`,
				);
			first.set(key, at);
			return {
				...{ scope, currency, amount: toDecimal(amount) },
				...(interval && { interval: windowIn(interval, `${where}/${at}.interval`) }),
				...(overageFactor !== 1 && { overageFactor: toDecimal(overageFactor) }),
				...(!isTrueUp && { isTrueUp }),
			};
		})
		.sort((one, other) => (`${one.currency} ${one.scope}` < `${other.currency} ${other.scope}` ? -1 : 1));
}

function windowIn({ unit, count }: NonNullable<SpendCommitments[number]["interval"]>, where: string): Interval {
	if (unit === "HOUR")
		throw fail(
			"UnsupportedParameter",
			`${where}: windows of an hour belong to the commitment of one price of usage; choose whole billing periods here.`,
		);
	const interval = intervalOf(periodOf({ unit, count }));
	if (interval.count > (interval.unit === "DAY" ? daysMax : monthsMax))
		throw fail("BadUserInput", `${where}: is longer than ten years; choose a shorter window.`);
	return interval;
}

/** Returns commitments without the defaults of their rules. */
export const viewCommitments = (commitments: readonly SpendCommitment[]): SpendCommitmentsShown =>
	commitments.map(({ scope, currency, amount, overageFactor, interval, isTrueUp }) => ({
		...{ scope, currency, amount: toWire(amount) },
		...(overageFactor !== undefined && { overageFactor: toWire(overageFactor) }),
		...(interval && { interval }),
		...(isTrueUp === false && { isTrueUp }),
	}));

/** Whether a commitment can charge something. */
export const hasEffect = ({ amount, overageFactor, isTrueUp }: SpendCommitment): boolean =>
	overageFactor !== undefined || (isTrueUp !== false && exact(amount).gt(0));

/** Returns how many billing periods a window has. */
export function periodsInWindow({ interval }: SpendCommitment, billingPeriod: BillingPeriod): number {
	if (!interval) return 1;
	return Math.max(1, Math.floor(interval.count / intervalOf(billingPeriod).count));
}

/** A recurring price, as far as its windows matter. */
interface CountedPrice {
	readonly billingPeriod: BillingPeriod;
	/** Missing: the billing period, or not of usage. */
	readonly chargeInterval?: BillingPeriod | undefined;
}

/** Throws UnsupportedParameter for a window that is no whole number of billing periods, or is shorter than a window of usage. */
export function assertWindowsFit(
	commitments: readonly SpendCommitment[],
	prices: readonly CountedPrice[],
	where: string,
): void {
	for (const [at, { interval }] of commitments.entries())
		for (const { billingPeriod, chargeInterval = billingPeriod } of prices) {
			const { unit, count } = intervalOf(billingPeriod);
			if (interval && (interval.unit !== unit || interval.count % count !== 0))
				throw fail(
					"UnsupportedParameter",
					`${where}/${at}.interval: ${periodText(periodOf(interval))} is no whole number of billing periods ${periodText(billingPeriod)}; choose a multiple, or leave it out for the billing period.`,
				);
			const window = interval ? periodOf(interval) : billingPeriod;
			if (lengthOf(chargeInterval) > lengthOf(window))
				throw fail(
					"UnsupportedParameter",
					`${where}/${at}: its windows of ${periodText(window)} are shorter than the 'chargeInterval' ${periodText(chargeInterval)} of a price of usage; choose a longer 'interval'.`,
				);
		}
}
