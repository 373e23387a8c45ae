import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { MeterDefinition } from "./rules";

/**
 * How far the log has been counted. One row: id 1. Commits together with the totals, so that a crash counts nothing
 * twice.
 */
export const usageCursor = sqliteTable("usage_cursor", {
	id: integer().primaryKey(),
	/** Row id of the last event in the index of events by hour, and in the totals of every live counter. */
	countedTo: integer("counted_to").notNull(),
	/** Row id of the last event in `usage_recent`; at most `countedTo` if it is empty. */
	shownTo: integer("shown_to").notNull().default(0),
	/** Row id of the last cancellation that the totals follow. */
	correctedTo: integer("corrected_to").notNull().default(0),
	/** Row id of the last event in `usage_event_names`. */
	namedTo: integer("named_to").notNull().default(0),
	/** Counts the transactions that changed the totals by more than the amounts of `usage_recent`. */
	revision: integer().notNull(),
});

/** The counters of meters. A new counter counts the log from its beginning, and then follows its end. */
export const usageCounters = sqliteTable(
	"usage_counters",
	{
		/** Never reused, so that caches of one counter are never mistaken for another's. */
		id: integer().primaryKey({ autoIncrement: true }),
		environmentId: text("environment_id").notNull(),
		featureId: text("feature_id").notNull(),
		/** A meter never changes; another definition has another id. */
		meterId: text("meter_id").notNull(),
		definition: text({ mode: "json" }).notNull().$type<MeterDefinition>(),
		/** Row id of the last event in its totals. */
		countedTo: integer("counted_to").notNull(),
		/** FILLING until it has caught up; LIVE answers for its feature; RETIRED is to be deleted. */
		state: text().notNull().$type<"FILLING" | "LIVE" | "RETIRED">(),
	},
	// Not unique: during a rebuild a meter has two counters.
	(table) => [index("usage_counters_of_feature").on(table.featureId, table.meterId)],
);

/** Returns the placeholder for a customer that does not exist yet, by its number in the log (`event_customers.id`). */
export const placeholderOf = (customerNumber: number): string => `#${customerNumber}`;

/** The subjects of usage: customers, and resources of customers. */
export const usageSubjects = sqliteTable(
	"usage_subjects",
	{
		id: integer().primaryKey(),
		/** Row id; a placeholder while the customer does not exist. */
		customerId: text("customer_id").notNull(),
		/** The id of the resource that callers use; empty if events name none. */
		resourceRef: text("resource_ref").notNull(),
		/**
		 * Row id of the last cancellation for which its totals were recounted. Caches of its totals contain it in their
		 * key.
		 */
		correctedTo: integer("corrected_to").notNull().default(0),
		/** How many times values of its sets were replaced by an erasure; part of the caches' key too. */
		replaced: integer().notNull().default(0),
	},
	(table) => [uniqueIndex("usage_subjects_name").on(table.customerId, table.resourceRef)],
);

/**
 * The segments of a subject's usage (pricing/models/segment.ts), with ids that no subject has: the totals of a segment
 * are stored like those of a subject. Its events are in the index of its subject, whose cuts it has.
 */
export const usageSegments = sqliteTable(
	"usage_segments",
	{
		id: integer().primaryKey(),
		subjectId: integer("subject_id").notNull(),
		/** The way that usage is divided, the id of the variant, and the values of the groups (rules.segments.ts). */
		name: text().notNull(),
	},
	(table) => [uniqueIndex("usage_segments_name").on(table.subjectId, table.name)],
);

/** The spans of rows in `usage_totals`. */
export const spans = { ever: 0, day: 1, hour: 2, head: 3, tail: 4 } as const;
export type Span = (typeof spans)[keyof typeof spans];

/** The counted amounts, by counter, subject and span of time. */
export const usageTotals = sqliteTable(
	"usage_totals",
	{
		counterId: integer("counter_id").notNull(),
		subjectId: integer("subject_id").notNull(),
		span: integer().notNull().$type<Span>(),
		/** Days or hours since the epoch, UTC; 0 for `ever`; the instant of the cut for the two parts of an hour. */
		bucket: integer().notNull(),
		/**
		 * The number of changes: one for each counted event, and one more for each canceled event. It only grows, so it
		 * also shows caches whether anything has changed.
		 */
		events: integer().notNull(),
		/**
		 * In the form of the meter's function (aggregation/functions.ts): a sum, the greatest value, the number of
		 * members, …
		 */
		state: text().notNull(),
	},
	(table) => [primaryKey({ columns: [table.counterId, table.subjectId, table.span, table.bucket] })],
);

/**
 * The values in a span of time: for UNIQUE meters the set, for PERCENTILE meters with the number of events that hold
 * each value. Sets do not add up, so each span has its own. PERCENTILE stores only days and hours.
 */
export const usageValues = sqliteTable(
	"usage_values",
	{
		counterId: integer("counter_id").notNull(),
		subjectId: integer("subject_id").notNull(),
		span: integer().notNull().$type<Span>(),
		bucket: integer().notNull(),
		/** The text that identifies it (aggregation/value-sets.ts). */
		value: text().notNull(),
		/** Always 1 for UNIQUE. */
		events: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.counterId, table.subjectId, table.span, table.bucket, table.value] })],
);

/**
 * Instants within an hour of a subject at which its usage periods begin or end. Events of the hour before such an
 * instant (the head) and those from it on (the tail) have totals of their own. So the usage of a period that begins
 * there costs the same to read, however many events the hour holds.
 */
export const usageCuts = sqliteTable(
	"usage_cuts",
	{
		subjectId: integer("subject_id").notNull(),
		hour: integer().notNull(),
		at: integer().notNull().$type<Instant>(),
	},
	(table) => [primaryKey({ columns: [table.subjectId, table.hour, table.at] })],
);

const eventsByHourColumns = {
	subjectId: integer("subject_id").notNull(),
	hour: integer().notNull(),
	firstEvent: integer("first_event").notNull(),
	/** The distance of each event's row id from `firstEvent`: 32-bit little-endian numbers, ascending. */
	offsets: blob({ mode: "buffer" }).notNull(),
	/** The earliest and the latest time of its events; null in rows of an earlier version. */
	firstAt: integer("first_at").$type<Instant>(),
	lastAt: integer("last_at").$type<Instant>(),
};

/**
 * Amounts that were counted after the totals, for readers to add. Each row publishes the hours of subjects that have
 * grown since the row before. A write of the totals costs several rows for each subject, so it happens every few
 * seconds; these rows come many times a second. After a write of the totals, the rows stay until the next one: by them,
 * readers of the former totals derive the new ones. All rows can be made again from the log after
 * `usage_cursor.counted_to`.
 */
export const usageRecent = sqliteTable("usage_recent", {
	/** The last event in it. */
	upTo: integer("up_to").primaryKey(),
	/** The last event in the totals that it adds to. */
	after: integer().notNull(),
	/** The subject and the hour of each grown hour: 32-bit little-endian numbers, as in all blobs here. */
	subjects: blob({ mode: "buffer" }).notNull(),
	hours: blob({ mode: "buffer" }).notNull(),
	/** A line for each hour: its amounts since the totals, a `RecentHour` as JSON. */
	came: text().notNull(),
	/**
	 * The events of each hour since the row before, one hour after the other, as distances from `after`; and the index
	 * of the last event of each hour.
	 */
	events: blob({ mode: "buffer" }).notNull(),
	eventEnds: blob("event_ends", { mode: "buffer" }).notNull(),
});

/** The events of a counter, and their aggregate (aggregation/functions.ts). */
export type RecentAmount = readonly [counterId: number, events: number, state: string];

export type RecentHour = readonly [
	amounts: readonly RecentAmount[],
	cuts: ReadonlyArray<readonly [at: number, head: readonly RecentAmount[], tail: readonly RecentAmount[]]>,
	/** The earliest and the latest time of its events; missing for segments, and in rows of an earlier version. */
	times?: readonly [firstAt: number, lastAt: number],
];

/**
 * The index of events by hour: from a subject and an hour to the positions in the log. One row for each subject, hour
 * and write of the aggregator, whatever the meters. Parts of hours are counted from these raw events.
 */
export const usageEventsByHour = sqliteTable("usage_events_by_hour", eventsByHourColumns, (table) => [
	primaryKey({ columns: [table.subjectId, table.hour, table.firstEvent] }),
]);

/** The same index during a rebuild: the two swap names when this one is complete (counting/rebuild.ts). */
export const usageEventsByHourNext = sqliteTable("usage_events_by_hour_next", eventsByHourColumns, (table) => [
	primaryKey({ columns: [table.subjectId, table.hour, table.firstEvent] }),
]);

/** The last rebuild task. At most one row: id 1. */
export const usageRebuild = sqliteTable("usage_rebuild", {
	id: integer().primaryKey(),
	taskId: text("task_id").notNull(),
	/** The state of the rebuilt index. WAITING until the rows of the former index are deleted. */
	index: text("index_state").notNull().$type<"NONE" | "WAITING" | "FILLING">(),
	/** Row id of the last event in the rebuilt index. */
	indexedTo: integer("indexed_to").notNull(),
});

/**
 * The names of events that an environment has sent, whether or not a meter matches them: an unmatched name may be
 * misspelt. Derived from the log alone, as all tables of this file.
 */
export const usageEventNames = sqliteTable(
	"usage_event_names",
	{
		/** In the order of their first events. */
		id: integer().primaryKey(),
		environmentId: text("environment_id").notNull(),
		eventName: text("event_name").notNull(),
		events: integer().notNull(),
		/** The earliest and the latest of their times. */
		firstAt: integer("first_at").notNull().$type<Instant>(),
		lastAt: integer("last_at").notNull().$type<Instant>(),
		/** Position in the log of the newest event, as an example. */
		lastEvent: integer("last_event").notNull(),
	},
	(table) => [
		uniqueIndex("usage_event_names_name").on(table.environmentId, table.eventName),
		index("usage_event_names_seen").on(table.environmentId, table.id),
	],
);

/** The number of an environment's events on each day, counted together with their names. */
export const usageEventDays = sqliteTable(
	"usage_event_days",
	{
		environmentId: text("environment_id").notNull(),
		/** Days since the epoch, UTC. */
		day: integer().notNull(),
		events: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.environmentId, table.day] })],
);
