import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Money } from "../../kernel/money";
import { customCurrencies } from "../currencies/table";
import { features } from "../features/table";
import { products } from "../products/table";
import type {
	BillingCadence,
	BillingModel,
	BillingPeriod,
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

/** A plan or an addon: what all its versions share. */
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
		/** Row id of who invoices what is sold of it; null: the default one. */
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

/** A plan's default trial. The budget's limit is an amount of money in the plan's currency. */
interface TrialConfig {
	readonly duration: number;
	readonly units: "DAY" | "MONTH";
	readonly budget: { readonly limit: Decimal; readonly hasSoftLimit: boolean } | null;
	readonly trialEndBehavior: "CONVERT_TO_PAID" | "CANCEL_SUBSCRIPTION" | null;
}

/**
 * One version of a package. A published version never changes again, but for its status and `isLatest`.
 * The two partial indexes let the database itself say: at most one draft and one latest version for each package.
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
		/** True for the version that was published last, also when it is archived since. A draft is never the latest. */
		isLatest: integer("is_latest", { mode: "boolean" }).notNull(),
		displayName: text("display_name").notNull(),
		description: text(),
		billingId: text("billing_id"),
		metadata: text({ mode: "json" }).notNull().$type<Record<string, string>>(),
		/** Null until pricing is set. */
		pricingType: text("pricing_type").$type<PricingType>(),
		overageBillingPeriod: text("overage_billing_period").$type<OverageBillingPeriod>(),
		/** Plans only: the package whose entitlements this version inherits. */
		parentId: text("parent_id").references((): AnySQLiteColumn => packages.id),
		/** Plans only: refs of the addons that may go with it; null means that all of the product may. */
		compatibleAddonRefs: text("compatible_addon_refs", { mode: "json" }).$type<string[]>(),
		/** Plans only. */
		defaultTrial: text("default_trial", { mode: "json" }).$type<TrialConfig>(),
		/** Addons only: refs of the addons that must be there too. */
		dependencyRefs: text("dependency_refs", { mode: "json" }).$type<string[]>(),
		/** Addons only: how many one subscription may hold; null means any number. */
		maxQuantity: integer("max_quantity"),
		publishedAt: integer("published_at").$type<Instant>(),
		/** Who was to have it at its publication; null while it is a draft, and for what was published by the first releases. */
		publishedFor: text("published_for").$type<PackagePublish["migrationType"]>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("package_versions_number").on(table.packageId, table.versionNumber),
		uniqueIndex("package_versions_draft").on(table.packageId).where(sql`status = 'DRAFT'`),
		uniqueIndex("package_versions_latest").on(table.packageId).where(sql`is_latest = 1`),
		index("package_versions_parent").on(table.parentId),
		index("package_versions_page").on(table.packageId, table.id),
		index("package_versions_environment").on(table.environmentId, table.id),
		index("package_versions_name_search").on(table.environmentId, sql`display_name collate nocase`),
	],
);

/** A version together with what its package gives to all versions. */
export type VersionRow = typeof packageVersions.$inferSelect &
	Pick<PackageRow, "kind" | "refId" | "productId"> & { readonly packageCreatedAt: Instant };

/** Both prices are of one unit and one tier; `upTo` null is open-ended. */
export interface ChargeTier {
	readonly upTo: Decimal | null;
	readonly unitPrice: Money | null;
	readonly flatPrice: Money | null;
}

/** One price: a billing model for one billing period and one country (null: everywhere else). */
export const charges = sqliteTable(
	"charges",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		versionId: text("version_id")
			.notNull()
			.references(() => packageVersions.id),
		/** Overage: the price of what lies beyond an entitlement's limit. */
		isOverage: integer("is_overage", { mode: "boolean" }).notNull(),
		billingModel: text("billing_model").notNull().$type<BillingModel>(),
		billingCadence: text("billing_cadence").notNull().$type<BillingCadence>(),
		billingPeriod: text("billing_period").notNull().$type<BillingPeriod>(),
		/** ISO 3166-1 alpha-2. */
		billingCountryCode: text("billing_country_code"),
		/** What is counted: none for flat fees and minimum spends. */
		featureId: text("feature_id").references(() => features.id),
		/** Overage only: the credit currency whose balance is exceeded. */
		overageCurrencyId: text("overage_currency_id").references(() => customCurrencies.id),
		/** The charge sells top-ups of this currency. */
		topUpCurrencyId: text("top_up_currency_id").references(() => customCurrencies.id),
		/** Flat amount, or amount for each unit or block; null where tiers or credits price. */
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
		/** When the counted usage starts again. */
		resetPeriod: text("reset_period").$type<ResetPeriod>(),
		resetAnchor: text("reset_anchor").$type<ResetAnchor>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
	},
	(table) => [
		index("charges_version").on(table.versionId, table.id),
		index("charges_feature").on(table.featureId).where(sql`feature_id IS NOT NULL`),
		index("charges_credit").on(table.creditCurrencyId).where(sql`credit_currency_id IS NOT NULL`),
		index("charges_top_up").on(table.topUpCurrencyId).where(sql`top_up_currency_id IS NOT NULL`),
		index("charges_overage").on(table.overageCurrencyId).where(sql`overage_currency_id IS NOT NULL`),
	],
);

export type ChargeRow = typeof charges.$inferSelect;

/** What a version grants: one row for each feature or credit currency. A draft's rows may change, a published one's never. */
export const packageEntitlements = sqliteTable(
	"package_entitlements",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		versionId: text("version_id")
			.notNull()
			.references(() => packageVersions.id),
		type: text().notNull().$type<"FEATURE" | "CREDIT">(),
		/** Set exactly for type FEATURE. */
		featureId: text("feature_id").references(() => features.id),
		/** Set exactly for type CREDIT. */
		currencyId: text("currency_id").references(() => customCurrencies.id),
		description: text(),
		displayNameOverride: text("display_name_override"),
		isGranted: integer("is_granted", { mode: "boolean" }).notNull(),
		isCustom: integer("is_custom", { mode: "boolean" }),
		displayOrder: real("display_order"),
		hiddenFromWidgets: text("hidden_from_widgets", { mode: "json" }).notNull().$type<WidgetType[]>(),
		behavior: text().notNull().$type<EntitlementBehavior>(),
		hasSoftLimit: integer("has_soft_limit", { mode: "boolean" }),
		/** FEATURE only, as are the next four. */
		usageLimit: text("usage_limit").$type<Decimal>(),
		hasUnlimitedUsage: integer("has_unlimited_usage", { mode: "boolean" }),
		resetPeriod: text("reset_period").$type<ResetPeriod>(),
		/** `accordingTo` of the reset configuration; null where the period has none (DAY, HOUR, no reset). */
		resetAnchor: text("reset_anchor").$type<ResetAnchor>(),
		enumValues: text("enum_values", { mode: "json" }).$type<string[]>(),
		/** CREDIT only, as are the next two: credits granted each `cadence`; null leaves the amount open. */
		amount: text().$type<Decimal>(),
		cadence: text().$type<CreditCadence>(),
		/** The effective credits are `amount` times the usage limit of this feature. */
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
