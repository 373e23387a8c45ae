import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import { packedPrices } from "../../kernel/storage/packed-text";
import { customers } from "../customers/table";
import type { LineBasis } from "../pricing/basis";
import type { LineDiscount } from "../pricing/discounts";
import type { LineTax } from "../pricing/tax";
import type { Wording } from "../pricing/wording";
import { creditNoteReasons } from "./credit-notes/schema";
import { billingReasons, invoiceLineKinds, invoiceStates } from "./schema";
import type {
	GrantedCashDiscount,
	InvoiceIssuer,
	InvoiceParty,
	StatedParty,
	TaxConversion,
	TierBreakdown,
} from "./schema.party";

/** Matches numbered documents; drafts have no number. Indexes and their queries must use this same expression. */
export const isNumbered = sql`sequence > 0`;

export const invoices = sqliteTable(
	"invoices",
	{
		/** The invoice id, also sent as the "billing provider's invoice id": Tollgate is its own provider. */
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** Row ids without foreign keys, because invoices do not know subscriptions and contracts. */
		subscriptionId: text("subscription_id"),
		contractId: text("contract_id"),
		/** The contract's external id at issue; lists filter by it. */
		contractRefId: text("contract_ref_id"),
		/** Empty for a draft. */
		number: text().notNull(),
		/** The issuer's row id. Numbers count without gaps within a legal entity, and within a year (else 0) if they contain one. */
		legalEntityId: text("legal_entity_id").notNull().default(""),
		numberYear: integer("number_year").notNull().default(0),
		numberCount: integer("number_count").notNull().default(0),
		/** The order of issue over all legal entities; 0 for a draft, whose `issuedAt` is its time of creation. */
		sequence: integer().notNull(),
		/** 1 when issued, raised by every change; a PDF belongs to one revision. */
		revision: integer().notNull(),
		state: text({ enum: invoiceStates }).notNull(),
		billingReason: text("billing_reason", { enum: billingReasons }).notNull(),
		/** ISO 4217, lower case. */
		currency: text().notNull(),
		issuedAt: integer("issued_at").notNull().$type<Instant>(),
		dueAt: integer("due_at").notNull().$type<Instant>(),
		paidAt: integer("paid_at").$type<Instant>(),
		canceledAt: integer("canceled_at").$type<Instant>(),
		periodStart: integer("period_start").$type<Instant>(),
		periodEnd: integer("period_end").$type<Instant>(),
		/** Sums of the lines, in major units: total = subTotal - discount + tax. */
		subTotal: text("sub_total").notNull().$type<Decimal>(),
		discount: text().notNull().$type<Decimal>(),
		tax: text().notNull().$type<Decimal>(),
		total: text().notNull().$type<Decimal>(),
		/** The part of the total that the customer's balance paid at issue. */
		balanceApplied: text("balance_applied").notNull().default("0").$type<Decimal>(),
		/** The sum of payments, minus refunds made while it was OPEN. It is 0 for invoices that were paid before payments had rows. */
		amountPaid: text("amount_paid").notNull().default("0").$type<Decimal>(),
		/** The total in hundredths of the major unit, in every currency; lists sort by it. */
		totalHundredths: integer("total_hundredths").notNull(),
		taxPercentage: text("tax_percentage").$type<Decimal>(),
		/** Null: no cash discount was granted, or nothing was due at issue. */
		cashDiscount: text("cash_discount", { mode: "json" }).$type<GrantedCashDiscount>(),
		/** The tax at issue in the currency in which its issuer declares it; null: there is no conversion. */
		taxConversion: text("tax_conversion", { mode: "json" }).$type<TaxConversion>(),
		/** The currency in which its issuer declares tax, if no rate was known at issue; there is no conversion then. */
		missingRateTo: text("missing_rate_to"),
		/** The name and the size of the discount on the document, as "WELCOME (10% off)". */
		discountLabel: text("discount_label"),
		discountPercent: text("discount_percent").$type<Decimal>(),
		poNumber: text("po_number"),
		notes: text(),
		customFields: text("custom_fields", { mode: "json" }).notNull().$type<Readonly<Record<string, string>>>(),
		issuer: text({ mode: "json" }).notNull().$type<InvoiceIssuer>(),
		customer: text({ mode: "json" }).notNull().$type<InvoiceParty>(),
		/** CHARGE: Tollgate charges the customer at the issue; null: the invoice waits for a payment. */
		collectionMethod: text("collection_method").$type<"CHARGE">(),
		/** Drafts only: the time of automatic issue, and the customer details of the purchase. */
		nextDueAt: integer("next_due_at").$type<Instant>(),
		stated: text({ mode: "json" }).$type<StatedParty>(),
		/** Hashes (rules.seal.ts) of the lines, and of the row with them; null for a draft, and for a document older than seals. */
		linesSeal: text("lines_seal"),
		seal: text(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("invoices_sequence").on(table.environmentId, table.sequence).where(isNumbered),
		uniqueIndex("invoices_counted")
			.on(table.environmentId, table.legalEntityId, table.numberYear, table.numberCount)
			.where(isNumbered),
		index("invoices_due").on(table.environmentId, table.nextDueAt).where(sql`next_due_at IS NOT NULL`),
		index("invoices_customer_issued").on(table.environmentId, table.customerId, table.issuedAt, table.id),
		index("invoices_subscription").on(table.environmentId, table.subscriptionId, table.sequence),
		index("invoices_contract").on(table.environmentId, table.contractId, table.sequence),
		index("invoices_contract_ref")
			.on(table.environmentId, table.contractRefId, table.issuedAt, table.id)
			.where(sql`contract_ref_id IS NOT NULL`),
		index("invoices_state_issued").on(table.environmentId, table.state, table.issuedAt, table.id),
		index("invoices_state_due").on(table.environmentId, table.state, table.dueAt, table.id),
		index("invoices_number").on(table.environmentId, table.number),
	],
);

/** The columns that lines of invoices and of credit notes share. */
const lineColumns = {
	environmentId: text("environment_id").notNull(),
	/** From 0, in the order of the document. */
	position: integer().notNull(),
	kind: text({ enum: invoiceLineKinds }).notNull(),
	description: text().notNull(),
	/** How the description is built, for documents in other languages; null: the text is used as it is. */
	wording: text({ mode: "json" }).$type<Wording>(),
	quantity: text().$type<Decimal>(),
	/** The unit of the quantity, such as "seats"; null: it has no name. */
	unit: text(),
	unitPrice: text("unit_price").$type<Decimal>(),
	tiers: text({ mode: "json" }).$type<readonly TierBreakdown[]>(),
	/**
	 * Major units, in whole minor units of the currency: total = amount - discount + tax. A credit is negative on an invoice, and
	 * positive on a credit note.
	 */
	amount: text().notNull().$type<Decimal>(),
	discount: text().notNull().$type<Decimal>(),
	tax: text().notNull().$type<Decimal>(),
	total: text().notNull().$type<Decimal>(),
	taxPercentage: text("tax_percentage").$type<Decimal>(),
	/** The taxes, which sum to `tax`. Null: the tax is the percentage above. */
	taxes: text({ mode: "json" }).$type<readonly LineTax[]>(),
	/** The discounts of several coupons, which sum to `discount`. Null: at most one coupon applies. */
	discounts: text({ mode: "json" }).$type<readonly LineDiscount[]>(),
	periodStart: integer("period_start").$type<Instant>(),
	periodEnd: integer("period_end").$type<Instant>(),
	/** The caller's ids of what the line charges for. */
	productRefId: text("product_ref_id"),
	featureRefId: text("feature_ref_id"),
	addonRefId: text("addon_ref_id"),
	/** The caller's ids of the customer and the subscription that the line charges for; null: those of the document. */
	customerRefId: text("customer_ref_id"),
	subscriptionRefId: text("subscription_ref_id"),
	/** The terms of the calculation; null if the line was not rated here, or is older than this column. */
	basis: packedPrices<LineBasis>("basis"),
	/** A charge in advance and its credits on all documents share one id. Null: the charge has no id. */
	chargeId: text("charge_id"),
};

/** Matches the few lines that credit a charge, or charge a credit again; Tollgate finds them by the charge id. */
const isCorrection = sql`charge_id IS NOT NULL AND amount LIKE '-%'`;

export const invoiceLines = sqliteTable(
	"invoice_lines",
	{
		invoiceId: text("invoice_id")
			.notNull()
			.references(() => invoices.id),
		/** Added to a draft by a call; only such a line can be removed. */
		isManual: integer("is_manual", { mode: "boolean" }).notNull().default(false),
		...lineColumns,
	},
	(table) => [
		primaryKey({ columns: [table.invoiceId, table.position] }),
		index("invoice_lines_correction").on(table.chargeId).where(isCorrection),
	],
);

/** The last position in the order of issue of each environment. The issuing transaction raises it, so a rollback leaves no gap. */
export const invoiceSequences = sqliteTable("invoice_sequences", {
	environmentId: text("environment_id").primaryKey(),
	last: integer().notNull(),
});

/** Credit notes. A row never changes, except when a manual, unused note is voided. */
export const creditNotes = sqliteTable(
	"credit_notes",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** Row ids without foreign keys, as for invoices. */
		subscriptionId: text("subscription_id"),
		contractId: text("contract_id"),
		/** The corrected invoice, and its printed number; null if the note corrects no invoice. */
		invoiceId: text("invoice_id").references(() => invoices.id),
		invoiceNumber: text("invoice_number"),
		/** Whether its invoice was OPEN at issue, so that the note reduces the amount due. Otherwise the customer is owed it. */
		reducesDue: integer("reduces_due", { mode: "boolean" }).notNull(),
		/** Issued by a call, not by a change of a subscription; only such a note can be voided. */
		isByHand: integer("is_by_hand", { mode: "boolean" }).notNull().default(false),
		/** After this time the note counts for nothing; its number stays used. */
		voidedAt: integer("voided_at").$type<Instant>(),
		number: text().notNull(),
		/** The issuer's row id, as for invoices. */
		legalEntityId: text("legal_entity_id").notNull().default(""),
		numberYear: integer("number_year").notNull().default(0),
		numberCount: integer("number_count").notNull().default(0),
		sequence: integer().notNull(),
		reasonCode: text("reason_code", { enum: creditNoteReasons }).notNull(),
		/** ISO 4217, lower case. */
		currency: text().notNull(),
		issuedAt: integer("issued_at").notNull().$type<Instant>(),
		periodStart: integer("period_start").$type<Instant>(),
		periodEnd: integer("period_end").$type<Instant>(),
		/** Sums of the lines, in major units: total = subTotal - discount + tax, and above zero. */
		subTotal: text("sub_total").notNull().$type<Decimal>(),
		discount: text().notNull().$type<Decimal>(),
		tax: text().notNull().$type<Decimal>(),
		total: text().notNull().$type<Decimal>(),
		/** The part of the total that went to the customer's balance: it has no invoice to reduce, or was already paid. */
		toBalance: text("to_balance").notNull().default("0").$type<Decimal>(),
		taxPercentage: text("tax_percentage").$type<Decimal>(),
		/** The tax at issue in the currency in which its issuer declares it; null: there is no conversion. */
		taxConversion: text("tax_conversion", { mode: "json" }).$type<TaxConversion>(),
		/** The currency in which its issuer declares tax, if no rate was known at issue; there is no conversion then. */
		missingRateTo: text("missing_rate_to"),
		discountLabel: text("discount_label"),
		discountPercent: text("discount_percent").$type<Decimal>(),
		issuer: text({ mode: "json" }).notNull().$type<InvoiceIssuer>(),
		customer: text({ mode: "json" }).notNull().$type<InvoiceParty>(),
		/** Hashes (rules.seal.ts) of the lines, and of the row with them; null for a document older than seals. */
		linesSeal: text("lines_seal"),
		seal: text(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("credit_notes_sequence").on(table.environmentId, table.sequence),
		uniqueIndex("credit_notes_counted").on(
			table.environmentId,
			table.legalEntityId,
			table.numberYear,
			table.numberCount,
		),
		index("credit_notes_customer").on(table.environmentId, table.customerId, table.id),
		index("credit_notes_invoice").on(table.environmentId, table.invoiceId, table.sequence),
		index("credit_notes_contract").on(table.environmentId, table.contractId, table.id),
	],
);

export const creditNoteLines = sqliteTable(
	"credit_note_lines",
	{
		creditNoteId: text("credit_note_id")
			.notNull()
			.references(() => creditNotes.id),
		/** The position of the invoice line that this line credits; null if it credits no single line. */
		invoiceLine: integer("invoice_line"),
		...lineColumns,
	},
	(table) => [
		primaryKey({ columns: [table.creditNoteId, table.position] }),
		index("credit_note_lines_charge").on(table.chargeId).where(sql`charge_id IS NOT NULL`),
	],
);

/** The order of issue of credit notes; see `invoiceSequences`. */
export const creditNoteSequences = sqliteTable("credit_note_sequences", {
	environmentId: text("environment_id").primaryKey(),
	last: integer().notNull(),
});

export type InvoiceRow = typeof invoices.$inferSelect;
export type InvoiceLineRow = typeof invoiceLines.$inferSelect;
export type CreditNoteRow = typeof creditNotes.$inferSelect;
export type CreditNoteLineRow = typeof creditNoteLines.$inferSelect;
/** A line of any document. */
export type LineRow = Omit<InvoiceLineRow, "invoiceId" | "isManual">;

/**
 * The totals issued on each day, excluding canceled invoices. Triggers maintain them (`drizzle/triggers/invoices.sql`), so that a
 * report of a year does not read its invoices.
 */
export const invoiceDays = sqliteTable(
	"invoice_days",
	{
		environmentId: text("environment_id").notNull(),
		/** Days since the epoch, UTC. */
		day: integer().notNull(),
		/** ISO 4217, lower case. */
		currency: text().notNull(),
		invoices: integer().notNull(),
		/** The sum of the `total_hundredths` of the invoices. */
		totalHundredths: integer("total_hundredths").notNull(),
	},
	(table) => [primaryKey({ columns: [table.environmentId, table.day, table.currency] })],
);
