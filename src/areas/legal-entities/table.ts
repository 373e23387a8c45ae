import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Address, TaxId } from "../../kernel/schema";
import type { CountedKind, DocumentKind } from "./rules";
import { type CashDiscountTerms, type ExchangeRate, type LogoType, numberFormatDefault } from "./schema";

/**
 * The issuer of invoices: a company of the account. A default one always exists. Source:
 * docs/interface/contracts.md#publishing.
 */
export const legalEntities = sqliteTable(
	"legal_entities",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		/** As it is registered. */
		name: text().notNull(),
		isDefault: integer("is_default", { mode: "boolean" }).notNull(),
		address: text({ mode: "json" }).$type<Address>(),
		taxIds: text("tax_ids", { mode: "json" }).notNull().$type<readonly TaxId[]>().default([]),
		registration: text(),
		email: text(),
		/** How to pay, alongside the bank account. */
		paymentText: text("payment_text"),
		footer: text(),
		/** The language of documents for customers without a language. */
		language: text(),
		logoId: text("logo_id"),
		/** As `#rrggbb`: of the pages that its customers see. */
		brandColor: text("brand_color"),
		/** Days until an invoice is due for which nothing else says it. */
		netTerms: integer("net_terms"),
		/** Applies to customers without terms of their own. */
		cashDiscount: text("cash_discount", { mode: "json" }).$type<CashDiscountTerms>(),
		/** The number of days for which invoices of a billing cycle are drafts; null or 0: they are issued at once. */
		invoiceGracePeriodDays: integer("invoice_grace_period_days"),
		/** In which tax is declared; null: documents state it in their own currency alone. */
		taxCurrency: text("tax_currency"),
		exchangeRates: text("exchange_rates", { mode: "json" }).notNull().$type<readonly ExchangeRate[]>().default([]),
		invoicePrefix: text("invoice_prefix").notNull().default(numberFormatDefault.invoicePrefix),
		creditNotePrefix: text("credit_note_prefix").notNull().default(numberFormatDefault.creditNotePrefix),
		numberYear: integer("number_year", { mode: "boolean" }).notNull().default(numberFormatDefault.year),
		numberPadding: integer("number_padding").notNull().default(numberFormatDefault.padding),
		archivedAt: integer("archived_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at")
			.notNull()
			.$type<Instant>()
			.default(0 as Instant),
	},
	(table) => [
		index("legal_entities_environment").on(table.environmentId, table.id),
		// The database itself says it: at most one default for each environment.
		uniqueIndex("legal_entities_default").on(table.environmentId).where(sql`is_default = 1`),
	],
);

export type LegalEntityRow = typeof legalEntities.$inferSelect;

/** Where a legal entity is paid. */
export const paymentAccounts = sqliteTable(
	"payment_accounts",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		legalEntityId: text("legal_entity_id")
			.notNull()
			.references(() => legalEntities.id),
		name: text().notNull(),
		isDefault: integer("is_default", { mode: "boolean" }).notNull(),
		/** Without blanks. Null: the account is not a bank's, or not stated yet. */
		iban: text(),
		bic: text(),
		bankName: text("bank_name"),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("payment_accounts_entity").on(table.legalEntityId, table.id),
		uniqueIndex("payment_accounts_default").on(table.legalEntityId).where(sql`is_default = 1`),
	],
);

export type PaymentAccountRow = typeof paymentAccounts.$inferSelect;

/** Pictures are added and never changed: an invoice shows the one that there was at its issue. */
export const legalEntityLogos = sqliteTable("legal_entity_logos", {
	id: text().primaryKey(),
	environmentId: text("environment_id").notNull(),
	legalEntityId: text("legal_entity_id")
		.notNull()
		.references(() => legalEntities.id),
	contentType: text("content_type").notNull().$type<LogoType>(),
	/** In pixels. */
	width: integer().notNull(),
	height: integer().notNull(),
	createdAt: integer("created_at").notNull().$type<Instant>(),
	bytes: blob({ mode: "buffer" }).notNull(),
});

export type LogoRow = typeof legalEntityLogos.$inferSelect;

/** A prefix belongs to who had it first, for good, so that no number is given twice. */
export const numberPrefixes = sqliteTable(
	"number_prefixes",
	{
		environmentId: text("environment_id").notNull(),
		/** In upper case, without what only separates it from the digits. */
		stem: text().notNull(),
		legalEntityId: text("legal_entity_id")
			.notNull()
			.references(() => legalEntities.id),
		kind: text().notNull().$type<DocumentKind>(),
	},
	(table) => [primaryKey({ columns: [table.environmentId, table.stem] })],
);

/** The last number that each legal entity has given; raised in the issuing transaction, so a rollback leaves no gap. */
export const numberSequences = sqliteTable(
	"number_sequences",
	{
		environmentId: text("environment_id").notNull(),
		legalEntityId: text("legal_entity_id")
			.notNull()
			.references(() => legalEntities.id),
		kind: text().notNull().$type<CountedKind>(),
		/** The year that the numbers carry; 0 where they carry none. */
		year: integer().notNull(),
		last: integer().notNull(),
		/** The date of the last document. */
		lastIssuedAt: integer("last_issued_at").notNull().$type<Instant>(),
	},
	(table) => [primaryKey({ columns: [table.environmentId, table.legalEntityId, table.kind, table.year] })],
);

export type NumberPrefixRow = typeof numberPrefixes.$inferSelect;
export type NumberSequenceRow = typeof numberSequences.$inferSelect;
