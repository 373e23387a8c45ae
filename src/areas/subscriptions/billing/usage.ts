import type { Instant } from "../../../kernel/clock";
import { type Decimal, zero } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { byGenerosity } from "../../entitlement-sources/rules.precedence";
import { usagePeriodAt } from "../../entitlement-sources/rules.reset-period";
import { type FeatureTerms, type Source, sourcesOf } from "../../entitlement-sources/rules.sources";
import { featuresByIds } from "../../features/operations";
import type { FeatureRow } from "../../features/table";
import { entitlementsOfVersions, inheritedEntitlementsOf } from "../../packages/operations";
import type { ChargeItem } from "../../pricing/rate";
import { countedEvents, type UsageOf } from "../../usage/operations";
import { billingPeriodContaining } from "../rules";
import type { SubscriptionRow } from "../table";
import { itemOf, onDemandPrices } from "../terms/charge-items";
import type { EffectivePrice } from "../terms/prices";
import type { Sale } from "../terms/sale";
import { selectEntitlements } from "../terms/store";
import {
	type CountedUsage,
	isBeyondLimit,
	meteredBy,
	quantityIn,
	recordExcluded,
	type UsageCount,
} from "./counted-usage";
import { lateWindows, withLate } from "./late-usage";
import { selectUsageBillsFrom, selectUsageMarks, type UsageKey } from "./store.usage-bills";

/** Our choice: the hours of two years, for an hourly limit that is billed by the year; more are no price list. */
const windowsMax = 20_000;

/** A stretch of time in which usage is counted, as far as it has come. */
interface Window extends Period {
	/** More of it is to come. */
	readonly isOpen: boolean;
	/** How long the whole of it is, of which this may be a part. */
	readonly wholeMs: number;
}

/** A price by use, and whose usage of what it prices. */
interface UsedPrice extends UsageKey {
	readonly price: EffectivePrice;
	readonly feature: FeatureRow;
	/** What limits the feature; overage lies beyond it. */
	readonly source: Source | undefined;
	readonly of: UsageOf;
}

/**
 * The on-demand usage of a subscription that is not billed yet, up to an instant: pay as you go counts by the period that it
 * is priced for, overage by the reset period of the limit that it lies beyond. Usage of closed windows that was reported
 * since is there too, at the prices of then. `sale` says at which prices the open ones are billed; null: nothing is used any
 * more. `isDue` picks the prices that are billed now.
 */
export function unbilledUsage(
	work: Work,
	subscription: SubscriptionRow,
	sale: Sale | null,
	until: Instant,
	isDue: (price: EffectivePrice) => boolean = () => true,
): UsageCount {
	const marks = selectUsageMarks(work, subscription);
	const used = Map.groupBy(sale ? usedPrices(work, subscription, sale) : [], keyOf);
	const priced = [...used.values()].map((alike): UsageOfPrice => {
		const [one] = alike;
		if (!one || !sale || !alike.some(({ price }) => isDue(price))) return noUsageOfPrice;
		const mark = marks.find((known) => keyOf(known) === keyOf(one));
		const first = subscription.usageBilledFrom ?? subscription.startAt;
		const since = laterOf(first, mark?.closedUntil ?? previousPeriodStart(subscription, until));
		const windows = windowsOf(subscription, one, { start: since, end: until }, first);
		const earliest = windows[0]?.start ?? until;
		const billed = new Map(
			selectUsageBillsFrom(work, subscription, one, earliest).map((bill) => [bill.windowStart, bill.quantity]),
		);
		const counted = alike.flatMap((of) =>
			windows.map((window) => countIn(work, sale, of, window, billed.get(window.start) ?? zero)),
		);
		const openStarts = new Set(windows.map(({ start }) => start));
		const late = mark ? lateWindows(work, subscription, mark, { of: one.of, openStarts }) : [];
		const closedUntil = windows.find(({ isOpen }) => isOpen)?.start ?? until;
		return { windows: counted, late, marks: [markOf(work, one, closedUntil)] };
	});
	const of = meteredBy(work, subscription);
	// What was priced once, and is no longer.
	const former = marks
		.filter((mark) => !used.has(keyOf(mark)))
		.map((mark): UsageOfPrice => {
			const { kind, featureId } = mark;
			const late = lateWindows(work, subscription, mark, { of: of(featureId), openStarts: new Set() });
			const closed = markOf(work, { kind, featureId, of: of(featureId) }, laterOf(until, mark.closedUntil));
			return { windows: [], late, marks: [closed] };
		});
	const all: readonly UsageOfPrice[] = [...priced, ...former];
	const windows = all.flatMap((one) => one.windows);
	const late = all.flatMap((one) => one.late);
	return { ...withLate(work, subscription, windows, late), marks: all.flatMap((one) => one.marks) };
}

/** Of one thing that is priced. */
interface UsageOfPrice extends Pick<UsageCount, "marks"> {
	readonly windows: readonly CountedUsage[];
	readonly late: readonly CountedUsage[];
}
const noUsageOfPrice: UsageOfPrice = { windows: [], late: [], marks: [] };

const keyOf = ({ kind, featureId }: UsageKey): string => `${kind}/${featureId}`;

function markOf(work: Work, { kind, featureId, of }: UsageKey & Pick<UsedPrice, "of">, closedUntil: Instant) {
	const events = countedEvents(work, of);
	return { kind, featureId, closedUntil, events: events.before(closedUntil), meterId: events.meterId };
}

/**
 * All on-demand usage of the running billing period (of the trial, while it is one), billed or not: what a budget is
 * held against.
 */
export function usageOfPeriod(work: Work, subscription: SubscriptionRow, sale: Sale): CountedUsage[] {
	const { start } = periodAt(subscription, work.now) ?? { start: subscription.startAt };
	const period = { start: laterOf(start, subscription.startAt), end: (work.now + 1) as Instant };
	return usedPrices(work, subscription, sale).flatMap((used) =>
		windowsOf(subscription, used, period, period.start).map((window) => countIn(work, sale, used, window, zero)),
	);
}

/**
 * The on-demand usage of a past period by itself, whoever has billed it: of a limit's window that began earlier, what came
 * before the period counts as billed with the one before.
 */
export function usageWithin(work: Work, subscription: SubscriptionRow, sale: Sale, period: Period): CountedUsage[] {
	const { start } = period;
	return usedPrices(work, subscription, sale).flatMap((used) =>
		windowsOf(subscription, used, period, start).map((window) => {
			const before =
				window.start < start
					? quantityIn(work, used.of, { start: window.start, end: start }, averagedOver(used, window))
					: zero;
			return countIn(work, sale, used, window, before);
		}),
	);
}

/**
 * What lay beyond a limit before an instant is never billed here, though it counts against the limit: it came before the
 * start, in a trial, before `sale` put a price on it, or was billed by the subscription whose usage goes on. What
 * `saleBefore` has priced already is billed as it goes on.
 */
export function excludeEarlierOverage(
	work: Work,
	subscription: SubscriptionRow,
	sale: Sale,
	until: Instant,
	saleBefore?: Sale,
): void {
	const pricedBefore = new Set(saleBefore ? usedPrices(work, subscription, saleBefore).map(keyOf) : []);
	for (const used of usedPrices(work, subscription, sale)) {
		if (used.kind !== "overage" || isLimitOfPeriod(used) || pricedBefore.has(keyOf(used))) continue;
		for (const window of resetWindows(used.source, { start: (until - 1) as Instant, end: until })) {
			// A window that has ended with it is no matter of this subscription.
			if (window.isOpen) recordExcluded(work, subscription, countIn(work, sale, used, window, zero));
		}
	}
}

const periodAt = ({ billingAnchorAt, billingPeriod }: SubscriptionRow, at: Instant): Period | undefined =>
	billingAnchorAt === null || billingPeriod === null
		? undefined
		: billingPeriodContaining(billingAnchorAt, billingPeriod, at);

/** Where nothing says what has been billed. */
function previousPeriodStart(subscription: SubscriptionRow, until: Instant): Instant {
	const current = periodAt(subscription, (until - 1) as Instant);
	return (current && periodAt(subscription, (current.start - 1) as Instant))?.start ?? until;
}

const laterOf = (one: Instant, other: Instant): Instant => (one > other ? one : other);

/** An average has no end of its own: beyond a limit that never resets, it is that of the period that the price is for. */
const isLimitOfPeriod = ({ feature, source }: UsedPrice): boolean =>
	feature.billedUsage !== null && source?.resetPeriod === null;

const averagedOver = ({ feature }: UsedPrice, { wholeMs }: Window): number | null =>
	feature.billedUsage === "TIME_WEIGHTED_AVERAGE" ? wholeMs : null;

/** The windows of a price that overlap a time; those of pay as you go begin not before `first`. */
function windowsOf(subscription: SubscriptionRow, used: UsedPrice, time: Period, first: Instant) {
	const { kind, price, source } = used;
	return kind === "overage" && !isLimitOfPeriod(used)
		? resetWindows(source, time)
		: pricedWindows(subscription, price, time).map((window) => ({ ...window, start: laterOf(window.start, first) }));
}

/** The periods that a price is for, counted from the billing anchor: within a longer billing period, too. */
function pricedWindows(
	{ billingAnchorAt }: SubscriptionRow,
	{ charge }: EffectivePrice,
	{ start, end }: Period,
): Window[] {
	// A trial has no billing periods yet.
	if (billingAnchorAt === null) return start < end ? [{ start, end, isOpen: true, wholeMs: end - start }] : [];
	const windows: Window[] = [];
	for (let at = start; at < end && windows.length < windowsMax; ) {
		const period = billingPeriodContaining(billingAnchorAt, charge.billingPeriod, at);
		const wholeMs = period.end - period.start;
		windows.push({ start: period.start, end: period.end < end ? period.end : end, isOpen: period.end > end, wholeMs });
		at = period.end;
	}
	return windows;
}

/** The windows of a limit that overlap a time, each from its own beginning: what came before counts against the limit too. */
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

/** The prices by use that hold for a subscription; what has no limit has nothing beyond it. */
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
	billed: CountedUsage["billed"],
): CountedUsage {
	const { kind, featureId, feature, of } = used;
	const window = { start: counted.start, end: counted.end };
	const averagedOverMs = averagedOver(used, counted);
	const quantity = quantityIn(work, of, window, averagedOverMs);
	const item = { ...itemUsed(sale, used, quantity, billed), period: window };
	return { kind, featureId, featureRef: feature.refId, window, quantity, averagedOverMs, billed, item };
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

/** What so much would be billed as, if one window used it; none where it stays within its limit. */
export function estimatedItems(sale: Sale, used: UsedPrice, quantity: Decimal): ChargeItem[] {
	const item = itemUsed(sale, used, quantity, zero);
	return used.kind === "usage" || isBeyondLimit({ quantity, item }) ? [item] : [];
}

/** What limits a feature within this one subscription: the most generous of what its packages and it itself grant. */
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
