import type { Decimal } from "../../../../kernel/decimal";
import { assert } from "../../../../kernel/errors";
import type { Period } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import type { ChargeRow, UsageState } from "../../../billing/table";
import { resourcesByIds } from "../../../customers/operations";
import { currencyOfCharge } from "../../../pricing/models/charge";
import type { CommittedTime, CommittedUsage } from "../../../pricing/models/commitment";
import { type CommittedTerms, committedPriceId } from "../../../pricing/models/committed-charge";
import { type LevelTerms, type LevelWindow, levelPriceId } from "../../../pricing/models/level";
import { segmentationOf } from "../../../pricing/models/segment";
import { segmentedPriceId } from "../../../pricing/models/segmented-charge";
import type { TransactionPrice } from "../../../pricing/models/transaction";
import { transactionPriceId } from "../../../pricing/models/transaction-price-id";
import type { ChargeItem } from "../../../pricing/rate";
import type { BillingPeriod } from "../../../pricing/rules.billing-period";
import { costOfSegments, type SegmentedTerms, type SegmentedUsage } from "../../../pricing/segment-cost";
import { currentUsage, segmentsIn, transactionsIn, type UsageOf } from "../../../usage/operations";
import { highestLevel, timedCost } from "../../../usage/operations.levels";
import { averageUsage } from "../../../usage/reports/operations";
import type { SubscriptionRow } from "../../table";
import type { TotalsOf } from "../store.highest-totals";
import { childUsageOf } from "./child-usage";
import { highestTotal } from "./highest-total";
import { measureCommitted } from "./measure-committed";

/** The usage that is counted separately: pay as you go ("usage"), or overage, of one feature of a subscription. */
export interface UsageKey {
	readonly kind: "usage" | "overage";
	readonly featureId: string;
	/** The usage is the cost of transactions by this price. */
	readonly transactionPrice?: TransactionPrice;
	/** The usage is the cost of segments by this price. */
	readonly segmented?: SegmentedTerms;
	/** The usage is the cost of levels over time, or the highest level. */
	readonly level?: LevelTerms;
	/** The usage is the cost of windows with a commitment by this price. */
	readonly committed?: CommittedTerms;
	/** Each event charges it. */
	readonly atEvent?: true;
	/** The length of its windows, where the price has one of its own. */
	readonly interval?: BillingPeriod;
}

/** The key of a usage charge. */
export function chargeKeyOf({ interval, ...measured }: UsageKey): string {
	const key = `${keyOfMeasure(measured)}${measured.atEvent ? "/at-event" : ""}`;
	return interval === undefined ? key : `${key}/${interval}`;
}

function keyOfMeasure({ kind, featureId, transactionPrice: price, segmented, level, committed }: UsageKey): string {
	const key = `${kind}/${featureId}`;
	if (committed) return `${key}/${committedPriceId(committed)}`;
	if (level) return `${key}/${levelPriceId(level)}`;
	if (price) return `${key}/${transactionPriceId(price)}`;
	return segmented ? `${key}/${segmentedPriceId(segmented.charge)}` : key;
}

export const isOfUsage = ({ key }: Pick<ChargeRow, "key">): boolean => /^(usage|overage)\//.test(key);

/** Reads the key of a usage charge. All prices of one key count transactions alike. */
export function usageKeyOf({ key, terms }: Pick<ChargeRow, "key" | "terms">): UsageKey {
	const [kind, featureId = ""] = key.split("/");
	assert(kind === "usage" || kind === "overage", "the key of a usage charge names its kind");
	const [price] = terms && "prices" in terms ? terms.prices : [];
	return { kind, featureId, ...(price && { ...countedBy(price), ...windowedBy(kind, price) }) };
}

/** Returns the interval of a price whose windows are not the billing period. Overage has the windows of its limit. */
export const windowedBy = (kind: UsageKey["kind"], { charge }: SegmentedTerms): Pick<UsageKey, "interval"> =>
	kind === "usage" && charge.priceTerms?.chargeInterval ? { interval: charge.priceTerms.chargeInterval } : {};

/** Returns the price by which usage is counted, if it is the cost of events, segments, levels or windows with a commitment. */
export function countedBy(price: SegmentedTerms): Omit<UsageKey, "kind" | "featureId" | "interval"> {
	const { transactionPrice, segments, usageMeasure, commitment, eventInvoicing } = price.charge.priceTerms ?? {};
	const committed = commitment && { committed: price };
	if (eventInvoicing) return { atEvent: true, ...(transactionPrice && { transactionPrice }) };
	if (usageMeasure) return { level: price };
	if (transactionPrice) return { ...committed, transactionPrice };
	return { ...committed, ...(segments && { segmented: price }) };
}

/** The usage of a window that a price charges. */
type Measured = Pick<ChargeItem, "quantity" | "transactions" | "levels"> & {
	/** The segments whose cost is the quantity. */
	readonly segments?: SegmentedUsage;
	/** The windows of the commitment whose cost is the quantity. */
	readonly commitment?: CommittedUsage;
};

/** The source of usage, and its price if the usage is divided, a level or committed. */
export type Metered = UsageOf &
	Pick<UsageKey, "segmented" | "level" | "committed"> & {
		/** Each event charges the usage: whose highest total counts. */
		readonly totals?: TotalsOf;
	};

/** The inputs of a measure in addition to the time. */
interface Measure {
	/** The length of the whole window for an average of a level; null: the usage is no average. */
	readonly averagedOverMs: number | null;
	readonly state?: UsageState | null;
	readonly levelWindow?: LevelWindow | undefined;
	readonly committedTime?: CommittedTime | undefined;
}

/**
 * Returns the quantity that a price charges for a window: the usage, its average over the price's whole period, the
 * highest level, or the cost of transactions, segments or levels.
 */
export function measureIn(
	work: Work,
	of: Metered,
	window: Period,
	{ averagedOverMs, state = null, levelWindow, committedTime }: Measure,
): Measured {
	if (of.committed) {
		assert(committedTime, "windows of a commitment run in a billing period");
		const { cost, commitment } = measureCommitted(work, of, of.committed, window, committedTime);
		const billed = state?.commitment?.units;
		return { quantity: cost, commitment: { ...commitment, ...(billed && { billed }) } };
	}
	if (of.level) return measureLevel(work, of, of.level, window, levelWindow, state);
	if (of.transactionPrice) {
		const transactions = transactionsIn(work, of, of.transactionPrice, window);
		return { quantity: transactions.cost, transactions };
	}
	if (of.segmented && of.segments) {
		const used = segmentsIn(work, of, of.segments, window);
		const currency = currencyOfCharge(of.segmented.charge);
		assert(currency !== undefined, "a price of segments is in money");
		const segments = costOfSegments(of.segmented, used, state?.segments, currency);
		return { quantity: segments.cost, segments };
	}
	const quantity =
		averagedOverMs === null
			? currentUsage(work, { ...of, period: window })
			: averageUsage(work, of, window, averagedOverMs);
	return { quantity: of.totals ? highestTotal(work, of.totals, window, quantity) : quantity };
}

function measureLevel(
	work: Work,
	of: Metered,
	terms: LevelTerms,
	part: Period,
	window: LevelWindow = { whole: part, since: part.start },
	state: UsageState | null,
): Measured {
	if (terms.charge.priceTerms?.usageMeasure === "PEAK") return { quantity: highestLevel(work, of, part) };
	const { cost, levels } = timedCost(work, of, terms, part, window);
	const billed = state?.levels?.average;
	return { quantity: cost, levels: { ...levels, ...(billed && { billed }) } };
}

export const quantityIn = (work: Work, of: Metered, window: Period, measure: Measure): Decimal =>
	measureIn(work, of, window, measure).quantity;

/** Returns the source of a subscription's usage. */
export function meteredBy(work: Work, row: SubscriptionRow): (key: Omit<UsageKey, "kind">) => Metered {
	const { id: subscriptionId, customerId, resourceId: id } = row;
	const resourceId = id === null ? null : (resourcesByIds(work, [id]).get(id)?.refId ?? null);
	const childUsage = childUsageOf(work, row, resourceId);
	return ({ featureId, transactionPrice, segmented, level, committed, atEvent, interval }) => ({
		...{ featureId, customerId, resourceId },
		...(row.childUsage &&
			![transactionPrice, segmented, level, committed, atEvent].some(Boolean) && { pooled: childUsage(featureId) }),
		...(atEvent &&
			!transactionPrice && {
				totals: {
					subscriptionId,
					key: chargeKeyOf({ kind: "usage", featureId, atEvent, ...(interval && { interval }) }),
				},
			}),
		...(committed && { committed }),
		...(level && { level }),
		...(transactionPrice && { transactionPrice }),
		...(segmented?.charge.priceTerms?.segments && {
			segmented,
			segments: segmentationOf(segmented.charge.priceTerms.segments),
		}),
	});
}
