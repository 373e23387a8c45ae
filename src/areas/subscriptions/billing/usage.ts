import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import { utc } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { periodsFrom } from "../../billing/operations";
import type { PeriodOfCharge } from "../../billing/rules.billed";
import type { UsageTerms } from "../../billing/rules.charge";
import type { UsageState } from "../../billing/table";
import { dividesPeriod } from "../../pricing/commitments/commitment-windows";
import { type UsedFreeUnits, usedFreeUnits } from "../../pricing/free-units";
import { costOfLevel } from "../../pricing/level-cost";
import { currencyOfCharge } from "../../pricing/models/charge";
import type { CommittedTime } from "../../pricing/models/commitment";
import type { CommittedTerms } from "../../pricing/models/committed-charge";
import type { LevelWindow } from "../../pricing/models/level";
import { costOfTransaction } from "../../pricing/models/transaction";
import { shareOf, wholePeriod } from "../../pricing/proration";
import type { ChargeItem } from "../../pricing/rate";
import { intervalOf, windowPeriodOf } from "../../pricing/rules.billing-period";
import { costOfSegments, type SegmentedTerms } from "../../pricing/segment-cost";
import type { WindowState } from "../../pricing/window-cost";
import { billingPeriodAt } from "../rules";
import type { SubscriptionRow } from "../table";
import { itemOf } from "../terms/charge-items";
import type { EffectivePrice } from "../terms/prices";
import type { Sale } from "../terms/sale";
import type { ChargedSubscription } from "./charged";
import {
	baseOf,
	type CountedUsage,
	isBeyondLimit,
	priceOf,
	recordExcluded,
	trueUpItems,
	type UsageCount,
	type UsageMark,
	usageChargesOf,
	withFreeText,
} from "./counted-usage";
import { lateWindows, withLate } from "./late-usage";
import { freeUnitsIn, type PartOfWindow } from "./measures/free-units";
import { eventsSince } from "./measures/highest-total";
import { chargeKeyOf, measureIn, meteredBy, type UsageKey, usageKeyOf } from "./measures/measure";
import { estimateCommitted } from "./measures/measure-committed";
import { segmentItems } from "./measures/segment-items";
import {
	averagedOver,
	isLimitOfPeriod,
	laterOf,
	resetWindows,
	type Window,
	windowOpenAt,
	windowsOf,
} from "./measures/usage-windows";
import { type UsedPrice, usedPrices } from "./measures/used-prices";

/** The windows that a bill ends at its instant, although they would continue. */
export type Ending = "all" | "usage" | "none";

interface UsageDue {
	/** Selects the prices that are billed now. Default: all. */
	readonly isDue?: ((price: EffectivePrice) => boolean) | undefined;
	/** Default: none. */
	readonly ends?: Ending;
	/** Nothing follows: the date of the end counts as a whole day. */
	readonly isEnd?: boolean;
	/** From when usage is not billed, where no charge tells it. */
	readonly since?: Instant;
	/** Leaves out windows that continue. */
	readonly closedOnly?: boolean;
}

/**
 * Returns the unbilled on-demand usage of a subscription up to an instant. Pay as you go is counted by the period of
 * its price, overage by the reset period of its limit. Late usage of closed windows is included at its former prices.
 * `sale` has the prices of open windows; null: there is no further usage.
 */
export function unbilledUsage(
	work: Work,
	subscription: ChargedSubscription,
	sale: Sale | null,
	until: Instant,
	{ isDue = () => true, ends = "none", isEnd = false, since: unbilledSince, closedOnly = false }: UsageDue = {},
): UsageCount {
	const charges = usageChargesOf(work, subscription);
	const used = Map.groupBy(sale ? usedPrices(work, subscription, sale) : [], chargeKeyOf);
	const priced = [...used].map(([key, alike]): UsageOfPrice => {
		const [one] = alike;
		if (!one || !sale || !alike.some(({ price }) => isDue(price))) return noUsageOfPrice;
		const known = charges.get(key);
		const first = subscription.usageBilledFrom ?? subscription.startAt;
		const since = laterOf(first, unbilledSince ?? known?.billedUntil ?? previousPeriodStart(subscription, until));
		const windows = windowsOf(subscription, one, { start: since, end: until }, first);
		const earliest = windows[0]?.start ?? until;
		const lastBills = lastBillsFrom(work, subscription, key, earliest);
		const charge = chargeOf(subscription, sale, alike, earliest);
		const endsAll = ends === "all" || (ends === "usage" && one.kind === "usage");
		const due = closedOnly ? windows.filter(({ isOpen }) => !isOpen) : windows;
		const counted = alike.flatMap((of) =>
			due.map((window) => {
				const last = lastBills.get(window.start) ?? null;
				const isEnded = endsAll || !window.isOpen;
				return countIn(work, sale, of, window, { last, state: stateOf(last, charge.terms), isEnded, isEnd, first });
			}),
		);
		const openStarts = new Set(windows.map(({ start }) => start));
		const late = lateWindows(work, subscription, known, { of: one.of, openStarts });
		const isBilledNow = known !== undefined && windows.length === 0;
		const open = windows.find(({ isOpen }) => isOpen) ?? (isBilledNow ? windowOpenAt(one, until) : undefined);
		const closedUntil = open?.start ?? until;
		return {
			windows: counted,
			late,
			marks: [{ ...markOf(one), charge, closedUntil }],
		};
	});
	const of = meteredBy(work, subscription);
	// Features that are no longer priced.
	const former = [...charges.values()]
		.filter(({ key }) => !used.has(key))
		.map((charge): UsageOfPrice => {
			const key = usageKeyOf(charge);
			const late = lateWindows(work, subscription, charge, { of: of(key), openStarts: new Set() });
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

const markOf = ({
	kind,
	featureId,
	transactionPrice,
	segmented,
	level,
	committed,
	atEvent,
	interval,
}: UsageKey): UsageKey => ({
	kind,
	featureId,
	...(transactionPrice && { transactionPrice }),
	...(segmented && { segmented }),
	...(level && { level }),
	...(atEvent && { atEvent }),
	...(interval && { interval }),
	...(committed && { committed }),
});

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
		interval:
			one.kind === "overage" && !isLimitOfPeriod(one)
				? null
				: intervalOf(one.interval ?? one.price.charge.billingPeriod),
		anchorAt: subscription.billingAnchorAt ?? startsAt,
		timeZone: subscription.timeZone ?? utc,
		prorationMode: "NONE",
		paymentTime: "IN_ARREARS",
	};
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

/** Counts the usage of a price within one window, as far as earlier bills have not charged it. */
export function countIn(
	work: Work,
	sale: Sale,
	used: UsedPrice,
	counted: Window,
	{ last = null, billed = last?.period.usageQuantity ?? zero, state = null, first, ...ending }: BilledSoFar = {},
): CountedUsage {
	const { feature, of } = used;
	const window = { start: counted.start, end: counted.end };
	const averagedOverMs = averagedOver(used, counted);
	const levelWindow = levelWindowOf(used, counted, first, ending);
	const committedTime = used.committed && committedTimeOf(used, counted, ending);
	const measure = { averagedOverMs, state, levelWindow, committedTime };
	const { quantity, transactions, segments, levels, commitment } = measureIn(work, of, window, measure);
	const priced = itemUsed(sale, used, quantity, billed);
	const item = {
		...priced,
		...{ period: window, ...(transactions && { transactions }), ...(levels && { levels }) },
		...(commitment && { commitment }),
		...(used.atEvent && { events: eventsSince(work, of, window, state) }),
		...freeUnitsIn(used.freeUnitsOf(counted), priced, quantity, {
			...{ earlier: state?.freeUnits, billed },
			isPassedOn: (ending.isEnded && !ending.isEnd && counted.end < counted.whole.end) ?? false,
		}),
	};
	const named = { ...markOf(used), featureRef: feature.refId, window };
	const found = {
		...{ ...named, quantity, averagedOverMs, billed, item, last, isLate: false },
		...(segments && { segments }),
		...(levels && { levelWindow }),
		...(committedTime && { committedTime }),
	};
	return used.price.charge.priceTerms ? withTerms(found, used, counted, state, ending) : found;
}

/** The earlier bills of a window, and whether this one ends it. */
interface BilledSoFar extends Partial<Pick<CountedUsage, "last" | "billed" | "state">>, EndOfWindow {
	/** The start of the usage that these terms bill. Missing: that of the window. */
	readonly first?: Instant;
}

export interface EndOfWindow {
	readonly isEnded?: boolean;
	/** Nothing follows. */
	readonly isEnd?: boolean;
}

/** Returns how levels count over a window. */
export function levelWindowOf(
	{ price, proration }: UsedPrice,
	{ whole, start }: Window,
	first: Instant = start,
	{ isEnd = false }: EndOfWindow,
): LevelWindow {
	const { timeZone = utc } = proration;
	const days = price.charge.priceTerms?.countsDays && { timeZone, ...(isEnd && { isEnd: true as const }) };
	return { whole: { start: whole.start, end: whole.end }, since: first, ...(days && { days }) };
}

/** Returns how the windows of a commitment run. */
function committedTimeOf(
	{ price: { charge }, proration, anchorAt }: UsedPrice,
	{ whole: { start, end } }: Window,
	{ isEnded = false, isEnd = false }: EndOfWindow,
): CommittedTime {
	const { commitment = {} } = charge.priceTerms ?? {};
	const isAligned = anchorAt !== null && dividesPeriod(commitment, intervalOf(windowPeriodOf(charge)));
	return {
		...{ whole: { start, end }, proration, ...(isAligned && { anchorAt }) },
		...(isEnded && { isEnded, ...(isEnd && { isEnd }) }),
	};
}

/** Adds the inputs of prices that depend on the whole window. */
function withTerms(
	one: CountedUsage,
	{ proration }: UsedPrice,
	{ whole, end }: Window,
	state: UsageState | null,
	{ isEnded = false, isEnd = false }: EndOfWindow,
): CountedUsage {
	const { base } = state ?? {};
	const window: WindowState = { ...baseOf(state), ...(isEnded && { ended: "NOW" }) };
	const start = base?.at ?? one.window.start;
	return {
		...one,
		item: { ...one.item, ...((base || isEnded) && { window }) },
		...(isEnded && { endedShare: shareOf(whole, { start, end, isEnd }, proration) }),
		state,
	};
}

/** Returns the state of a window before a bill. Usage on other terms is the base of the present ones. */
function stateOf(last: PeriodOfCharge | null, terms: UsageTerms): UsageState | null {
	if (!last) return null;
	const { usageQuantity, endsAt, usageState } = last.period;
	const { freeUnits } = usageState ?? {};
	if (terms.prices.every(({ charge }) => !charge.priceTerms)) return freeUnits ? { freeUnits } : null;
	if (Bun.deepEquals(last.charge.terms, terms)) return usageState;
	// The prices of segments, of levels and of commitments are part of the key, so those of the window are the same.
	const { segments, levels, commitment, events } = usageState ?? {};
	return {
		base: { quantity: usageQuantity ?? zero, at: endsAt, ...baseFree(freeUnits) },
		...(segments && { segments }),
		...(levels && { levels }),
		...(freeUnits && { freeUnits }),
		...(commitment && { commitment }),
		...(events !== undefined && { events }),
	};
}

/** Returns the units of a base that coupons made free. */
export const baseFree = (units: readonly UsedFreeUnits[] | undefined) =>
	units && { free: toDecimal(sum(units.map(({ used }) => exact(used)))) };

const itemUsed = (
	sale: Sale,
	{ price, feature, source }: UsedPrice,
	quantity: Decimal,
	billed: Decimal,
): ChargeItem => ({
	...itemOf(price, sale.names),
	quantity,
	billed,
	productRefId: sale.product.refId,
	unitTransformation: price.charge.priceTerms?.transactionPrice ? null : feature.unitTransformation,
	...(source && { limit: source.usageLimit }),
});

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

/** Returns the free units of the part of a window that counts as billed. */
export function freeUnitsBefore(
	sale: Sale,
	used: UsedPrice,
	billed: Decimal,
	part: PartOfWindow,
): Pick<UsageState, "freeUnits"> {
	const { freeUnits } = freeUnitsIn(used.freeUnitsOf(part), itemUsed(sale, used, billed, zero), billed);
	return freeUnits ? { freeUnits: usedFreeUnits(freeUnits) } : {};
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
