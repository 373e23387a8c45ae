import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Period } from "../../../kernel/period";
import type { Transaction } from "../../../kernel/work";
import { wordsOf } from "../blocks/event-block";
import { hourMs, hourOf, type Range } from "../hours";
import type { DimensionValue } from "../rules";
import { usageEventsByHour } from "../table.usage";
import type { RecentCounts } from "./recent";
import type { Series } from "./series";
import type { Statements } from "./store";

/** An event that a meter has counted. */
export interface CountedEvent {
	readonly at: Instant;
	readonly eventName: string;
	readonly idempotencyKey: string;
	/** The value in the meter's field; undefined if the meter only counts, or the event has none. */
	readonly value: DimensionValue | undefined;
}

/** Events that are read for the few that are shown, so that a selective meter costs no more. */
const eventsReadMax = 2_000;

/** A module constant, as `work.prepared` requires. */
export const buildRecent = (tx: Transaction) =>
	tx
		.select({
			firstEvent: usageEventsByHour.firstEvent,
			offsets: usageEventsByHour.offsets,
			hour: usageEventsByHour.hour,
		})
		.from(usageEventsByHour)
		.where(
			and(
				eq(usageEventsByHour.subjectId, sql.placeholder("subjectId")),
				gte(usageEventsByHour.hour, sql.placeholder("from")),
				lt(usageEventsByHour.hour, sql.placeholder("to")),
			),
		)
		.orderBy(desc(usageEventsByHour.hour), desc(usageEventsByHour.firstEvent))
		.limit(eventsReadMax)
		.prepare();

/**
 * Returns the newest counted events with start ≤ timestamp < end: those after the totals first, then by hour, the
 * newest hour first, and within it the last counted first. Returns fewer than `eventsMax` if the newest 2000 events of
 * the subject have no more that the meter counts.
 */
export function recentEvents(
	stored: ReturnType<typeof buildRecent>,
	{ log, recent }: Statements,
	series: Series,
	{ start, end }: Period,
	eventsMax: number,
): CountedEvent[] {
	const found: CountedEvent[] = [];
	let eventsRead = 0;
	const hours = { from: hourOf(start), to: Math.ceil(end / hourMs) };
	for (const id of newestFirst(stored, recent, series.subjectId, hours)) {
		if (found.length >= eventsMax || eventsRead >= eventsReadMax) return found;
		eventsRead += 1;
		const block = log.blockOf(id);
		const index = id - block.firstEvent;
		const at = block.at(index);
		const facts = block.event(index);
		const isCanceled = log.canceled.in(block, recent.correctedTo).has(id);
		if (isCanceled || at < start || at >= end || !series.takes(facts)) continue;
		const { eventName, idempotencyKey } = log.identity(id);
		found.push({ at, eventName, idempotencyKey, value: series.fieldOf(facts) });
	}
	return found;
}

function* newestFirst(
	stored: ReturnType<typeof buildRecent>,
	recent: RecentCounts,
	subjectId: number,
	hours: Range,
): Generator<number> {
	yield* recent.newestFirst(subjectId, hours);
	for (const { firstEvent, offsets } of stored.all({ subjectId, ...hours }))
		for (const offset of wordsOf(offsets).reverse()) yield firstEvent + offset;
}
