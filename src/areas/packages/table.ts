import { sql } from "drizzle-orm";
import {
	type AnySQLiteColumn,
	index,
	integer,
	primaryKey,
	real,
	sqliteTable,
	text,
	uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Money } from "../../kernel/money";
import type { ProrationMode } from "../../kernel/schema.proration-mode";
import { customCurrencies } from "../currencies/table";
import { features } from "../features/table";
import type { PriceTerms } from "../pricing/models/price-terms";
import type { SpendCommitment } from "../pricing/models/spend-commitment";
import type { BillingPeriod } from "../pricing/rules.billing-period";
import type { AgreedTerm } from "../pricing/rules.terms";
import type { BillingAnchor } from "../pricing/schema.billing-anchor";
import { products } from "../products/table";
import type { StoredPhase } from "./rules.phases";
import type {
	BillingCadence,
	BillingModel,
	CreditCadence,
	CreditGrantCadence,
	EntitlementBehavior,
	OverageBillingPeriod,
	PackageKind,
	PackagePublish,
	PackageStatus,
	PricingType,
	ResetAnchor,
	ResetPeriod,
	TiersMode,
	WidgetType,
} from "./schema";

/** Plans and addons: the columns that all versions of one share. */
export const packages = sqliteTable(
	"packages",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		kind: text().notNull().$type<PackageKind>(),
		refId: text("ref_id").notNull(),
		productId: text("product_id")
			.notNull()
			.references(() => products.id),
		/** The row id of the legal entity that invoices its sales; null for the default one. */
		legalEntityId: text("legal_entity_id"),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("packages_ref").on(table.environmentId, table.kind, table.refId),
		index("packages_page").on(table.environmentId, table.kind, table.id),
		index("packages_product").on(table.productId),
	],
);

export type PackageRow = typeof packages.$inferSelect;

/** A plan's default trial. The limit of the budget is an amount in the plan's currency. */
interface TrialConfig {
	readonly duration: number;
	readonly units: "DAY" | "MONTH";
	readonly budget: { readonly limit: Decimal; readonly hasSoftLimit: boolean } | null;
	readonly trialEndBehavior: "CONVERT_TO_PAID" | "CANCEL_SUBSCRIPTION" | null;
	/** Whether usage in the trial is billed at its end. Default: it is free. */
	readonly billsUsage?: true;
}

/**
 * Versions of packages. Only the status and `isLatest` of a published version can change. Two partial indexes allow at most one
 * draft and one latest version for each package.
 */
export const packageVersions = sqliteTable(
	"package_versions",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		packageId: text("package_id")
			.notNull()
			.references(() => packages.id),
		versionNumber: integer("version_number").notNull(),
		status: text().notNull().$type<PackageStatus>(),
		/** True for the version that was published last, even if it was archived since. A draft is never the latest. */
		isLatest: integer("is_latest", { mode: "boolean" }).notNull(),
		displayName: text("display_name").notNull(),
		description: text(),
		billingId: text("billing_id"),
		metadata: text({ mode: "json" }).notNull().$type<Record<string, string>>(),
		/** Null until the pricing is set. */
		pricingType: text("pricing_type").$type<PricingType>(),
		overageBillingPeriod: text("overage_billing_period").$type<OverageBillingPeriod>(),
		/** The default of its charges; null for that of the environment. */
		prorationMode: text("proration_mode").$type<ProrationMode>(),
		/** Plans only: from when billing periods count; null for the anchor of the customer or environment. */
		billingAnchor: text("billing_anchor", { mode: "json" }).$type<BillingAnchor>(),
		/** Plans only: the phases before its own prices apply, from the start of billing; null: none. */
		phases: text({ mode: "json" }).$type<StoredPhase[]>(),
		/** Plans only: the term for which its subscriptions are agreed; null: none. */
		term: text({ mode: "json" }).$type<AgreedTerm>(),
		/** Plans only: the cost of usage that is invoiced at once, by currency; null for none. */
		spendThresholds: text("spend_thresholds", { mode: "json" }).$type<Money[]>(),
		/** Plans only: what all charges of a subscription owe in each window; null for none. */
		commitments: text({ mode: "json" }).$type<SpendCommitment[]>(),
		/** Plans only: the package whose entitlements this version inherits. */
		parentId: text("parent_id").references((): AnySQLiteColumn => packages.id),
		/** Plans only: the ids of the addons that subscriptions may combine with it; null allows all addons of the product. */
		compatibleAddonRefs: text("compatible_addon_refs", { mode: "json" }).$type<string[]>(),
		/** Plans only. */
		defaultTrial: text("default_trial", { mode: "json" }).$type<TrialConfig>(),
		/** Addons only: the ids of the addons that it depends on. */
		dependencyRefs: text("dependency_refs", { mode: "json" }).$type<string[]>(),
		/** Addons only: the maximum quantity per subscription; null for no limit. */
		maxQuantity: integer("max_quantity"),
		/** The taxes of its charges, by the caller's ids; null: those of the customer. */
		taxes: text({ mode: "json" }).$type<string[]>(),
		publishedAt: integer("published_at").$type<Instant>(),
		/** The customers for whom it was published; null for drafts, and for versions that the first releases published. */
		publishedFor: text("published_for").$type<PackagePublish["migrationType"]>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("package_versions_number").on(table.packageId, table.versionNumber),
		index("package_versions_phases").on(table.environmentId).where(sql`phases IS NOT NULL`),
		index("package_versions_thresholds").on(table.environmentId).where(sql`spend_thresholds IS NOT NULL`),
		uniqueIndex("package_versions_draft").on(table.packageId).where(sql`status = 'DRAFT'`),
		uniqueIndex("package_versions_latest").on(table.packageId).where(sql`is_latest = 1`),
		index("package_versions_parent").on(table.parentId),
		index("package_versions_page").on(table.packageId, table.id),
		index("package_versions_environment").on(table.environmentId, table.id),
		index("package_versions_name_search").on(table.environmentId, sql`display_name collate nocase`),
	],
);

/** A version with the columns of its package. */
export type VersionRow = typeof packageVersions.$inferSelect &
	Pick<PackageRow, "kind" | "refId" | "productId"> & { readonly packageCreatedAt: Instant };

/** Both prices apply to one unit and one tier. A null `upTo` is open-ended. */
export interface ChargeTier {
	readonly upTo: Decimal | null;
	readonly unitPrice: Money | null;
	readonly flatPrice: Money | null;
}

/** Prices: one row per billing model, billing period and country. A null country applies to all other countries. */
export const charges = sqliteTable(
	"charges",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		versionId: text("version_id")
			.notNull()
			.references(() => packageVersions.id),
		/** True for the price of overage: usage beyond the limit of an entitlement. */
		isOverage: integer("is_overage", { mode: "boolean" }).notNull(),
		billingModel: text("billing_model").notNull().$type<BillingModel>(),
		billingCadence: text("billing_cadence").notNull().$type<BillingCadence>(),
		billingPeriod: text("billing_period").notNull().$type<BillingPeriod>(),
		/** ISO 3166-1 alpha-2. */
		billingCountryCode: text("billing_country_code"),
		/** The feature that is counted; null for flat fees and minimum spends. */
		featureId: text("feature_id").references(() => features.id),
		/** Overage only: the credit currency whose balance is exceeded. */
		overageCurrencyId: text("overage_currency_id").references(() => customCurrencies.id),
		/** The charge sells top-ups of this currency. */
		topUpCurrencyId: text("top_up_currency_id").references(() => customCurrencies.id),
		/** A flat amount, or an amount for each unit or block; null if tiers or credits set the price. */
		price: text({ mode: "json" }).$type<Money>(),
		tiersMode: text("tiers_mode").$type<TiersMode>(),
		tiers: text({ mode: "json" }).$type<ChargeTier[]>(),
		blockSize: text("block_size").$type<Decimal>(),
		minUnitQuantity: integer("min_unit_quantity"),
		maxUnitQuantity: integer("max_unit_quantity"),
		creditAmount: text("credit_amount").$type<Decimal>(),
		creditCurrencyId: text("credit_currency_id").references(() => customCurrencies.id),
		creditCostFormula: text("credit_cost_formula"),
		creditGrantCadence: text("credit_grant_cadence").$type<CreditGrantCadence>(),
		/** The period after which the counted usage resets. */
		resetPeriod: text("reset_period").$type<ResetPeriod>(),
		resetAnchor: text("reset_anchor").$type<ResetAnchor>(),
		/** Null for that of the subscription, version or environment. */
		prorationMode: text("proration_mode").$type<ProrationMode>(),
		/** IN_ARREARS for a fee or units that the end of the period charges; null for the default of the billing model. */
		paymentTime: text("payment_time").$type<"IN_ARREARS">(),
		/** Whether a change or an end credits the unused time. */
		refundsUnusedTime: integer("refunds_unused_time", { mode: "boolean" }).notNull().default(true),
		/** The caller's name of the charge; null: what it prices. */
		key: text(),
		/** Null: it has none of these terms. */
		priceTerms: text("price_terms", { mode: "json" }).$type<PriceTerms>(),
		/** The taxes of the price, by the caller's ids; null: those of the version. */
		taxes: text({ mode: "json" }).$type<string[]>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("charges_version").on(table.versionId, table.id),
		index("charges_feature").on(table.featureId).where(sql`feature_id IS NOT NULL`),
		index("charges_credit").on(table.creditCurrencyId).where(sql`credit_currency_id IS NOT NULL`),
		index("charges_top_up").on(table.topUpCurrencyId).where(sql`top_up_currency_id IS NOT NULL`),
		index("charges_price_terms").on(table.environmentId).where(sql`price_terms IS NOT NULL`),
		index("charges_at_event")
			.on(table.environmentId, table.versionId)
			.where(sql`price_terms ->> 'eventInvoicing' IS NOT NULL`),
		index("charges_overage").on(table.overageCurrencyId).where(sql`overage_currency_id IS NOT NULL`),
	],
);

export type ChargeRow = typeof charges.$inferSelect;

/**
 * Prices that single subscriptions agreed on, and for which Tollgate counts the events of a feature in addition to its meter. Rows stay,
 * since late events have the price of their time.
 */
export const agreedPrices = sqliteTable(
	"agreed_prices",
	{
		environmentId: text("environment_id").notNull(),
		featureId: text("feature_id")
			.notNull()
			.references(() => features.id),
		/** The id of the price, or of the way to divide usage, within the feature. */
		priceId: text("price_id").notNull(),
		terms: text({ mode: "json" }).notNull().$type<Pick<PriceTerms, "transactionPrice" | "segments">>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [primaryKey({ columns: [table.environmentId, table.featureId, table.priceId] })],
);

/** Grants of a version: one row for each feature or credit currency. Only rows of a draft can change. */
export const packageEntitlements = sqliteTable(
	"package_entitlements",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		versionId: text("version_id")
			.notNull()
			.references(() => packageVersions.id),
		type: text().notNull().$type<"FEATURE" | "CREDIT">(),
		/** Set only for type FEATURE. */
		featureId: text("feature_id").references(() => features.id),
		/** Set only for type CREDIT. */
		currencyId: text("currency_id").references(() => customCurrencies.id),
		description: text(),
		displayNameOverride: text("display_name_override"),
		isGranted: integer("is_granted", { mode: "boolean" }).notNull(),
		isCustom: integer("is_custom", { mode: "boolean" }),
		displayOrder: real("display_order"),
		hiddenFromWidgets: text("hidden_from_widgets", { mode: "json" }).notNull().$type<WidgetType[]>(),
		behavior: text().notNull().$type<EntitlementBehavior>(),
		hasSoftLimit: integer("has_soft_limit", { mode: "boolean" }),
		/** FEATURE only, like the next four columns. */
		usageLimit: text("usage_limit").$type<Decimal>(),
		hasUnlimitedUsage: integer("has_unlimited_usage", { mode: "boolean" }),
		resetPeriod: text("reset_period").$type<ResetPeriod>(),
		/** `accordingTo` of the reset configuration; null if the period has none (DAY, HOUR, no reset). */
		resetAnchor: text("reset_anchor").$type<ResetAnchor>(),
		enumValues: text("enum_values", { mode: "json" }).$type<string[]>(),
		/** CREDIT only, like the next two columns: the credits granted each `cadence`; null if the amount is not set. */
		amount: text().$type<Decimal>(),
		cadence: text().$type<CreditCadence>(),
		/** The granted credits are `amount` times the usage limit of this feature. */
		dependencyFeatureId: text("dependency_feature_id").references(() => features.id),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("package_entitlements_feature").on(table.versionId, table.featureId),
		uniqueIndex("package_entitlements_currency").on(table.versionId, table.currencyId),
		index("package_entitlements_of_feature").on(table.featureId).where(sql`feature_id IS NOT NULL`),
		index("package_entitlements_of_currency").on(table.currencyId).where(sql`currency_id IS NOT NULL`),
		index("package_entitlements_dependency")
			.on(table.dependencyFeatureId)
			.where(sql`dependency_feature_id IS NOT NULL`),
	],
);

export type PackageEntitlementRow = typeof packageEntitlements.$inferSelect;
