import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Amount } from "../../kernel/money";
import { coupons } from "../coupons/table";
import { customCurrencies } from "../currencies/table";
import { customerResources, customers } from "../customers/table";
import { features } from "../features/table";
import type {
	BillingPeriod,
	CreditCadence,
	CreditGrantCadence,
	PricingType,
	ResetAnchor,
	ResetPeriod,
} from "../packages/schema";
import { type ChargeTier, packages, packageVersions } from "../packages/table";
import { products } from "../products/table";
import type {
	CancelReason,
	PaymentCollection,
	SubscriptionCouponStatus,
	SubscriptionStatus,
	TrialEndBehavior,
} from "./schema";
import type { BillingDetails, PaymentCollectionMethod } from "./schema.provision";

/**
 * A price of this subscription alone, in the place of a catalogue price: of the plan's base fee (`isBase`), of a feature of
 * the plan, or of an addon. Amounts are exact; the currency is that of the replaced price unless it says another.
 */
export interface PriceOverride {
	readonly isBase: boolean;
	/** The caller's ids, as they stand on the wire. */
	readonly addonRefId: string | null;
	readonly featureRefId: string | null;
	readonly billingCountryCode: string | null;
	readonly amount: Decimal | null;
	readonly currency: string | null;
	readonly blockSize: Decimal | null;
	readonly tiers: readonly ChargeTier[] | null;
	readonly creditRate: {
		readonly amount: Decimal;
		readonly currencyRefId: string;
		readonly costFormula: string | null;
	} | null;
	readonly creditGrantCadence: CreditGrantCadence | null;
}

/** A customer's right to one version of a plan, and the terms it was sold on. It stays with that version until migrated. */
export const subscriptions = sqliteTable(
	"subscriptions",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		refId: text("ref_id").notNull(),
		billingId: text("billing_id"),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		/** Who is invoiced, where that is not the customer. */
		payingCustomerId: text("paying_customer_id").references(() => customers.id),
		resourceId: text("resource_id").references(() => customerResources.id),
		productId: text("product_id")
			.notNull()
			.references(() => products.id),
		/** The plan, and the version of it that was sold. */
		planId: text("plan_id")
			.notNull()
			.references(() => packages.id),
		versionId: text("version_id")
			.notNull()
			.references(() => packageVersions.id),
		status: text().notNull().$type<SubscriptionStatus>(),
		cancelReason: text("cancel_reason").$type<CancelReason>(),
		pricingType: text("pricing_type").notNull().$type<PricingType>(),
		/** Null where nothing is charged: free and custom plans. */
		billingPeriod: text("billing_period").$type<BillingPeriod>(),
		/** ISO 3166-1 alpha-2: which localised prices hold. */
		billingCountryCode: text("billing_country_code"),
		startAt: integer("start_at").notNull().$type<Instant>(),
		/** The agreed end. */
		endAt: integer("end_at").$type<Instant>(),
		/** When it was, or will be, cancelled. */
		cancelAt: integer("cancel_at").$type<Instant>(),
		/** When it really ended. */
		endedAt: integer("ended_at").$type<Instant>(),
		trialEndAt: integer("trial_end_at").$type<Instant>(),
		trialEndBehavior: text("trial_end_behavior").$type<TrialEndBehavior>(),
		/** Billing periods are counted from here; null where nothing is charged. */
		billingAnchorAt: integer("billing_anchor_at").$type<Instant>(),
		/** Up to here the recurring charges are settled: a renewal begins where it stops. Null where nothing is charged. */
		billedUntil: integer("billed_until").$type<Instant>(),
		/** Usage periods of "SubscriptionStart" are counted from here. */
		usageAnchorAt: integer("usage_anchor_at").notNull().$type<Instant>(),
		paymentCollection: text("payment_collection").notNull().$type<PaymentCollection>(),
		paymentCollectionMethod: text("payment_collection_method").$type<PaymentCollectionMethod>(),
		minimumSpend: text("minimum_spend", { mode: "json" }).$type<Amount>(),
		/** The most that on-demand charges may come to, in the currency of the prices. */
		budget: text({ mode: "json" }).$type<{ readonly limit: Decimal; readonly hasSoftLimit: boolean }>(),
		/** 0 to 100. */
		taxPercentage: text("tax_percentage").$type<Decimal>(),
		invoiceDaysUntilDue: integer("invoice_days_until_due"),
		/** The billing information that has no column of its own. */
		billingDetails: text("billing_details", { mode: "json" }).$type<BillingDetails>(),
		priceOverrides: text("price_overrides", { mode: "json" }).notNull().$type<PriceOverride[]>(),
		metadata: text({ mode: "json" }).notNull().$type<Record<string, string>>(),
		salesforceId: text("salesforce_id"),
		/** Row id and external id of the contract it belongs to; no reference, since contracts come later. */
		contractId: text("contract_id"),
		contractRefId: text("contract_ref_id"),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("subscriptions_ref").on(table.environmentId, table.refId),
		index("subscriptions_page").on(table.environmentId, table.id),
		index("subscriptions_customer").on(table.customerId, table.id),
		index("subscriptions_plan").on(table.planId, table.id),
		// Holds all that the catalogue asks of a version's subscriptions: which of its prices are used.
		index("subscriptions_version").on(
			table.versionId,
			table.status,
			table.billingPeriod,
			table.billingCountryCode,
			table.endAt,
			table.environmentId,
		),
		index("subscriptions_contract").on(table.contractId),
		// One that runs for each customer, product and resource: the database itself keeps the rule.
		// (Two indexes, since to SQLite no resource is different from no resource.)
		uniqueIndex("subscriptions_running")
			.on(table.customerId, table.productId)
			.where(sql`status = 'ACTIVE' AND resource_id IS NULL`),
		uniqueIndex("subscriptions_running_resource")
			.on(table.customerId, table.productId, table.resourceId)
			.where(sql`status = 'ACTIVE' AND resource_id IS NOT NULL`),
	],
);

export type SubscriptionRow = typeof subscriptions.$inferSelect;

export const subscriptionAddons = sqliteTable(
	"subscription_addons",
	{
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		/** The addon, and the version of it that was sold. */
		addonId: text("addon_id")
			.notNull()
			.references(() => packages.id),
		versionId: text("version_id")
			.notNull()
			.references(() => packageVersions.id),
		position: integer().notNull(),
		quantity: integer().notNull(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		primaryKey({ columns: [table.subscriptionId, table.addonId] }),
		index("subscription_addons_version").on(table.versionId),
	],
);

export type SubscriptionAddonRow = typeof subscriptionAddons.$inferSelect;

/** Units bought in advance: of a feature, or of a credit currency (exactly one of the two is set). */
export const subscriptionQuantities = sqliteTable(
	"subscription_quantities",
	{
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		position: integer().notNull(),
		featureId: text("feature_id").references(() => features.id),
		currencyId: text("currency_id").references(() => customCurrencies.id),
		quantity: text().notNull().$type<Decimal>(),
	},
	(table) => [primaryKey({ columns: [table.subscriptionId, table.position] })],
);

export type SubscriptionQuantityRow = typeof subscriptionQuantities.$inferSelect;

/** Entitlements of this subscription alone: of a feature, or of a credit currency (exactly one of the two is set). */
export const subscriptionEntitlements = sqliteTable(
	"subscription_entitlements",
	{
		id: text().primaryKey(),
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		featureId: text("feature_id").references(() => features.id),
		usageLimit: text("usage_limit").$type<Decimal>(),
		hasUnlimitedUsage: integer("has_unlimited_usage", { mode: "boolean" }),
		hasSoftLimit: integer("has_soft_limit", { mode: "boolean" }),
		resetPeriod: text("reset_period").$type<ResetPeriod>(),
		resetAnchor: text("reset_anchor").$type<ResetAnchor>(),
		currencyId: text("currency_id").references(() => customCurrencies.id),
		amount: text().$type<Decimal>(),
		cadence: text().$type<CreditCadence>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [index("subscription_entitlements_subscription").on(table.subscriptionId)],
);

export type SubscriptionEntitlementRow = typeof subscriptionEntitlements.$inferSelect;

/** A discount on this subscription, from its start for as long as the coupon lasts. */
export const subscriptionCoupons = sqliteTable(
	"subscription_coupons",
	{
		id: text().primaryKey(),
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		couponId: text("coupon_id")
			.notNull()
			.references(() => coupons.id),
		status: text().notNull().$type<SubscriptionCouponStatus>(),
		startAt: integer("start_at").notNull().$type<Instant>(),
		/** Null: without end. */
		endAt: integer("end_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [index("subscription_coupons_subscription").on(table.subscriptionId)],
);

export type SubscriptionCouponRow = typeof subscriptionCoupons.$inferSelect;

/**
 * A subscription's change from one version of its plan, or of an addon, to another, as a publication brought it. It is
 * entitled by the new version at once; what is charged for the time before `pricesFrom` is charged by the old one.
 */
export const subscriptionVersionChanges = sqliteTable(
	"subscription_version_changes",
	{
		id: text().primaryKey(),
		subscriptionId: text("subscription_id")
			.notNull()
			.references(() => subscriptions.id),
		packageId: text("package_id")
			.notNull()
			.references(() => packages.id),
		fromVersionId: text("from_version_id")
			.notNull()
			.references(() => packageVersions.id),
		toVersionId: text("to_version_id")
			.notNull()
			.references(() => packageVersions.id),
		changedAt: integer("changed_at").notNull().$type<Instant>(),
		/** The start of the next billing period; that of the change itself where nothing was charged. */
		pricesFrom: integer("prices_from").notNull().$type<Instant>(),
	},
	(table) => [index("subscription_version_changes_subscription").on(table.subscriptionId, table.id)],
);

export type SubscriptionVersionChangeRow = typeof subscriptionVersionChanges.$inferSelect;
