import { and, asc, eq, gt, gte, lt, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Transaction } from "../../../kernel/work";
import { wordsOf } from "../log/event-block";
import { LogReader } from "../log/log-reader";
import type { EventFacts } from "../rules";
import {
	spans,
	usageCounters,
	usageCursor,
	usageCuts,
	usageEventsByHour,
	usageSubjects,
	usageTotals,
	usageValues,
} from "../table.usage";

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

/**
 * The reading side: statements that are prepared once for each connection. They are scoped by the counter, which belongs
 * to one environment and is found by it, and by the subject, which belongs to one customer.
 */
export const buildStatements = (tx: Transaction) => ({
	/** The feature's counter, the subject, and their whole total (null while there is none). One lookup for the hot path. */
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
		.innerJoin(
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
	/** As long as it is the same, so is every total. */
	revision: tx.select({ revision: usageCursor.revision }).from(usageCursor).where(eq(usageCursor.id, 1)).prepare(),
	/** Totals of the buckets [from, to) of one span. */
	buckets: tx
		.select({ bucket: usageTotals.bucket, events: usageTotals.events, state: usageTotals.state })
		.from(usageTotals)
		.where(inBuckets)
		.prepare(),
	/** How many events the buckets [from, to) of one span hold. */
	bucketEvents: tx
		.select({ events: sql<number | null>`sum(${usageTotals.events})` })
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
	/** Which events a subject has in an hour, in the order they came; those after `after` only. */
	eventsByHour: tx
		.select({ firstEvent: usageEventsByHour.firstEvent, offsets: usageEventsByHour.offsets })
		.from(usageEventsByHour)
		.where(
			and(
				eq(usageEventsByHour.subjectId, placeholder("subjectId")),
				eq(usageEventsByHour.hour, placeholder("hour")),
				gt(usageEventsByHour.firstEvent, placeholder("after")),
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
	cursor: tx
		.select({ countedTo: usageCursor.countedTo, correctedTo: usageCursor.correctedTo })
		.from(usageCursor)
		.where(eq(usageCursor.id, 1))
		.prepare(),
	log: new LogReader(tx),
});

export type Statements = ReturnType<typeof buildStatements>;

export interface Piece {
	readonly events: readonly RawEvent[];
	/** The first event of the piece that they came from: read on after it. */
	readonly readTo: number;
}

/** The raw events of one subject in one hour, in pieces; those of pieces after `after` only. */
export function* eventsOfHour(statements: Statements, subjectId: number, hour: number, after = 0): Generator<Piece> {
	const { log } = statements;
	// As far as the totals follow them: the parts of an hour and the whole belong together.
	const correctedTo = statements.cursor.get()?.correctedTo ?? 0;
	for (const { firstEvent, offsets } of statements.eventsByHour.all({ subjectId, hour, after })) {
		const events: RawEvent[] = [];
		for (const offset of wordsOf(offsets)) {
			const id = firstEvent + offset;
			const block = log.blockOf(id);
			const index = id - block.firstEvent;
			const isCanceled = log.canceledOf(block, correctedTo).has(id);
			events.push({ id, at: block.at(index), facts: block.event(index), isCanceled });
		}
		yield { events, readTo: firstEvent };
	}
}
