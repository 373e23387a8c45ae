import { blob, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";

/**
 * The customers that events name, by a small number: a row of the log carries it in place of two ids. A row whose
 * `customerId` is null stands for a customer that did not exist when its first event came.
 */
export const eventCustomers = sqliteTable(
	"event_customers",
	{
		id: integer().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerRef: text("customer_ref").notNull(),
		customerId: text("customer_id"),
	},
	(table) => [index("event_customers_ref").on(table.environmentId, table.customerRef)],
);

/**
 * The log of raw events: rows are added at the end, and changed only when a customer is erased (erasing/); those that have become old may move to the archive. A row is a block of up to 128 events that follow each
 * other, which is a third of the time and two thirds of the room of a row for each. It has no index but its row id: an
 * index over the events' random keys would be what ingest waits for. Duplicates are found by the fingerprints.
 */
export const eventBlocks = sqliteTable("event_blocks", {
	/** The position in the log of the block's first event; the others follow without a gap. */
	firstEvent: integer("first_event").primaryKey(),
	/** How many they are. */
	events: integer().notNull(),
	/** The earliest of their times. */
	firstAt: integer("first_at").notNull().$type<Instant>(),
	/** How many milliseconds each is later: 32-bit little-endian numbers; doubles where that is too narrow. */
	later: blob({ mode: "buffer" }).notNull(),
	/** `event_customers.id` of each: 32-bit little-endian numbers. */
	customers: blob({ mode: "buffer" }).notNull(),
	/** Their names, dimensions and resources, as JSON (event-block.ts). What counting asks for ends here. */
	facts: text().notNull(),
	/** Their idempotency keys, as JSON. */
	keys: text().notNull(),
	/** 8 bytes each: the high half, the low half. */
	fingerprints: blob({ mode: "buffer" }).notNull(),
});

/** The files of the archive: blocks of the log that have become old, compressed. A file is on disk before its row is. */
export const eventArchives = sqliteTable("event_archives", {
	id: integer().primaryKey(),
	/** Within the folder of the archive. */
	name: text().notNull().unique(),
	/** On which day (since the epoch, UTC) the newest event of each of its blocks lies. */
	day: integer().notNull(),
	bytes: integer().notNull(),
	sha256: text().notNull(),
	/** Whether all of its blocks have left `event_blocks`. */
	isWhole: integer("is_whole", { mode: "boolean" }).notNull(),
	/** In which storage it is, as it was set then, and was read back from: the file here has gone, or may go. Null: it is here only. */
	storedIn: text("stored_in"),
});

/** Where the blocks are that have left `event_blocks`. A block is in one of the two. */
export const eventArchivedBlocks = sqliteTable("event_archived_blocks", {
	firstEvent: integer("first_event").primaryKey(),
	events: integer().notNull(),
	/** The latest of their times. */
	lastAt: integer("last_at").notNull().$type<Instant>(),
	/** `event_archives.id`, and where in it the frame lies that holds the block. */
	archive: integer().notNull(),
	offset: integer().notNull(),
	bytes: integer().notNull(),
	/** Of the last event: so files of fingerprints are known for this log's without reading the archive. */
	lastFingerprint: blob("last_fingerprint", { mode: "buffer" }).notNull(),
});

/**
 * Objects of the bucket for which an erasure has written others. They hold the former values of the erased events, and those of other
 * customers' events of the same days: backups that were made before the erasure need them. They are deleted when their time has come.
 */
export const eventReplacedObjects = sqliteTable("event_replaced_objects", {
	id: integer().primaryKey(),
	/** As in `event_archives`. */
	name: text().notNull(),
	day: integer().notNull(),
	bytes: integer().notNull(),
	sha256: text().notNull(),
	/** In which storage it is. */
	storedIn: text("stored_in").notNull(),
	replacedAt: integer("replaced_at").notNull().$type<Instant>(),
	/** From then on it may go. */
	deleteAt: integer("delete_at").notNull().$type<Instant>(),
});

/**
 * By what the events of blocks in the storage are told from all others: so they are known when they are sent again, and the
 * files of fingerprints can be made again, while the storage is away. A block has its row before its file leaves the folder.
 */
export const eventStoredIdentities = sqliteTable("event_stored_identities", {
	firstEvent: integer("first_event").primaryKey(),
	/** As the block had them: 8 bytes each. */
	fingerprints: blob({ mode: "buffer" }).notNull(),
	/** Another hash of the same text, 4 bytes each (archive/identity-check.ts). */
	checks: blob({ mode: "buffer" }).notNull(),
});

/**
 * Events that were taken back, in the order in which they were: rows are added at the end and never changed, as in the log
 * itself. The event stays where it is, so that it stays known; what it added to the totals is counted again without it.
 */
export const eventCancellations = sqliteTable(
	"event_cancellations",
	{
		id: integer().primaryKey(),
		/** Its position in the log. */
		event: integer().notNull(),
		canceledAt: integer("canceled_at").notNull().$type<Instant>(),
		/** Who took it back: the id of a key or a user. */
		actorId: text("actor_id").notNull(),
	},
	(table) => [uniqueIndex("event_cancellations_event").on(table.event)],
);

/** The log as it was written before there were blocks, a row for each event. Read where it is, never added to. */
export const events = sqliteTable("events", {
	id: integer().primaryKey(),
	/** `event_customers.id` */
	customer: integer().notNull(),
	resourceRef: text("resource_ref"),
	eventName: text("event_name").notNull(),
	idempotencyKey: text("idempotency_key").notNull(),
	at: integer().notNull().$type<Instant>(),
	/** JSON, string to string, number or boolean; null when the event has none. */
	dimensions: text(),
});

/** The fingerprints of `events`, a row for each commit, in the order of their row ids, 8 bytes each. Never added to. */
export const eventCommits = sqliteTable("event_commits", {
	/** Row id of the commit's first event; the others follow without a gap. */
	firstEvent: integer("first_event").primaryKey(),
	fingerprints: blob({ mode: "buffer" }).notNull(),
});
