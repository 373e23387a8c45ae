import { and, asc, count, eq, gt, gte, isNull, lt, lte, max, or, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Period } from "../../../kernel/period";
import type { Transaction } from "../../../kernel/work";
import type { Aggregate, Summary } from "../aggregation/aggregate";
import type { Aggregation } from "../aggregation/functions";
import { type CompiledMeter, changesOfCanceled } from "../aggregation/meter";
import { noMembers } from "../aggregation/no-members";
import { wordsOf } from "../blocks/event-block";
import { hourOf, type Range } from "../hours";
import { LogReader } from "../log/log-reader";
import type { EventFacts } from "../rules";
import {
	type Span,
	spans,
	usageCounters,
	usageCuts,
	usageEventsByHour,
	usageSegments,
	usageSubjects,
	usageTotals,
	usageValues,
} from "../table.usage";
import { RecentCounts } from "./recent";

/** The parts of an event that counting needs. */
export interface RawEvent {
	readonly id: number;
	readonly at: Instant;
	readonly facts: EventFacts;
	/** A canceled event counts for nothing. */
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
 * Statements that are prepared once for each connection. Their scope is the counter, which belongs to one environment,
 * and the subject, which belongs to one customer.
 */
export const buildStatements = (tx: Transaction) => ({
	/** The feature's counter, the subject, and their stored total of all time: one lookup for the hot path. */
	whole: tx
		.select({
			counterId: usageCounters.id,
			subjectId: usageSubjects.id,
			meterId: usageCounters.meterId,
			events: usageTotals.events,
			state: usageTotals.state,
			version: sql<string>`${usageSubjects.correctedTo} || ' ' || ${usageSubjects.replaced}`,
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
	/** The segments of a subject whose names lie in [from, to), with the changes of their stored totals. */
	segments: tx
		.select({ id: usageSegments.id, name: usageSegments.name, events: usageTotals.events, state: usageTotals.state })
		.from(usageSegments)
		.leftJoin(
			usageTotals,
			and(
				eq(usageTotals.counterId, placeholder("counterId")),
				eq(usageTotals.subjectId, usageSegments.id),
				eq(usageTotals.span, spans.ever),
				eq(usageTotals.bucket, 0),
			),
		)
		.where(
			and(
				eq(usageSegments.subjectId, placeholder("subjectId")),
				gte(usageSegments.name, placeholder("from")),
				lt(usageSegments.name, placeholder("to")),
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
	/**
	 * The events of a subject in an hour, in the order of the log: in index rows after `after`, and only in rows with
	 * times within [start, end).
	 */
	eventsByHour: tx
		.select({ firstEvent: usageEventsByHour.firstEvent, offsets: sql<Uint8Array>`${usageEventsByHour.offsets}` })
		.from(usageEventsByHour)
		.where(
			and(
				ofHour,
				gt(usageEventsByHour.firstEvent, placeholder("after")),
				or(isNull(usageEventsByHour.firstAt), lt(usageEventsByHour.firstAt, placeholder("end"))),
				or(isNull(usageEventsByHour.lastAt), gte(usageEventsByHour.lastAt, placeholder("start"))),
			),
		)
		.orderBy(asc(usageEventsByHour.firstEvent))
		.prepare(),
	/** The number of index rows of an hour up to `upTo`, their bytes, and the last one. */
	pieces: tx
		.select({
			pieces: count(),
			bytes: sql<number | null>`sum(length(${usageEventsByHour.offsets}))`,
			last: max(usageEventsByHour.firstEvent),
		})
		.from(usageEventsByHour)
		.where(and(ofHour, lte(usageEventsByHour.firstEvent, placeholder("upTo"))))
		.prepare(),
	/** The earliest and the latest time of the events of an hour; undefined if a row of an earlier version has none. */
	times: tx
		.select({
			firstAt: sql<
				number | null
			>`iif(count(*) = count(${usageEventsByHour.firstAt}), min(${usageEventsByHour.firstAt}), NULL)`,
			lastAt: sql<
				number | null
			>`iif(count(*) = count(${usageEventsByHour.lastAt}), max(${usageEventsByHour.lastAt}), NULL)`,
		})
		.from(usageEventsByHour)
		.where(ofHour)
		.prepare(),
	/** The next hour, from `from` on, with an event of a subject. */
	nextHour: tx
		.select({ hour: usageEventsByHour.hour })
		.from(usageEventsByHour)
		.where(
			and(eq(usageEventsByHour.subjectId, placeholder("subjectId")), gte(usageEventsByHour.hour, placeholder("from"))),
		)
		.orderBy(asc(usageEventsByHour.hour))
		.limit(1)
		.prepare(),
	/** Call `look` before any other read. */
	recent: new RecentCounts(tx),
	log: new LogReader(tx),
});

export type Statements = ReturnType<typeof buildStatements>;

/** The counter and the subject of totals. */
interface TotalsOf {
	readonly counterId: number;
	readonly subjectId: number;
}

/** Returns the totals of the buckets [from, to) of one span. */
export const totalsOf = (
	{ buckets }: Statements,
	{ counterId, subjectId }: TotalsOf,
	span: Span,
	{ from, to }: Range,
) => buckets.all({ counterId, subjectId, span, from, to });

/** Returns the values of one bucket, if the meter stores them. */
export function membersOf(
	{ members }: Statements,
	{ membership, counterId, subjectId }: TotalsOf & Pick<Aggregation, "membership">,
	span: Span,
	bucket: number,
): Summary["members"] {
	if (membership === "none") return noMembers;
	const rows = members.all({ counterId, subjectId, span, bucket });
	return new Map(rows.map(({ value, events }) => [value, events]));
}

/** Returns the next hour, from `from` on, with an event of a subject. */
export function nextHourOf({ nextHour, recent }: Statements, subjectId: number, from: number): number | undefined {
	const hours = [nextHour.get({ subjectId, from })?.hour, recent.nextHour(subjectId, from)];
	const known = hours.filter((hour) => hour !== undefined);
	return known.length === 0 ? undefined : Math.min(...known);
}

/** Yields the raw events in the totals of one subject within a part of an hour, from index rows after `after`. */
export function* eventsOfPart(statements: Statements, subjectId: number, part: Period, after = 0): Generator<RawEvent> {
	const { start, end } = part;
	for (const { firstEvent, offsets } of statements.eventsByHour.all({
		subjectId,
		hour: hourOf(start),
		after,
		start,
		end,
	}))
		for (const offset of wordsOf(offsets)) {
			const event = rawEvent(statements, firstEvent + offset);
			if (start <= event.at && event.at < end) yield event;
		}
}

/** Yields those that are not in the totals yet. */
export function* recentEventsOfPart(statements: Statements, subjectId: number, part: Period): Generator<RawEvent> {
	const { start, end } = part;
	for (const id of statements.recent.eventIds(subjectId, hourOf(start))) {
		const event = rawEvent(statements, id);
		if (start <= event.at && event.at < end) yield event;
	}
}

/** Adds the raw events that a meter counts. */
export function countRaw(
	{ takes, fieldOf }: Pick<CompiledMeter, "takes" | "fieldOf">,
	events: Iterable<RawEvent>,
	into: { events: number; readonly aggregate: Aggregate },
): void {
	for (const { id, at, facts, isCanceled } of events) {
		if (!takes(facts)) continue;
		into.events += isCanceled ? changesOfCanceled : 1;
		if (!isCanceled) into.aggregate.add(fieldOf(facts), at, id);
	}
}

function rawEvent({ log, recent }: Statements, id: number): RawEvent {
	const block = log.blockOf(id);
	const index = id - block.firstEvent;
	// As of the last cancellation that the totals follow: a part of an hour and the whole must match.
	const isCanceled = log.canceled.in(block, recent.correctedTo).has(id);
	return { id, at: block.at(index), facts: block.event(index), isCanceled };
}
