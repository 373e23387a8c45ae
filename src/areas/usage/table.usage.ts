import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { MeterDefinition } from "./rules";

/** How far the log has been read. One row: id 1. Commits together with what was read, so that a crash counts nothing twice. */
export const usageCursor = sqliteTable("usage_cursor", {
	id: integer().primaryKey(),
	/**
	 * Row id of the last event that is in the index of events by hour, and in the totals of every counter that has come as far.
	 */
	countedTo: integer("counted_to").notNull(),
	/** Row id of the last event that `usage_recent` counts; at most `countedTo` where nothing stands there. */
	shownTo: integer("shown_to").notNull().default(0),
	/** Row id of the last cancellation of an event that the totals follow. */
	correctedTo: integer("corrected_to").notNull().default(0),
	/** Row id of the last event whose name is counted in `usage_event_names`. */
	namedTo: integer("named_to").notNull().default(0),
	/** Counts the transactions that changed the totals otherwise than by what was shown beside them (`usage_recent`). */
	revision: integer().notNull(),
});

/** A meter that is being counted. A new meter counts the log from its beginning, and then goes along with its end. */
export const usageCounters = sqliteTable(
	"usage_counters",
	{
		/** Never given twice, so that what is cached under it cannot be mistaken for another's. */
		id: integer().primaryKey({ autoIncrement: true }),
		environmentId: text("environment_id").notNull(),
		featureId: text("feature_id").notNull(),
		/** A meter never changes; another definition comes under another id. */
		meterId: text("meter_id").notNull(),
		definition: text({ mode: "json" }).notNull().$type<MeterDefinition>(),
		/** Row id of the last event that its totals hold. */
		countedTo: integer("counted_to").notNull(),
		/** FILLING until it has caught up; LIVE answers for its feature; RETIRED is about to be deleted. */
		state: text().notNull().$type<"FILLING" | "LIVE" | "RETIRED">(),
	},
	// Not unique: what is counted anew stands beside what answers until it takes its place.
	(table) => [index("usage_counters_of_feature").on(table.featureId, table.meterId)],
);

/** A customer, or one resource of a customer: what usage is counted for. */
export const usageSubjects = sqliteTable(
	"usage_subjects",
	{
		id: integer().primaryKey(),
		customerId: text("customer_id").notNull(),
		/** The caller's id of the resource; empty when the events name none. */
		resourceRef: text("resource_ref").notNull(),
		/** Row id of the last cancellation for which its totals were counted again: what is remembered of them is under it. */
		correctedTo: integer("corrected_to").notNull().default(0),
		/** How often values of its sets were replaced by others, when the customer was erased: as `correctedTo`. */
		replaced: integer().notNull().default(0),
	},
	(table) => [uniqueIndex("usage_subjects_name").on(table.customerId, table.resourceRef)],
);

/** What a row of `usage_totals` spans. */
export const spans = { ever: 0, day: 1, hour: 2, head: 3, tail: 4 } as const;
export type Span = (typeof spans)[keyof typeof spans];

/** What was counted, by counter, subject and span of time. */
export const usageTotals = sqliteTable(
	"usage_totals",
	{
		counterId: integer("counter_id").notNull(),
		subjectId: integer("subject_id").notNull(),
		span: integer().notNull().$type<Span>(),
		/** Days or hours since the epoch, UTC; 0 for `ever`; for the two parts of an hour the instant of the cut. */
		bucket: integer().notNull(),
		/**
		 * How many events came to it: one for each that the counter took, and one more for each of them that was taken back. It
		 * only grows, so that it also tells a cache whether anything has changed.
		 */
		events: integer().notNull(),
		/** As the meter's function writes it (aggregation/functions.ts): a sum, the greatest value, the number of members, … */
		state: text().notNull(),
	},
	(table) => [primaryKey({ columns: [table.counterId, table.subjectId, table.span, table.bucket] })],
);

/**
 * The values that were seen in a span of time: of UNIQUE meters the set, of PERCENTILE meters with the number of events
 * that hold each. Sets do not add up, so that each span keeps its own; of PERCENTILE only days and hours are kept.
 */
export const usageValues = sqliteTable(
	"usage_values",
	{
		counterId: integer("counter_id").notNull(),
		subjectId: integer("subject_id").notNull(),
		span: integer().notNull().$type<Span>(),
		bucket: integer().notNull(),
		/** As it is known by (aggregation/value-sets.ts). */
		value: text().notNull(),
		/** Always 1 for UNIQUE, which does not ask how often. */
		events: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.counterId, table.subjectId, table.span, table.bucket, table.value] })],
);

/**
 * Instants within an hour of a subject at which its usage periods begin or end. Of each, what lies before it in the hour (the
 * head) and what comes with it or after it (the tail) is counted apart, for all counters and from the hour's first event on:
 * a period that begins there costs the same to read, however many events the hour holds.
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
	/** How far each event's row id lies behind `firstEvent`: 32-bit little-endian numbers, ascending. */
	offsets: blob({ mode: "buffer" }).notNull(),
	/** No event of it is earlier than the one, or later than the other; null in rows of an earlier version. */
	firstAt: integer("first_at").$type<Instant>(),
	lastAt: integer("last_at").$type<Instant>(),
};

/**
 * What was counted after the totals, for whoever reads them to add: a row for each time that it was shown, which tells of the
 * hours of subjects that had grown since the row before. The totals cost several rows for each subject, so they are written
 * every few seconds, and this many times. When the totals are written the rows stand until the next time: who has read the
 * former totals knows by them what the new ones are. All can be made again of the log after `usage_cursor.counted_to`.
 */
export const usageRecent = sqliteTable("usage_recent", {
	/** Up to which event of the log it was counted. */
	upTo: integer("up_to").primaryKey(),
	/** The totals that it adds to: up to which event they count. */
	after: integer().notNull(),
	/** Of each hour of a subject the subject and the hour: 32-bit little-endian numbers, as all bytes here. */
	subjects: blob({ mode: "buffer" }).notNull(),
	hours: blob({ mode: "buffer" }).notNull(),
	/** A line for each: the JSON of what came to it since the totals, a `RecentHour`. */
	came: text().notNull(),
	/** The events that came to each since the row before, one after the other: how far behind `after`; and where each has its last. */
	events: blob({ mode: "buffer" }).notNull(),
	eventEnds: blob("event_ends", { mode: "buffer" }).notNull(),
});

/** How many events a counter took, and what they come to (aggregation/functions.ts). */
export type RecentAmount = readonly [counterId: number, events: number, state: string];

export type RecentHour = readonly [
	amounts: readonly RecentAmount[],
	cuts: ReadonlyArray<readonly [at: number, head: readonly RecentAmount[], tail: readonly RecentAmount[]]>,
];

/**
 * Which events a subject has in an hour: the way from (customer, time) to the rows of the log. One row for each subject,
 * hour and chunk that the aggregator read, whatever the meters: partial hours are counted from the raw events themselves.
 */
export const usageEventsByHour = sqliteTable("usage_events_by_hour", eventsByHourColumns, (table) => [
	primaryKey({ columns: [table.subjectId, table.hour, table.firstEvent] }),
]);

/** The same, made anew beside it: the two change names when it holds as much (counting/rebuild.ts). */
export const usageEventsByHourNext = sqliteTable("usage_events_by_hour_next", eventsByHourColumns, (table) => [
	primaryKey({ columns: [table.subjectId, table.hour, table.firstEvent] }),
]);

/** The last task by which totals were counted anew. At most one row: id 1. */
export const usageRebuild = sqliteTable("usage_rebuild", {
	id: integer().primaryKey(),
	taskId: text("task_id").notNull(),
	/** Of the index of events by hour. WAITING until what is left of the one before the last is deleted. */
	index: text("index_state").notNull().$type<"NONE" | "WAITING" | "FILLING">(),
	/** Row id of the last event that the index holds which is made anew. */
	indexedTo: integer("indexed_to").notNull(),
});

/** Events whose customer did not exist when they were read. They are counted once it does. */
export const usageUnattributed = sqliteTable(
	"usage_unattributed",
	{
		/** `event_customers.id` */
		customer: integer().notNull(),
		eventId: integer("event_id").notNull(),
	},
	(table) => [primaryKey({ columns: [table.customer, table.eventId] })],
);

/**
 * The names of the events that an environment has sent, whether a meter takes them or not: of one that none takes it is
 * seen that it is misspelt. Made from the log alone, as all of this file.
 */
export const usageEventNames = sqliteTable(
	"usage_event_names",
	{
		/** In the order in which they were first seen. */
		id: integer().primaryKey(),
		environmentId: text("environment_id").notNull(),
		eventName: text("event_name").notNull(),
		events: integer().notNull(),
		/** The earliest and the latest of their times. */
		firstAt: integer("first_at").notNull().$type<Instant>(),
		lastAt: integer("last_at").notNull().$type<Instant>(),
		/** Position in the log of the newest one, for an example. */
		lastEvent: integer("last_event").notNull(),
	},
	(table) => [
		uniqueIndex("usage_event_names_name").on(table.environmentId, table.eventName),
		index("usage_event_names_seen").on(table.environmentId, table.id),
	],
);

/** How many events of an environment happened on each day, counted along with their names. */
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
