import type { Instant } from "../../../kernel/clock";
import { type Decimal, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import { type Period, utc } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { periodsFrom } from "../../billing/operations";
import type { PeriodOfCharge } from "../../billing/rules.billed";
import { byGenerosity } from "../../entitlement-sources/rules.precedence";
import { usagePeriodAt } from "../../entitlement-sources/rules.reset-period";
import { type FeatureTerms, type Source, sourcesOf } from "../../entitlement-sources/rules.sources";
import { featuresByIds } from "../../features/operations";
import type { FeatureRow } from "../../features/table";
import { entitlementsOfVersions, inheritedEntitlementsOf } from "../../packages/operations";
import type { ChargeItem } from "../../pricing/rate";
import { intervalOf } from "../../pricing/rules.billing-period";
import type { UsageOf } from "../../usage/operations";
import { billingPeriodAt, billingPeriodContaining } from "../rules";
import type { SubscriptionRow } from "../table";
import { itemOf, onDemandPrices } from "../terms/charge-items";
import type { EffectivePrice } from "../terms/prices";
import type { Sale } from "../terms/sale";
import { selectEntitlements } from "../terms/store";
import type { ChargedSubscription } from "./charged";
import {
	type CountedUsage,
	chargeKeyOf,
	isBeyondLimit,
	meteredBy,
	priceOf,
	quantityIn,
	recordExcluded,
	type UsageCount,
	type UsageKey,
	type UsageMark,
	usageChargesOf,
	usageKeyOf,
} from "./counted-usage";
import { lateWindows, withLate } from "./late-usage";

/** Two years of hours, enough for an hourly limit that is billed by the year. */
const windowsMax = 20_000;

/** A time span in which usage is counted, up to its counted part. */
interface Window extends Period {
	/** The window ends later. */
	readonly isOpen: boolean;
	/** The length of the whole window, of which this may be a part. */
	readonly wholeMs: number;
}

/** A usage price and the source of its usage. */
interface UsedPrice extends UsageKey {
	readonly price: EffectivePrice;
	readonly feature: FeatureRow;
	/** The limit of the feature; overage lies beyond it. */
	readonly source: Source | undefined;
	readonly of: UsageOf;
}

/**
 * Returns the unbilled on-demand usage of a subscription up to an instant. Pay as you go is counted by the period of
 * its price, overage by the reset period of its limit. Late usage of closed windows is included at its former prices.
 * `sale` has the prices of open windows; null: there is no further usage. `isDue` selects the prices that are billed
 * now.
 */
export function unbilledUsage(
	work: Work,
	subscription: ChargedSubscription,
	sale: Sale | null,
	until: Instant,
	isDue: (price: EffectivePrice) => boolean = () => true,
): UsageCount {
	const charges = usageChargesOf(work, subscription);
	const used = Map.groupBy(sale ? usedPrices(work, subscription, sale) : [], chargeKeyOf);
	const priced = [...used].map(([key, alike]): UsageOfPrice => {
		const [one] = alike;
		if (!one || !sale || !alike.some(({ price }) => isDue(price))) return noUsageOfPrice;
		const known = charges.get(key);
		const first = subscription.usageBilledFrom ?? subscription.startAt;
		const since = laterOf(first, known?.billedUntil ?? previousPeriodStart(subscription, until));
		const windows = windowsOf(subscription, one, { start: since, end: until }, first);
		const earliest = windows[0]?.start ?? until;
		const lastBills = lastBillsFrom(work, subscription, key, earliest);
		const counted = alike.flatMap((of) =>
			windows.map((window) => countIn(work, sale, of, window, { last: lastBills.get(window.start) ?? null })),
		);
		const openStarts = new Set(windows.map(({ start }) => start));
		const late = lateWindows(work, subscription, known, { of: one.of, openStarts });
		const closedUntil = windows.find(({ isOpen }) => isOpen)?.start ?? until;
		return {
			windows: counted,
			late,
			marks: [{ ...markOf(one), charge: chargeOf(subscription, sale, alike, earliest), closedUntil }],
		};
	});
	const of = meteredBy(work, subscription);
	// Features that are no longer priced.
	const former = [...charges.values()]
		.filter(({ key }) => !used.has(key))
		.map((charge): UsageOfPrice => {
			const key = usageKeyOf(charge);
			const late = lateWindows(work, subscription, charge, { of: of(key.featureId), openStarts: new Set() });
			return {
				windows: [],
				late,
				marks: [{ ...key, charge: null, closedUntil: laterOf(until, charge.billedUntil ?? until) }],
			};
		});
	const all: readonly UsageOfPrice[] = [...priced, ...former];
	const windows = all.flatMap((one) => one.windows);
	const late = all.flatMap((one) => one.late);
	return { ...withLate(work, subscription, windows, late), marks: all.flatMap((one) => one.marks) };
}

/** The usage of one priced feature. */
interface UsageOfPrice extends Pick<UsageCount, "marks"> {
	readonly windows: readonly CountedUsage[];
	readonly late: readonly CountedUsage[];
}
const noUsageOfPrice: UsageOfPrice = { windows: [], late: [], marks: [] };

const markOf = ({ kind, featureId }: UsageKey): UsageKey => ({ kind, featureId });

/** Returns the last bill of each window from a time on, by the start of the window. */
const lastBillsFrom = (work: Work, { id }: SubscriptionRow, key: string, from: Instant): Map<Instant, PeriodOfCharge> =>
	new Map(periodsFrom(work, id, key, from).map((row) => [row.period.startsAt, row]));

/** Translates the prices of one key into its charge. */
function chargeOf(
	subscription: SubscriptionRow,
	sale: Sale,
	alike: readonly UsedPrice[],
	startsAt: Instant,
): NonNullable<UsageMark["charge"]> {
	const [one] = alike;
	assert(one, "a charge has a price");
	return {
		key: chargeKeyOf(one),
		terms: { prices: alike.map((used) => priceOf(itemUsed(sale, used, zero, zero))) },
		startsAt,
		interval: one.kind === "overage" && !isLimitOfPeriod(one) ? null : intervalOf(one.price.charge.billingPeriod),
		anchorAt: subscription.billingAnchorAt ?? startsAt,
		timeZone: subscription.timeZone ?? utc,
		prorationMode: "NONE",
		paymentTime: "IN_ARREARS",
	};
}

/** Returns all on-demand usage of the current billing period or trial, billed or not, to compare with a budget. */
export function usageOfPeriod(work: Work, subscription: SubscriptionRow, sale: Sale): CountedUsage[] {
	const { start } = billingPeriodAt(subscription, work.now) ?? { start: subscription.startAt };
	const period = { start: laterOf(start, subscription.startAt), end: (work.now + 1) as Instant };
	return usedPrices(work, subscription, sale).flatMap((used) =>
		windowsOf(subscription, used, period, period.start).map((window) => countIn(work, sale, used, window)),
	);
}

/**
 * Returns the on-demand usage of a past period alone, by any bill. For a limit's window that began earlier, usage
 * before the period counts as billed.
 */
export function usageWithin(work: Work, subscription: SubscriptionRow, sale: Sale, period: Period): CountedUsage[] {
	const { start } = period;
	return usedPrices(work, subscription, sale).flatMap((used) =>
		windowsOf(subscription, used, period, start).map((window) => {
			const billed =
				window.start < start
					? quantityIn(work, used.of, { start: window.start, end: start }, averagedOver(used, window))
					: zero;
			return countIn(work, sale, used, window, { billed });
		}),
	);
}

/**
 * Records overage before an instant as not billable, although it counts against the limit: it came before the start, in
 * a trial, before `sale` priced it, or the replaced subscription billed it. Overage that `saleBefore` has priced is
 * billed on.
 */
export function excludeEarlierOverage(
	work: Work,
	subscription: SubscriptionRow,
	sale: Sale,
	until: Instant,
	saleBefore?: Sale,
): void {
	const pricedBefore = new Set(saleBefore ? usedPrices(work, subscription, saleBefore).map(chargeKeyOf) : []);
	const excluded = usedPrices(work, subscription, sale).filter(
		(used) => used.kind === "overage" && !isLimitOfPeriod(used) && !pricedBefore.has(chargeKeyOf(used)),
	);
	for (const [key, alike] of Map.groupBy(excluded, chargeKeyOf))
		for (const used of alike.slice(0, 1))
			for (const window of resetWindows(used.source, { start: (until - 1) as Instant, end: until })) {
				// A window that ends at that instant belongs to the replaced subscription.
				if (!window.isOpen) continue;
				const last = lastBillsFrom(work, subscription, key, window.start).get(window.start) ?? null;
				const counted = countIn(work, sale, used, window, { last });
				recordExcluded(work, subscription, counted, chargeOf(subscription, sale, alike, window.start));
			}
}

/** The start of unbilled usage if nothing was recorded. */
function previousPeriodStart(subscription: SubscriptionRow, until: Instant): Instant {
	// No part of a trial is billed before its end.
	if (subscription.billingAnchorAt === null) return subscription.startAt;
	const current = billingPeriodAt(subscription, (until - 1) as Instant);
	return (current && billingPeriodAt(subscription, (current.start - 1) as Instant))?.start ?? until;
}

const laterOf = (one: Instant, other: Instant): Instant => (one > other ? one : other);

/** An average without a reset period is taken over the period of the price. */
const isLimitOfPeriod = ({ feature, source }: UsedPrice): boolean =>
	feature.billedUsage !== null && source?.resetPeriod === null;

const averagedOver = ({ feature }: UsedPrice, { wholeMs }: Window): number | null =>
	feature.billedUsage === "TIME_WEIGHTED_AVERAGE" ? wholeMs : null;

/** Returns the windows of a price that overlap a time. Windows of pay as you go start at `first` or later. */
function windowsOf(subscription: SubscriptionRow, used: UsedPrice, time: Period, first: Instant) {
	const { kind, price, source } = used;
	return kind === "overage" && !isLimitOfPeriod(used)
		? resetWindows(source, time)
		: pricedWindows(subscription, price, time).map((window) => ({ ...window, start: laterOf(window.start, first) }));
}

/** Returns the periods of a price, counted from the billing anchor, also within a longer billing period. */
function pricedWindows(
	{ billingAnchorAt, timeZone, cycleStartsAt }: SubscriptionRow,
	{ charge }: EffectivePrice,
	{ start, end }: Period,
): Window[] {
	// A trial has no billing periods yet. It is one window, which is billed at its end.
	if (billingAnchorAt === null) return start < end ? [{ start, end, isOpen: false, wholeMs: end - start }] : [];
	const windows: Window[] = [];
	for (let at = start; at < end && windows.length < windowsMax; ) {
		const period = billingPeriodContaining({ anchorAt: billingAnchorAt, timeZone }, charge.billingPeriod, at);
		const wholeMs = period.end - period.start;
		// Usage before was billed by other periods.
		const begun = cycleStartsAt === null ? period.start : laterOf(period.start, cycleStartsAt);
		windows.push({ start: begun, end: period.end < end ? period.end : end, isOpen: period.end > end, wholeMs });
		at = period.end;
	}
	return windows;
}

/**
 * Returns the windows of a limit that overlap a time, each from its own start, since earlier usage counts against the
 * limit.
 */
function resetWindows(source: Source | undefined, { start, end: until }: Period): Window[] {
	if (!source) return [];
	const windows: Window[] = [];
	for (let at = start; at < until && windows.length < windowsMax; ) {
		const window = usagePeriodAt(source, at);
		const end = window && window.end < until ? window.end : until;
		const from = window?.start ?? source.usageAnchorAt;
		const wholeMs = (window?.end ?? end) - from;
		if (from < end) windows.push({ start: from, end, isOpen: window === null || window.end > until, wholeMs });
		at = end > at ? end : until;
	}
	return windows;
}

/** Returns the usage prices of a subscription. Overage without a limit is left out. */
export function usedPrices(work: Work, subscription: SubscriptionRow, sale: Sale): UsedPrice[] {
	const prices = onDemandPrices(sale.prices);
	if (prices.length === 0) return [];
	const features = featuresByIds(
		work,
		prices.flatMap(({ charge }) => charge.featureId ?? []),
	);
	const limits = limitsOf(work, subscription, sale);
	const of = meteredBy(work, subscription);
	return prices.flatMap((price): UsedPrice[] => {
		const featureId = price.charge.featureId ?? "";
		const feature = features.get(featureId);
		const kind = price.charge.isOverage ? "overage" : "usage";
		const source = kind === "overage" ? limits(featureId) : undefined;
		if (!feature || (kind === "overage" && (!source || source.usageLimit === null))) return [];
		return [{ kind, featureId, price, feature, source, of: of(featureId) }];
	});
}

function countIn(
	work: Work,
	sale: Sale,
	used: UsedPrice,
	counted: Window,
	{ last = null, billed = last?.period.usageQuantity ?? zero }: Partial<Pick<CountedUsage, "last" | "billed">> = {},
): CountedUsage {
	const { kind, featureId, feature, of } = used;
	const window = { start: counted.start, end: counted.end };
	const averagedOverMs = averagedOver(used, counted);
	const quantity = quantityIn(work, of, window, averagedOverMs);
	const item = { ...itemUsed(sale, used, quantity, billed), period: window };
	const named = { kind, featureId, featureRef: feature.refId, window };
	return { ...named, quantity, averagedOverMs, billed, item, last, isLate: false };
}

const itemUsed = (
	sale: Sale,
	{ price, feature: { unitTransformation }, source }: UsedPrice,
	quantity: Decimal,
	billed: Decimal,
): ChargeItem => ({
	...itemOf(price, sale.names),
	quantity,
	billed,
	productRefId: sale.product.refId,
	unitTransformation,
	...(source && { limit: source.usageLimit }),
});

/** Returns the items for a usage quantity in one window; none within the limit. */
export function estimatedItems(sale: Sale, used: UsedPrice, quantity: Decimal): ChargeItem[] {
	const item = itemUsed(sale, used, quantity, zero);
	return used.kind === "usage" || isBeyondLimit({ quantity, item }) ? [item] : [];
}

/** Returns the limit of a feature in this subscription: the most generous of its packages and its own entitlements. */
function limitsOf(
	work: Work,
	subscription: SubscriptionRow,
	{ plan, addons, purchased, prices }: Sale,
): (featureId: string) => Source | undefined {
	if (!prices.some(({ charge }) => charge.isOverage)) return () => undefined;
	const granted = entitlementsOfVersions(work, [plan.id, ...addons.map(({ version }) => version.id)]);
	const ofPlan = [...(granted.get(plan.id) ?? []), ...inheritedEntitlementsOf(work, plan)];
	const own = selectEntitlements(work, [subscription.id]);
	return (featureId) => {
		const about = <Row extends { featureId: string | null }>(rows: readonly Row[]) =>
			rows.filter((row) => row.featureId === featureId);
		const sources = sourcesOf<FeatureTerms>({
			plan: about(ofPlan),
			addons: addons.flatMap(({ version, quantity }) =>
				about(granted.get(version.id) ?? []).map((terms) => ({ terms, behavior: terms.behavior, quantity })),
			),
			purchased: about(purchased)[0]?.quantity ?? null,
			own: about(own).map((row) => ({ ...row, isGranted: true, enumValues: null }))[0] ?? null,
			usageAnchorAt: subscription.usageAnchorAt,
			updatedAt: subscription.startAt,
		});
		return sources.sort(byGenerosity)[0];
	};
}
