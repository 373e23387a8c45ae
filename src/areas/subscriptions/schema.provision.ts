import { type Static, Type } from "@sinclair/typebox";
import { currencyCodes } from "../../kernel/money";
import { ExactNumber } from "../../kernel/number-schema";
import {
	Address,
	Currency,
	CustomerRefId,
	literals,
	Metadata,
	nullable,
	RefId,
	TaxIds,
	Timestamp,
} from "../../kernel/schema";
import { ProrationMode } from "../../kernel/schema.proration-mode";
import { TimeZone } from "../../kernel/schema.time-zone";
import { Phases, TransactionPriceInput, Variants } from "../packages/charges/schema";
import {
	BillingInterval,
	CreditCadence,
	CreditGrantCadence,
	ResetPeriod,
	requestedPeriodFields,
	resetConfigurations,
} from "../packages/schema";
import { CommitmentInput } from "../pricing/commitments/schema.commitment";
import { SpendCommitments } from "../pricing/commitments/schema.spend-commitment";
import { BillingAnchor } from "../pricing/schema.billing-anchor";
import { SpendThresholds } from "../pricing/schema.spend-thresholds";
import { Term } from "../pricing/schema.term";
import { TaxRefs } from "../taxes/schema";
import { TrialEndBehavior } from "./schema";

/** Limits of Tollgate's own: a larger request is a mistake. */
const addonsMax = 100;
const chargesMax = 200;
const entitlementsMax = 200;
const priceOverridesMax = 200;
const tiersMax = 200;

const closed = { additionalProperties: false };
export const Short = Type.String({ maxLength: 255 });
const BillingId = Type.String({ minLength: 1, maxLength: 255 });
export const Country = Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166-1 alpha-2" });

/** Amounts and quantities are limited to the range in which JSON numbers are exact. */
export const Quantity = ExactNumber({ minimum: 0, maximum: 1e15 });
export const Price = ExactNumber({ minimum: 0, maximum: 1e12 });
const PriceMoney = Type.Object({ amount: Price, currency: Currency }, closed);

export const AddonSelection = Type.Object(
	{ id: RefId, quantity: Type.Integer({ minimum: 0, maximum: 999_999 }) },
	closed,
);
export const AddonSelections = Type.Array(AddonSelection, { maxItems: addonsMax });

export const ChargeSelection = Type.Object(
	{ id: RefId, quantity: Quantity, type: literals("FEATURE", "CREDIT") },
	closed,
);
export type ChargeSelection = Static<typeof ChargeSelection>;
export const ChargeSelections = Type.Array(ChargeSelection, { maxItems: chargesMax });

/** The limits of an inline discount are those of a coupon (docs/interface/catalogue.md, Coupons). */
export const AdHocDiscount = Type.Object(
	{
		amountsOff: Type.Optional(
			nullable(
				Type.Array(
					Type.Object({ amount: ExactNumber({ exclusiveMinimum: 0, maximum: 1e12 }), currency: Currency }, closed),
					{
						minItems: 1,
						maxItems: currencyCodes.length,
					},
				),
			),
		),
		description: Type.Optional(Short),
		durationInMonths: Type.Optional(Type.Integer({ minimum: 1, maximum: 1200 })),
		name: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
		percentOff: Type.Optional(ExactNumber({ exclusiveMinimum: 0, maximum: 100 })),
	},
	closed,
);
export type AdHocDiscount = Static<typeof AdHocDiscount>;

export const AppliedCoupon = Type.Object(
	{
		billingCouponId: Type.Optional(BillingId),
		configuration: Type.Optional(Type.Object({ startDate: Type.Optional(Timestamp) }, closed)),
		couponId: Type.Optional(RefId),
		discount: Type.Optional(AdHocDiscount),
		promotionCode: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
	},
	closed,
);
export type AppliedCoupon = Static<typeof AppliedCoupon>;

/** Our addition: several coupons, which all apply. */
export const AppliedCoupons = Type.Array(
	Type.Object({ couponId: RefId, startDate: Type.Optional(Timestamp) }, closed),
	{ maxItems: 20 },
);
export type AppliedCoupons = Static<typeof AppliedCoupons>;

export const ProrationBehavior = literals("INVOICE_IMMEDIATELY", "CREATE_PRORATIONS", "NONE");
export type ProrationBehavior = Static<typeof ProrationBehavior>;

/** The part of the billing information that is stored as it was sent; the rest has columns of its own. */
export const BillingDetails = Type.Object(
	{
		billingAddress: Type.Optional(Address),
		chargeOnBehalfOfAccount: Type.Optional(nullable(Short)),
		isBackdated: Type.Optional(Type.Boolean()),
		metadata: Type.Optional(Metadata),
		prorationBehavior: Type.Optional(ProrationBehavior),
		taxIds: Type.Optional(TaxIds),
	},
	closed,
);
export type BillingDetails = Static<typeof BillingDetails>;

export const BillingInformation = Type.Object(
	{
		...BillingDetails.properties,
		integrationId: Type.Optional(nullable(Short)),
		invoiceDaysUntilDue: Type.Optional(Type.Integer({ minimum: 0, maximum: 3650 })),
		isInvoicePaid: Type.Optional(Type.Boolean()),
		taxPercentage: Type.Optional(ExactNumber({ minimum: 0, maximum: 100 })),
		taxRateIds: Type.Optional(Type.Array(Short, { maxItems: 20 })),
	},
	closed,
);

/** Previews and updates accept no null in it. */
export const BillingInformationChange = Type.Object(
	{
		...BillingInformation.properties,
		chargeOnBehalfOfAccount: Type.Optional(Short),
		integrationId: Type.Optional(Short),
	},
	closed,
);

export const PriceOverrideInput = Type.Object(
	{
		addonId: Type.Optional(nullable(RefId)),
		amount: Type.Optional(Price),
		baseCharge: Type.Optional(Type.Boolean()),
		billingCountryCode: Type.Optional(Country),
		blockSize: Type.Optional(Quantity),
		creditGrantCadence: Type.Optional(CreditGrantCadence),
		creditRate: Type.Optional(
			Type.Object(
				{
					amount: ExactNumber({ exclusiveMinimum: 0, maximum: 1e15 }),
					currencyId: RefId,
					costFormula: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 1000 }))),
				},
				closed,
			),
		),
		currency: Type.Optional(Currency),
		featureId: Type.Optional(nullable(RefId)),
		key: Type.Optional(RefId),
		/** Null removes it from the price. */
		commitment: Type.Optional(nullable(CommitmentInput)),
		maximumAmount: Type.Optional(nullable(Price)),
		minimumAmount: Type.Optional(nullable(Price)),
		chargeInterval: Type.Optional(nullable(BillingInterval)),
		transactionPrice: Type.Optional(nullable(TransactionPriceInput)),
		variants: Type.Optional(nullable(Variants)),
		tiers: Type.Optional(
			Type.Array(
				Type.Object(
					{
						flatPrice: Type.Optional(PriceMoney),
						unitPrice: Type.Optional(PriceMoney),
						upTo: Type.Optional(Quantity),
					},
					closed,
				),
				{ minItems: 1, maxItems: tiersMax },
			),
		),
	},
	closed,
);
export type PriceOverrideInput = Static<typeof PriceOverrideInput>;
export const PriceOverrideInputs = Type.Array(PriceOverrideInput, { maxItems: priceOverridesMax });

const FeatureEntitlementInput = Type.Object(
	{
		type: literals("FEATURE"),
		id: RefId,
		hasSoftLimit: Type.Optional(Type.Boolean()),
		hasUnlimitedUsage: Type.Optional(Type.Boolean()),
		resetPeriod: Type.Optional(ResetPeriod),
		...resetConfigurations,
		usageLimit: Type.Optional(Quantity),
	},
	closed,
);
export type FeatureEntitlementInput = Static<typeof FeatureEntitlementInput>;

const CreditEntitlementInput = Type.Object(
	{ type: literals("CREDIT"), id: RefId, amount: Quantity, cadence: CreditCadence },
	closed,
);

export const EntitlementInput = Type.Union([FeatureEntitlementInput, CreditEntitlementInput]);
export type EntitlementInput = Static<typeof EntitlementInput>;
export const EntitlementInputs = Type.Array(EntitlementInput, { maxItems: entitlementsMax });

export const PaymentCollectionMethod = literals("CHARGE", "INVOICE", "NONE");
export type PaymentCollectionMethod = Static<typeof PaymentCollectionMethod>;

export const ScheduleStrategy = literals("END_OF_BILLING_PERIOD", "END_OF_BILLING_MONTH", "IMMEDIATE");
export type ScheduleStrategy = Static<typeof ScheduleStrategy>;

const Url = Type.String({
	maxLength: 2048,
	pattern: "^[a-zA-Z][a-zA-Z0-9+.-]*:[^\\s]+$",
	description: "an absolute URI",
});

export const SubscriptionProvision = Type.Object(
	{
		customerId: CustomerRefId,
		planId: RefId,
		id: Type.Optional(RefId),
		addons: Type.Optional(AddonSelections),
		appliedCoupon: Type.Optional(AppliedCoupon),
		appliedCoupons: Type.Optional(AppliedCoupons),
		awaitPaymentConfirmation: Type.Optional(Type.Boolean()),
		billingCountryCode: Type.Optional(nullable(Country)),
		// Our addition.
		billingCurrency: Type.Optional(Currency),
		billingCycleAnchor: Type.Optional(literals("UNCHANGED", "NOW")),
		billingId: Type.Optional(nullable(BillingId)),
		billingInformation: Type.Optional(BillingInformation),
		...requestedPeriodFields,
		budget: Type.Optional(nullable(Type.Object({ hasSoftLimit: Type.Boolean(), limit: Price }, closed))),
		cancellationDate: Type.Optional(Timestamp),
		charges: Type.Optional(ChargeSelections),
		checkoutOptions: Type.Optional(
			Type.Object(
				{
					cancelUrl: Url,
					successUrl: Url,
					allowPromoCodes: Type.Optional(Type.Boolean()),
					allowTaxIdCollection: Type.Optional(Type.Boolean()),
					collectBillingAddress: Type.Optional(Type.Boolean()),
					collectPhoneNumber: Type.Optional(Type.Boolean()),
					referenceId: Type.Optional(nullable(Short)),
				},
				closed,
			),
		),
		// Our addition: from when the change of plan applies. In the future it is scheduled; in the past its prices apply from then.
		effectiveDate: Type.Optional(Timestamp),
		entitlements: Type.Optional(EntitlementInputs),
		// Our addition.
		includesChildUsage: Type.Optional(Type.Boolean()),
		metadata: Type.Optional(Metadata),
		minimumSpend: Type.Optional(
			nullable(Type.Object({ amount: Type.Optional(Price), currency: Type.Optional(Currency) }, closed)),
		),
		payingCustomerId: Type.Optional(nullable(CustomerRefId)),
		paymentCollectionMethod: Type.Optional(PaymentCollectionMethod),
		// Our additions.
		prorationMode: Type.Optional(ProrationMode),
		billingAnchor: Type.Optional(BillingAnchor),
		timeZone: Type.Optional(TimeZone),
		phases: Type.Optional(Phases),
		term: Type.Optional(Term),
		spendThresholds: Type.Optional(SpendThresholds),
		commitments: Type.Optional(SpendCommitments),
		priceOverrides: Type.Optional(PriceOverrideInputs),
		resourceId: Type.Optional(nullable(RefId)),
		salesforceId: Type.Optional(nullable(Short)),
		scheduleStrategy: Type.Optional(ScheduleStrategy),
		startDate: Type.Optional(Timestamp),
		// Our addition.
		taxes: Type.Optional(nullable(TaxRefs)),
		trialOverrideConfiguration: Type.Optional(
			Type.Object(
				{
					isTrial: Type.Boolean(),
					trialEndBehavior: Type.Optional(TrialEndBehavior),
					trialEndDate: Type.Optional(Timestamp),
				},
				closed,
			),
		),
		unitQuantity: Type.Optional(Quantity),
	},
	{ $id: "SubscriptionProvisionBody", ...closed },
);
export type SubscriptionProvision = Static<typeof SubscriptionProvision>;
