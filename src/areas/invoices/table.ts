import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import { packedPrices } from "../../kernel/storage/packed-text";
import { customers } from "../customers/table";
import type { LineBasis } from "../pricing/basis";
import type { Wording } from "../pricing/wording";
import { balanceEntryKinds } from "./balance/schema";
import { creditNoteReasons } from "./credit-notes/schema";
import { paymentKinds, paymentMethods } from "./payments/schema";
import { billingReasons, invoiceLineKinds, invoiceStates } from "./schema";
import type {
	GrantedCashDiscount,
	InvoiceIssuer,
	InvoiceParty,
	StatedParty,
	TaxConversion,
	TierBreakdown,
} from "./schema.party";

/** As indexes and what looks along them say it: drafts have no number. */
export const isNumbered = sql`sequence > 0`;

export const invoices = sqliteTable(
	"invoices",
	{
		/** Also the "billing provider's invoice id" of the wire: Tollgate is its own provider. */
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** Row ids; invoices know neither subscriptions nor contracts, so these are no foreign keys. */
		subscriptionId: text("subscription_id"),
		contractId: text("contract_id"),
		/** The contract's external id as of issue; what lists filter by. */
		contractRefId: text("contract_ref_id"),
		/** Empty as long as it is a draft. */
		number: text().notNull(),
		/** Who issued it, by row id; numbers are counted by legal entity and, where they carry one, by year (else 0), without a gap. */
		legalEntityId: text("legal_entity_id").notNull().default(""),
		numberYear: integer("number_year").notNull().default(0),
		numberCount: integer("number_count").notNull().default(0),
		/** Over all legal entities, in the order of issue; 0 as long as it is a draft, whose `issuedAt` is when it was made. */
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
		/** How much of the total the customer's balance paid for when it was issued. */
		balanceApplied: text("balance_applied").notNull().default("0").$type<Decimal>(),
		/**
		 * What payments have paid of it, less what was refunded while it was OPEN. Of invoices that were paid before payments
		 * were kept one by one: 0.
		 */
		amountPaid: text("amount_paid").notNull().default("0").$type<Decimal>(),
		/** The total in hundredths of the major unit, whatever the currency: what lists sort by. */
		totalHundredths: integer("total_hundredths").notNull(),
		taxPercentage: text("tax_percentage").$type<Decimal>(),
		/** Null: none is granted, or nothing was due at issue. */
		cashDiscount: text("cash_discount", { mode: "json" }).$type<GrantedCashDiscount>(),
		/** The tax in the currency in which its issuer declares it, as of issue; null: it is stated in no other. */
		taxConversion: text("tax_conversion", { mode: "json" }).$type<TaxConversion>(),
		/** The currency in which its issuer declares tax, where no rate was known at issue: it is stated in none. */
		missingRateTo: text("missing_rate_to"),
		/** Of the discount on the document, as "WELCOME (10% off)": what it is called, and how much it is. */
		discountLabel: text("discount_label"),
		discountPercent: text("discount_percent").$type<Decimal>(),
		poNumber: text("po_number"),
		notes: text(),
		customFields: text("custom_fields", { mode: "json" }).notNull().$type<Readonly<Record<string, string>>>(),
		issuer: text({ mode: "json" }).notNull().$type<InvoiceIssuer>(),
		customer: text({ mode: "json" }).notNull().$type<InvoiceParty>(),
		/** Of a draft: when it is issued by itself, and what was stated of the customer with the purchase. */
		nextDueAt: integer("next_due_at").$type<Instant>(),
		stated: text({ mode: "json" }).$type<StatedParty>(),
		/** Hashes (rules.seal.ts) of its lines, and of the row with these; null of a draft, and where it was issued before there were any. */
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

/** What a line of an invoice and a line of a credit note have alike. */
const lineColumns = {
	environmentId: text("environment_id").notNull(),
	/** From 0, in the order of the document. */
	position: integer().notNull(),
	kind: text({ enum: invoiceLineKinds }).notNull(),
	description: text().notNull(),
	/** How it is put together, for documents in other languages; null: it is written as it is. */
	wording: text({ mode: "json" }).$type<Wording>(),
	quantity: text().$type<Decimal>(),
	/** What the quantity counts, such as "seats"; null: nothing that has a name. */
	unit: text(),
	unitPrice: text("unit_price").$type<Decimal>(),
	tiers: text({ mode: "json" }).$type<readonly TierBreakdown[]>(),
	/**
	 * Major units, in whole minor units of the currency: total = amount - discount + tax. On an invoice a credit is negative;
	 * on a credit note what is credited is positive.
	 */
	amount: text().notNull().$type<Decimal>(),
	discount: text().notNull().$type<Decimal>(),
	tax: text().notNull().$type<Decimal>(),
	total: text().notNull().$type<Decimal>(),
	taxPercentage: text("tax_percentage").$type<Decimal>(),
	periodStart: integer("period_start").$type<Instant>(),
	periodEnd: integer("period_end").$type<Instant>(),
	/** The caller's ids of what the line charges for. */
	productRefId: text("product_ref_id"),
	featureRefId: text("feature_ref_id"),
	addonRefId: text("addon_ref_id"),
	/** What it was calculated from; null where it was not rated here, or before that was kept. */
	basis: packedPrices<LineBasis>("basis"),
	/** A charge in advance and what is credited of it, on whichever document, have one id. Null: it is told by no id. */
	chargeId: text("charge_id"),
};

/** Lines that give a charge back, or charge again what was credited, are looked for by its id; there are few. */
const isCorrection = sql`charge_id IS NOT NULL AND amount LIKE '-%'`;

export const invoiceLines = sqliteTable(
	"invoice_lines",
	{
		invoiceId: text("invoice_id")
			.notNull()
			.references(() => invoices.id),
		/** Added to a draft by a call, and so taken off by one. */
		isManual: integer("is_manual", { mode: "boolean" }).notNull().default(false),
		...lineColumns,
	},
	(table) => [
		primaryKey({ columns: [table.invoiceId, table.position] }),
		index("invoice_lines_correction").on(table.chargeId).where(isCorrection),
	],
);

/** The last place in the order of issue, for each environment; raised in the issuing transaction, so a rollback leaves no gap. */
export const invoiceSequences = sqliteTable("invoice_sequences", {
	environmentId: text("environment_id").primaryKey(),
	last: integer().notNull(),
});

/** Written once, never changed, unless one that was issued by hand and not used is taken back. */
export const creditNotes = sqliteTable(
	"credit_notes",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** Row ids, no foreign keys: as for invoices. */
		subscriptionId: text("subscription_id"),
		contractId: text("contract_id"),
		/** The invoice that it corrects; null when it corrects none by itself. Its number, as it is printed. */
		invoiceId: text("invoice_id").references(() => invoices.id),
		invoiceNumber: text("invoice_number"),
		/** Issued while its invoice was OPEN: that much less is to be paid. Else it is owed to the customer. */
		reducesDue: integer("reduces_due", { mode: "boolean" }).notNull(),
		/** By a call, rather than by what becomes of a subscription: it may be taken back. */
		isByHand: integer("is_by_hand", { mode: "boolean" }).notNull().default(false),
		/** From then on it counts for nothing; its number stays used. */
		voidedAt: integer("voided_at").$type<Instant>(),
		number: text().notNull(),
		/** As for invoices. */
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
		/**
		 * How much of the total went to the customer's balance: no invoice is left to take it off, or the balance had paid
		 * for it.
		 */
		toBalance: text("to_balance").notNull().default("0").$type<Decimal>(),
		taxPercentage: text("tax_percentage").$type<Decimal>(),
		/** The tax in the currency in which its issuer declares it, as of issue; null: it is stated in no other. */
		taxConversion: text("tax_conversion", { mode: "json" }).$type<TaxConversion>(),
		/** The currency in which its issuer declares tax, where no rate was known at issue: it is stated in none. */
		missingRateTo: text("missing_rate_to"),
		discountLabel: text("discount_label"),
		discountPercent: text("discount_percent").$type<Decimal>(),
		issuer: text({ mode: "json" }).notNull().$type<InvoiceIssuer>(),
		customer: text({ mode: "json" }).notNull().$type<InvoiceParty>(),
		/** Hashes (rules.seal.ts) of its lines, and of the row with these; null where it was issued before there were any. */
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
		/** The position of the line of its invoice that it credits; null where it credits none by itself. */
		invoiceLine: integer("invoice_line"),
		...lineColumns,
	},
	(table) => [
		primaryKey({ columns: [table.creditNoteId, table.position] }),
		index("credit_note_lines_charge").on(table.chargeId).where(sql`charge_id IS NOT NULL`),
	],
);

/** As `invoiceSequences`: credit notes have an order of their own. */
export const creditNoteSequences = sqliteTable("credit_note_sequences", {
	environmentId: text("environment_id").primaryKey(),
	last: integer().notNull(),
});

/** What came in for an invoice, or was paid back of it: written once, never changed. */
export const invoicePayments = sqliteTable(
	"invoice_payments",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		invoiceId: text("invoice_id")
			.notNull()
			.references(() => invoices.id),
		kind: text({ enum: paymentKinds }).notNull(),
		/** In major units of the invoice's currency; above zero, of a refund too. */
		amount: text().notNull().$type<Decimal>(),
		/** How much of it went to the customer's balance; of a refund, came from there. */
		balancePart: text("balance_part").notNull().$type<Decimal>(),
		method: text({ enum: paymentMethods }).notNull(),
		/** The caller's own, such as that of the bank's statement: what is told again under it is the same. */
		reference: text(),
		note: text(),
		paidAt: integer("paid_at").notNull().$type<Instant>(),
		/** The hash of the row (rules.seal.ts); null where it was written before there were any. */
		seal: text(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("invoice_payments_invoice").on(table.environmentId, table.invoiceId, table.id),
		uniqueIndex("invoice_payments_reference")
			.on(table.environmentId, table.invoiceId, table.kind, table.reference)
			.where(sql`reference IS NOT NULL`),
	],
);

/**
 * What customers have in credit, as a ledger: rows are added and never changed. The balance of a customer in a currency is
 * what its last row says.
 */
export const customerBalanceEntries = sqliteTable(
	"customer_balance_entries",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** ISO 4217, lower case. */
		currency: text().notNull(),
		/** From 1, without a gap, for each customer and currency. */
		sequence: integer().notNull(),
		kind: text({ enum: balanceEntryKinds }).notNull(),
		/** What the entry adds, in major units; negative for what it takes. Never 0. */
		amount: text().notNull().$type<Decimal>(),
		/** What the customer has after it; never negative. */
		balance: text().notNull().$type<Decimal>(),
		/** One of the three is set, the document that it comes from; of an adjustment, none. */
		invoiceId: text("invoice_id").references(() => invoices.id),
		creditNoteId: text("credit_note_id").references(() => creditNotes.id),
		paymentId: text("payment_id").references(() => invoicePayments.id),
		/** Why it was adjusted; null for what comes from a document. */
		reason: text(),
		/** The hash of the row (rules.seal.ts); null where it was written before there were any. */
		seal: text(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("customer_balance_entries_sequence").on(
			table.environmentId,
			table.customerId,
			table.currency,
			table.sequence,
		),
		index("customer_balance_entries_customer").on(table.environmentId, table.customerId, table.id),
		index("customer_balance_entries_currency").on(table.environmentId, table.customerId, table.currency, table.id),
		index("customer_balance_entries_invoice").on(table.invoiceId).where(sql`invoice_id IS NOT NULL`),
		index("customer_balance_entries_credit_note").on(table.creditNoteId).where(sql`credit_note_id IS NOT NULL`),
		index("customer_balance_entries_payment").on(table.paymentId).where(sql`payment_id IS NOT NULL`),
	],
);

export type InvoicePaymentRow = typeof invoicePayments.$inferSelect;
export type CustomerBalanceEntryRow = typeof customerBalanceEntries.$inferSelect;
export type InvoiceRow = typeof invoices.$inferSelect;
export type InvoiceLineRow = typeof invoiceLines.$inferSelect;
export type CreditNoteRow = typeof creditNotes.$inferSelect;
export type CreditNoteLineRow = typeof creditNoteLines.$inferSelect;
/** A line, whichever document it is on. */
export type LineRow = Omit<InvoiceLineRow, "invoiceId" | "isManual">;

/**
 * What was issued on each day, canceled invoices left out: kept by triggers (`drizzle/triggers/invoices.sql`), so that a year
 * of it is read without its invoices.
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
		/** Their totals, as `total_hundredths` has them. */
		totalHundredths: integer("total_hundredths").notNull(),
	},
	(table) => [primaryKey({ columns: [table.environmentId, table.day, table.currency] })],
);
