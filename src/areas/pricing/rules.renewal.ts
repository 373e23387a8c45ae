import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, toDecimal } from "../../kernel/decimal";
import { addDays, boundary, indexAt, oneMonth, utc } from "../../kernel/period";

/** The renewal of an agreement after its term. Contracts and subscriptions share it. */
export interface Renewal {
	/** The length of each further term. */
	readonly months: number;
	/** Days before the end of a term, until which its renewal can be prevented. */
	readonly noticePeriodDays: number;
	/** The price increase of each term; "0" for none. */
	readonly upliftPercentage: Decimal;
}

/** A term ends this number of months after an instant. Terms that follow each other count from one instant, so that they do not drift. */
export interface CountedMonths {
	readonly from: Instant;
	readonly months: number;
}

export const countedEnd = ({ from, months }: CountedMonths, timeZone: string = utc): Instant =>
	boundary({ anchorAt: from, interval: oneMonth, timeZone }, months);

/** Returns where a term ends after a number of renewals. */
export const afterRenewals = (
	{ from, months }: CountedMonths,
	renewal: Pick<Renewal, "months">,
	count: number,
): CountedMonths => ({ from, months: months + count * renewal.months });

/** Returns the last instant at which notice prevents a renewal. */
export const noticeDeadline = ({ noticePeriodDays }: Pick<Renewal, "noticePeriodDays">, endAt: Instant): Instant =>
	addDays(endAt, -noticePeriodDays);

/** Returns the least number of renewals after which a term ends at an instant or later. */
export function renewalsUntil(
	ended: CountedMonths,
	renewal: Pick<Renewal, "months">,
	at: Instant,
	timeZone: string = utc,
): number {
	const elapsed = indexAt({ anchorAt: ended.from, interval: oneMonth, timeZone }, at);
	let count = Math.max(0, Math.floor((elapsed - ended.months) / renewal.months));
	while (countedEnd(afterRenewals(ended, renewal, count), timeZone) < at) count += 1;
	return count;
}

/** Returns an amount with the price increase of a renewal, exact. */
export const upliftedAmount = (amount: Decimal, { upliftPercentage }: Pick<Renewal, "upliftPercentage">): Decimal =>
	toDecimal(exact(amount).times(exact(upliftPercentage).plus(100)).times("0.01"));
