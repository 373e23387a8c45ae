import type { PricePeriod } from "../../../areas/packages/charges/schema";
import type { BillingModel, TiersMode } from "../../../areas/packages/schema";
import type { BillingPeriod } from "../../../areas/pricing/rules.billing-period";
import type { ProrationMode } from "../../../kernel/schema.proration-mode";

/** The ways to charge a level, such as seats, that a price can have. */
export const usageMeasures = ["TIME_WEIGHTED", "PEAK"] as const;

export const openModels = ["FLAT_FEE", "PER_UNIT", "USAGE_BASED", "MINIMUM_SPEND"] as const;
export const countingModels: ReadonlySet<BillingModel> = new Set(["PER_UNIT", "USAGE_BASED"]);
export type OpenModel = (typeof openModels)[number];

export type Amount = number | undefined;
export type ByPeriod = Readonly<Partial<Record<BillingPeriod, Amount>>>;

/** The last tier has no `upTo`. */
export interface TierRow {
	readonly upTo?: Amount;
	readonly each: ByPeriod;
	readonly flat: ByPeriod;
	/** The amounts in further currencies, by currency. */
	readonly further?: Readonly<Record<string, { readonly each: ByPeriod; readonly flat: ByPeriod }>> | undefined;
}

/** A price as the form edits it, with the amounts of all billing periods side by side. */
export interface OpenPrice {
	readonly billingModel: OpenModel;
	readonly billingCadence: "RECURRING" | "ONE_OFF";
	readonly featureId?: string | undefined;
	readonly minUnitQuantity?: Amount;
	readonly maxUnitQuantity?: Amount;
	readonly prorationMode?: ProrationMode | undefined;
	readonly refundsUnusedTime?: boolean | undefined;
	/** AT_EVENT is for usage, IN_ARREARS for fees and units. */
	readonly paymentTime?: "IN_ARREARS" | "AT_EVENT" | undefined;
	readonly eventInvoicing?: "PERIOD_END" | undefined;
	/** Null or missing: those of the version. */
	readonly taxes?: readonly string[] | null | undefined;
	readonly amount: ByPeriod;
	/** The amounts in further currencies, by currency. */
	readonly further?: Readonly<Record<string, ByPeriod>> | undefined;
	readonly tiersMode?: TiersMode | undefined;
	readonly tiers: readonly TierRow[];
	/** Kept as it is. */
	readonly key?: string | undefined;
	readonly chargesFlatPriceUnused?: boolean | undefined;
	/** How a level counts; undefined: as it is metered. */
	readonly usageMeasure?: (typeof usageMeasures)[number] | undefined;
	/** The bounds of the cost of usage, for every period. */
	readonly minimumAmount?: Amount;
	readonly maximumAmount?: Amount;
	/** How often usage is charged; undefined: each billing period. */
	readonly chargeInterval?: BillingPeriod | undefined;
	/** The same commitment for every period. */
	readonly commitment?: Commitment | undefined;
}

export type Commitment = NonNullable<PricePeriod["commitment"]>;
