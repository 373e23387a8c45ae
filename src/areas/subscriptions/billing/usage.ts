import type { Instant } from "../../../kernel/clock";
import { zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import { utc } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { periodsFrom } from "../../billing/operations";
import type { PeriodOfCharge } from "../../billing/rules.billed";
import type { UsageTerms } from "../../billing/rules.charge";
import type { UsageState } from "../../billing/table";
import { intervalOf } from "../../pricing/rules.billing-period";
import { billingPeriodAt } from "../rules";
import type { SubscriptionRow } from "../table";
import type { EffectivePrice } from "../terms/prices";
import type { Sale } from "../terms/sale";
import type { ChargedSubscription } from "./charged";
import {
	type CountedUsage,
	priceOf,
	recordExcluded,
	type UsageCount,
	type UsageMark,
	usageChargesOf,
} from "./counted-usage";
import { lateWindows, withLate } from "./late-usage";
import { baseFree, countIn, itemUsed, markOf } from "./measures/count-window";
import { chargeKeyOf, meteredBy, usageKeyOf } from "./measures/measure";
import { isLimitOfPeriod, laterOf, resetWindows, windowOpenAt, windowsOf } from "./measures/usage-windows";
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
