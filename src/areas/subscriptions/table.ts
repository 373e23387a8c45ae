import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Money } from "../../kernel/money";
import type { Period } from "../../kernel/period";
import type { DueProblem } from "../../kernel/problem";
import type { ProrationMode } from "../../kernel/schema.proration-mode";
import { customerResources, customers } from "../customers/table";
import type { TransactionPriceInput, VariantInput } from "../packages/charges/schema";
import type { StoredPhase } from "../packages/rules.phases";
import type { CreditGrantCadence, PricingType } from "../packages/schema";
import { type ChargeTier, packages, packageVersions } from "../packages/table";
import type { Discount } from "../pricing/discount";
import type { NamedDiscount } from "../pricing/discounts";
import type { RatedLine } from "../pricing/line";
import type { PriceTermChanges } from "../pricing/models/price-terms";
import type { SpendCommitment } from "../pricing/models/spend-commitment";
import type { ChargeItem } from "../pricing/rate";
import type { BillingPeriod } from "../pricing/rules.billing-period";
import type { PhasePosition } from "../pricing/rules.phases";
import type { AgreedTerm, RunningTerm, Uplifts } from "../pricing/rules.terms";
import type { BillingAnchor } from "../pricing/schema.billing-anchor";
import { products } from "../products/table";
import type { Taxation } from "../taxes/rules.levels";
import type { DueKind, Pause } from "./rules.due";
import type {
	CancellationAction,
	CancelReason,
	PaymentCollection,
	SubscriptionStatus,
	TrialEndBehavior,
} from "./schema";
import type { BillingDetails, PaymentCollectionMethod } from "./schema.provision";

/**
 * A price of this subscription that replaces a catalogue price: the plan's base fee (`isBase`), a feature of the plan,
 * or an addon. Amounts are exact. Without a currency, that of the replaced price applies.
 */
export interface PriceOverride {
	readonly isBase: boolean;
	/** The caller's ids. */
	readonly addonRefId: string | null;
	readonly featureRefId: string | null;
	/** The credits that are bought by the unit. */
	readonly currencyRefId?: string | null;
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
	/** The key of the charge. Missing: the other fields name the price. */
	readonly key?: string;
	/** Changes of the price's terms; null removes one. Missing: none. */
	readonly terms?: PriceTermChanges;
	/** Prices of transactions and of variants, as requested; null removes one. Missing: none. */
	readonly priced?: {
		readonly transactionPrice?: TransactionPriceInput | null;
		readonly variants?: readonly VariantInput[] | null;
	};
}

/**
 * The charge in advance of a billing period, exactly as it was invoiced. A credit for unused time reverses this charge,
 * whatever has changed since.
 */
export interface ChargedPeriod {
	/** The whole billing period, even if it was charged from a later time on. */
	readonly period: Period;
	/** The start of the charge: mid-cycle if the time before was settled separately. Default: the start of the period. */
	readonly from?: Instant;
	readonly currency: string;
	/** Recurring items for the whole period. Manually credited amounts are not credited again. */
	readonly items: ReadonlyArray<ChargeItem & ManualCredit>;
	readonly coupon: Discount | null;
	readonly taxPercentage: Decimal | null;
	/** The minimum spend that was charged, and the part that on-demand charges have used; whole minor units. */
	readonly minimum: { readonly paid: Decimal; readonly drawn: Decimal } | null;
	/**
	 * Charged by another system, before an import or a start in the past. A change pays the difference; an end credits
	 * nothing.
	 */
	readonly elsewhere?: true;
	/** The charge of another system for this time that was offset here. An end does not pay it out. */
	readonly setAgainst?: ChargedPeriod;
}

/** The part of a charge that was credited manually: all of it, or all except `left`. */
export interface ManualCredit {
	readonly isGivenBack?: true;
	readonly left?: { readonly part: Decimal; readonly whole: Decimal };
}

/** The discount and tax of items. */
export interface DiscountAndTax extends Pick<ChargedPeriod, "coupon" | "taxPercentage"> {
	/** Several coupons, in the order in which they apply, in place of one. */
	readonly discounts?: readonly NamedDiscount[];
	/** Missing: the items have their taxes already, or no tax can apply. */
	readonly taxation?: Taxation;
}

export interface PendingProrations {
	readonly currency: string;
	readonly lines: readonly RatedLine[];
}

/** A time in which the usage of children counts. A null start is before all usage; a null end has not come. */
export interface ChildUsage {
	readonly start: Instant | null;
	readonly end: Instant | null;
}

/**
 * A customer's right to one version of a plan, and the terms of the sale. It keeps that version until it is migrated.
 */
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
		/** The customer that is invoiced, if it is another one. */
		payingCustomerId: text("paying_customer_id").references(() => customers.id),
		resourceId: text("resource_id").references(() => customerResources.id),
		productId: text("product_id")
			.notNull()
			.references(() => products.id),
		/** The plan, and its version that was sold. */
		planId: text("plan_id")
			.notNull()
			.references(() => packages.id),
		versionId: text("version_id")
			.notNull()
			.references(() => packageVersions.id),
		status: text().notNull().$type<SubscriptionStatus>(),
		cancelReason: text("cancel_reason").$type<CancelReason>(),
		pricingType: text("pricing_type").notNull().$type<PricingType>(),
		/** Null if nothing is charged: free and custom plans. */
		billingPeriod: text("billing_period").$type<BillingPeriod>(),
		/** ISO 3166-1 alpha-2: the country whose prices apply. */
		billingCountryCode: text("billing_country_code"),
		/** ISO 4217, lower case: the currency chosen for it; null if its price lists left no choice. */
		billingCurrency: text("billing_currency"),
		startAt: integer("start_at").notNull().$type<Instant>(),
		/** The agreed end. */
		endAt: integer("end_at").$type<Instant>(),
		/** When it was canceled, or will be. */
		cancelAt: integer("cancel_at").$type<Instant>(),
		/** When it actually ended. */
		endedAt: integer("ended_at").$type<Instant>(),
		trialEndAt: integer("trial_end_at").$type<Instant>(),
		trialEndBehavior: text("trial_end_behavior").$type<TrialEndBehavior>(),
		/** The anchor of billing periods; null if nothing is charged. */
		billingAnchorAt: integer("billing_anchor_at").$type<Instant>(),
		/** The zone in which its billing periods count; null: UTC. */
		timeZone: text("time_zone"),
		/** The anchor that was chosen for this subscription; null: the environment's. */
		billingAnchor: text("billing_anchor", { mode: "json" }).$type<BillingAnchor>(),
		/** Where periods count from once the paid one has run out; null: as before. */
		nextCycle: text("next_cycle", { mode: "json" }).$type<{
			readonly anchorAt: Instant;
			readonly timeZone: string | null;
		}>(),
		/** The present periods begin here: other ones counted before. Null: from the start. */
		cycleStartsAt: integer("cycle_starts_at").$type<Instant>(),
		/** The recurring charges are settled until here, where the next renewal starts. Null if nothing is charged. */
		billedUntil: integer("billed_until").$type<Instant>(),
		/**
		 * From when its present items and prices apply: no change can be dated before it. Null: an earlier release made the last change, or
		 * there was none.
		 */
		termsChangedAt: integer("terms_changed_at").$type<Instant>(),
		/** The anchor of usage periods of the kind "SubscriptionStart". */
		usageAnchorAt: integer("usage_anchor_at").notNull().$type<Instant>(),
		/**
		 * On-demand usage before this is never billed: it came before the start, in a trial, or at other prices. Null: from
		 * the start.
		 */
		usageBilledFrom: integer("usage_billed_from").$type<Instant>(),
		/** On-demand usage is billed until here, except late usage of the last billing period. Null: none is billed. */
		usageBilledUntil: integer("usage_billed_until").$type<Instant>(),
		/** When on-demand usage is billed between two renewals; null: only with renewals. */
		usageDueAt: integer("usage_due_at").$type<Instant>(),
		/**
		 * The start of the charge in advance of the current billing period, which is the basis of every credit. Null:
		 * nothing was charged here. The area `billing` has its charges.
		 */
		chargedFrom: integer("charged_from").$type<Instant>(),
		chargedCurrency: text("charged_currency"),
		chargedMinimum: text("charged_minimum", { mode: "json" }).$type<ChargedPeriod["minimum"]>(),
		/** Rated prorations that wait for the next invoice. */
		prorations: text({ mode: "json" }).$type<PendingProrations>(),
		/** When the next step is due, on the environment's clock (operations.due.ts); null: no step is scheduled. */
		nextDueAt: integer("next_due_at").$type<Instant>(),
		/** When the first scheduled update takes effect; null: none is scheduled. */
		nextUpdateAt: integer("next_update_at").$type<Instant>(),
		/** When credits are granted next; null: never. */
		creditsDueAt: integer("credits_due_at").$type<Instant>(),
		/** The first of its ends: from this instant it gives no access, even before the end is written. Null: no end. */
		effectiveEndAt: integer("runs_until").$type<Instant>(),
		/** The effect of a scheduled cancellation on access. */
		cancelAction: text("cancel_action").$type<CancellationAction>(),
		/** Whether a scheduled cancellation credits unused time. */
		cancelProrates: integer("cancel_prorates", { mode: "boolean" }).notNull().default(false),
		/** Whether the customer scheduled the cancellation in the portal; false: the seller did, or none is scheduled. */
		canceledByCustomer: integer("canceled_by_customer", { mode: "boolean" }).notNull().default(false),
		/** Why a due step failed; null: nothing is blocked. */
		problem: text({ mode: "json" }).$type<DueProblem<DueKind>>(),
		/** The deadline of a pending payment. */
		paymentDueAt: integer("payment_due_at").$type<Instant>(),
		/** The active subscription that it replaces when it starts, and the kind of that change. */
		supersedesId: text("supersedes_id"),
		supersedesAs: text("supersedes_as").$type<"DOWNGRADE" | "PLAN">(),
		/** Its scheduled or present pause; null: none. */
		pause: text({ mode: "json" }).$type<Pause>(),
		/** Its start waits until the paused subscription that it replaces resumes. */
		isHeld: integer("is_held", { mode: "boolean" }).notNull().default(false),
		/** The subscription that it replaced when it started. */
		replacesId: text("replaces_id"),
		/** The limit of on-demand charges during a trial. */
		trialBudget: text("trial_budget", { mode: "json" }).$type<{
			readonly limit: Decimal;
			readonly hasSoftLimit: boolean;
		}>(),
		/** Whether usage in the trial is billed at its end. */
		trialBillsUsage: integer("trial_bills_usage", { mode: "boolean" }).notNull().default(false),
		paymentCollection: text("payment_collection").notNull().$type<PaymentCollection>(),
		paymentCollectionMethod: text("payment_collection_method").$type<PaymentCollectionMethod>(),
		minimumSpend: text("minimum_spend", { mode: "json" }).$type<Money>(),
		/** The limit of on-demand charges, in the currency of the prices. */
		budget: text({ mode: "json" }).$type<{ readonly limit: Decimal; readonly hasSoftLimit: boolean }>(),
		/** 0 to 100. */
		taxPercentage: text("tax_percentage").$type<Decimal>(),
		/** Its phases, in place of those of the version; null: those of the version. */
		phases: text({ mode: "json" }).$type<StoredPhase[]>(),
		/** The phase that runs; null before billing starts, after the last phase, and without phases. */
		phase: text({ mode: "json" }).$type<PhasePosition>(),
		/** Its term, in place of that of the version; null: that of the version. */
		term: text({ mode: "json" }).$type<AgreedTerm>(),
		/** The term that runs; null before billing starts, and without a term. */
		runningTerm: text("running_term", { mode: "json" }).$type<RunningTerm>(),
		/** The price increases by renewals of its term; null: none so far. */
		uplifts: text({ mode: "json" }).$type<Uplifts>(),
		/** Null for that of the version or environment. */
		prorationMode: text("proration_mode").$type<ProrationMode>(),
		/** The cost of usage that is invoiced at once, by currency; null for the thresholds of the version, empty for none. */
		spendThresholds: text("spend_thresholds", { mode: "json" }).$type<Money[]>(),
		/** The times in which the usage of its customer's children counts too; null: never. */
		childUsage: text("child_usage", { mode: "json" }).$type<ChildUsage[]>(),
		/** The amounts that all its charges owe in each window; null for the commitments of the version, empty for none. */
		commitments: text({ mode: "json" }).$type<SpendCommitment[]>(),
		/** The taxes of all its lines, by the caller's ids; null: those of each charge. Never together with `taxPercentage`. */
		taxes: text({ mode: "json" }).$type<string[]>(),
		invoiceDaysUntilDue: integer("invoice_days_until_due"),
		/** The billing information without a column of its own. */
		billingDetails: text("billing_details", { mode: "json" }).$type<BillingDetails>(),
		priceOverrides: text("price_overrides", { mode: "json" }).notNull().$type<PriceOverride[]>(),
		metadata: text({ mode: "json" }).notNull().$type<Record<string, string>>(),
		salesforceId: text("salesforce_id"),
		/** The contract's row id and external id. There is no foreign key, since contracts are a later area. */
		contractId: text("contract_id"),
		contractRefId: text("contract_ref_id"),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("subscriptions_ref").on(table.environmentId, table.refId),
		index("subscriptions_page").on(table.environmentId, table.id, table.createdAt),
		index("subscriptions_created").on(table.environmentId, table.createdAt, table.id),
		index("subscriptions_customer").on(table.customerId, table.id),
		index("subscriptions_plan").on(table.planId, table.id),
		// A covering index for publications, which read the customers of a version.
		index("subscriptions_version").on(table.versionId, table.customerId, table.status, table.effectiveEndAt),
		index("subscriptions_contract").on(table.contractId),
		index("subscriptions_place").on(table.customerId, table.status, table.productId, table.resourceId),
		index("subscriptions_due").on(table.environmentId, table.nextDueAt, table.status, table.id),
		index("subscriptions_customer_due").on(table.customerId, table.nextDueAt),
		index("subscriptions_payer_due")
			.on(table.payingCustomerId, table.nextDueAt)
			.where(sql`paying_customer_id IS NOT NULL`),
		index("subscriptions_thresholds").on(table.environmentId).where(sql`spend_thresholds IS NOT NULL`),
		index("subscriptions_problem").on(table.environmentId, table.id).where(sql`problem IS NOT NULL`),
		// Each status and pricing type in page order. The last columns show ends that are not written yet, and the time of
		// creation.
		index("subscriptions_status").on(
			table.environmentId,
			table.status,
			table.pricingType,
			table.id,
			table.effectiveEndAt,
			table.cancelAt,
			table.createdAt,
		),
		index("subscriptions_plan_status").on(
			table.planId,
			table.status,
			table.pricingType,
			table.id,
			table.effectiveEndAt,
			table.cancelAt,
			table.createdAt,
		),
		index("subscriptions_resource").on(table.resourceId, table.id).where(sql`resource_id IS NOT NULL`),
		index("subscriptions_ends")
			.on(table.environmentId, table.effectiveEndAt)
			.where(
				sql`runs_until IS NOT NULL AND status IN ('NOT_STARTED', 'PAYMENT_PENDING', 'IN_TRIAL', 'ACTIVE', 'PAUSED')`,
			),
		index("subscriptions_trial_ends")
			.on(table.environmentId, table.trialEndAt, table.id)
			.where(sql`status = 'IN_TRIAL'`),
		index("subscriptions_supersedes").on(table.supersedesId),
		// The database allows one active or paused subscription for each customer, product and resource. There are two
		// indexes, since SQLite treats null resources as different.
		uniqueIndex("subscriptions_running")
			.on(table.customerId, table.productId)
			.where(sql`status IN ('ACTIVE', 'PAUSED') AND resource_id IS NULL`),
		uniqueIndex("subscriptions_running_resource")
			.on(table.customerId, table.productId, table.resourceId)
			.where(sql`status IN ('ACTIVE', 'PAUSED') AND resource_id IS NOT NULL`),
		uniqueIndex("subscriptions_trial")
			.on(table.customerId, table.productId)
			.where(sql`status = 'IN_TRIAL' AND resource_id IS NULL`),
		uniqueIndex("subscriptions_trial_resource")
			.on(table.customerId, table.productId, table.resourceId)
			.where(sql`status = 'IN_TRIAL' AND resource_id IS NOT NULL`),
	],
);

export type SubscriptionRow = typeof subscriptions.$inferSelect;

/**
 * Stored counts of subscriptions; triggers of `subscriptions` maintain them, so that no count scans the subscriptions
 * (docs/decisions/0015-plans-that-do-not-depend-on-the-data.md). An end that is not written yet is not counted.
 */
export const subscriptionCounts = sqliteTable(
	"subscription_counts",
	{
		environmentId: text("environment_id").notNull(),
		planId: text("plan_id").notNull(),
		versionId: text("version_id").notNull(),
		status: text().notNull().$type<SubscriptionStatus>(),
		pricingType: text("pricing_type").notNull().$type<PricingType>(),
		/** Empty if the subscription has none; the same applies to the country and the currency. */
		billingPeriod: text("billing_period").notNull().$type<BillingPeriod | "">(),
		billingCountryCode: text("billing_country_code").notNull(),
		billingCurrency: text("billing_currency").notNull(),
		/** Whether Tollgate invoices it. */
		isBilled: integer("is_billed", { mode: "boolean" }).notNull(),
		count: integer().notNull(),
	},
	(table) => [
		primaryKey({
			columns: [
				table.environmentId,
				table.planId,
				table.versionId,
				table.status,
				table.pricingType,
				table.billingPeriod,
				table.billingCountryCode,
				table.billingCurrency,
				table.isBilled,
			],
		}),
	],
);
