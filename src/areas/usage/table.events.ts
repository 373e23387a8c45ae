import { blob, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";

/**
 * The customers that events name, by a small number: a row of the log carries it instead of two ids. A row without
 * `customerId` stands for a customer that did not exist at its first event.
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
 * The log of raw events. Rows are added at the end, and change only when a customer is erased (erasing/); old rows may
 * move to the archive. A row is a block of up to 128 consecutive events, which takes a third of the time and two thirds
 * of the space of a row for each. The row id is the only index: an index over the random keys of events would slow
 * ingest down. Duplicates are found by fingerprints.
 */
export const eventBlocks = sqliteTable("event_blocks", {
	/** The position in the log of the block's first event; the others follow without a gap. */
	firstEvent: integer("first_event").primaryKey(),
	/** The number of its events. */
	events: integer().notNull(),
	/** The earliest of their times. */
	firstAt: integer("first_at").notNull().$type<Instant>(),
	/** By how many milliseconds each event is later: 32-bit little-endian numbers; doubles if those are too narrow. */
	later: blob({ mode: "buffer" }).notNull(),
	/** `event_customers.id` of each: 32-bit little-endian numbers. */
	customers: blob({ mode: "buffer" }).notNull(),
	/**
	 * Their names, dimensions and resources, as JSON (blocks/event-block.ts). Counting needs no column after this one.
	 */
	facts: text().notNull(),
	/** Their idempotency keys, as JSON. */
	keys: text().notNull(),
	/** 8 bytes each: the high half, the low half. */
	fingerprints: blob({ mode: "buffer" }).notNull(),
});

/** The files of the archive: old blocks of the log, compressed. A file is on disk before its row is. */
export const eventArchives = sqliteTable("event_archives", {
	id: integer().primaryKey(),
	/** Within the archive's folder. */
	name: text().notNull().unique(),
	/** The day (since the epoch, UTC) of the newest event in each of its blocks. */
	day: integer().notNull(),
	bytes: integer().notNull(),
	sha256: text().notNull(),
	/** Whether all of its blocks have left `event_blocks`. */
	isWhole: integer("is_whole", { mode: "boolean" }).notNull(),
	/**
	 * The storage of the file, which was read back from there: the file in the folder is or may be deleted. Null: the
	 * file is in the folder only.
	 */
	storedIn: text("stored_in"),
});

/** The places of the blocks that have left `event_blocks`. A block is in one of the two tables. */
export const eventArchivedBlocks = sqliteTable("event_archived_blocks", {
	firstEvent: integer("first_event").primaryKey(),
	events: integer().notNull(),
	/** The latest of their times. */
	lastAt: integer("last_at").notNull().$type<Instant>(),
	/** `event_archives.id`, and the position of the block's frame in that file. */
	archive: integer().notNull(),
	offset: integer().notNull(),
	bytes: integer().notNull(),
	/**
	 * The fingerprint of the last event: it identifies files of fingerprints as this log's without reading the archive.
	 */
	lastFingerprint: blob("last_fingerprint", { mode: "buffer" }).notNull(),
});

/**
 * Objects of the bucket that an erasure has replaced. They hold the former values of the erased events, and events of
 * other customers on the same days, which earlier backups need. They are deleted after a time.
 */
export const eventReplacedObjects = sqliteTable("event_replaced_objects", {
	id: integer().primaryKey(),
	/** As in `event_archives`. */
	name: text().notNull(),
	day: integer().notNull(),
	bytes: integer().notNull(),
	sha256: text().notNull(),
	/** The storage. */
	storedIn: text("stored_in").notNull(),
	replacedAt: integer("replaced_at").notNull().$type<Instant>(),
	/** The object may be deleted from then on. */
	deleteAt: integer("delete_at").notNull().$type<Instant>(),
});

/**
 * The identities of events in blocks that are in the storage: repeated events are found, and the files of fingerprints
 * can be written again, while the storage is unreachable. A block has its row before its file leaves the folder.
 */
export const eventStoredIdentities = sqliteTable("event_stored_identities", {
	firstEvent: integer("first_event").primaryKey(),
	/** As in the block: 8 bytes each. */
	fingerprints: blob({ mode: "buffer" }).notNull(),
	/** A second hash of the same text, 4 bytes each (archive/identity-check.ts). */
	checks: blob({ mode: "buffer" }).notNull(),
});

/**
 * The cancellations of events, in their order: rows are added at the end and never change. A canceled event stays in
 * the log, so that it stays known; totals are counted again without it.
 */
export const eventCancellations = sqliteTable(
	"event_cancellations",
	{
		id: integer().primaryKey(),
		/** Its position in the log. */
		event: integer().notNull(),
		canceledAt: integer("canceled_at").notNull().$type<Instant>(),
		/** The id of the key or user that canceled it. */
		actorId: text("actor_id").notNull(),
	},
	(table) => [uniqueIndex("event_cancellations_event").on(table.event)],
);

/** The log as the first release wrote it, with a row for each event. It is read where it is; no rows are added. */
export const events = sqliteTable("events", {
	id: integer().primaryKey(),
	/** `event_customers.id` */
	customer: integer().notNull(),
	resourceRef: text("resource_ref"),
	eventName: text("event_name").notNull(),
	idempotencyKey: text("idempotency_key").notNull(),
	at: integer().notNull().$type<Instant>(),
	/** JSON, string to string, number or boolean; null if the event has none. */
	dimensions: text(),
});

/**
 * The fingerprints of `events`, a row for each commit, in the order of their row ids, 8 bytes each. No rows are added.
 */
export const eventCommits = sqliteTable("event_commits", {
	/** Row id of the commit's first event; the others follow without a gap. */
	firstEvent: integer("first_event").primaryKey(),
	fingerprints: blob({ mode: "buffer" }).notNull(),
});
