import { and, asc, eq, gte, lt, lte, max, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Transaction } from "../../../kernel/work";
import { wordsOf } from "../log/event-block";
import { LogReader } from "../log/log-reader";
import type { EventFacts } from "../rules";
import {
	type Span,
	spans,
	usageCounters,
	usageCuts,
	usageEventsByHour,
	usageSubjects,
	usageTotals,
	usageValues,
} from "../table.usage";
import type { Range } from "./hours";
import { RecentCounts, type Total } from "./recent";

/** One event of the log, as much as counting needs. */
export interface RawEvent {
	readonly id: number;
	readonly at: Instant;
	readonly facts: EventFacts;
	/** Taken back: it counts for nothing. */
	readonly isCanceled: boolean;
}

const { placeholder } = sql;

/** The buckets [from, to) of one span. */
const inBuckets = and(
	eq(usageTotals.counterId, placeholder("counterId")),
	eq(usageTotals.subjectId, placeholder("subjectId")),
	eq(usageTotals.span, placeholder("span")),
	gte(usageTotals.bucket, placeholder("from")),
	lt(usageTotals.bucket, placeholder("to")),
);

const ofHour = and(
	eq(usageEventsByHour.subjectId, placeholder("subjectId")),
	eq(usageEventsByHour.hour, placeholder("hour")),
);

/**
 * The reading side: statements that are prepared once for each connection. They are scoped by the counter, which belongs
 * to one environment and is found by it, and by the subject, which belongs to one customer.
 */
export const buildStatements = (tx: Transaction) => ({
	/** The feature's counter, the subject, and what the totals have of them. One lookup for the hot path. */
	whole: tx
		.select({
			counterId: usageCounters.id,
			subjectId: usageSubjects.id,
			meterId: usageCounters.meterId,
			events: usageTotals.events,
			state: usageTotals.state,
			correctedTo: usageSubjects.correctedTo,
		})
		.from(usageCounters)
		.innerJoin(
			usageSubjects,
			and(
				eq(usageSubjects.customerId, placeholder("customerId")),
				eq(usageSubjects.resourceRef, placeholder("resourceRef")),
			),
		)
		.leftJoin(
			usageTotals,
			and(
				eq(usageTotals.counterId, usageCounters.id),
				eq(usageTotals.subjectId, usageSubjects.id),
				eq(usageTotals.span, spans.ever),
				eq(usageTotals.bucket, 0),
			),
		)
		.where(
			and(
				eq(usageCounters.featureId, placeholder("featureId")),
				eq(usageCounters.environmentId, placeholder("environmentId")),
				eq(usageCounters.state, "LIVE"),
			),
		)
		.prepare(),
	definition: tx
		.select({ definition: usageCounters.definition })
		.from(usageCounters)
		.where(eq(usageCounters.id, placeholder("counterId")))
		.prepare(),
	/** Totals of the buckets [from, to) of one span. */
	buckets: tx
		.select({ bucket: usageTotals.bucket, events: usageTotals.events, state: usageTotals.state })
		.from(usageTotals)
		.where(inBuckets)
		.prepare(),
	/** Whether an hour is cut at an instant. */
	cut: tx
		.select({ at: usageCuts.at })
		.from(usageCuts)
		.where(
			and(
				eq(usageCuts.subjectId, placeholder("subjectId")),
				eq(usageCuts.hour, placeholder("hour")),
				eq(usageCuts.at, placeholder("at")),
			),
		)
		.prepare(),
	/** The values of one bucket. */
	members: tx
		.select({ value: usageValues.value, events: usageValues.events })
		.from(usageValues)
		.where(
			and(
				eq(usageValues.counterId, placeholder("counterId")),
				eq(usageValues.subjectId, placeholder("subjectId")),
				eq(usageValues.span, placeholder("span")),
				eq(usageValues.bucket, placeholder("bucket")),
			),
		)
		.prepare(),
	/** Which events a subject has in an hour, in the order they came, from the piece on that may hold what comes after `after`. */
	eventsByHour: tx
		.select({
			firstEvent: usageEventsByHour.firstEvent,
			offsets: sql<Uint8Array>`${usageEventsByHour.offsets}`,
		})
		.from(usageEventsByHour)
		.where(
			and(
				ofHour,
				gte(
					usageEventsByHour.firstEvent,
					sql`coalesce((${tx
						.select({ last: max(usageEventsByHour.firstEvent) })
						.from(usageEventsByHour)
						.where(and(ofHour, lte(usageEventsByHour.firstEvent, placeholder("after"))))}), 0)`,
				),
			),
		)
		.orderBy(asc(usageEventsByHour.firstEvent))
		.prepare(),
	/** The next hour, from `from` on, in which a subject has any event. */
	nextHour: tx
		.select({ hour: usageEventsByHour.hour })
		.from(usageEventsByHour)
		.where(
			and(eq(usageEventsByHour.subjectId, placeholder("subjectId")), gte(usageEventsByHour.hour, placeholder("from"))),
		)
		.orderBy(asc(usageEventsByHour.hour))
		.limit(1)
		.prepare(),
	/** Looked at before anything else is read. */
	recent: new RecentCounts(tx),
	log: new LogReader(tx),
});

export type Statements = ReturnType<typeof buildStatements>;

export interface Piece {
	readonly events: readonly RawEvent[];
	/** The last event of the piece that they came from: read on after it. */
	readonly readTo: number;
}

/** Totals of the buckets [from, to) of one span, with what is not in them yet; of one bucket there may be several. */
export function totalsOf(
	{ buckets, recent }: Statements,
	{ counterId, subjectId }: { readonly counterId: number; readonly subjectId: number },
	span: Span,
	{ from, to }: Range,
): Total[] {
	const kept: Total[] = buckets.all({ counterId, subjectId, span, from, to });
	return kept.concat(recent.totals(counterId, subjectId, span, { from, to }));
}

/** The next hour, from `from` on, in which a subject has any event. */
export function nextHourOf({ nextHour, recent }: Statements, subjectId: number, from: number): number | undefined {
	const hours = [nextHour.get({ subjectId, from })?.hour, recent.nextHour(subjectId, from)];
	const known = hours.filter((hour) => hour !== undefined);
	return known.length === 0 ? undefined : Math.min(...known);
}

/** The raw events of one subject in one hour, in pieces; those that came after the event `after` only. */
export function* eventsOfHour(statements: Statements, subjectId: number, hour: number, after = 0): Generator<Piece> {
	for (const { firstEvent, offsets } of statements.eventsByHour.all({ subjectId, hour, after })) {
		const ids = Array.from(wordsOf(offsets), (offset) => firstEvent + offset);
		yield pieceOf(statements, ids, after);
	}
	yield pieceOf(statements, statements.recent.eventIds(subjectId, hour), after);
}

function pieceOf({ log, recent }: Statements, ids: readonly number[], after: number): Piece {
	const events: RawEvent[] = [];
	for (const id of ids) {
		if (id <= after) continue;
		const block = log.blockOf(id);
		const index = id - block.firstEvent;
		// As far as the totals follow them: the parts of an hour and the whole belong together.
		const isCanceled = log.canceledOf(block, recent.correctedTo).has(id);
		events.push({ id, at: block.at(index), facts: block.event(index), isCanceled });
	}
	return { events, readTo: Math.max(after, ids.at(-1) ?? 0) };
}
