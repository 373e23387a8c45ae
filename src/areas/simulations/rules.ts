import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import type { RatedInvoice } from "../pricing/rate";
import type { BillingPeriod } from "../pricing/rules.billing-period";
import { billingPeriodContaining } from "../subscriptions/rules";
import type { PastPeriod } from "../subscriptions/versions/operations.past-bills";

/** The columns of a subscription that determine its billed periods. */
interface Charged {
	readonly startAt: Instant;
	readonly createdAt: Instant;
	readonly trialEndAt: Instant | null;
	readonly trialBillsUsage: boolean;
	readonly billingAnchorAt: Instant | null;
	readonly timeZone: string | null;
	readonly cycleStartsAt: Instant | null;
	readonly billingPeriod: BillingPeriod | null;
	readonly billedUntil: Instant | null;
	readonly billingDetails: { readonly isBackdated?: boolean } | null;
}

/**
 * Returns the billing periods that ended by `now` and were charged here: those that begin within a span, or the last
 * one without a span. A trial whose usage was billed counts as a period.
 */
export function pastPeriods(row: Charged, span: Period | null, now: Instant): PastPeriod[] {
	const { billingAnchorAt, billingPeriod, billedUntil, timeZone, cycleStartsAt } = row;
	if (billingAnchorAt === null || billingPeriod === null || billedUntil === null) return [];
	const periodAt = (at: number) =>
		billingPeriodContaining({ anchorAt: billingAnchorAt, timeZone }, billingPeriod, at as Instant);
	const settled = billedUntil < now ? billedUntil : now;
	const since = chargedFrom(row, billingAnchorAt, periodAt(row.createdAt));
	const from = cycleStartsAt === null ? since : laterOf(since, cycleStartsAt);
	const charged = (period: Period): PastPeriod[] =>
		period.end > from && period.end <= settled ? [{ period, from: laterOf(period.start, from) }] : [];
	if (span === null) return charged(periodAt(periodAt(settled).start - 1));
	const past: PastPeriod[] = trialWithin(row, span, settled);
	let period = periodAt(span.start);
	if (period.start < span.start) period = periodAt(period.end);
	for (; period.start < span.end && period.end <= settled; period = periodAt(period.end)) past.push(...charged(period));
	return past;
}

function trialWithin({ startAt, trialEndAt, trialBillsUsage }: Charged, span: Period, settled: Instant): PastPeriod[] {
	if (!trialBillsUsage || trialEndAt === null || trialEndAt > settled) return [];
	const period = { start: startAt, end: trialEndAt };
	return startAt >= span.start && startAt < span.end ? [{ period, from: startAt, isTrial: true }] : [];
}

/**
 * Returns the start of charges by the current billing periods; other periods applied before their anchor. For a start
 * in the past, or an import, another system charged the running period, unless the request said otherwise.
 */
function chargedFrom(
	{ startAt, createdAt, trialEndAt, billingDetails }: Charged,
	anchorAt: Instant,
	created: Period,
): Instant {
	const begun = [startAt, trialEndAt ?? startAt, anchorAt].reduce(laterOf);
	if (startAt >= createdAt) return begun;
	return laterOf(begun, billingDetails?.isBackdated ? created.start : created.end);
}

const laterOf = (one: Instant, other: Instant): Instant => (one > other ? one : other);

/** The totals of invoices by currency, after discounts and before tax. */
export type Costs = ReadonlyMap<string, Decimal>;

export function costsOf(rated: readonly RatedInvoice[]): Costs {
	const byCurrency = Map.groupBy(rated, ({ currency }) => currency);
	return new Map(
		[...byCurrency].map(([currency, invoices]) => [
			currency,
			toDecimal(sum(invoices.map(({ subTotal, discount }) => exact(subTotal).minus(exact(discount))))),
		]),
	);
}

export interface Comparison {
	readonly currency: string;
	readonly before: Decimal;
	readonly after: Decimal;
	/** The additional price; negative if it would cost less. */
	readonly difference: Decimal;
}

/** Returns one comparison for each currency; zeros in `currency`, if any, when nothing was charged. */
export function compare(before: Costs, after: Costs, currency: string | undefined): Comparison[] {
	const currencies = new Set([...before.keys(), ...after.keys()]);
	if (currencies.size === 0 && currency !== undefined) currencies.add(currency);
	return [...currencies].sort().map((one) => {
		const [was, is] = [before.get(one) ?? zero, after.get(one) ?? zero];
		return { currency: one, before: was, after: is, difference: minus(is, was) };
	});
}

const minus = (one: Decimal, other: Decimal): Decimal => toDecimal(exact(one).minus(exact(other)));

export interface CurrencyTotal extends Omit<Comparison, "difference"> {
	readonly subscriptionsCount: number;
}

/** Adds comparisons of one subscription to the totals, by currency in alphabetical order. */
export function addedTo(totals: readonly CurrencyTotal[], more: readonly Comparison[]): CurrencyTotal[] {
	const found = new Map(totals.map((total) => [total.currency, total]));
	for (const [currency, comparisons] of Map.groupBy(more, (one) => one.currency)) {
		const { before, after, subscriptionsCount } = found.get(currency) ?? nothing;
		found.set(currency, {
			currency,
			before: toDecimal(sum([exact(before), ...comparisons.map((one) => exact(one.before))])),
			after: toDecimal(sum([exact(after), ...comparisons.map((one) => exact(one.after))])),
			subscriptionsCount: subscriptionsCount + comparisons.length,
		});
	}
	return [...found.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

const nothing = { before: zero, after: zero, subscriptionsCount: 0 };

export const differenceOf = ({ before, after }: Pick<Comparison, "before" | "after">): Decimal => minus(after, before);
