import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { resourcesByIds } from "../../customers/operations";
import { inPricedUnits } from "../../pricing/models/usage";
import type { ChargeItem } from "../../pricing/rate";
import { worded } from "../../pricing/wording";
import { countedEvents, currentUsage, type UsageOf } from "../../usage/operations";
import { averageUsage } from "../../usage/reports/operations";
import type { SubscriptionRow } from "../table";
import { type PaidMinimum, rateBill } from "./rules.bill";
import {
	keepUsagePrices,
	selectUsageBillsFrom,
	upsertUnspentMinimum,
	upsertUsageBill,
	upsertUsageMark,
} from "./store.usage-bills";
import type {
	SubscriptionUnspentMinimumRow,
	SubscriptionUsageBillRow,
	SubscriptionUsageMarkRow,
	UsagePrice,
} from "./table.usage-bills";

/** What one price's usage came to within one window in which it is counted, as far as it is to be billed. */
export interface CountedUsage {
	readonly kind: SubscriptionUsageBillRow["kind"];
	readonly featureId: string;
	readonly featureRef: string;
	readonly window: Period;
	/** As it was reported. */
	readonly quantity: Decimal;
	/** Of usage that is averaged by time: how long the price's whole period is, of which the window may be a part. */
	readonly averagedOverMs: number | null;
	/** How much of it earlier bills have counted. */
	readonly billed: Decimal;
	readonly item: ChargeItem;
}

/** Usage of closed windows that was reported after they were billed. */
export interface LateUsage {
	readonly windows: readonly CountedUsage[];
	/** What is left of the minimum spend of their time. */
	readonly minimum: SubscriptionUnspentMinimumRow | null;
}

/** The usage that a bill is to have, and what is written down of it by whoever issues that bill. */
export interface UsageCount {
	readonly windows: readonly CountedUsage[];
	readonly late: readonly LateUsage[];
	readonly marks: readonly Omit<SubscriptionUsageMarkRow, "subscriptionId">[];
	/** What the charge that ends with the bill leaves of its minimum spend. */
	readonly unspent?: SubscriptionUnspentMinimumRow | undefined;
}

/** What a price is for of the usage in a window: the usage itself, or its average over the price's whole period. */
export const quantityIn = (work: Work, of: UsageOf, window: Period, averagedOverMs: number | null): Decimal =>
	averagedOverMs === null
		? currentUsage(work, { ...of, period: window })
		: averageUsage(work, of, window, averagedOverMs);

export const noUsage: UsageCount = { windows: [], late: [], marks: [] };

export const allWindows = ({ windows, late }: UsageCount): CountedUsage[] => [
	...windows,
	...late.flatMap((one) => one.windows),
];

/** Whose usage of a feature (its row id) a subscription is billed for. */
export function meteredBy(work: Work, { customerId, resourceId: id }: SubscriptionRow): (featureId: string) => UsageOf {
	const resourceId = id === null ? null : (resourcesByIds(work, [id]).get(id)?.refId ?? null);
	return (featureId) => ({ featureId, customerId, resourceId });
}

/** The items that a bill has of it: what is not more than was billed already makes none, nor what stays within a limit. */
export const usageItems = (counted: readonly CountedUsage[]): ChargeItem[] =>
	counted
		.filter((one) => exact(one.quantity).gt(exact(one.billed)) && (one.kind === "usage" || isBeyondLimit(one)))
		.map(({ item }) => item);

export const isBeyondLimit = ({
	quantity,
	item: { unitTransformation = null, limit },
}: Pick<CountedUsage, "quantity" | "item">): boolean =>
	exact(inPricedUnits(quantity, unitTransformation)).gt(exact(limit ?? zero));

/** What usage that came late draws on. */
export const minimumOfLate = ({ minimum }: LateUsage): PaidMinimum | null =>
	minimum && { currency: minimum.currency, amount: minimum.amount, ...worded({ codes: ["coveredByMinimum"] }) };

/** In the transaction that bills it: so nothing is ever billed twice, and nothing is left out. */
export function recordBilled(work: Work, subscription: SubscriptionRow, counted: UsageCount): void {
	const keyOf = ({ kind, featureId, window }: CountedUsage) => `${kind}/${featureId}/${window.start}`;
	for (const alike of Map.groupBy(allWindows(counted), keyOf).values()) {
		const [one] = alike;
		if (one) record(work, subscription, one, keepUsagePrices(work, alike.map(priceOf)));
	}
	for (const mark of counted.marks) upsertUsageMark(work, subscription, mark);
	for (const late of counted.late) drawDownMinimum(work, late);
	if (counted.unspent) upsertUnspentMinimum(work, counted.unspent);
}

/** So much of a window counts as billed; at which prices, only where some of it was. */
export function recordExcluded(work: Work, subscription: SubscriptionRow, counted: CountedUsage): void {
	const { window } = counted;
	const [bill] = selectUsageBillsFrom(work, subscription, counted, window.start);
	const known = bill?.windowStart === window.start ? bill : undefined;
	record(work, subscription, { ...counted, billed: known?.quantity ?? zero }, known?.pricesId ?? null);
}

function record(
	work: Work,
	subscription: SubscriptionRow,
	{ kind, featureId, window, quantity, averagedOverMs, billed }: CountedUsage,
	pricesId: string | null,
): void {
	upsertUsageBill(work, subscription, {
		kind,
		featureId,
		windowStart: window.start,
		windowEnd: window.end,
		// Usage that was taken back after it was billed is not billed again when it returns.
		quantity: exact(billed).gt(exact(quantity)) ? billed : quantity,
		averagedOverMs,
		events: countedEvents(work, meteredBy(work, subscription)(featureId)).within(window),
		pricesId,
	});
}

const priceOf = ({ item: { quantity: _, billed: __, period: ___, ...price } }: CountedUsage): UsagePrice => price;

function drawDownMinimum(work: Work, late: LateUsage): void {
	if (!late.minimum) return;
	const items = usageItems(late.windows);
	const [rated] = rateBill({ sections: [{ items, minimumSpendPaid: minimumOfLate(late) }] });
	if (!rated) return;
	const amount = toDecimal(exact(late.minimum.amount).minus(exact(rated.minimumDrawdown)));
	upsertUnspentMinimum(work, { ...late.minimum, amount });
}
