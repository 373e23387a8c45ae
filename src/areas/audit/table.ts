import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { packedId } from "../../kernel/storage/packed-id";
import { packedEntryMin, packedSubjectsMin, packedText } from "../../kernel/storage/packed-text";
import type { ActorType } from "../outbox/event-types";

/** Replaces the environment in entries about accounts, such as members and sessions. */
export const accountLevel = "";

/**
 * Changes by people and by the service: one row for each transaction and environment, written in the same transaction.
 * Triggers of the file reject changes of rows, and deletions of all but the oldest.
 */
export const auditEntries = sqliteTable(
	"audit_entries",
	{
		/** The environment, or `accountLevel`. Each has its own chain. */
		environmentId: text("environment_id").notNull(),
		/** Ascending in the order of the chain. */
		id: text().notNull(),
		/** 1, 2, 3 … within the chain. */
		sequence: integer().notNull(),
		/** The account of an entry without an environment; null if it has none. */
		accountId: text("account_id"),
		/** The environment's time. */
		at: integer().notNull().$type<Instant>(),
		/** The machine's time, which decides the retention. */
		recordedAt: integer("recorded_at").notNull().$type<Instant>(),
		actorType: text("actor_type").notNull().$type<ActorType>(),
		actorId: text("actor_id").notNull(),
		actorName: text("actor_name"),
		requestId: packedId("request_id"),
		address: text(),
		operation: text().notNull(),
		/** The main entity that changed. */
		entityType: text("entity_type").notNull(),
		entityId: packedId("entity_id").notNull(),
		/** The caller's id or the number. */
		entityRef: text("entity_ref"),
		/** A JSON array (rules.entry.ts), in the text that the hash covers. */
		changes: packedText(packedEntryMin).notNull(),
		/** The number of changes, which may exceed the number of stored ones. */
		changesCount: integer("changes_count").notNull(),
		/** The keys of the index (`auditSubjects`), as a JSON array of key and type. The purge uses it. */
		subjects: packedText(packedSubjectsMin).notNull(),
		/** SHA-256 of the former entry's hash and this entry's text, in hexadecimal digits. */
		hash: text().notNull(),
	},
	(table) => [
		uniqueIndex("audit_entries_chain").on(table.environmentId, table.id),
		index("audit_entries_actor").on(table.environmentId, table.actorId, table.id),
		index("audit_entries_operation").on(table.environmentId, table.operation, table.id),
	],
);

/** The end of each chain, and its start after a purge. */
export const auditChains = sqliteTable("audit_chains", {
	environmentId: text("environment_id").primaryKey(),
	/** The id of the last entry. */
	id: text().notNull(),
	sequence: integer().notNull(),
	hash: text().notNull(),
	/** The last entry that a purge removed; 0 and no hash if there is none. */
	sealedSequence: integer("sealed_sequence").notNull().default(0),
	sealedHash: text("sealed_hash").notNull().default(""),
});

/** The index of entries by the row id, the caller's id and the type of each changed entity. */
export const auditSubjects = sqliteTable(
	"audit_subjects",
	{
		environmentId: packedId("environment_id").notNull(),
		/** A row id, a caller's id, or the type. */
		key: packedId("key").notNull(),
		entryId: packedId("entry_id").notNull(),
		entityType: text("entity_type").notNull(),
	},
	(table) => [primaryKey({ columns: [table.environmentId, table.key, table.entryId, table.entityType] })],
);

/**
 * Personal data of entries. The entry contains a salted hash of it, so an erasure leaves the chain valid. An erased row
 * stays, without values and salt.
 */
export const auditPersonal = sqliteTable(
	"audit_personal",
	{
		entryId: packedId("entry_id").notNull(),
		/** The index of the entry's change, from 0. */
		position: integer().notNull(),
		/** The row id of the customer or user. It finds the entries about them. */
		subjectId: packedId("subject_id").notNull(),
		salt: packedId("salt"),
		/** A JSON object by field, as in the changes. */
		fields: text(),
		erasedAt: integer("erased_at").$type<Instant>(),
	},
	(table) => [primaryKey({ columns: [table.entryId, table.position] })],
);

export type AuditEntryRow = typeof auditEntries.$inferSelect;
export type AuditPersonalRow = typeof auditPersonal.$inferSelect;
export type AuditChainRow = typeof auditChains.$inferSelect;
