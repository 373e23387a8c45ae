import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, zero } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import { resourcesByIds } from "../customers/operations";
import { type Source, sourcesOf } from "../entitlements/combine";
import { usagePeriodAt } from "../entitlements/period";
import { byGenerosity } from "../entitlements/rules";
import { featuresByIds } from "../features/operations";
import { entitlementsOfVersions, inheritedEntitlementsOf } from "../packages/operations";
import type { ChargeItem } from "../pricing/rate";
import { inPricedUnits } from "../pricing/usage";
import { currentUsage } from "../usage/operations";
import { billingPeriodContaining } from "./rules";
import type { Sale } from "./sale";
import { selectEntitlements, selectUsageBills, upsertUsageBill } from "./store.parts";
import type { SubscriptionRow, SubscriptionUsageBillRow } from "./table";
import { type HeldPrice, itemOf, onDemandPrices } from "./terms";

/** What one price's usage came to within one window in which it is counted, as far as it is to be billed. */
export interface CountedUsage {
	readonly kind: SubscriptionUsageBillRow["kind"];
	readonly featureId: string;
	readonly featureRef: string;
	readonly window: Period;
	/** As it was reported. */
	readonly quantity: Decimal;
	/** How much of it earlier bills have counted. */
	readonly billed: Decimal;
	readonly item: ChargeItem;
}

/** Our choice: the hours of two years, for an hourly limit that is billed by the year; more are no price list. */
const windowsMax = 20_000;

/**
 * The on-demand usage of a subscription that is not billed yet, up to an instant: pay as you go counts by billing period,
 * overage by the reset period of the limit that it lies beyond. The billing period before is looked at again, so that usage
 * that was reported late is billed with the next invoice instead of never. `sale` says at which prices.
 */
export function unbilledUsage(work: Work, subscription: SubscriptionRow, sale: Sale, until: Instant): CountedUsage[] {
	const { from, windows } = billableTime(subscription, until);
	if (from >= until) return [];
	return countUsage(work, subscription, sale, (price, source) =>
		price.charge.isOverage ? resetWindows(source, from, until) : windows,
	);
}

/** All on-demand usage of the running billing period (of the trial, while it is one), billed or not: what a budget is held against. */
export function usageOfPeriod(work: Work, subscription: SubscriptionRow, sale: Sale): CountedUsage[] {
	const { start } = periodAt(subscription, work.now) ?? { start: subscription.startAt };
	const period = { start: laterOf(start, subscription.startAt), end: (work.now + 1) as Instant };
	return countUsage(work, subscription, sale, (price, source) =>
		price.charge.isOverage ? resetWindows(source, period.start, period.end) : [period],
	).map((counted) => ({ ...counted, billed: zero, item: { ...counted.item, billed: zero } }));
}

/**
 * The on-demand usage of a past period by itself, whoever has billed it: of a limit's window that began earlier, what came
 * before the period counts as billed with the one before.
 */
export function usageWithin(
	work: Work,
	subscription: SubscriptionRow,
	sale: Sale,
	{ start, end }: Period,
): CountedUsage[] {
	const keyOf = ({ window, ...counted }: CountedUsage) => billKey({ ...counted, windowStart: window.start });
	const earlier = countUsage(work, subscription, sale, (price, source) =>
		price.charge.isOverage ? resetWindows(source, (start - 1) as Instant, start) : [],
	);
	const before = new Map(earlier.map((counted) => [keyOf(counted), counted.quantity]));
	return countUsage(work, subscription, sale, (price, source) =>
		price.charge.isOverage ? resetWindows(source, start, end) : [{ start, end }],
	).map((counted) => {
		const billed = before.get(keyOf(counted)) ?? zero;
		return { ...counted, billed, item: { ...counted.item, billed } };
	});
}

/** In the transaction that bills it: so nothing is ever billed twice, and nothing is left out. */
export function recordBilled(work: Work, subscription: SubscriptionRow, counted: readonly CountedUsage[]): void {
	for (const { kind, featureId, window, quantity, billed } of counted) {
		// Usage that was taken back after it was billed is not billed again when it returns.
		const most = exact(billed).gt(exact(quantity)) ? billed : quantity;
		upsertUsageBill(work, subscription.id, { kind, featureId, windowStart: window.start, quantity: most });
	}
}

/**
 * What lay beyond a limit before an instant is never billed here, though it counts against the limit: it came before the
 * start, in a trial, or was billed by the subscription whose usage goes on.
 */
export function passOverUsage(work: Work, subscription: SubscriptionRow, sale: Sale, until: Instant): void {
	const counted = countUsage(work, subscription, sale, (price, source) =>
		price.charge.isOverage ? resetWindows(source, (until - 1) as Instant, until) : [],
	);
	recordBilled(work, subscription, counted);
}

/** The items that a bill has of it: what is not more than was billed already makes none, nor what stays within a limit. */
export const usageItems = (counted: readonly CountedUsage[]): ChargeItem[] =>
	counted
		.filter((one) => exact(one.quantity).gt(exact(one.billed)) && (one.kind === "usage" || isBeyondLimit(one)))
		.map(({ item }) => item);

const isBeyondLimit = ({ quantity, item: { unitTransformation = null, limit } }: CountedUsage): boolean =>
	exact(inPricedUnits(quantity, unitTransformation)).gt(exact(limit ?? zero));

/** The time whose usage may still be billed: the last billing period and the one that `until` ends or lies in. */
function billableTime(subscription: SubscriptionRow, until: Instant): { from: Instant; windows: Period[] } {
	const first = subscription.usageBilledFrom ?? subscription.startAt;
	const current = periodAt(subscription, (until - 1) as Instant);
	if (!current) return { from: until, windows: [] };
	const last = periodAt(subscription, (current.start - 1) as Instant);
	const windows = (last ? [last, current] : [current])
		.map(({ start, end }) => ({ start: laterOf(start, first), end: end < until ? end : until }))
		.filter(({ start, end }) => start < end);
	return { from: windows[0]?.start ?? until, windows };
}

const periodAt = ({ billingAnchorAt, billingPeriod }: SubscriptionRow, at: Instant): Period | undefined =>
	billingAnchorAt === null || billingPeriod === null
		? undefined
		: billingPeriodContaining(billingAnchorAt, billingPeriod, at);

const laterOf = (one: Instant, other: Instant): Instant => (one > other ? one : other);

/** The windows of a limit that overlap a time, each from its own beginning: what came before counts against the limit too. */
function resetWindows(source: Source | undefined, from: Instant, until: Instant): Period[] {
	if (!source) return [];
	const windows: Period[] = [];
	for (let at = from; at < until && windows.length < windowsMax; ) {
		const window = usagePeriodAt(source, at) ?? { start: source.usageAnchorAt, end: until };
		const end = window.end < until ? window.end : until;
		if (window.start < end) windows.push({ start: window.start, end });
		at = end > at ? end : until;
	}
	return windows;
}

function countUsage(
	work: Work,
	subscription: SubscriptionRow,
	sale: Sale,
	windowsOf: (price: HeldPrice, source: Source | undefined) => readonly Period[],
): CountedUsage[] {
	const prices = onDemandPrices(sale.prices);
	if (prices.length === 0) return [];
	const features = featuresByIds(
		work,
		prices.flatMap(({ charge }) => charge.featureId ?? []),
	);
	const limits = limitsOf(work, subscription, sale);
	const billed = new Map(selectUsageBills(work, subscription.id).map((bill) => [billKey(bill), bill.quantity]));
	const resourceRef =
		subscription.resourceId === null
			? null
			: (resourcesByIds(work, [subscription.resourceId]).get(subscription.resourceId)?.refId ?? null);
	return prices.flatMap((price): CountedUsage[] => {
		const featureId = price.charge.featureId ?? "";
		const feature = features.get(featureId);
		const kind = price.charge.isOverage ? "overage" : "usage";
		const source = kind === "overage" ? limits(featureId) : undefined;
		// What has no limit has nothing beyond it.
		if (!feature || (kind === "overage" && (!source || source.usageLimit === null))) return [];
		return windowsOf(price, source).map((window) => {
			const of = { featureId, customerId: subscription.customerId, resourceId: resourceRef };
			const quantity = currentUsage(work, { ...of, period: window });
			const before = billed.get(billKey({ kind, featureId, windowStart: window.start })) ?? zero;
			const item: ChargeItem = {
				...itemOf(price, sale.names),
				quantity,
				billed: before,
				period: window,
				productRefId: sale.product.refId,
				unitTransformation: feature.unitTransformation,
				...(source && { limit: source.usageLimit }),
			};
			return { kind, featureId, featureRef: feature.refId, window, quantity, billed: before, item };
		});
	});
}

const billKey = ({
	kind,
	featureId,
	windowStart,
}: Pick<SubscriptionUsageBillRow, "kind" | "featureId" | "windowStart">) => `${kind}/${featureId}/${windowStart}`;

/** What limits a feature within this one subscription: the most generous of what its packages and it itself grant. */
function limitsOf(
	work: Work,
	subscription: SubscriptionRow,
	{ plan, addons, bought, prices }: Sale,
): (featureId: string) => Source | undefined {
	if (!prices.some(({ charge }) => charge.isOverage)) return () => undefined;
	const granted = entitlementsOfVersions(work, [plan.id, ...addons.map(({ version }) => version.id)]);
	const ofPlan = [...(granted.get(plan.id) ?? []), ...inheritedEntitlementsOf(work, plan)];
	const own = selectEntitlements(work, [subscription.id]);
	return (featureId) => {
		const about = <Row extends { featureId: string | null }>(rows: readonly Row[]) =>
			rows.filter((row) => row.featureId === featureId);
		const sources = sourcesOf({
			plan: about(ofPlan),
			addons: addons.flatMap(({ version, quantity }) =>
				about(granted.get(version.id) ?? []).map((terms) => ({ terms, behavior: terms.behavior, quantity })),
			),
			bought: about(bought)[0]?.quantity ?? null,
			own: about(own).map((row) => ({ ...row, isGranted: true, enumValues: null }))[0] ?? null,
			usageAnchorAt: subscription.usageAnchorAt,
			updatedAt: subscription.startAt,
		});
		const [best] = sources.map((source) => ({ source, period: null, usage: zero })).sort(byGenerosity);
		return best?.source;
	};
}
