import type { Instant } from "../../../kernel/clock";
import { assert } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { featuresByIds } from "../../features/operations";
import { countedEvents, type UsageOf } from "../../usage/operations";
import { nextLateUsageCheck } from "../rules.due";
import type { SubscriptionRow } from "../table";
import { type CountedUsage, type LateUsage, meteredBy, quantityIn, type UsageCount } from "./counted-usage";
import { chargedFrom } from "./rules.bill";
import {
	isCountedByAnother,
	selectMinimumOfUsage,
	selectUsageBillsBefore,
	selectUsageBillsFrom,
	selectUsageMarks,
	selectUsagePrices,
} from "./store.usage-bills";
import type { SubscriptionUsageBillRow, SubscriptionUsageMarkRow } from "./table.usage-bills";

/** Our choice: so many windows are read at once on the way back; nearly always what is late belongs to the newest. */
const windowsPerRead = 100;

/**
 * The closed windows of one price that have gained usage since they were billed. Those closed since the last bill are
 * looked at each time. Older ones only when more events lie before them than then, and newest first until all that came
 * are found: so that a bill costs the same however long a subscription has run. Windows that another meter counted are left
 * alone: its totals say nothing of what was billed.
 */
export function lateWindows(
	work: Work,
	subscription: SubscriptionRow,
	mark: SubscriptionUsageMarkRow,
	{ of, openStarts }: { readonly of: UsageOf; readonly openStarts: ReadonlySet<Instant> },
): CountedUsage[] {
	const events = countedEvents(work, of);
	if (mark.meterId !== null && events.meterId !== mark.meterId) return [];
	const gained: SubscriptionUsageBillRow[] = [];
	const look = (row: SubscriptionUsageBillRow): number => {
		const window = windowOf(row);
		const more = window === undefined || row.events === null ? 0 : events.within(window) - row.events;
		// What no bill had a part of was another's to bill, and says nothing of what is missing here.
		const isOurs = row.pricesId !== null && (more <= 0 || isBilledHere(work, subscription, row));
		// What goes on is billed as a whole.
		if (more > 0 && isOurs && !openStarts.has(row.windowStart)) gained.push(row);
		return isOurs || events.isLevel ? more : 0;
	};
	for (const row of selectUsageBillsFrom(work, subscription, mark, mark.closedUntil)) look(row);
	let missing = events.before(mark.closedUntil) - mark.events;
	for (let before = mark.closedUntil; missing > 0; ) {
		const rows = selectUsageBillsBefore(work, subscription, mark, { before, rowsMax: windowsPerRead });
		for (const row of rows) {
			if (missing <= 0) break;
			// What comes late to a level changes every window from its time on: those before the first that gained none did not either.
			missing = events.isLevel ? look(row) : missing - look(row);
		}
		const oldest = rows.at(-1);
		if (!oldest) break;
		before = oldest.windowStart;
	}
	return gained.flatMap((row) => countLate(work, of, row));
}

const windowOf = ({ windowStart: start, windowEnd: end }: SubscriptionUsageBillRow): Period | undefined =>
	end === null ? undefined : { start, end };

/** A limit's window that goes on in the subscription which replaced this one is billed by that one. */
const isBilledHere = (work: Work, subscription: SubscriptionRow, row: SubscriptionUsageBillRow): boolean =>
	row.kind === "usage" || subscription.endedAt === null || !isCountedByAnother(work, subscription, row);

/** At the prices at which the window was billed. */
function countLate(work: Work, of: UsageOf, row: SubscriptionUsageBillRow): CountedUsage[] {
	const { kind, featureId, quantity: billed, averagedOverMs, pricesId } = row;
	const window = windowOf(row);
	const feature = featuresByIds(work, [featureId]).get(featureId);
	assert(window && feature && pricesId !== null, "a window that has gained usage was billed with all that it needs");
	const quantity = quantityIn(work, of, window, averagedOverMs);
	return selectUsagePrices(work, pricesId).map((price) => {
		const item = { ...price, quantity, billed, period: window };
		return { kind, featureId, featureRef: feature.refId, window, quantity, averagedOverMs, billed, item };
	});
}

/** In order of time, by the time whose minimum spend they draw on; those that draw on none together. */
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

/** What came late to the time that is charged now draws on its minimum spend like the rest of it. */
export function withLate(
	work: Work,
	subscription: SubscriptionRow,
	windows: readonly CountedUsage[],
	late: readonly CountedUsage[],
): Pick<UsageCount, "windows" | "late"> {
	const { charged } = subscription;
	const isRunning = ({ window }: CountedUsage) =>
		charged !== null && chargedFrom(charged) < window.end && window.end <= charged.period.end;
	// Billed at the very instant at which a period begins, a limit's window that goes on belongs to the one before.
	const isBefore = ({ window }: CountedUsage) => charged !== null && window.end <= charged.period.start;
	const isPast = (one: CountedUsage) => !isRunning(one);
	return {
		windows: [...windows.filter((one) => !isBefore(one)), ...late.filter(isRunning)],
		late: byMinimum(work, subscription, [...windows.filter(isBefore), ...late.filter(isPast)]),
	};
}

/** All that came late to what is closed, by itself. What goes on is billed as a whole, by the next bill. */
export function lateUsage(work: Work, subscription: SubscriptionRow): UsageCount {
	const of = meteredBy(work, subscription);
	const each = selectUsageMarks(work, subscription).map((mark) => {
		const metered = of(mark.featureId);
		const goingOn = selectUsageBillsFrom(work, subscription, mark, mark.closedUntil);
		const openStarts = new Set(goingOn.map(({ windowStart }) => windowStart));
		const windows = lateWindows(work, subscription, mark, { of: metered, openStarts });
		return { windows, mark: { ...mark, events: countedEvents(work, metered).before(mark.closedUntil) } };
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
	selectUsageMarks(work, row).length === 0 ? null : nextLateUsageCheck(work.now, work.now);
