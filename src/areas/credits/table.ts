import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { type Decimal, zero } from "../../kernel/decimal";
import { customCurrencies } from "../currencies/table";
import { customers } from "../customers/table";
import { features } from "../features/table";
import type { Dimensions } from "../pricing/models/formula";
import type { Account } from "./rules.accounts";
import { grantSources, grantStatuses, grantTypes, ledgerEventTypes, paymentCollections } from "./schema.values";

const account = (name: string) => text(name).notNull().default(zero).$type<Decimal>();

/** The credits of a customer, or of one of its resources, in one currency. The first grant or consumption creates the row. */
export const creditWallets = sqliteTable(
	"credit_wallets",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		currencyId: text("currency_id")
			.notNull()
			.references(() => customCurrencies.id),
		/** The caller's id of the resource; empty for the credits that belong to none. */
		resourceRef: text("resource_ref").notNull(),
		/** The accounts (rules.accounts.ts): sums of the wallet's ledger entries. They can be rebuilt from the entries. */
		granted: account("granted"),
		overdraft: account("overdraft"),
		balance: account("balance"),
		consumed: account("consumed"),
		expired: account("expired"),
		voided: account("voided"),
		/** The granted and the consumed credits of the active grants. */
		activeAmount: account("active_amount"),
		activeConsumed: account("active_consumed"),
		/** The accepted consumptions that are not settled yet (`credit_consumptions`). They already count as used. */
		waiting: account("waiting"),
		/** The number of the wallet's ledger entries. */
		entryCount: integer("entry_count").notNull().default(0),
		/** The current overdraft, which later grants settle. */
		overdraftGrantId: text("overdraft_grant_id"),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("credit_wallets_of").on(table.customerId, table.currencyId, table.resourceRef),
		index("credit_wallets_resource").on(table.customerId, table.resourceRef),
		index("credit_wallets_page").on(table.environmentId, table.id),
		index("credit_wallets_customer").on(table.customerId, table.id),
		index("credit_wallets_currency").on(table.currencyId),
	],
);

export type CreditWalletRow = typeof creditWallets.$inferSelect;

export const creditGrants = sqliteTable(
	"credit_grants",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		walletId: text("wallet_id")
			.notNull()
			.references(() => creditWallets.id),
		/** As in the wallet, for lists. */
		customerId: text("customer_id").notNull(),
		resourceRef: text("resource_ref").notNull(),
		displayName: text("display_name").notNull(),
		comment: text(),
		grantType: text("grant_type", { enum: grantTypes }).notNull(),
		/** The source of a recurring grant; null for manual grants, recharges and overdrafts. */
		sourceType: text("source_type", { enum: grantSources }),
		/** The row id of the recurring entitlement or price of one subscription; null as above. */
		sourceId: text("source_id"),
		status: text({ enum: grantStatuses }).notNull(),
		/** Zero for an overdraft. */
		amount: text().notNull().$type<Decimal>(),
		consumed: text().notNull().$type<Decimal>(),
		/** The lower number is consumed first. */
		priority: integer().notNull(),
		effectiveAt: integer("effective_at").notNull().$type<Instant>(),
		expireAt: integer("expire_at").$type<Instant>(),
		/** When the next due step of the grant is: activation or expiry. */
		nextDueAt: integer("next_due_at").$type<Instant>(),
		/** When the grant became active: the instant of its CREDITS_GRANTED. Null until then, and for an overdraft. */
		activeAt: integer("active_at").$type<Instant>(),
		voidedAt: integer("voided_at").$type<Instant>(),
		/** Whether the grant is active and has remaining credits. */
		isOpen: integer("is_open", { mode: "boolean" }).notNull(),
		/** Columns of the order of consumption (`burnDownOrder`): `expireAt` or `neverExpires`, and whether the grant is PAID. */
		expiryRank: integer("expiry_rank").notNull(),
		isPaid: integer("is_paid", { mode: "boolean" }).notNull(),
		/** The price of the whole grant, in major units. */
		costAmount: text("cost_amount").notNull().$type<Decimal>(),
		costCurrency: text("cost_currency").notNull(),
		paymentCollection: text("payment_collection", { enum: paymentCollections }).notNull(),
		invoiceId: text("invoice_id"),
		metadata: text({ mode: "json" }).notNull().$type<Readonly<Record<string, string>>>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("credit_grants_burn")
			.on(table.walletId, table.priority, table.expiryRank, table.isPaid, table.effectiveAt, table.createdAt, table.id)
			.where(sql`is_open = 1`),
		index("credit_grants_due").on(table.environmentId, table.nextDueAt).where(sql`next_due_at is not null`),
		index("credit_grants_wallet_due").on(table.walletId, table.nextDueAt).where(sql`next_due_at is not null`),
		index("credit_grants_customer").on(table.customerId, table.resourceRef, table.id),
		index("credit_grants_wallet").on(table.walletId, table.id),
		index("credit_grants_created").on(table.environmentId, table.createdAt, table.id),
		index("credit_grants_recurring")
			.on(table.walletId, table.expireAt)
			.where(sql`status = 'ACTIVE' and grant_type = 'RECURRING' and expire_at is not null`),
		index("credit_grants_source").on(table.sourceId, table.id).where(sql`source_id is not null`),
		index("credit_grants_invoice").on(table.invoiceId).where(sql`invoice_id is not null`),
	],
);

export type CreditGrantRow = typeof creditGrants.$inferSelect;

/**
 * The ledger, which is append-only. Each entry moves an amount between two accounts of its wallet. Its hash covers the entry and
 * the hash of the previous entry of any wallet.
 */
export const creditEntries = sqliteTable(
	"credit_entries",
	{
		sequence: integer().primaryKey(),
		/** The cursor of pages. */
		id: text().notNull(),
		environmentId: text("environment_id").notNull(),
		walletId: text("wallet_id")
			.notNull()
			.references(() => creditWallets.id),
		/** As in the wallet, for lists. */
		customerId: text("customer_id").notNull(),
		grantId: text("grant_id")
			.notNull()
			.references(() => creditGrants.id),
		eventType: text("event_type", { enum: ledgerEventTypes }).notNull(),
		/** Never less than zero: the accounts define the direction. */
		amount: text().notNull().$type<Decimal>(),
		/** Both null where no credits move (CREDITS_UPDATED). */
		fromAccount: text("from_account").$type<Account>(),
		toAccount: text("to_account").$type<Account>(),
		featureId: text("feature_id").references(() => features.id),
		/** The id of the usage event, the report of usage or the consumption without a feature. */
		eventId: text("event_id"),
		dimensions: text({ mode: "json" }).$type<Dimensions>(),
		/** The number of usage events; null for one, and for entries without events. */
		events: integer(),
		/** By the environment's clock. */
		at: integer().notNull().$type<Instant>(),
		hash: text().notNull(),
	},
	(table) => [
		uniqueIndex("credit_entries_id").on(table.id),
		index("credit_entries_customer").on(table.customerId, table.sequence),
		index("credit_entries_wallet").on(table.walletId, table.sequence),
		// Nearly every entry is a consumption. This index finds the other types.
		index("credit_entries_rare")
			.on(table.customerId, table.eventType, table.sequence)
			.where(sql`event_type <> 'CREDITS_CONSUMED'`),
		// Consumptions and their reversals.
		index("credit_entries_dimensions").on(table.walletId, table.at).where(sql`dimensions is not null`),
	],
);

export type CreditEntryRow = typeof creditEntries.$inferSelect;

/** The consumption of a wallet by feature, hour and day. Written with the ledger, from which it can be rebuilt. */
export const creditUsage = sqliteTable(
	"credit_usage",
	{
		walletId: text("wallet_id").notNull(),
		/** Empty for consumption without a feature. */
		featureId: text("feature_id").notNull(),
		span: text({ enum: ["hour", "day"] }).notNull(),
		/** The hour's or the day's beginning, UTC. */
		at: integer().notNull().$type<Instant>(),
		amount: text().notNull().$type<Decimal>(),
		/** The number of uses; a use that several grants cover counts once. */
		events: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.walletId, table.span, table.at, table.featureId] })],
);

/**
 * Revenue from grants by day and by month, in major units of the currency of their cost (revenue/rules.tally.ts). Written with the
 * ledger, from which it can be rebuilt.
 */
export const creditRevenue = sqliteTable(
	"credit_revenue",
	{
		environmentId: text("environment_id").notNull(),
		currencyId: text("currency_id").notNull(),
		grantType: text("grant_type", { enum: grantTypes }).notNull(),
		costCurrency: text("cost_currency").notNull(),
		span: text({ enum: ["day", "month"] }).notNull(),
		/** The day's or the month's beginning, UTC. */
		at: integer().notNull().$type<Instant>(),
		granted: text().notNull().$type<Decimal>(),
		recognised: text().notNull().$type<Decimal>(),
		breakage: text().notNull().$type<Decimal>(),
		voided: text().notNull().$type<Decimal>(),
	},
	(table) => [
		primaryKey({
			columns: [table.environmentId, table.span, table.at, table.currencyId, table.grantType, table.costCurrency],
		}),
	],
);

export type CreditRevenueRow = typeof creditRevenue.$inferSelect;

/** Consumptions without a feature, by idempotency key: their answers, and whether they are settled. */
export const creditConsumptions = sqliteTable(
	"credit_consumptions",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		walletId: text("wallet_id")
			.notNull()
			.references(() => creditWallets.id),
		idempotencyKey: text("idempotency_key").notNull(),
		amount: text().notNull().$type<Decimal>(),
		dimensions: text({ mode: "json" }).$type<Dimensions>(),
		/** The time that the request named; null where it named none. A repeated request must name the same. */
		sentAt: integer("sent_at").$type<Instant>(),
		at: integer().notNull().$type<Instant>(),
		isSettled: integer("is_settled", { mode: "boolean" }).notNull(),
		/** The totals of the wallet afterwards: the answer to a repeated request. */
		usageAfter: text("usage_after").$type<Decimal>(),
		limitAfter: text("limit_after").$type<Decimal>(),
		periodEndAfter: integer("period_end_after").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("credit_consumptions_key").on(table.customerId, table.idempotencyKey),
		index("credit_consumptions_waiting").on(table.id).where(sql`is_settled = 0`),
	],
);

export type CreditConsumptionRow = typeof creditConsumptions.$inferSelect;

/** The settings of automatic recharges of a customer's credits of one currency, on no resource. */
export const creditAutoRecharges = sqliteTable(
	"credit_auto_recharges",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		currencyId: text("currency_id")
			.notNull()
			.references(() => customCurrencies.id),
		isEnabled: integer("is_enabled", { mode: "boolean" }).notNull(),
		thresholdType: text("threshold_type", { enum: ["CREDIT_AMOUNT", "DOLLAR_AMOUNT"] }).notNull(),
		thresholdValue: text("threshold_value").notNull().$type<Decimal>(),
		/** The threshold in credits. A threshold in money is converted by the last known price of a credit. */
		thresholdCredits: text("threshold_credits").notNull().default(zero).$type<Decimal>(),
		targetBalance: text("target_balance").notNull().$type<Decimal>(),
		/** The spend limit of one calendar month, UTC; null for no limit. */
		maxSpendLimit: text("max_spend_limit").$type<Decimal>(),
		grantExpirationPeriod: text("grant_expiration_period", { enum: ["1_MONTH", "1_YEAR"] }).notNull(),
		/** The price of one credit in the settings; null: the price of the customer's plan. */
		unitPrice: text("unit_price").$type<Decimal>(),
		unitCurrency: text("unit_currency"),
		/** The cost of recharges in the month that began at `spentMonth`. */
		spentMonth: integer("spent_month").$type<Instant>(),
		spent: text().notNull().default(zero).$type<Decimal>(),
		/** The grant whose invoice is open. No other recharge starts until the invoice is paid or canceled. */
		pendingGrantId: text("pending_grant_id"),
		/** Set when the balance falls to the threshold. Then the scheduler carries out the recharge next. */
		nextDueAt: integer("next_due_at").$type<Instant>(),
		/** Why the last recharge failed; null after a successful one. */
		problem: text(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("credit_auto_recharges_of").on(table.customerId, table.currencyId),
		index("credit_auto_recharges_due").on(table.environmentId, table.nextDueAt).where(sql`next_due_at is not null`),
	],
);

export type CreditAutoRechargeRow = typeof creditAutoRecharges.$inferSelect;
