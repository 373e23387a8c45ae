import { type Static, Type } from "@sinclair/typebox";
import { Currency, literals, Metadata, nullable, RefId, Timestamp } from "../../kernel/schema";
import { ProrationMode } from "../../kernel/schema.proration-mode";
import { TimeZone } from "../../kernel/schema.time-zone";
import { Phases } from "../packages/charges/schema";
import { requestedPeriodFields } from "../packages/schema";
import { SpendCommitments } from "../pricing/commitments/schema.spend-commitment";
import { BillingAnchor } from "../pricing/schema.billing-anchor";
import { SpendThresholds } from "../pricing/schema.spend-thresholds";
import { Term } from "../pricing/schema.term";
import { TaxRefs } from "../taxes/schema";
import {
	AddonSelections,
	AppliedCoupon,
	AppliedCoupons,
	BillingInformationChange,
	ChargeSelections,
	EntitlementInputs,
	Price,
	PriceOverrideInput,
	ScheduleStrategy,
	Short,
} from "./schema.provision";

const closed = { additionalProperties: false };

/** The limit of a provision. */
const priceOverridesMax = 200;

/**
 * Unlike in a provision, a price may be that of recurring credits (`currencyId`) (docs/interface/subscriptions.md). Tiers and blocks
 * are our addition.
 */
const PriceUpdate = Type.Object(
	{
		addonId: Type.Optional(RefId),
		amount: Type.Optional(Price),
		baseCharge: Type.Optional(Type.Boolean()),
		currency: Type.Optional(Currency),
		currencyId: Type.Optional(RefId),
		featureId: Type.Optional(RefId),
		key: PriceOverrideInput.properties.key,
		blockSize: PriceOverrideInput.properties.blockSize,
		tiers: PriceOverrideInput.properties.tiers,
		chargeInterval: PriceOverrideInput.properties.chargeInterval,
		transactionPrice: PriceOverrideInput.properties.transactionPrice,
		variants: PriceOverrideInput.properties.variants,
		commitment: PriceOverrideInput.properties.commitment,
		maximumAmount: PriceOverrideInput.properties.maximumAmount,
		minimumAmount: PriceOverrideInput.properties.minimumAmount,
	},
	closed,
);
export type PriceUpdate = Static<typeof PriceUpdate>;

/**
 * An absent field stays as it is; null removes a nullable field; a list replaces the whole list
 * (docs/interface/subscriptions.md).
 */
export const SubscriptionUpdate = Type.Object(
	{
		addons: Type.Optional(AddonSelections),
		appliedCoupon: Type.Optional(
			Type.Object(
				{
					...AppliedCoupon.properties,
					promotionCode: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 255 }))),
				},
				closed,
			),
		),
		appliedCoupons: Type.Optional(AppliedCoupons),
		awaitPaymentConfirmation: Type.Optional(Type.Boolean()),
		// Our addition. A subscription keeps its currency, so only this one is allowed.
		billingCurrency: Type.Optional(Currency),
		billingCycleAnchor: Type.Optional(literals("UNCHANGED", "NOW")),
		billingInformation: Type.Optional(
			Type.Object({ ...BillingInformationChange.properties, couponId: Type.Optional(RefId) }, closed),
		),
		...requestedPeriodFields,
		budget: Type.Optional(nullable(Type.Object({ hasSoftLimit: Type.Boolean(), limit: Price }, closed))),
		cancellationDate: Type.Optional(nullable(Timestamp)),
		charges: Type.Optional(ChargeSelections),
		// Our addition: from when the change applies. In the future it is scheduled; in the past its prices apply from then.
		effectiveDate: Type.Optional(Timestamp),
		entitlements: Type.Optional(EntitlementInputs),
		metadata: Type.Optional(Metadata),
		minimumSpend: Type.Optional(
			nullable(Type.Object({ amount: Type.Optional(Price), currency: Type.Optional(Currency) }, closed)),
		),
		// Our addition. Null for those of the plan.
		phases: Type.Optional(nullable(Phases)),
		// Our addition. Null for that of the plan.
		term: Type.Optional(nullable(Term)),
		priceOverrides: Type.Optional(Type.Array(PriceUpdate, { maxItems: priceOverridesMax })),
		// Our addition.
		includesChildUsage: Type.Optional(Type.Boolean()),
		// Our addition. Null for that of the plan or environment.
		prorationMode: Type.Optional(nullable(ProrationMode)),
		// Our additions. Null for those of the environment.
		billingAnchor: Type.Optional(nullable(BillingAnchor)),
		timeZone: Type.Optional(nullable(TimeZone)),
		// Our addition. Null for those of the plan.
		spendThresholds: Type.Optional(nullable(SpendThresholds)),
		commitments: Type.Optional(nullable(SpendCommitments)),
		promotionCode: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
		salesforceId: Type.Optional(nullable(Short)),
		scheduleStrategy: Type.Optional(ScheduleStrategy),
		// Our addition.
		taxes: Type.Optional(nullable(TaxRefs)),
		trialEndDate: Type.Optional(Timestamp),
	},
	{ $id: "SubscriptionUpdateBody", ...closed },
);
export type SubscriptionUpdate = Static<typeof SubscriptionUpdate>;
