import { type Static, Type } from "@sinclair/typebox";
import { CustomerRefId, RefId } from "../../../kernel/schema";
import { PhaseShown } from "../schema";
import { BillingInformationChange, Country, Quantity, SubscriptionProvision } from "../schema.provision";
import { RunningTermShown } from "../schema.term";

const closed = { additionalProperties: false };

const {
	customerId,
	planId,
	addons,
	appliedCoupon,
	appliedCoupons,
	billingCurrency,
	billingCycleAnchor,
	billingInterval,
	billingPeriod,
	billingAnchor,
	charges,
	effectiveDate,
	includesChildUsage,
	prorationMode,
	timeZone,
	phases,
	priceOverrides,
	scheduleStrategy,
	commitments,
	spendThresholds,
	startDate,
	taxes,
	term,
	trialOverrideConfiguration,
	unitQuantity,
} = SubscriptionProvision.properties;

/** Tollgate's own limit: one estimate for each feature of a plan. */
const billableFeaturesMax = 200;

/**
 * The parameters of a provision that affect prices, and estimated usage. Nothing may be null
 * (docs/interface/subscriptions.md).
 */
export const SubscriptionPreview = Type.Object(
	{
		customerId,
		planId,
		addons,
		appliedCoupon,
		appliedCoupons,
		billableFeatures: Type.Optional(
			Type.Array(Type.Object({ featureId: RefId, quantity: Quantity }, closed), { maxItems: billableFeaturesMax }),
		),
		billingCountryCode: Type.Optional(Country),
		billingCurrency,
		billingCycleAnchor,
		billingInformation: Type.Optional(BillingInformationChange),
		billingInterval,
		billingPeriod,
		charges,
		effectiveDate,
		payingCustomerId: Type.Optional(CustomerRefId),
		includesChildUsage,
		prorationMode,
		billingAnchor,
		timeZone,
		phases,
		priceOverrides,
		resourceId: Type.Optional(RefId),
		scheduleStrategy,
		commitments,
		spendThresholds,
		startDate,
		taxes,
		term,
		trialOverrideConfiguration,
		unitQuantity,
	},
	{ $id: "SubscriptionPreviewBody", ...closed },
);
export type SubscriptionPreview = Static<typeof SubscriptionPreview>;

const Range = Type.Object({ start: Type.String(), end: Type.String() });

export const InvoicePreview = Type.Object({
	subTotal: Type.Number(),
	total: Type.Number(),
	tax: Type.Number(),
	discount: Type.Number(),
	currency: Type.Optional(Type.String()),
	billingPeriodRange: Type.Optional(Range),
	discountDetails: Type.Optional(
		Type.Object({
			code: Type.Optional(Type.String()),
			fixedAmount: Type.Optional(Type.Number()),
			percentage: Type.Optional(Type.Number()),
		}),
	),
	discounts: Type.Array(Type.Object({ amount: Type.Number(), currency: Type.String(), description: Type.String() })),
	lines: Type.Array(
		Type.Object({
			description: Type.String(),
			currency: Type.String(),
			quantity: Type.Optional(Type.Number()),
			subTotal: Type.Number(),
			unitPrice: Type.Number(),
		}),
	),
});
export type InvoicePreview = Static<typeof InvoicePreview>;

export const SubscriptionPreviewed = Type.Object({
	immediateInvoice: InvoicePreview,
	recurringInvoice: Type.Optional(InvoicePreview),
	billingPeriodRange: Type.Optional(Range),
	freeItems: Type.Array(Type.Object({ id: Type.String(), quantity: Type.Number() })),
	hasScheduledUpdates: Type.Boolean(),
	isPlanDowngrade: Type.Boolean(),
	/** Our addition, present if the call drops phases of the replaced subscription. */
	droppedPhases: Type.Optional(Type.Array(PhaseShown)),
	/** Our addition, present if the call ends a term of the replaced subscription before its end. */
	endedTerm: Type.Optional(RunningTermShown),
});
export type SubscriptionPreviewed = Static<typeof SubscriptionPreviewed>;
