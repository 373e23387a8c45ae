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

/** The credits of one currency that a customer has, or one resource of a customer. Made by its first grant or consumption. */
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
		/** The accounts (rules.accounts.ts): sums of the wallet's ledger entries, which can be reckoned anew from these. */
		granted: account("granted"),
		overdraft: account("overdraft"),
		balance: account("balance"),
		consumed: account("consumed"),
		expired: account("expired"),
		voided: account("voided"),
		/** Of the grants that are active now: what they grant, and what of that is consumed. */
		activeAmount: account("active_amount"),
		activeConsumed: account("active_consumed"),
		/** Of accepted consumptions that are still to be settled (`credit_consumptions`): counts as used already. */
		waiting: account("waiting"),
		/** How many entries of the ledger are of it. */
		entryCount: integer("entry_count").notNull().default(0),
		/** The one overdraft that waits for grants. */
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
		/** Of the wallet, for lists. */
		customerId: text("customer_id").notNull(),
		resourceRef: text("resource_ref").notNull(),
		displayName: text("display_name").notNull(),
		comment: text(),
		grantType: text("grant_type", { enum: grantTypes }).notNull(),
		/** What a recurring grant comes from; null for what was granted by hand, by a recharge, and for an overdraft. */
		sourceType: text("source_type", { enum: grantSources }),
		/** The row id of what recurs, of one subscription; null as above. */
		sourceId: text("source_id"),
		status: text({ enum: grantStatuses }).notNull(),
		/** Zero for an overdraft. */
		amount: text().notNull().$type<Decimal>(),
		consumed: text().notNull().$type<Decimal>(),
		/** Lower is used first. */
		priority: integer().notNull(),
		effectiveAt: integer("effective_at").notNull().$type<Instant>(),
		expireAt: integer("expire_at").$type<Instant>(),
		/** When something happens to it by itself: it becomes effective, or expires. */
		nextDueAt: integer("next_due_at").$type<Instant>(),
		/** When it became active: the instant of its CREDITS_GRANTED. Null until then, and for an overdraft. */
		activeAt: integer("active_at").$type<Instant>(),
		voidedAt: integer("voided_at").$type<Instant>(),
		/** Active, and something is left of it: the next consumption may take from it. */
		isOpen: integer("is_open", { mode: "boolean" }).notNull(),
		/** The order of consumption beyond the priority: `expireAt`, or the end of time; and paid after what was given. */
		expiryRank: integer("expiry_rank").notNull(),
		isPaid: integer("is_paid", { mode: "boolean" }).notNull(),
		/** What was paid, or is to be, for the whole amount; in major units. */
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
 * The ledger: appended only. Each entry moves an amount from one account of its wallet to another, and carries a hash over
 * itself and the entry before it, whosever that is.
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
		/** Of the wallet, for lists. */
		customerId: text("customer_id").notNull(),
		grantId: text("grant_id")
			.notNull()
			.references(() => creditGrants.id),
		eventType: text("event_type", { enum: ledgerEventTypes }).notNull(),
		/** Never less than zero: the direction is that of the accounts. */
		amount: text().notNull().$type<Decimal>(),
		/** Both null where nothing moves (CREDITS_UPDATED). */
		fromAccount: text("from_account").$type<Account>(),
		toAccount: text("to_account").$type<Account>(),
		featureId: text("feature_id").references(() => features.id),
		/** What was consumed by: the usage event, the report of usage, or the consumption without a feature. */
		eventId: text("event_id"),
		dimensions: text({ mode: "json" }).$type<Dimensions>(),
		/** How many usage events it is of; null for one, and for what is of none. */
		events: integer(),
		/** When it happened, by the environment's clock. */
		at: integer().notNull().$type<Instant>(),
		hash: text().notNull(),
	},
	(table) => [
		uniqueIndex("credit_entries_id").on(table.id),
		index("credit_entries_customer").on(table.customerId, table.sequence),
		index("credit_entries_wallet").on(table.walletId, table.sequence),
		// All others are found among these two: nearly every entry is a consumption.
		index("credit_entries_rare")
			.on(table.customerId, table.eventType, table.sequence)
			.where(sql`event_type <> 'CREDITS_CONSUMED'`),
		// Of consumptions, and of what was given back of them.
		index("credit_entries_dimensions").on(table.walletId, table.at).where(sql`dimensions is not null`),
	],
);

export type CreditEntryRow = typeof creditEntries.$inferSelect;

/** What a wallet has consumed by hour and by day, feature by feature: written with the ledger, which could give it again. */
export const creditUsage = sqliteTable(
	"credit_usage",
	{
		walletId: text("wallet_id").notNull(),
		/** Empty for what was consumed without a feature. */
		featureId: text("feature_id").notNull(),
		span: text({ enum: ["hour", "day"] }).notNull(),
		/** The hour's or the day's beginning, UTC. */
		at: integer().notNull().$type<Instant>(),
		amount: text().notNull().$type<Decimal>(),
		/** How many times something was consumed, however many grants that took. */
		events: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.walletId, table.span, table.at, table.featureId] })],
);

/**
 * What grants cost, and what became of it, by day and by month: written with the ledger, which could give it again. In major
 * units of the cost's currency; see rules.revenue.ts.
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

/** What was consumed without a feature, by its idempotency key: what was answered, or that it is still to be settled. */
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
		/** When it was consumed; null where the caller named no time, and so may name none again. */
		sentAt: integer("sent_at").$type<Instant>(),
		at: integer().notNull().$type<Instant>(),
		isSettled: integer("is_settled", { mode: "boolean" }).notNull(),
		/** What the wallet showed after it: what is answered when its key comes again. */
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

/** When and how far a customer's credits of one currency (of no resource) are filled up again. */
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
		/** The threshold in credits; of money, by the price of a credit when that was last looked at. */
		thresholdCredits: text("threshold_credits").notNull().default(zero).$type<Decimal>(),
		targetBalance: text("target_balance").notNull().$type<Decimal>(),
		/** Money of one calendar month, UTC; null for no cap. */
		maxSpendLimit: text("max_spend_limit").$type<Decimal>(),
		grantExpirationPeriod: text("grant_expiration_period", { enum: ["1_MONTH", "1_YEAR"] }).notNull(),
		/** The price of one credit, where the settings say it; null: that of the customer's plan. */
		unitPrice: text("unit_price").$type<Decimal>(),
		unitCurrency: text("unit_currency"),
		/** What recharges have cost in the month that began then. */
		spentMonth: integer("spent_month").$type<Instant>(),
		spent: text().notNull().default(zero).$type<Decimal>(),
		/** The grant whose invoice is open: until that is paid or canceled no other recharge begins. */
		pendingGrantId: text("pending_grant_id"),
		/** Set when the balance has come down to the threshold: the recharge is the next step of the sweep. */
		nextDueAt: integer("next_due_at").$type<Instant>(),
		/** Why the last attempt did not recharge; null after one that did. */
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
