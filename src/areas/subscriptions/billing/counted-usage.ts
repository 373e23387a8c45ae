import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { resourcesByIds } from "../../customers/operations";
import type { ChargeItem } from "../../pricing/rate";
import { convertUnits } from "../../pricing/unit-conversion";
import { worded } from "../../pricing/wording";
import { countedEvents, currentUsage, type UsageOf } from "../../usage/operations";
import { averageUsage } from "../../usage/reports/operations";
import type { SubscriptionRow } from "../table";
import { type PaidMinimum, rateBill } from "./rules.bill";
import {
	selectUsageBillsFrom,
	storeUsagePrices,
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

/** The usage of one price within one window, as far as it is to be billed. */
export interface CountedUsage {
	readonly kind: SubscriptionUsageBillRow["kind"];
	readonly featureId: string;
	readonly featureRef: string;
	readonly window: Period;
	/** In reported units. */
	readonly quantity: Decimal;
	/** For time-weighted usage, the length of the price's whole period, of which the window may be a part. */
	readonly averagedOverMs: number | null;
	/** The part that earlier bills have charged. */
	readonly billed: Decimal;
	readonly item: ChargeItem;
}

/** Usage of closed windows that was reported after they were billed. */
export interface LateUsage {
	readonly windows: readonly CountedUsage[];
	/** The unused minimum spend of its period. */
	readonly minimum: SubscriptionUnspentMinimumRow | null;
}

/** The usage of a bill, and the records that the caller writes with that bill. */
export interface UsageCount {
	readonly windows: readonly CountedUsage[];
	readonly late: readonly LateUsage[];
	readonly marks: readonly Omit<SubscriptionUsageMarkRow, "subscriptionId">[];
	/** The unused minimum spend of the charge that ends with the bill. */
	readonly unspent?: SubscriptionUnspentMinimumRow | undefined;
}

/** Returns the quantity that a price charges for a window: the usage, or its average over the price's whole period. */
export const quantityIn = (work: Work, of: UsageOf, window: Period, averagedOverMs: number | null): Decimal =>
	averagedOverMs === null
		? currentUsage(work, { ...of, period: window })
		: averageUsage(work, of, window, averagedOverMs);

export const noUsage: UsageCount = { windows: [], late: [], marks: [] };

export const allWindows = ({ windows, late }: UsageCount): CountedUsage[] => [
	...windows,
	...late.flatMap((one) => one.windows),
];

/** Returns the source of a subscription's usage of a feature (its row id). */
export function meteredBy(work: Work, { customerId, resourceId: id }: SubscriptionRow): (featureId: string) => UsageOf {
	const resourceId = id === null ? null : (resourcesByIds(work, [id]).get(id)?.refId ?? null);
	return (featureId) => ({ featureId, customerId, resourceId });
}

/** Returns the items to bill. Usage that is billed already, or within a limit, makes no item. */
export const usageItems = (counted: readonly CountedUsage[]): ChargeItem[] =>
	counted
		.filter((one) => exact(one.quantity).gt(exact(one.billed)) && (one.kind === "usage" || isBeyondLimit(one)))
		.map(({ item }) => item);

export const isBeyondLimit = ({
	quantity,
	item: { unitTransformation = null, limit },
}: Pick<CountedUsage, "quantity" | "item">): boolean =>
	exact(convertUnits(quantity, unitTransformation)).gt(exact(limit ?? zero));

/** The minimum spend that late usage can use. */
export const minimumOfLate = ({ minimum }: LateUsage): PaidMinimum | null =>
	minimum && { currency: minimum.currency, amount: minimum.amount, ...worded({ codes: ["coveredByMinimum"] }) };

/** Records usage in the transaction that bills it, so that none is billed twice or left out. */
export function recordBilled(work: Work, subscription: SubscriptionRow, counted: UsageCount): void {
	const keyOf = ({ kind, featureId, window }: CountedUsage) => `${kind}/${featureId}/${window.start}`;
	for (const alike of Map.groupBy(allWindows(counted), keyOf).values()) {
		const [one] = alike;
		if (one) record(work, subscription, one, storeUsagePrices(work, alike.map(priceOf)));
	}
	for (const mark of counted.marks) upsertUsageMark(work, subscription, mark);
	for (const late of counted.late) drawDownMinimum(work, late);
	if (counted.unspent) upsertUnspentMinimum(work, counted.unspent);
}

/** Records the usage of a window as not billable. Earlier bills of the window keep their prices. */
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
		// Canceled usage that was billed is not billed again when it returns.
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
