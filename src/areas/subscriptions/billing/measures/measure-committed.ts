import type { Instant } from "../../../../kernel/clock";
import { type Big, type Decimal, divide, exact, toDecimal } from "../../../../kernel/decimal";
import { assert } from "../../../../kernel/errors";
import type { Period } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import { type CommittedCost, costOfCommitted, type WindowUsage } from "../../../pricing/commitments/commitment-cost";
import { type CommitmentWindow, commitmentWindows } from "../../../pricing/commitments/commitment-windows";
import type { CommitmentInterval, CommittedTime } from "../../../pricing/models/commitment";
import type { CommittedTerms } from "../../../pricing/models/committed-charge";
import { segmentationOf } from "../../../pricing/models/segment";
import { chargeOfSegment } from "../../../pricing/models/segmented-charge";
import { costOfTransaction } from "../../../pricing/models/transaction";
import { rateUsage } from "../../../pricing/models/usage";
import { type BillingPeriod, lengthOf, periodOf } from "../../../pricing/rules.billing-period";
import { priceOfUsage } from "../../../pricing/window-cost";
import type { UsageOf } from "../../../usage/operations";
import { segmentsOfWindows, transactionsOfWindows, usageOfWindows } from "../../../usage/operations.windows";

/** Returns the cost of a part of a billing period, whose usage is priced in each window of its commitment by itself. */
export function measureCommitted(
	work: Work,
	of: UsageOf,
	terms: CommittedTerms,
	part: Period,
	time: CommittedTime,
): CommittedCost {
	const { commitment } = terms.charge.priceTerms ?? {};
	assert(commitment, "a price with a commitment has one");
	const windows = commitmentWindows(commitment, part, time);
	return costOfCommitted(terms, windows, usedIn(work, of, terms, windows));
}

/** Returns the units of each window and their cost before the commitment. */
function usedIn(
	work: Work,
	{ featureId, customerId, resourceId }: UsageOf,
	terms: CommittedTerms,
	windows: readonly CommitmentWindow[],
): WindowUsage[] {
	const of = { featureId, customerId, resourceId };
	const { transactionPrice, segments } = terms.charge.priceTerms ?? {};
	if (transactionPrice)
		return Array.from(transactionsOfWindows(work, of, transactionPrice, windows), ({ counted, cost }) => ({
			...{ units: exact(counted), cost: exact(cost) },
		}));
	if (segments) return usedBySegment(windows, segmentsOfWindows(work, of, segmentationOf(segments), windows), terms);
	// Many windows have the same usage.
	const known = new Map<string, WindowUsage>();
	return Array.from(usageOfWindows(work, of, windows), (usage, at) => {
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
	if (transactionPrice)
		return costOfCommitted(terms, windows, [{ units: exact(1), cost: costOfTransaction(transactionPrice, quantity) }]);
	const charge = segments ? chargeOfSegment(terms.charge, { variantId: null }) : terms.charge;
	const used = usedUnits({ ...terms, charge }, each);
	return costOfCommitted(
		terms,
		windows,
		windows.map(() => used),
	);
}

const estimatePlaces = 12;

/** In the unit of `lengthOf`, of which an hour has 200. */
const lengthOfWindow = (interval: CommitmentInterval): number =>
	interval.unit === "HOUR" ? 200 : lengthOf(periodOf(interval));

function usedBySegment(
	windows: readonly CommitmentWindow[],
	used: ReturnType<typeof segmentsOfWindows>,
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
