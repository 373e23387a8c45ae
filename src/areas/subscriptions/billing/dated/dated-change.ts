import { type Instant, toIso } from "../../../../kernel/clock";
import { fail } from "../../../../kernel/errors";
import type { Period } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import type { ChargeItem } from "../../../pricing/rate";
import { billingPeriodAt } from "../../rules";
import type { SubscriptionRow } from "../../table";
import { itemOf, onDemandPrices } from "../../terms/charge-items";
import { commitmentsOf } from "../../terms/commitments";
import { itemsInArrears } from "../../terms/items-of-period";
import type { Sale } from "../../terms/sale";
import { changedCharges, inArrears, runningCharges, unbilledFrom } from "../arrears";
import { type ChargedSubscription, keyed } from "../charged";
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
	const { before, after, sale, items, effectiveAt, period } = change;
	const isCommitted = runningCommitments(work, before).length > 0 || commitmentsOf(after, sale).length > 0;
	if (isCommitted) throw undatable("effectiveDate");
	const billedUntil = billedSince(before, effectiveAt, period.start);
	if (billedUntil !== undefined) {
		if (change.repricesUsage)
			throw fail(
				"UnsupportedParameter",
				`'effectiveDate': the change has other prices of usage, and usage is billed until ${toIso(billedUntil)}; choose that time or a later one.`,
			);
		assertNoMinimum(items, billedUntil, "effectiveDate");
	}
	assertArrearsUnbilled(work, change);
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
	/** The start of the running period. */
	readonly begun: Instant;
}

/** Throws UnsupportedParameter for an end at a date after which something was billed that cannot be credited. */
export function assertCanEnd(work: Work, { before, sale, endAt, begun }: DatedEnd): void {
	if (runningCommitments(work, before).length > 0) throw undatable("endDate");
	const billedUntil = billedSince(before, endAt, begun);
	if (billedUntil !== undefined && hasUsage(sale))
		throw fail(
			"UnsupportedParameter",
			`'endDate': usage is billed until ${toIso(billedUntil)}; choose that time or a later one, and credit the usage by hand.`,
		);
	if (billedUntil !== undefined) assertNoMinimum(before.charged?.items ?? [], billedUntil, "endDate");
	const billed = runningCharges(work, before).map(unbilledFrom);
	const last = billed.toSorted((one, other) => other - one)[0];
	if (last !== undefined && last > endAt)
		throw fail(
			"UnsupportedParameter",
			`'endDate': fees in arrears are billed until ${toIso(last)}; choose that time or a later one.`,
		);
}

function assertArrearsUnbilled(work: Work, { before, after, sale, effectiveAt, period }: DatedChange): void {
	const known = runningCharges(work, before);
	const changed = changedCharges(work, after, sale, period).filter((one) => unbilledFrom(one) > effectiveAt);
	const wanted = [...keyed(inArrears, itemsInArrears(work, after, sale, period)).keys()];
	const isNew = wanted.some((key) => !known.some(({ charge }) => charge.key === key));
	if (changed.length === 0 && !(isNew && effectiveAt < period.start)) return;
	const billedUntil = changed.map(unbilledFrom).toSorted((one, other) => other - one)[0] ?? period.start;
	throw fail(
		"UnsupportedParameter",
		`'effectiveDate': the change has other fees in arrears, and these are billed until ${toIso(billedUntil)}; choose that time or a later one.`,
	);
}
