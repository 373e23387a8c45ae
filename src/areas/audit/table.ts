import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { packedId } from "../../kernel/storage/packed-id";
import { packedEntryMin, packedSubjectsMin, packedText } from "../../kernel/storage/packed-text";
import type { ActorType } from "../outbox/event-types";

/** In place of the environment: the entries of what belongs to none, such as members and sessions. */
export const accountLevel = "";

/**
 * What people and the service have changed: one row for each transaction and environment, in the transaction itself. Rows are
 * never changed, and only the oldest ones are ever removed; triggers of the file see to both.
 */
export const auditEntries = sqliteTable(
	"audit_entries",
	{
		/** The environment, or `accountLevel`: each has a chain of its own. */
		environmentId: text("environment_id").notNull(),
		/** In the order of the chain. */
		id: text().notNull(),
		/** 1, 2, 3 … within the chain. */
		sequence: integer().notNull(),
		/** Of what belongs to no environment; null where it is of no account either. */
		accountId: text("account_id"),
		/** The environment's time. */
		at: integer().notNull().$type<Instant>(),
		/** The machine's, by which entries are kept. */
		recordedAt: integer("recorded_at").notNull().$type<Instant>(),
		actorType: text("actor_type").notNull().$type<ActorType>(),
		actorId: text("actor_id").notNull(),
		actorName: text("actor_name"),
		requestId: packedId("request_id"),
		address: text(),
		operation: text().notNull(),
		/** The main thing that was changed. */
		entityType: text("entity_type").notNull(),
		entityId: packedId("entity_id").notNull(),
		/** The caller's id of it, or its number. */
		entityRef: text("entity_ref"),
		/** A JSON array (rules.entry.ts), in the text that the hash covers. */
		changes: packedText(packedEntryMin).notNull(),
		/** How many changes there were: more than are kept, where there were too many. */
		changesCount: integer("changes_count").notNull(),
		/** By what the entry is found (`auditSubjects`), as a JSON array of key and type: for whoever removes it. */
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

/** Where each chain ends, and from where on it is kept. */
export const auditChains = sqliteTable("audit_chains", {
	environmentId: text("environment_id").primaryKey(),
	/** Of the last entry. */
	id: text().notNull(),
	sequence: integer().notNull(),
	hash: text().notNull(),
	/** The last entry that was removed as too old: 0 and no hash where none was. */
	sealedSequence: integer("sealed_sequence").notNull().default(0),
	sealedHash: text("sealed_hash").notNull().default(""),
});

/** The index of entries by subject: the row id, the caller's id and the type of each thing that an entry shows a change of. */
export const auditSubjects = sqliteTable(
	"audit_subjects",
	{
		environmentId: packedId("environment_id").notNull(),
		/** A row id, a caller's id, or the type itself. */
		key: packedId("key").notNull(),
		entryId: packedId("entry_id").notNull(),
		entityType: text("entity_type").notNull(),
	},
	(table) => [primaryKey({ columns: [table.environmentId, table.key, table.entryId, table.entityType] })],
);

/**
 * Personal data within entries, apart from them: the entry holds their salted hash. So they can be erased, and the chain holds.
 * Erased, the row stays, without values and salt.
 */
export const auditPersonal = sqliteTable(
	"audit_personal",
	{
		entryId: packedId("entry_id").notNull(),
		/** Which of the entry's changes, from 0. */
		position: integer().notNull(),
		/** The row id of the person or company that they are about, a customer or a user: the entry is found by it. */
		subjectId: packedId("subject_id").notNull(),
		salt: packedId("salt"),
		/** By field, as in the changes themselves: a JSON object. */
		fields: text(),
		erasedAt: integer("erased_at").$type<Instant>(),
	},
	(table) => [primaryKey({ columns: [table.entryId, table.position] })],
);

export type AuditEntryRow = typeof auditEntries.$inferSelect;
export type AuditPersonalRow = typeof auditPersonal.$inferSelect;
export type AuditChainRow = typeof auditChains.$inferSelect;
