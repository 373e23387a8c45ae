import { customType, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { packedId } from "../../kernel/storage/packed-id";
import { packedEntryMin, packedPersonalMin, packedSubjectsMin, packedText } from "../../kernel/storage/packed-text";
import type { ActorType } from "../outbox/event-types";

/** Replaces the environment in entries about accounts, such as members and sessions. */
export const accountLevel = "";

/** A SHA-256 as 64 hexadecimal digits, which the file holds in 32 bytes. */
const hash = customType<{ data: string; driverData: Uint8Array }>({
	dataType: () => "blob",
	toDriver: (digits) => Buffer.from(digits, "hex"),
	fromDriver: (bytes) => Buffer.from(bytes).toString("hex"),
});

/**
 * Changes by people and by the service: one row for each transaction and environment, written in the same transaction.
 * Triggers of the file reject changes of rows, and deletions of all but the oldest.
 */
export const auditEntries = sqliteTable(
	"audit_entries",
	{
		/** Ascending in the order of the commits of all chains. The index of subjects refers to it. */
		serial: integer().primaryKey(),
		/** The environment, or `accountLevel`. Each has its own chain. */
		environmentId: packedId("environment_id").notNull(),
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
		/** The keys of the index (`auditSubjects`) where they are not those of the changes (rules.subjects.ts). */
		subjects: packedText(packedSubjectsMin).notNull(),
		/** The hash of the former entry's hash, in hexadecimal digits, and this entry's text. */
		hash: hash().notNull(),
	},
	(table) => [
		uniqueIndex("audit_entries_chain").on(table.environmentId, table.id),
		index("audit_entries_actor").on(table.environmentId, table.actorId, table.id),
		index("audit_entries_operation").on(table.environmentId, table.operation, table.id),
	],
);

/** The end of each chain, and its start after a purge. */
export const auditChains = sqliteTable("audit_chains", {
	/** The index of subjects refers to it. */
	number: integer().primaryKey(),
	environmentId: packedId("environment_id").notNull().unique(),
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
		/** The chain's number. */
		chain: integer().notNull(),
		/** A row id, a caller's id, or the type. */
		key: packedId("key").notNull(),
		/** The entry's serial. */
		entry: integer().notNull(),
		entityType: text("entity_type").notNull(),
	},
	(table) => [primaryKey({ columns: [table.chain, table.key, table.entry, table.entityType] })],
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
		fields: packedText(packedPersonalMin),
		erasedAt: integer("erased_at").$type<Instant>(),
	},
	(table) => [primaryKey({ columns: [table.entryId, table.position] })],
);

export type AuditEntryRow = typeof auditEntries.$inferSelect;
export type AuditPersonalRow = typeof auditPersonal.$inferSelect;
export type AuditChainRow = typeof auditChains.$inferSelect;
