import { type Instant, toIso } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import type { ChargeItem } from "../../pricing/rate";
import type { SubscriptionRow } from "../table";
import { itemOf, onDemandPrices } from "../terms/charge-items";
import { itemsInArrears } from "../terms/items-of-period";
import type { Sale } from "../terms/sale";
import { changedCharges, inArrears, runningCharges, unbilledFrom } from "./arrears";
import { keyed } from "./charged";

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
	/** What the running period is charged in advance for, before and after. */
	readonly items: readonly ChargeItem[];
	readonly repricesUsage: boolean;
	readonly effectiveAt: Instant;
	readonly period: Period;
}

/** Throws UnsupportedParameter for a change from a date after which something was billed that cannot be rated again. */
export function assertCanRerate(work: Work, change: DatedChange): void {
	const { before, items, effectiveAt, period } = change;
	const billedUntil = later(before.usageBilledUntil, effectiveAt < period.start ? period.start : effectiveAt);
	if (billedUntil <= effectiveAt) return assertArrearsUnbilled(work, change);
	if (change.repricesUsage)
		throw fail(
			"UnsupportedParameter",
			`'effectiveDate': the change has other prices of usage, and usage is billed until ${toIso(billedUntil)}; choose that time or a later one.`,
		);
	if (items.some(({ charge }) => charge.billingModel === "MINIMUM_SPEND"))
		throw fail(
			"UnsupportedParameter",
			`'effectiveDate': usage that is billed until ${toIso(billedUntil)} has used a minimum spend; choose that time or a later one.`,
		);
	assertArrearsUnbilled(work, change);
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

const later = (one: Instant | null, other: Instant): Instant => (one !== null && one > other ? one : other);
