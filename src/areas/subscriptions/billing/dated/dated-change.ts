import { type Instant, toIso } from "../../../../kernel/clock";
import { fail } from "../../../../kernel/errors";
import type { Period } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import type { ChargeItem } from "../../../pricing/rate";
import { billingPeriodAt } from "../../rules";
import type { SubscriptionRow } from "../../table";
import { itemOf, onDemandPrices } from "../../terms/charge-items";
import { commitmentsOf } from "../../terms/commitments";
import type { Sale } from "../../terms/sale";
import { runningCharges, unbilledFrom } from "../arrears";
import type { ChargedSubscription } from "../charged";
import { runningCommitments } from "../commitments/running";

/** Whether a change has other prices of usage. */
export const repricesUsage = (before: Sale, after: Sale): boolean =>
	!Bun.deepEquals(usagePricesOf(before), usagePricesOf(after));

export const hasUsage = ({ prices }: Sale): boolean => onDemandPrices(prices).length > 0;

const usagePricesOf = ({ prices, names }: Sale) =>
	onDemandPrices(prices).map((price) => {
		const { charge, featureRefId, addonRefId } = itemOf(price, names);
		return { charge, featureRefId, addonRefId };
	});

/** Throws UnsupportedParameter for a new cycle that begins before the running period, or so early that its first period is over. */
export function assertRuns(
	work: Work,
	period: Period,
	{ at, effectiveAt }: { readonly at: Instant; readonly effectiveAt: Instant },
): void {
	if (effectiveAt < at)
		throw fail(
			"UnsupportedParameter",
			`'effectiveDate': a change that starts a new billing cycle cannot lie before the running period, which began at ${toIso(at)}; choose a later date.`,
		);
	if (period.end <= work.now)
		throw fail(
			"UnsupportedParameter",
			`'effectiveDate': the first new billing period would have ended at ${toIso(period.end)}; choose a later date.`,
		);
}

interface DatedChange {
	readonly before: SubscriptionRow;
	readonly after: SubscriptionRow;
	readonly sale: Sale;
	/** The charges in advance of the running period, before and after. */
	readonly items: readonly ChargeItem[];
	readonly repricesUsage: boolean;
	readonly effectiveAt: Instant;
	readonly period: Period;
}

/** Throws UnsupportedParameter for a change from a date after which something was billed that cannot be rated again. */
export function assertCanRerate(work: Work, change: DatedChange): void {
	const { before, after, sale, items, effectiveAt, period, repricesUsage } = change;
	const isCommitted = runningCommitments(work, before).length > 0 || commitmentsOf(after, sale).length > 0;
	if (isCommitted) throw undatable("effectiveDate");
	const billedUntil = billedSince(before, effectiveAt, period.start);
	if (billedUntil === undefined) return;
	assertNoMinimum(items, billedUntil, "effectiveDate");
	if (repricesUsage && sale.prices.some(({ charge }) => charge.isOverage))
		throw fail(
			"UnsupportedParameter",
			`'effectiveDate': overage counts from the start of its limit's period, so the change cannot price it before ${toIso(billedUntil)}; choose that time or a later one.`,
		);
}

const undatable = (place: string): Error =>
	fail(
		"UnsupportedParameter",
		`'${place}': the commitments of all charges add up what each window has billed, which an earlier date would change; leave '${place}' out.`,
	);

/** Returns until when usage is billed; undefined if nothing was billed since a date. */
function billedSince({ usageBilledUntil }: SubscriptionRow, date: Instant, begun: Instant): Instant | undefined {
	const billedUntil = Math.max(usageBilledUntil ?? date, begun) as Instant;
	return billedUntil > date ? billedUntil : undefined;
}

function assertNoMinimum(items: readonly ChargeItem[], billedUntil: Instant, place: string): void {
	if (items.some(({ charge }) => charge.billingModel === "MINIMUM_SPEND"))
		throw fail(
			"UnsupportedParameter",
			`'${place}': usage that is billed until ${toIso(billedUntil)} has used a minimum spend; choose that time or a later one.`,
		);
}

/** Returns the start of the running period of a subscription. */
export const runningPeriodStart = ({ now }: Work, row: ChargedSubscription): Instant =>
	row.charged?.period.start ?? billingPeriodAt(row, now)?.start ?? row.startAt;

interface DatedEnd {
	readonly before: ChargedSubscription;
	readonly sale: Sale;
	readonly endAt: Instant;
	/** Whether it credits the time since then. */
	readonly prorate: boolean;
	/** The start of the running period. */
	readonly begun: Instant;
}

/** Throws UnsupportedParameter for an end at a date after which something was billed that cannot be credited. */
export function assertCanEnd(work: Work, { before, sale, endAt, begun, prorate }: DatedEnd): void {
	if (runningCommitments(work, before).length > 0) throw undatable("endDate");
	const billedUntil = billedSince(before, endAt, begun);
	const isInArrears = runningCharges(work, before).some((one) => unbilledFrom(one) > endAt);
	if (!prorate && billedUntil !== undefined && (hasUsage(sale) || isInArrears))
		throw fail(
			"UnsupportedParameter",
			`'endDate': usage or fees in arrears are billed until ${toIso(billedUntil)}, and 'prorate' false credits none of it; choose that time or a later one, or leave 'prorate' out.`,
		);
	if (billedUntil !== undefined) assertNoMinimum(before.charged?.items ?? [], billedUntil, "endDate");
}
