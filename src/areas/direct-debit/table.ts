import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Address } from "../../kernel/schema";
import { customers } from "../customers/table";
import { legalEntities } from "../legal-entities/table";
import type { Day } from "./rules.target";
import {
	announcements,
	debitStates,
	fileFormats,
	fileStates,
	mandateKinds,
	schemes,
	sequences,
	storedMandateStates,
} from "./schema";

/** The legal entities that collect by direct debit. */
export const directDebitCreditors = sqliteTable(
	"direct_debit_creditors",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		legalEntityId: text("legal_entity_id")
			.notNull()
			.references(() => legalEntities.id),
		creditorId: text("creditor_id").notNull(),
		format: text({ enum: fileFormats }).notNull(),
		/** Days between the announcement and the collection. */
		leadDays: integer("lead_days").notNull(),
		/** Whether the bank books a file as one entry. */
		batchBooking: integer("batch_booking", { mode: "boolean" }).notNull(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [uniqueIndex("direct_debit_creditors_entity").on(table.environmentId, table.legalEntityId)],
);

/** Mandates of customers. Only the state, the days of use and the code change; an erasure deletes the account. */
export const mandates = sqliteTable(
	"mandates",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		legalEntityId: text("legal_entity_id")
			.notNull()
			.references(() => legalEntities.id),
		/** Unique in the environment, whatever its case. */
		reference: text().notNull(),
		creditorId: text("creditor_id").notNull(),
		scheme: text({ enum: schemes }).notNull(),
		kind: text({ enum: mandateKinds }).notNull(),
		state: text({ enum: storedMandateStates }).notNull(),
		/** Without blanks, upper case; null after an erasure. */
		iban: text(),
		bic: text(),
		debtorName: text("debtor_name").notNull(),
		debtorAddress: text("debtor_address", { mode: "json" }).$type<Address>(),
		/** Days. */
		signedOn: text("signed_on").notNull().$type<Day>(),
		lastCollectedOn: text("last_collected_on").$type<Day>(),
		stopCode: text("stop_code"),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("mandates_reference").on(table.environmentId, table.reference),
		index("mandates_environment").on(table.environmentId, table.id),
		index("mandates_customer").on(table.environmentId, table.customerId, table.id),
	],
);

/** Matches debits that still collect their invoice. Indexes and their queries must use this same expression. */
export const isOpen = sql`is_open = 1`;

/** Matches debits that wait for a file. */
export const isPlanned = sql`state = 'PLANNED'`;

/** Matches debits that the bank has. */
export const isInFile = sql`state = 'IN_FILE'`;

/** Debits of invoices, in euro. */
export const directDebits = sqliteTable(
	"direct_debits",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		legalEntityId: text("legal_entity_id").notNull(),
		mandateId: text("mandate_id")
			.notNull()
			.references(() => mandates.id),
		/** The row id, without a foreign key: invoices are a later area. */
		invoiceId: text("invoice_id").notNull(),
		/** In major units: as announced, or less if less is due when the file is made. */
		amount: text().notNull().$type<Decimal>(),
		/** The text for the debtor, such as the number of the invoice. */
		description: text().notNull(),
		state: text({ enum: debitStates }).notNull(),
		/** Whether it is PLANNED or IN_FILE. The index below permits one of them for an invoice. */
		isOpen: integer("is_open", { mode: "boolean" }).notNull(),
		collectionOn: text("collection_on").notNull().$type<Day>(),
		announcement: text({ enum: announcements }).notNull(),
		/** Set with the file. */
		sequence: text({ enum: sequences }),
		fileId: text("file_id"),
		/** The payment information of the file that has it. */
		fileGroup: text("file_group"),
		/** The receipt of the money, and the RETURN that moved it out (by row id, without a foreign key). */
		receiptId: text("receipt_id"),
		returnId: text("return_id"),
		returnCode: text("return_code"),
		returnedOn: text("returned_on").$type<Day>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
		endedAt: integer("ended_at").$type<Instant>(),
	},
	(table) => [
		uniqueIndex("direct_debits_open").on(table.invoiceId).where(isOpen),
		index("direct_debits_environment").on(table.environmentId, table.id),
		index("direct_debits_customer").on(table.environmentId, table.customerId, table.id),
		index("direct_debits_invoice").on(table.environmentId, table.invoiceId, table.id),
		index("direct_debits_mandate").on(table.mandateId, table.state, table.id),
		index("direct_debits_state").on(table.environmentId, table.state, table.id),
		index("direct_debits_planned").on(table.legalEntityId, table.collectionOn, table.id).where(isPlanned),
		index("direct_debits_in_file").on(table.fileId, table.fileGroup, table.id).where(isInFile),
		index("direct_debits_file").on(table.fileId, table.fileGroup, table.id).where(sql`file_id IS NOT NULL`),
	],
);

/** The debits of one day, scheme and sequence in a file. */
export interface FileGroup {
	/** `2026-02-27 CORE FRST`. */
	readonly key: string;
	readonly count: number;
	readonly sum: Decimal;
}

/** The creditor as a file states it. */
export interface FileCreditor {
	readonly name: string;
	readonly creditorId: string;
	readonly iban: string;
	readonly bic: string | null;
	readonly batchBooking: boolean;
}

/** Files for the bank. Their text follows from their rows, which never change after READY. */
export const directDebitFiles = sqliteTable(
	"direct_debit_files",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		legalEntityId: text("legal_entity_id")
			.notNull()
			.references(() => legalEntities.id),
		taskId: text("task_id").notNull(),
		state: text({ enum: fileStates }).notNull(),
		format: text({ enum: fileFormats }).notNull(),
		creditor: text({ mode: "json" }).notNull().$type<FileCreditor>(),
		/** The last planned day of its debits, and the first day on which the bank can collect. */
		collectUntil: text("collect_until").notNull().$type<Day>(),
		earliestOn: text("earliest_on").notNull().$type<Day>(),
		debitsCount: integer("debits_count").notNull(),
		total: text().notNull().$type<Decimal>(),
		groups: text({ mode: "json" }).notNull().$type<readonly FileGroup[]>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("direct_debit_files_making").on(table.legalEntityId).where(sql`state = 'MAKING'`),
		index("direct_debit_files_environment").on(table.environmentId, table.id),
	],
);

export type CreditorRow = typeof directDebitCreditors.$inferSelect;
export type MandateRow = typeof mandates.$inferSelect;
export type DebitRow = typeof directDebits.$inferSelect;
export type DebitFileRow = typeof directDebitFiles.$inferSelect;
