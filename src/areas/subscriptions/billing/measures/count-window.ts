import type { Instant } from "../../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal, zero } from "../../../../kernel/decimal";
import { utc } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import type { UsageState } from "../../../billing/table";
import { dividesPeriod } from "../../../pricing/commitments/commitment-windows";
import { type UsedFreeUnits, usedFreeUnits } from "../../../pricing/free-units";
import type { CommittedTime } from "../../../pricing/models/commitment";
import type { LevelWindow } from "../../../pricing/models/level";
import { shareOf } from "../../../pricing/proration";
import type { ChargeItem } from "../../../pricing/rate";
import { intervalOf, windowPeriodOf } from "../../../pricing/rules.billing-period";
import type { WindowState } from "../../../pricing/window-cost";
import { itemOf } from "../../terms/charge-items";
import type { Sale } from "../../terms/sale";
import { baseOf, type CountedUsage } from "../counted-usage";
import { freeUnitsIn, type PartOfWindow } from "./free-units";
import { eventsSince } from "./highest-total";
import { measureIn, type UsageKey } from "./measure";
import { averagedOver, type Window } from "./usage-windows";
import type { UsedPrice } from "./used-prices";

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

/** Makes the item of a usage quantity, of which earlier bills have charged a part. */
export const itemUsed = (
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

/** Returns the units of a base that coupons made free. */
export const baseFree = (units: readonly UsedFreeUnits[] | undefined) =>
	units && { free: toDecimal(sum(units.map(({ used }) => exact(used)))) };

export const markOf = ({
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
