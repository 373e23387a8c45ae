import type { Instant } from "../../../kernel/clock";
import { zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { periodsFrom } from "../../billing/operations";
import { type GainedPeriod, gainedPeriods } from "../../billing/operations.usage";
import type { PeriodOfCharge } from "../../billing/rules.billed";
import type { ChargeRow, UsageState } from "../../billing/table";
import { featuresByIds } from "../../features/operations";
import type { WindowState } from "../../pricing/window-cost";
import { nextLateUsageCheck } from "../rules.due";
import type { SubscriptionRow } from "../table";
import type { ChargedSubscription } from "./charged";
import { baseOf, type CountedUsage, type LateUsage, type UsageCount, usageChargesOf } from "./counted-usage";
import { freeUnitsIn } from "./measures/free-units";
import { countedChanges, eventsSince } from "./measures/highest-total";
import { type Metered, measureIn, meteredBy, usageKeyOf } from "./measures/measure";
import { chargedFrom } from "./rules.bill";
import { selectMinimumOfUsage } from "./store.minimums";
import { isCountedByAnother } from "./store.usage";

/**
 * Returns the closed windows of a charge's key that have gained usage since they were billed. Windows that `openStarts`
 * names are billed as a whole.
 */
export function lateWindows(
	work: Work,
	subscription: SubscriptionRow,
	charge: ChargeRow | undefined,
	{ of, openStarts }: { readonly of: Metered; readonly openStarts: ReadonlySet<Instant> },
): CountedUsage[] {
	const isOwn = (row: PeriodOfCharge) => isBilledHere(work, subscription, row);
	return gainedPeriods(work, charge, countedChanges(work, of), { except: openStarts, isOwn }).flatMap((row) =>
		countLate(work, subscription, row),
	);
}

/** A limit's window that continues in the replacing subscription is billed there. */
const isBilledHere = (work: Work, subscription: SubscriptionRow, row: PeriodOfCharge): boolean =>
	usageKeyOf(row.charge).kind === "usage" ||
	subscription.endedAt === null ||
	!isCountedByAnother(work, subscription, row);

/** Measures and rates late usage as the bill of its window did, however the present price counts usage. */
function countLate(work: Work, subscription: SubscriptionRow, { terms, ...last }: GainedPeriod): CountedUsage[] {
	const key = usageKeyOf(last.charge);
	const of = meteredBy(work, subscription)(key);
	const { startsAt, endsAt, usageQuantity, averagedOverMs, usageState: state } = last.period;
	const feature = featuresByIds(work, [key.featureId]).get(key.featureId);
	assert(feature && "prices" in terms, "a window that has gained usage was billed with all that it needs");
	const window = { start: startsAt, end: endsAt };
	const billed = usageQuantity ?? zero;
	const levelWindow = state?.levels;
	const committedTime = state?.commitment;
	const measure = { averagedOverMs, state, levelWindow, committedTime };
	const { quantity, transactions, segments, levels, commitment } = measureIn(work, of, window, measure);
	return terms.prices.map((price, at) => {
		const priced = { ...price, quantity, billed };
		const { freeUnits } = state ?? {};
		const item = {
			...priced,
			// A window frees what its own bills had to give, whatever applies now.
			...freeUnitsIn(freeUnits ?? [], priced, quantity, { earlier: freeUnits, billed }),
			period: window,
			...(transactions && { transactions }),
			...(levels && { levels }),
			...(commitment && { commitment }),
			...(key.atEvent && { events: eventsSince(work, of, window, state) }),
			...(state && price.charge.priceTerms && { window: endedWindow(state, at) }),
		};
		const named = { ...key, featureRef: feature.refId, window };
		const counted = { ...named, quantity, averagedOverMs, billed, item, last, isLate: true, state };
		return {
			...counted,
			...(segments && { segments }),
			...(levels && levelWindow && { levelWindow }),
			...(committedTime && { committedTime }),
		};
	});
}

/** The state of a price in a window that an earlier bill ended. */
function endedWindow(state: UsageState, at: number): WindowState {
	const minimum = state.minimums?.[at] ?? null;
	return { ...baseOf(state), ended: "BEFORE", ...(minimum !== null && { minimum }) };
}

/**
 * Groups late windows by the period whose minimum spend they use, in order of time; windows without one form one group.
 */
function byMinimum(work: Work, subscription: SubscriptionRow, windows: readonly CountedUsage[]): LateUsage[] {
	const minimumOf = ({ window }: CountedUsage) => selectMinimumOfUsage(work, subscription, window) ?? null;
	const groups = new Map<Instant | null, LateUsage>();
	for (const one of windows.toSorted((a, b) => a.window.start - b.window.start)) {
		const minimum = minimumOf(one);
		const key = minimum?.chargedFrom ?? null;
		groups.set(key, { minimum, windows: [...(groups.get(key)?.windows ?? []), one] });
	}
	return [...groups.values()];
}

/** Late usage of the charged period uses its minimum spend like other usage. */
export function withLate(
	work: Work,
	subscription: ChargedSubscription,
	windows: readonly CountedUsage[],
	late: readonly CountedUsage[],
): Pick<UsageCount, "windows" | "late"> {
	const { charged } = subscription;
	const isRunning = ({ window }: CountedUsage) =>
		charged !== null && chargedFrom(charged) < window.end && window.end <= charged.period.end;
	// A limit's window that is billed exactly at the start of a period belongs to the period before.
	const isBefore = ({ window }: CountedUsage) => charged !== null && window.end <= charged.period.start;
	const isPast = (one: CountedUsage) => !isRunning(one);
	return {
		windows: [...windows.filter((one) => !isBefore(one)), ...late.filter(isRunning)],
		late: byMinimum(work, subscription, [...windows.filter(isBefore), ...late.filter(isPast)]),
	};
}

/** Returns all late usage of closed windows. Open windows are billed as a whole by the next bill. */
export function lateUsage(work: Work, subscription: ChargedSubscription): UsageCount {
	const of = meteredBy(work, subscription);
	const each = [...usageChargesOf(work, subscription).values()].flatMap((charge) => {
		const { key, billedUntil: closedUntil } = charge;
		if (closedUntil === null) return [];
		const goingOn = periodsFrom(work, subscription.id, key, closedUntil);
		const openStarts = new Set(goingOn.map(({ period }) => period.startsAt));
		const mark = { ...usageKeyOf(charge), charge: null, closedUntil };
		return [{ windows: lateWindows(work, subscription, charge, { of: of(mark), openStarts }), mark }];
	});
	const late = each.filter(({ windows }) => windows.length > 0);
	return {
		...withLate(
			work,
			subscription,
			[],
			late.flatMap(({ windows }) => windows),
		),
		marks: late.map(({ mark }) => mark),
	};
}

/** When an ended subscription is first checked for late usage; null where no usage was ever billed, so none can be late. */
export const firstLateUsageCheck = (work: Work, row: SubscriptionRow): Instant | null =>
	usageChargesOf(work, row).size === 0 ? null : nextLateUsageCheck(work.now, work.now);
