import type { Instant } from "../../../../kernel/clock";
import { type Big, type Decimal, divide, exact, toDecimal } from "../../../../kernel/decimal";
import { assert } from "../../../../kernel/errors";
import type { Period } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import {
	addWindows,
	type CommittedCost,
	costOfSum,
	noWindows,
	type WindowUsage,
} from "../../../pricing/commitments/commitment-cost";
import { type CommitmentWindow, commitmentWindows } from "../../../pricing/commitments/commitment-windows";
import type { CommitmentInterval, CommittedTime } from "../../../pricing/models/commitment";
import { type CommittedTerms, committedPriceId } from "../../../pricing/models/committed-charge";
import { segmentationOf } from "../../../pricing/models/segment";
import { chargeOfSegment } from "../../../pricing/models/segmented-charge";
import { costOfTransaction } from "../../../pricing/models/transaction";
import { rateUsage } from "../../../pricing/models/usage";
import { type BillingPeriod, lengthOf, periodOf } from "../../../pricing/rules.billing-period";
import { priceOfUsage } from "../../../pricing/window-cost";
import type { UsageOf } from "../../../usage/operations";
import { foldWindows, type UsageOfWindows } from "../../../usage/operations.windows";

/** Returns the cost of a part of a billing period, whose usage is priced in each window of its commitment by itself. */
export function measureCommitted(
	work: Work,
	{ featureId, customerId, resourceId }: UsageOf,
	terms: CommittedTerms,
	part: Period,
	time: CommittedTime,
): CommittedCost {
	const { commitment, transactionPrice, segments } = terms.charge.priceTerms ?? {};
	assert(commitment, "a price with a commitment has one");
	const of: UsageOf = {
		...{ featureId, customerId, resourceId },
		...(transactionPrice ? { transactionPrice } : segments && { segments: segmentationOf(segments) }),
	};
	const windows = commitmentWindows(commitment, part, time);
	const { whole, anchorAt, proration } = time;
	return costOfSum(
		foldWindows(work, of, windows, {
			id: JSON.stringify([committedPriceId(terms), part.start, whole, anchorAt, proration]),
			none: noWindows,
			add: (sum, source, some) => addWindows(sum, terms, some, usedIn(source, terms, some)),
		}),
	);
}

/** Returns the units of each window and their cost before the commitment. */
function usedIn(source: UsageOfWindows, terms: CommittedTerms, windows: readonly CommitmentWindow[]): WindowUsage[] {
	const { transactionPrice, segments } = terms.charge.priceTerms ?? {};
	if (transactionPrice)
		return Array.from(source.transactions(transactionPrice, windows), ({ counted, cost }) => ({
			...{ units: exact(counted), cost: exact(cost) },
		}));
	if (segments) return usedBySegment(windows, source.segments(segmentationOf(segments), windows), terms);
	// Many windows have the same usage.
	const known = new Map<string, WindowUsage>();
	return Array.from(source.values(windows), (usage, at) => {
		const isOpen = windows[at]?.isOpen ?? false;
		const key = `${usage}/${isOpen}`;
		const used = known.get(key) ?? usedUnits(terms, usage, isOpen);
		known.set(key, used);
		return used;
	});
}

/** Returns units at the price without the commitment. */
function usedUnits({ charge, unitTransformation = null }: CommittedTerms, usage: Decimal, isOpen = false) {
	const { chargesFlatPriceUnused } = charge.priceTerms ?? {};
	const priced = { ...charge, priceTerms: chargesFlatPriceUnused ? { chargesFlatPriceUnused } : null };
	const { quantity, amount } = priceOfUsage({ charge: priced, unitTransformation }, usage, !isOpen);
	return { units: exact(quantity ?? 0), cost: amount };
}

/** Returns the cost of an estimated quantity, which is spread evenly over the windows of an average billing period. */
export function estimateCommitted(
	terms: CommittedTerms,
	quantity: Decimal,
	billingPeriod: BillingPeriod,
): CommittedCost {
	const { commitment: { interval } = {}, segments, transactionPrice } = terms.charge.priceTerms ?? {};
	const count = interval ? Math.max(1, Math.round(lengthOf(billingPeriod) / lengthOfWindow(interval))) : 1;
	const windows = Array.from({ length: count }, () => ({ start: 0 as Instant, end: 0 as Instant, isOpen: false }));
	const each = toDecimal(divide(exact(quantity), exact(count), estimatePlaces, "half-up"));
	const costOf = (used: readonly WindowUsage[]) => costOfSum(addWindows(noWindows, terms, windows, used));
	if (transactionPrice) return costOf([{ units: exact(1), cost: costOfTransaction(transactionPrice, quantity) }]);
	const charge = segments ? chargeOfSegment(terms.charge, { variantId: null }) : terms.charge;
	const used = usedUnits({ ...terms, charge }, each);
	return costOf(windows.map(() => used));
}

const estimatePlaces = 12;

/** In the unit of `lengthOf`, of which an hour has 200. */
const lengthOfWindow = (interval: CommitmentInterval): number =>
	interval.unit === "HOUR" ? 200 : lengthOf(periodOf(interval));

function usedBySegment(
	windows: readonly CommitmentWindow[],
	used: ReturnType<UsageOfWindows["segments"]>,
	{ charge, unitTransformation = null }: CommittedTerms,
): WindowUsage[] {
	const sums = windows.map((): { units: Big; cost: Big } => ({ units: exact(0), cost: exact(0) }));
	for (const { at, segment, quantity } of used) {
		const sum = sums[at];
		assert(sum, "usage is counted in a window");
		const rated = rateUsage(chargeOfSegment(charge, segment), quantity, unitTransformation);
		sum.units = sum.units.plus(rated.quantity ?? 0);
		sum.cost = sum.cost.plus(rated.amount);
	}
	return sums;
}
