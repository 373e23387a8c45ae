import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import { customers } from "../customers/table";
import { receipts } from "../invoices/table.receipts";
import { legalEntities } from "../legal-entities/table";
import { type BankProposal, entryStates, type FeeTolerance, importStates } from "./schema";
import { statementFormats } from "./statements/rules.statement";
import type { CsvMapping } from "./statements/schema.mapping";

/** The bank accounts whose statements Tollgate has, with their settings. A row stays if the legal entity gets another account. */
export const bankAccounts = sqliteTable(
	"bank_accounts",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		legalEntityId: text("legal_entity_id")
			.notNull()
			.references(() => legalEntities.id),
		/** Without blanks, upper case. */
		iban: text().notNull(),
		/** The amounts by which a payment may fall short because banks deducted fees, by currency. */
		feeTolerance: text("fee_tolerance", { mode: "json" }).notNull().$type<readonly FeeTolerance[]>().default([]),
		/** How the bank writes its CSV files. */
		csvMapping: text("csv_mapping", { mode: "json" }).$type<CsvMapping>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("bank_accounts_iban").on(table.environmentId, table.iban),
		index("bank_accounts_environment").on(table.environmentId, table.id),
	],
);

/** The files that were imported, with the outcome. */
export const bankImports = sqliteTable(
	"bank_imports",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		taskId: text("task_id").notNull(),
		format: text({ enum: statementFormats }).notNull(),
		state: text({ enum: importStates }).notNull(),
		/** The statements and the entries of the file. */
		statementsCount: integer("statements_count").notNull(),
		entriesCount: integer("entries_count").notNull(),
		/** Entries that this import recorded, by their first state; the others were known. */
		knownCount: integer("known_count").notNull().default(0),
		outgoingCount: integer("outgoing_count").notNull().default(0),
		recordedCount: integer("recorded_count").notNull().default(0),
		proposedCount: integer("proposed_count").notNull().default(0),
		unmatchedCount: integer("unmatched_count").notNull().default(0),
		/** The statement whose entries come next: its row id and its head. */
		current: text({ mode: "json" }).$type<CurrentStatement>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		endedAt: integer("ended_at").$type<Instant>(),
	},
	(table) => [index("bank_imports_environment").on(table.environmentId, table.id)],
);

/** A statement of which an import records the entries. */
export interface CurrentStatement {
	readonly id: string;
	readonly accountId: string;
	readonly currency: string | null;
	readonly number: string | null;
	readonly sequence: number | null;
	/** Whether it has a row: it gets one with its first new entry. */
	readonly isStored: boolean;
}

/** The parts of files that are being received or recorded: texts of JSON. They are deleted when their entries are recorded. */
export const bankImportParts = sqliteTable(
	"bank_import_parts",
	{
		environmentId: text("environment_id").notNull(),
		importId: text("import_id").notNull(),
		/** The number of items before this part. */
		position: integer().notNull(),
		items: text().notNull(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		primaryKey({ columns: [table.importId, table.position] }),
		index("bank_import_parts_created").on(table.createdAt),
	],
);

export const bankStatements = sqliteTable(
	"bank_statements",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		accountId: text("account_id")
			.notNull()
			.references(() => bankAccounts.id),
		importId: text("import_id").notNull(),
		/** As the bank states them; null if it does not. */
		number: text(),
		sequence: integer(),
		/** The year of the first entry, or else of the import: banks count statements by year. */
		year: integer().notNull(),
		currency: text(),
		openingBalance: text("opening_balance").$type<Decimal>(),
		closingBalance: text("closing_balance").$type<Decimal>(),
		/** The recorded entries; an import of known entries adds none. */
		entriesCount: integer("entries_count").notNull().default(0),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("bank_statements_environment").on(table.environmentId, table.id),
		index("bank_statements_account").on(table.accountId, table.id),
		index("bank_statements_sequence").on(table.accountId, table.year, table.sequence),
	],
);

/** The movements of bank accounts. Only the state and what a person or the import decides change. */
export const bankEntries = sqliteTable(
	"bank_entries",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		accountId: text("account_id")
			.notNull()
			.references(() => bankAccounts.id),
		statementId: text("statement_id")
			.notNull()
			.references(() => bankStatements.id),
		/** The same for the same entry in each file (`imports/rules.fingerprint.ts`). */
		fingerprint: text().notNull(),
		/** In major units; negative for money that left the account. */
		amount: text().notNull().$type<Decimal>(),
		/** ISO 4217, lower case. */
		currency: text().notNull(),
		/** Days, such as 2026-02-01. */
		bookedOn: text("booked_on").notNull(),
		valueOn: text("value_on"),
		isReversal: integer("is_reversal", { mode: "boolean" }).notNull(),
		bankReference: text("bank_reference"),
		endToEndId: text("end_to_end_id"),
		mandateId: text("mandate_id"),
		creditorReference: text("creditor_reference"),
		returnCode: text("return_code"),
		partyName: text("party_name"),
		partyIban: text("party_iban"),
		text: text().notNull(),
		state: text({ enum: entryStates }).notNull(),
		/** The best first; at most five. */
		proposals: text({ mode: "json" }).notNull().$type<readonly BankProposal[]>(),
		/** The payer; set with the receipt. */
		customerId: text("customer_id").references(() => customers.id),
		receiptId: text("receipt_id").references(() => receipts.id),
		/** Whether the import allocated the money without a person. */
		isAutomatic: integer("is_automatic", { mode: "boolean" }).notNull().default(false),
		/** The time of the last decision. */
		decidedAt: integer("decided_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("bank_entries_fingerprint").on(table.accountId, table.fingerprint),
		index("bank_entries_environment").on(table.environmentId, table.id),
		index("bank_entries_state").on(table.environmentId, table.state, table.id),
		index("bank_entries_statement").on(table.statementId, table.id),
		index("bank_entries_account").on(table.accountId, table.state, table.id),
		index("bank_entries_customer")
			.on(table.environmentId, table.customerId, table.id)
			.where(sql`customer_id IS NOT NULL`),
		uniqueIndex("bank_entries_receipt").on(table.receiptId).where(sql`receipt_id IS NOT NULL`),
	],
);

/** The IBANs that a person has confirmed for a customer. */
export const bankPayers = sqliteTable(
	"bank_payers",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		iban: text().notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** The entry by which Tollgate learned it: to undo it drops the payer. */
		entryId: text("entry_id").notNull(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("bank_payers_iban").on(table.environmentId, table.iban),
		index("bank_payers_customer").on(table.customerId, table.id),
	],
);

export type BankAccountRow = typeof bankAccounts.$inferSelect;
export type BankImportRow = typeof bankImports.$inferSelect;
export type BankStatementRow = typeof bankStatements.$inferSelect;
export type BankEntryRow = typeof bankEntries.$inferSelect;
