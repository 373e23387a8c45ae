import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { createdAtQuery, pageQuery } from "../../kernel/page";
import { queryInteger, queryList } from "../../kernel/query";
import { literals, Metadata, nullable, RefId } from "../../kernel/schema";
import { ProrationMode } from "../../kernel/schema.proration-mode";
import { SearchText } from "../../kernel/search";
import { SpendCommitmentsShown } from "../pricing/commitments/schema.spend-commitment";
import { BillingAnchor } from "../pricing/schema.billing-anchor";
import { SpendThresholdsShown } from "../pricing/schema.spend-thresholds";
import { TermShown } from "../pricing/schema.term";

/** Wire types that plans, addons and subscriptions share, and those of versions. */
export type PackageKind = "PLAN" | "ADDON";

export const PackageStatus = literals("DRAFT", "PUBLISHED", "ARCHIVED");
export type PackageStatus = Static<typeof PackageStatus>;

export const pricingTypes = ["FREE", "PAID", "CUSTOM"] as const;
export const PricingType = literals(...pricingTypes);
export type PricingType = Static<typeof PricingType>;

export const BillingModel = literals("FLAT_FEE", "MINIMUM_SPEND", "PER_UNIT", "USAGE_BASED", "CREDIT_BASED");
export type BillingModel = Static<typeof BillingModel>;

export const BillingCadence = literals("RECURRING", "ONE_OFF");
export type BillingCadence = Static<typeof BillingCadence>;

/** MONTHLY and ANNUALLY are the interface's; the others are our addition. CUSTOM is a `billingInterval` without a name. */
export const billingPeriodNames = [
	"MONTHLY",
	"ANNUALLY",
	"DAILY",
	"WEEKLY",
	"QUARTERLY",
	"HALF_YEARLY",
	"CUSTOM",
] as const;
export const BillingPeriod = literals(...billingPeriodNames);
export type BillingPeriod = Static<typeof BillingPeriod>;

/** Our addition. A count of days up to ten years; `requestedPeriod` limits the other units. */
export const BillingInterval = Type.Object(
	{ unit: literals("DAY", "WEEK", "MONTH", "YEAR"), count: Type.Integer({ minimum: 1, maximum: 3652 }) },
	{ additionalProperties: false },
);

/** The billing period of a request, which may leave it out. */
export const requestedPeriodFields = {
	billingPeriod: Type.Optional(BillingPeriod),
	billingInterval: Type.Optional(BillingInterval),
};

export const OverageBillingPeriod = literals("ON_SUBSCRIPTION_RENEWAL", "MONTHLY");
export type OverageBillingPeriod = Static<typeof OverageBillingPeriod>;

export const TiersMode = literals("VOLUME", "GRADUATED");
export type TiersMode = Static<typeof TiersMode>;

export const CreditGrantCadence = literals("BEGINNING_OF_BILLING_PERIOD", "MONTHLY");
export type CreditGrantCadence = Static<typeof CreditGrantCadence>;

export const CreditCadence = literals("MONTH", "YEAR");
export type CreditCadence = Static<typeof CreditCadence>;

export const EntitlementBehavior = literals("Increment", "Override");
export type EntitlementBehavior = Static<typeof EntitlementBehavior>;

export const WidgetType = literals("PAYWALL", "CUSTOMER_PORTAL", "CHECKOUT");
export type WidgetType = Static<typeof WidgetType>;

export const ResetPeriod = literals("YEAR", "MONTH", "WEEK", "DAY", "HOUR");
export type ResetPeriod = Static<typeof ResetPeriod>;

const YearlyAnchor = literals("SubscriptionStart");
const MonthlyAnchor = literals("SubscriptionStart", "StartOfTheMonth");
const WeeklyAnchor = literals(
	"SubscriptionStart",
	"EverySunday",
	"EveryMonday",
	"EveryTuesday",
	"EveryWednesday",
	"EveryThursday",
	"EveryFriday",
	"EverySaturday",
);
export type ResetAnchor = Static<typeof YearlyAnchor> | Static<typeof MonthlyAnchor> | Static<typeof WeeklyAnchor>;

/** The interface allows an empty object where the contract requires `accordingTo`. Requests accept both. */
const resetConfig = <T extends typeof YearlyAnchor | typeof MonthlyAnchor | typeof WeeklyAnchor>(anchor: T) =>
	Type.Object({ accordingTo: Type.Optional(anchor) }, { additionalProperties: false });

/** The three request fields from which a response builds `resetPeriodConfiguration`. Null is the same as a missing field. */
export const resetConfigurations = {
	yearlyResetPeriodConfiguration: Type.Optional(nullable(resetConfig(YearlyAnchor))),
	monthlyResetPeriodConfiguration: Type.Optional(nullable(resetConfig(MonthlyAnchor))),
	weeklyResetPeriodConfiguration: Type.Optional(nullable(resetConfig(WeeklyAnchor))),
};

/** The same fields after validation. */
export type ResetConfigurations = {
	readonly [Key in keyof typeof resetConfigurations]?: { readonly accordingTo?: ResetAnchor } | null;
};

export const ResetPeriodConfiguration = Type.Object({
	accordingTo: Type.Union([YearlyAnchor, MonthlyAnchor, WeeklyAnchor]),
});

/** Our addition: `dryRun=true` returns the changes that a publication would make, without making them. */
export const PublishQuery = Type.Object(
	{ dryRun: Type.Optional(literals("true", "false")) },
	{ additionalProperties: false },
);

export const PackagePublish = Type.Object(
	{ migrationType: literals("NEW_CUSTOMERS", "ALL_CUSTOMERS") },
	{ additionalProperties: false },
);
export type PackagePublish = Static<typeof PackagePublish>;

export const PackageListQuery = Type.Object(
	{
		...pageQuery,
		...createdAtQuery,
		productId: Type.Optional(Type.String({ maxLength: 255 })),
		// Our addition.
		search: Type.Optional(SearchText),
		status: Type.Optional(queryList("DRAFT", "PUBLISHED", "ARCHIVED")),
	},
	{ additionalProperties: false },
);
export type PackageListQuery = Static<typeof PackageListQuery>;

/** Our choice (docs/interface/catalogue.md#limits). `assertVersionNumber` enforces it. */
export const versionNumberMax = 100_000;

/** Our addition: reads one version by its number instead of the version that reads show. */
const versionQuery = { version: Type.Optional(queryInteger(1, versionNumberMax)) };

export const VersionQuery = Type.Object(versionQuery, { additionalProperties: false });
export type VersionQuery = Static<typeof VersionQuery>;

export const VersionListQuery = Type.Object(pageQuery, { additionalProperties: false });

export const ChargeListQuery = Type.Object({ ...pageQuery, ...versionQuery }, { additionalProperties: false });
export type ChargeListQuery = Static<typeof ChargeListQuery>;

export const EntitlementRef = Type.Object({ id: Type.String(), type: literals("FEATURE", "CREDIT") });
export type EntitlementRef = Static<typeof EntitlementRef>;

/**
 * The ids of other packages: compatible addons, dependencies. Our choice (docs/interface/catalogue.md#limits): at most
 * 200.
 */
export const PackageRefs = Type.Array(RefId, { maxItems: 200, uniqueItems: true });

/** Returns the fields of a plan or an addon in the API: the common ones and its own. */
export const versionFields = <Own extends TProperties>(own: Own) => ({
	id: Type.String(),
	displayName: Type.String(),
	description: nullable(Type.String()),
	productId: Type.String(),
	billingId: nullable(Type.String()),
	status: PackageStatus,
	versionNumber: Type.Integer(),
	isLatest: nullable(Type.Boolean()),
	pricingType: nullable(PricingType),
	// Our additions, present if they are set.
	prorationMode: Type.Optional(ProrationMode),
	billingAnchor: Type.Optional(BillingAnchor),
	term: Type.Optional(TermShown),
	taxes: Type.Optional(Type.Array(Type.String())),
	spendThresholds: Type.Optional(SpendThresholdsShown),
	commitments: Type.Optional(SpendCommitmentsShown),
	...own,
	entitlements: Type.Array(EntitlementRef),
	metadata: Metadata,
	createdAt: Type.String(),
	updatedAt: Type.String(),
});
