import { type Static, Type } from "@sinclair/typebox";
import { createdAtQuery, pageQuery, WithinDays } from "../../kernel/page";
import { queryList } from "../../kernel/query";
import { CustomerRefId, literals, Metadata, nullable, RefId, Timestamp } from "../../kernel/schema";
import { ProrationMode } from "../../kernel/schema.proration-mode";
import { SearchText } from "../../kernel/search";
import { ShownFreeUnits } from "../coupons/schema";
import { LatestInvoice } from "../invoices/schema.latest-invoice";
import { Charge, Phases } from "../packages/charges/schema";
import { BillingInterval, BillingPeriod, EntitlementRef, PricingType, pricingTypes } from "../packages/schema";
import { SpendCommitmentsShown } from "../pricing/commitments/schema.spend-commitment";
import { BillingAnchor } from "../pricing/schema.billing-anchor";
import { SpendThresholdsShown } from "../pricing/schema.spend-thresholds";
import { TermShown } from "../pricing/schema.term";
import { CancellationTime } from "../products/schema";
import { Problem } from "./schema.problem";
import { RunningTermShown } from "./schema.term";

export const subscriptionStatuses = [
	"PAYMENT_PENDING",
	"ACTIVE",
	"EXPIRED",
	"IN_TRIAL",
	"CANCELED",
	"NOT_STARTED",
	// Our addition.
	"PAUSED",
] as const;
export const SubscriptionStatus = literals(...subscriptionStatuses);
export type SubscriptionStatus = Static<typeof SubscriptionStatus>;

/** The wire mixes upper and camel case (docs/interface/subscriptions.md). */
export const cancelReasons = [
	"UPGRADE_OR_DOWNGRADE",
	"CANCELLED_BY_BILLING",
	"EXPIRED",
	"DETACH_BILLING",
	"TRIAL_ENDED",
	"Immediate",
	"TRIAL_CONVERTED",
	"PENDING_PAYMENT_EXPIRED",
	"ScheduledCancellation",
	"CustomerArchived",
	"AutoCancellationRule",
] as const;
export const CancelReason = literals(...cancelReasons);
export type CancelReason = Static<typeof CancelReason>;

export const PaymentCollection = literals("NOT_REQUIRED", "PROCESSING", "FAILED", "ACTION_REQUIRED");
export type PaymentCollection = Static<typeof PaymentCollection>;

export const TrialEndBehavior = literals("CONVERT_TO_PAID", "CANCEL_SUBSCRIPTION");
export type TrialEndBehavior = Static<typeof TrialEndBehavior>;

export const SubscriptionCouponStatus = literals("ACTIVE", "EXPIRED", "REMOVED");
export type SubscriptionCouponStatus = Static<typeof SubscriptionCouponStatus>;

export const SubscriptionListQuery = Type.Object(
	{
		...pageQuery,
		...createdAtQuery,
		customerId: Type.Optional(Type.String({ maxLength: 255 })),
		planId: Type.Optional(Type.String({ maxLength: 255 })),
		/** An empty value means "no resource" (docs/interface/http.md). */
		resourceId: Type.Optional(Type.String({ maxLength: 255 })),
		pricingType: Type.Optional(queryList(...pricingTypes)),
		status: Type.Optional(queryList(...subscriptionStatuses)),
		/** An addition to the reference service's parameters. */
		hasProblem: Type.Optional(literals("true", "false")),
		/** An addition to the reference service's parameters. */
		search: Type.Optional(SearchText),
		/**
		 * An addition to the reference service's parameters: trials that end within this number of days, earliest end
		 * first.
		 */
		trialEndsWithinDays: Type.Optional(WithinDays),
	},
	{ additionalProperties: false },
);
export type SubscriptionListQuery = Static<typeof SubscriptionListQuery>;

export const SubscriptionPath = Type.Object({ id: RefId });

/** The values of `futureUpdates` (docs/interface/subscriptions.md). */
export const updateTypes = [
	"DOWNGRADE",
	"PLAN",
	"BILLING_PERIOD",
	"UNIT_AMOUNT",
	"RECURRING_CREDITS",
	"PRICE_OVERRIDE",
	"ADDON",
	"COUPON",
	"MIGRATE_TO_LATEST",
	"ADDITIONAL_META_DATA",
	"BILLING_INFO_METADATA",
] as const;
export const UpdateType = literals(...updateTypes);
export type UpdateType = Static<typeof UpdateType>;

export const UpdateStatus = literals("PENDING_PAYMENT", "SCHEDULED", "CANCELED", "DONE", "FAILED");
export type UpdateStatus = Static<typeof UpdateStatus>;

const CancellationAction = literals("DEFAULT", "REVOKE_ENTITLEMENTS");
export type CancellationAction = Static<typeof CancellationAction>;

/** All fields are optional, so the request may have no body (docs/interface/http.md). */
export const SubscriptionCancel = Type.Object(
	{
		cancellationAction: Type.Optional(CancellationAction),
		cancellationTime: Type.Optional(CancellationTime),
		endDate: Type.Optional(Timestamp),
		/** Our addition: the end of SPECIFIC_DATE may lie in the past. */
		isBackdated: Type.Optional(Type.Boolean()),
		prorate: Type.Optional(Type.Boolean()),
	},
	{ additionalProperties: false },
);
export type SubscriptionCancel = Static<typeof SubscriptionCancel>;

/** The request may have no body (docs/interface/http.md). */
export const SubscriptionMigrate = Type.Object(
	{ subscriptionMigrationTime: Type.Optional(literals("END_OF_BILLING_PERIOD", "IMMEDIATE")) },
	{ additionalProperties: false },
);
export type SubscriptionMigrate = Static<typeof SubscriptionMigrate>;

/** Our addition. The request may have no body (docs/interface/http.md). */
export const SubscriptionPause = Type.Object(
	{
		at: Type.Optional(CancellationTime),
		/** For SPECIFIC_DATE. */
		date: Type.Optional(Timestamp),
		resumeAt: Type.Optional(Timestamp),
		prorate: Type.Optional(Type.Boolean()),
	},
	{ additionalProperties: false },
);
export type SubscriptionPause = Static<typeof SubscriptionPause>;

/** Our addition. The request may have no body (docs/interface/http.md). */
export const SubscriptionResume = Type.Object(
	{
		at: Type.Optional(CancellationTime),
		/** For SPECIFIC_DATE. */
		date: Type.Optional(Timestamp),
		billingCycleAnchor: Type.Optional(literals("UNCHANGED", "NOW")),
	},
	{ additionalProperties: false },
);
export type SubscriptionResume = Static<typeof SubscriptionResume>;

export const SubscriptionTransfer = Type.Object({ destinationResourceId: RefId }, { additionalProperties: false });
export type SubscriptionTransfer = Static<typeof SubscriptionTransfer>;

export const SubscriptionDelegate = Type.Object({ targetCustomerId: CustomerRefId }, { additionalProperties: false });
export type SubscriptionDelegate = Static<typeof SubscriptionDelegate>;

export const UsageCharge = Type.Object({ untilDate: Type.Optional(Timestamp) }, { additionalProperties: false });
export type UsageCharge = Static<typeof UsageCharge>;

export const UsageCharged = Type.Object({
	subscriptionId: Type.String(),
	periodStart: Type.String(),
	periodEnd: Type.String(),
	invoiceBillingId: nullable(Type.String()),
	usageCharged: Type.Array(Type.Object({ featureId: nullable(Type.String()), usageAmount: Type.Number() })),
});

export const UsageSynced = Type.Object({ triggered: Type.Boolean() });

export const IdOnly = Type.Object({ id: Type.String() });

const MoneyShown = Type.Object({ amount: Type.Number(), currency: Type.String() });
const Time = nullable(Type.String());

export const SubscriptionPrice = Type.Object({
	addonId: nullable(Type.String()),
	featureId: nullable(Type.String()),
	amount: Type.Optional(Type.Number()),
	baseCharge: Type.Optional(Type.Boolean()),
	billingCountryCode: Type.Optional(Type.String()),
	blockSize: Type.Optional(Type.Number()),
	currency: Type.Optional(Type.String()),
	tiers: Type.Optional(
		Type.Array(
			Type.Object({
				flatPrice: Type.Optional(MoneyShown),
				unitPrice: Type.Optional(MoneyShown),
				upTo: Type.Optional(Type.Number()),
			}),
		),
	),
	// Our additions, where a price has them.
	key: Charge.properties.key,
	chargesFlatPriceUnused: Charge.properties.chargesFlatPriceUnused,
	usageMeasure: Charge.properties.usageMeasure,
	paymentTime: Charge.properties.paymentTime,
	eventInvoicing: Charge.properties.eventInvoicing,
	chargeInterval: Charge.properties.chargeInterval,
	minimumAmount: Charge.properties.minimumAmount,
	maximumAmount: Charge.properties.maximumAmount,
	commitment: Charge.properties.commitment,
	transactionPrice: Charge.properties.transactionPrice,
	variants: Charge.properties.variants,
	groupBy: Charge.properties.groupBy,
});
export type SubscriptionPrice = Static<typeof SubscriptionPrice>;

/** A pause that is scheduled or in effect. */
export const PauseShown = Type.Object({
	date: Type.String(),
	resumeAt: Time,
	prorate: Type.Boolean(),
	billingCycleAnchor: literals("UNCHANGED", "NOW"),
});

export const PhaseShown = Type.Object({
	id: Type.String(),
	displayName: Type.String(),
	/** Missing: the phase has prices of its own. */
	percentOff: Type.Optional(Type.Number()),
	startDate: Type.String(),
	endDate: Type.String(),
});
export type PhaseShown = Static<typeof PhaseShown>;

export const Subscription = Type.Object(
	{
		id: Type.String(),
		billingId: nullable(Type.String()),
		customerId: Type.String(),
		payingCustomerId: nullable(Type.String()),
		resourceId: nullable(Type.String()),
		planId: Type.String(),
		contractId: nullable(Type.String()),
		status: SubscriptionStatus,
		cancelReason: nullable(CancelReason),
		pricingType: PricingType,
		paymentCollection: PaymentCollection,
		paymentCollectionMethod: nullable(literals("CHARGE", "INVOICE", "NONE")),
		startDate: Type.String(),
		endDate: Time,
		effectiveEndDate: Time,
		cancellationDate: Time,
		trialEndDate: Time,
		trial: nullable(Type.Object({ trialEndBehavior: TrialEndBehavior })),
		billingCycleAnchor: Time,
		currentBillingPeriodStart: Time,
		currentBillingPeriodEnd: Time,
		/** Our addition, like the next one: present for billing periods other than MONTHLY and ANNUALLY. */
		billingPeriod: Type.Optional(BillingPeriod),
		billingInterval: Type.Optional(BillingInterval),
		/** Our addition, present if the currency was chosen among several, or named by the call. */
		billingCurrency: Type.Optional(Type.String()),
		/** Our additions, present if the subscription has its own, and if the usage of children counts. */
		prorationMode: Type.Optional(ProrationMode),
		billingAnchor: Type.Optional(BillingAnchor),
		includesChildUsage: Type.Optional(Type.Boolean()),
		/** Our addition, present if billing periods count in a zone. After a change it is the zone of the next periods. */
		timeZone: Type.Optional(Type.String()),
		/** Our addition, present if the subscription has phases of its own. */
		phases: Type.Optional(Phases),
		/** Our additions, present if a phase runs, and if phases follow. */
		phase: Type.Optional(PhaseShown),
		scheduledPhases: Type.Optional(Type.Array(PhaseShown)),
		/** Our addition, present if the subscription has a term of its own. */
		term: Type.Optional(TermShown),
		/** Our addition, present if a term runs. */
		currentTerm: Type.Optional(RunningTermShown),
		/** Our addition, present if the subscription has thresholds of its own. */
		spendThresholds: Type.Optional(SpendThresholdsShown),
		/** Our addition, present if the subscription has commitments of its own. */
		commitments: Type.Optional(SpendCommitmentsShown),
		/** Our addition, present if a pause is scheduled or in effect. */
		pause: Type.Optional(PauseShown),
		addons: Type.Array(Type.Object({ id: Type.String(), quantity: Type.Number() })),
		coupons: Type.Array(
			Type.Object({
				id: Type.String(),
				name: Type.String(),
				status: SubscriptionCouponStatus,
				percentOff: nullable(Type.Number()),
				amountsOff: nullable(Type.Array(MoneyShown)),
				/** Our addition: present if it makes units free in place of an amount. */
				freeUnits: Type.Optional(ShownFreeUnits),
			}),
		),
		prices: Type.Array(SubscriptionPrice),
		minimumSpend: nullable(MoneyShown),
		/** Our addition: present if the subscription has taxes of its own. */
		taxes: Type.Optional(Type.Array(Type.String())),
		budget: nullable(Type.Object({ limit: Type.Number(), hasSoftLimit: Type.Boolean() })),
		latestInvoice: nullable(LatestInvoice),
		futureUpdates: Type.Array(
			Type.Object({
				subscriptionScheduleType: UpdateType,
				scheduleStatus: UpdateStatus,
				scheduledExecutionTime: Type.String(),
				targetPackage: nullable(Type.Object({ id: Type.String() })),
			}),
		),
		metadata: Metadata,
		/**
		 * Present only when one subscription is read. It lists the subscription's own entitlements, not those of its plan.
		 */
		subscriptionEntitlements: Type.Optional(Type.Array(EntitlementRef)),
		createdAt: Type.String(),
		/**
		 * An addition to the reference service's schema, present only after a due step failed: the reason and the next
		 * attempt.
		 */
		problem: Type.Optional(Problem),
	},
	{ $id: "Subscription" },
);
export type Subscription = Static<typeof Subscription>;
