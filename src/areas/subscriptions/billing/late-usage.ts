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

/** Windows read at once, newest first. Late usage nearly always belongs to the newest ones. */
const windowsPerRead = 100;

/**
 * Returns the closed windows of a price that have gained usage since they were billed. Windows closed since the last
 * bill are always checked. Older ones are checked only if the number of events before them has grown, newest first
 * until all new events are found. So a bill costs the same however long a subscription has run. Windows of another
 * meter are skipped, since their totals are not comparable.
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
		// A window without a bill here belongs to another subscription, and its events are not late here.
		const isOurs = row.pricesId !== null && (more <= 0 || isBilledHere(work, subscription, row));
		// An open window is billed as a whole.
		if (more > 0 && isOurs && !openStarts.has(row.windowStart)) gained.push(row);
		return isOurs || events.isLevel ? more : 0;
	};
	for (const row of selectUsageBillsFrom(work, subscription, mark, mark.closedUntil)) look(row);
	let missing = events.before(mark.closedUntil) - mark.events;
	for (let before = mark.closedUntil; missing > 0; ) {
		const rows = selectUsageBillsBefore(work, subscription, mark, { before, rowsMax: windowsPerRead });
		for (const row of rows) {
			if (missing <= 0) break;
			// A late change of a level affects every later window. If the first windows gained nothing, earlier ones did not
			// either.
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

/** A limit's window that continues in the replacing subscription is billed there. */
const isBilledHere = (work: Work, subscription: SubscriptionRow, row: SubscriptionUsageBillRow): boolean =>
	row.kind === "usage" || subscription.endedAt === null || !isCountedByAnother(work, subscription, row);

/** Rates late usage at the prices of its window's bill. */
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
	subscription: SubscriptionRow,
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
