import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Money } from "../../kernel/money";
import type { Period } from "../../kernel/period";
import type { DueProblem } from "../../kernel/problem";
import { packedPrices } from "../../kernel/storage/packed-text";
import { customerResources, customers } from "../customers/table";
import type { BillingPeriod, CreditGrantCadence, PricingType } from "../packages/schema";
import { type ChargeTier, packages, packageVersions } from "../packages/table";
import type { Discount } from "../pricing/discount";
import type { ChargeItem, RatedLine } from "../pricing/rate";
import { products } from "../products/table";
import type { DueKind } from "./rules.due";
import type {
	CancellationAction,
	CancelReason,
	PaymentCollection,
	SubscriptionStatus,
	TrialEndBehavior,
} from "./schema";
import type { BillingDetails, PaymentCollectionMethod } from "./schema.provision";

/**
 * A price of this subscription alone, instead of a catalogue price: of the plan's base fee (`isBase`), of a feature of
 * the plan, or of an addon. Amounts are exact; the currency is that of the replaced price unless it says another.
 */
export interface PriceOverride {
	readonly isBase: boolean;
	/** The caller's ids, as they stand on the wire. */
	readonly addonRefId: string | null;
	readonly featureRefId: string | null;
	/** Of the credits that are bought by the unit. */
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
}

/**
 * What was charged in advance for a billing period, as it was charged: a credit for unused time takes back just this,
 * whatever has changed since.
 */
export interface ChargedPeriod {
	/** The whole billing period, also when it was charged from a later time on. */
	readonly period: Period;
	/** From when it is charged: in mid-period, where what was held till then was settled. Left out: from the period's start. */
	readonly from?: Instant;
	readonly currency: string;
	/** Recurring items only, for the whole period. What was credited by hand is not credited again. */
	readonly items: ReadonlyArray<ChargeItem & GivenBack>;
	readonly coupon: Discount | null;
	readonly taxPercentage: Decimal | null;
	/** What was charged as minimum spend, and how much of it on-demand charges have drawn; whole minor units. */
	readonly minimum: { readonly paid: Decimal; readonly drawn: Decimal } | null;
	/** By another system, before an import or a start in the past: a change pays the difference, an end gives nothing back. */
	readonly elsewhere?: true;
	/** What was charged elsewhere for this time, and set against what is charged here: an end keeps it back. */
	readonly setAgainst?: ChargedPeriod;
}

/** How much of a charge was credited by hand: all of it, or what leaves this part of it. */
export interface GivenBack {
	readonly isGivenBack?: true;
	readonly left?: { readonly part: Decimal; readonly whole: Decimal };
}

/** What items are discounted and taxed by. */
export type DiscountAndTax = Pick<ChargedPeriod, "coupon" | "taxPercentage">;

export interface PendingProrations {
	readonly currency: string;
	readonly lines: readonly RatedLine[];
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
		/**
		 * On-demand usage before this is never billed here: it came before the start, in a trial, or at other prices. Null:
		 * from the start.
		 */
		usageBilledFrom: integer("usage_billed_from").$type<Instant>(),
		/**
		 * Up to here on-demand usage has been billed; late usage of the last billing period is still taken up. Null: not at
		 * all.
		 */
		usageBilledUntil: integer("usage_billed_until").$type<Instant>(),
		/** When on-demand usage is billed between two renewals; null: with the renewals only. */
		usageDueAt: integer("usage_due_at").$type<Instant>(),
		/** What was charged in advance for the running billing period: the basis of every credit. Null: nothing was, not here. */
		charged: packedPrices<ChargedPeriod>("charged"),
		/** Prorations that wait for the next invoice, rated and final. */
		prorations: text({ mode: "json" }).$type<PendingProrations>(),
		/** When something happens next by itself, on the environment's clock (operations.due.ts); null: nothing will. */
		nextDueAt: integer("next_due_at").$type<Instant>(),
		/** The first of its scheduled updates; null: none is scheduled. */
		nextUpdateAt: integer("next_update_at").$type<Instant>(),
		/** When the next credits are handed out; null: none are. */
		creditsDueAt: integer("credits_due_at").$type<Instant>(),
		/** From here it gives no access any more, whoever writes that down and when: the first of its ends. Null: open. */
		effectiveEndAt: integer("runs_until").$type<Instant>(),
		/** What a scheduled cancellation will do with access. */
		cancelAction: text("cancel_action").$type<CancellationAction>(),
		/** Whether a scheduled cancellation credits unused time. */
		cancelProrates: integer("cancel_prorates", { mode: "boolean" }).notNull().default(false),
		/** Whether its customer scheduled the cancellation by the portal; false: the seller did, or there is none. */
		canceledByCustomer: integer("canceled_by_customer", { mode: "boolean" }).notNull().default(false),
		/** Why what is due could not be carried out so far; null: nothing blocks it. */
		problem: text({ mode: "json" }).$type<DueProblem<DueKind>>(),
		/** Until then a payment is waited for. */
		paymentDueAt: integer("payment_due_at").$type<Instant>(),
		/** The running subscription that it replaces when it starts, and what kind of change that is. */
		supersedesId: text("supersedes_id"),
		supersedesAs: text("supersedes_as").$type<"DOWNGRADE" | "PLAN">(),
		/** What it took the place of when it began. */
		replacesId: text("replaces_id"),
		/** The most that on-demand charges may come to while it is a trial. */
		trialBudget: text("trial_budget", { mode: "json" }).$type<{
			readonly limit: Decimal;
			readonly hasSoftLimit: boolean;
		}>(),
		paymentCollection: text("payment_collection").notNull().$type<PaymentCollection>(),
		paymentCollectionMethod: text("payment_collection_method").$type<PaymentCollectionMethod>(),
		minimumSpend: text("minimum_spend", { mode: "json" }).$type<Money>(),
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
		index("subscriptions_page").on(table.environmentId, table.id, table.createdAt),
		index("subscriptions_created").on(table.environmentId, table.createdAt, table.id),
		index("subscriptions_customer").on(table.customerId, table.id),
		index("subscriptions_plan").on(table.planId, table.id),
		// Holds all that a publication asks of a version's subscriptions: whose they are.
		index("subscriptions_version").on(table.versionId, table.customerId, table.status, table.effectiveEndAt),
		index("subscriptions_contract").on(table.contractId),
		index("subscriptions_place").on(table.customerId, table.status, table.productId, table.resourceId),
		index("subscriptions_due").on(table.environmentId, table.nextDueAt, table.status, table.id),
		index("subscriptions_customer_due").on(table.customerId, table.nextDueAt),
		index("subscriptions_problem").on(table.environmentId, table.id).where(sql`problem IS NOT NULL`),
		// Each status and pricing type in the order of a page. The last columns tell whether an end has come that nobody has
		// written down yet, and when the row was created.
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
			.where(sql`runs_until IS NOT NULL AND status IN ('NOT_STARTED', 'PAYMENT_PENDING', 'IN_TRIAL', 'ACTIVE')`),
		index("subscriptions_trial_ends")
			.on(table.environmentId, table.trialEndAt, table.id)
			.where(sql`status = 'IN_TRIAL'`),
		index("subscriptions_supersedes").on(table.supersedesId),
		// One that runs for each customer, product and resource: the database itself keeps the rule.
		// (Two indexes, since to SQLite no resource is different from no resource.)
		uniqueIndex("subscriptions_running")
			.on(table.customerId, table.productId)
			.where(sql`status = 'ACTIVE' AND resource_id IS NULL`),
		uniqueIndex("subscriptions_running_resource")
			.on(table.customerId, table.productId, table.resourceId)
			.where(sql`status = 'ACTIVE' AND resource_id IS NOT NULL`),
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
 * How many subscriptions are alike in what is counted; triggers of `subscriptions` keep it, so that no count looks at the
 * subscriptions themselves (docs/decisions/0015-plans-that-do-not-depend-on-the-data.md). An end that has come and is not written down yet is not known here.
 */
export const subscriptionCounts = sqliteTable(
	"subscription_counts",
	{
		environmentId: text("environment_id").notNull(),
		planId: text("plan_id").notNull(),
		versionId: text("version_id").notNull(),
		status: text().notNull().$type<SubscriptionStatus>(),
		pricingType: text("pricing_type").notNull().$type<PricingType>(),
		/** Empty where the subscription has none; so is the country. */
		billingPeriod: text("billing_period").notNull().$type<BillingPeriod | "">(),
		billingCountryCode: text("billing_country_code").notNull(),
		/** Whether invoices are written here for it. */
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
				table.isBilled,
			],
		}),
	],
);
