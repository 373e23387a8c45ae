import type { Instant } from "../../../../kernel/clock";
import { type Decimal, toDecimal, zero } from "../../../../kernel/decimal";
import { costOfLevel } from "../../../pricing/level-cost";
import { currencyOfCharge } from "../../../pricing/models/charge";
import type { CommittedTerms } from "../../../pricing/models/committed-charge";
import { costOfTransaction } from "../../../pricing/models/transaction";
import { wholePeriod } from "../../../pricing/proration";
import type { ChargeItem } from "../../../pricing/rate";
import { windowPeriodOf } from "../../../pricing/rules.billing-period";
import { costOfSegments, type SegmentedTerms } from "../../../pricing/segment-cost";
import type { Sale } from "../../terms/sale";
import { isBeyondLimit, trueUpItems, withFreeText } from "../counted-usage";
import { itemUsed } from "./count-window";
import { freeUnitsIn } from "./free-units";
import { estimateCommitted } from "./measure-committed";
import { segmentItems } from "./segment-items";
import type { UsedPrice } from "./used-prices";

/** Returns the items for a usage quantity in one window; none within the limit. */
export function estimatedItems(sale: Sale, used: UsedPrice, quantity: Decimal, now: Instant): ChargeItem[] {
	const { segmented, committed } = used;
	if (committed) return estimatedWindows(sale, used, committed, quantity);
	if (segmented) return estimatedSegment(sale, used, segmented, quantity);
	const cost = estimatedQuantity(used, quantity);
	const item: ChargeItem = { ...itemUsed(sale, used, cost, zero), ...freeUnitsOfEstimate(sale, used, cost, now) };
	const own = used.kind === "usage" || isBeyondLimit({ quantity, item }) ? [withFreeText(item)] : [];
	return [...own, ...trueUpItems({ item, quantity: cost, endedShare: wholePeriod })];
}

function estimatedWindows(sale: Sale, used: UsedPrice, terms: CommittedTerms, quantity: Decimal): ChargeItem[] {
	const { cost, commitment } = estimateCommitted(terms, quantity, windowPeriodOf(used.price.charge));
	const item = { ...itemUsed(sale, used, cost, zero), commitment };
	return [item, ...trueUpItems({ item, quantity: cost, endedShare: wholePeriod })];
}

/** Returns the free units of a window that no bill has charged. */
function freeUnitsOfEstimate(sale: Sale, used: UsedPrice, usage: Decimal, now: Instant) {
	const whole = { start: now, end: (now + 1) as Instant };
	return freeUnitsIn(used.freeUnitsOf({ ...whole, whole }), itemUsed(sale, used, usage, zero), usage);
}

/** An estimate of transactions is one transaction of this value; an estimate of a level lasts for the whole window. */
function estimatedQuantity({ transactionPrice, level }: UsedPrice, quantity: Decimal): Decimal {
	if (transactionPrice) return toDecimal(costOfTransaction(transactionPrice, quantity));
	const isWeighted = level?.charge.priceTerms?.usageMeasure === "TIME_WEIGHTED";
	return level && isWeighted ? toDecimal(costOfLevel(level, quantity)) : quantity;
}

/** An estimate without dimensions has the default price. */
function estimatedSegment(sale: Sale, used: UsedPrice, terms: SegmentedTerms, quantity: Decimal): ChargeItem[] {
	const currency = currencyOfCharge(terms.charge);
	if (currency === undefined) return [];
	const segments = costOfSegments(terms, [{ variantId: null, dimensions: {}, quantity }], undefined, currency);
	const item = itemUsed(sale, used, segments.cost, zero);
	const cost = { item, quantity: segments.cost, endedShare: wholePeriod, segments };
	return [...segmentItems(item, segments), ...trueUpItems(cost)];
}
