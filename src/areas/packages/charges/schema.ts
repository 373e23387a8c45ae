import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { Currency, literals, Money, nullable, RefId } from "../../../kernel/schema";
import { ProrationMode } from "../../../kernel/schema.proration-mode";
import { CommitmentInput, CommitmentShown } from "../../pricing/commitments/schema.commitment";
import { SpendCommitments } from "../../pricing/commitments/schema.spend-commitment";
import { BillingAnchor } from "../../pricing/schema.billing-anchor";
import { SpendThresholds } from "../../pricing/schema.spend-thresholds";
import { Term } from "../../pricing/schema.term";
import { TaxRefs } from "../../taxes/schema";
import {
	BillingCadence,
	BillingInterval,
	BillingModel,
	BillingPeriod,
	CreditCadence,
	CreditGrantCadence,
	OverageBillingPeriod,
	PricingType,
	ResetPeriod,
	resetConfigurations,
	TiersMode,
} from "../schema";

/**
 * Whether the start or the end of a period charges it, or each event. Fees and units are in advance by default, and usage is in
 * arrears.
 */
export const PaymentTime = literals("IN_ADVANCE", "IN_ARREARS", "AT_EVENT");

/** When usage that is charged at each event is invoiced: at once, which is the default, or at the end of the period. */
export const EventInvoicing = literals("EACH_EVENT", "PERIOD_END");

/** Each level for its time, the highest level, or as the feature is metered. */
export const UsageMeasure = literals("AS_METERED", "TIME_WEIGHTED", "PEAK");

/** Our limits: a longer price list is treated as a mistake. */
const pricingModelsMax = 200;
const pricePeriodsMax = 600;
const tiersMax = 200;
/** One for each billing period. */
const minimumSpendsMax = 50;

/** Source: docs/interface/catalogue.md#prices. */
export const unitQuantityMax = 999_999;

/** An amount in major units. `withCurrencies` chooses the currency of an amount that names none. */
const Price = Type.Object(
	{ amount: ExactNumber({ minimum: 0 }), currency: Type.Optional(Currency) },
	{ additionalProperties: false },
);
export type PriceInput = Static<typeof Price>;

const Tier = Type.Object(
	{
		upTo: Type.Optional(nullable(ExactNumber({ minimum: 0, maximum: 1e15 }))),
		unitPrice: Type.Optional(Price),
		flatPrice: Type.Optional(Price),
	},
	{ additionalProperties: false },
);
export type TierInput = Static<typeof Tier>;

const Amount = ExactNumber({ minimum: 0, maximum: 1e12 });

/** The price of each event of a meter. Without a currency, it is in that of the other prices. */
export const TransactionPriceInput = Type.Object(
	{
		currency: Type.Optional(Currency),
		percentRate: Type.Optional(ExactNumber({ minimum: 0, maximum: 100 })),
		formula: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
		fixedFee: Type.Optional(Amount),
		minimum: Type.Optional(Amount),
		maximum: Type.Optional(Amount),
		freeTransactions: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
		freeAmount: Type.Optional(Amount),
	},
	{ additionalProperties: false },
);
export type TransactionPriceInput = Static<typeof TransactionPriceInput>;

/** The terms that an override can replace too. Amounts are in the currency of the price. */
export const priceTermFields = {
	minimumAmount: Type.Optional(Amount),
	maximumAmount: Type.Optional(Amount),
	commitment: Type.Optional(CommitmentInput),
};

/** Our limits (docs/interface/catalogue.md#limits). */
const variantsMax = 500;
const DimensionName = Type.String({ minLength: 1, maxLength: 255 });

const priceFields = {
	price: Type.Optional(Price),
	tiers: Type.Optional(Type.Array(Tier, { minItems: 1, maxItems: tiersMax })),
	blockSize: Type.Optional(ExactNumber({ minimum: 0, maximum: 1e15 })),
};

/** The price of the events whose dimensions match; `["*"]` matches any value. Values compare as text. */
const VariantInput = Type.Object(
	{
		/** Default: its place, such as `variant-1`. */
		id: Type.Optional(RefId),
		match: Type.Record(
			DimensionName,
			Type.Array(Type.String({ maxLength: 255 }), { minItems: 1, maxItems: 100, uniqueItems: true }),
			{ minProperties: 1, maxProperties: 5 },
		),
		...priceFields,
	},
	{ additionalProperties: false },
);
export type VariantInput = Static<typeof VariantInput>;

export const Variants = Type.Array(VariantInput, { maxItems: variantsMax });

const PricePeriod = Type.Object(
	{
		billingPeriod: BillingPeriod,
		billingInterval: Type.Optional(BillingInterval),
		billingCountryCode: Type.Optional(Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166-1 alpha-2" })),
		...priceFields,
		creditRate: Type.Optional(
			Type.Object(
				{
					amount: ExactNumber({ exclusiveMinimum: 0, maximum: 1e15 }),
					currencyId: RefId,
					/** The cost per event instead of per unit. It is stored as text and parsed when credits are consumed. */
					costFormula: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
				},
				{ additionalProperties: false },
			),
		),
		creditGrantCadence: Type.Optional(CreditGrantCadence),
		/** Our addition: how often usage is charged, counted from the same anchor. Default: each billing period. */
		chargeInterval: Type.Optional(BillingInterval),
		...priceTermFields,
		transactionPrice: Type.Optional(TransactionPriceInput),
		variants: Type.Optional(Variants),
	},
	{ additionalProperties: false },
);
export type PricePeriod = Static<typeof PricePeriod>;

const UnitQuantity = Type.Integer({ minimum: 0, maximum: unitQuantityMax });

export const PricingModel = Type.Object(
	{
		billingModel: BillingModel,
		/** Names the charge; default: what it prices. */
		key: Type.Optional(RefId),
		billingCadence: Type.Optional(BillingCadence),
		featureId: Type.Optional(RefId),
		topUpCustomCurrencyId: Type.Optional(RefId),
		minUnitQuantity: Type.Optional(UnitQuantity),
		maxUnitQuantity: Type.Optional(UnitQuantity),
		tiersMode: Type.Optional(TiersMode),
		chargesFlatPriceUnused: Type.Optional(Type.Boolean()),
		/** How a level counts, such as seats. AS_METERED by default. */
		usageMeasure: Type.Optional(UsageMeasure),
		/** Each combination of values of these dimensions is metered by itself. */
		groupBy: Type.Optional(Type.Array(DimensionName, { maxItems: 3 })),
		resetPeriod: Type.Optional(ResetPeriod),
		...resetConfigurations,
		// Our additions.
		prorationMode: Type.Optional(ProrationMode),
		refundsUnusedTime: Type.Optional(Type.Boolean()),
		paymentTime: Type.Optional(PaymentTime),
		eventInvoicing: Type.Optional(EventInvoicing),
		taxes: Type.Optional(nullable(TaxRefs)),
		pricePeriods: Type.Array(PricePeriod, { minItems: 1, maxItems: pricePeriodsMax }),
	},
	{ additionalProperties: false, $id: "PackagePricingModel" },
);
export type PricingModel = Static<typeof PricingModel>;

export const OveragePricingModel = Type.Object(
	{
		billingModel: BillingModel,
		key: Type.Optional(RefId),
		billingCadence: Type.Optional(BillingCadence),
		featureId: Type.Optional(RefId),
		currencyId: Type.Optional(RefId),
		/** The limit beyond which usage is overage. */
		entitlement: Type.Optional(
			Type.Object(
				{
					featureId: RefId,
					usageLimit: Type.Optional(ExactNumber({ minimum: 0, maximum: 1e15 })),
					hasSoftLimit: Type.Optional(Type.Boolean()),
					hasUnlimitedUsage: Type.Optional(Type.Boolean()),
					resetPeriod: Type.Optional(ResetPeriod),
					...resetConfigurations,
				},
				{ additionalProperties: false },
			),
		),
		/** The credits to grant if the package does not grant that currency yet. */
		creditEntitlement: Type.Optional(
			Type.Object(
				{
					amount: ExactNumber({ minimum: 0, maximum: 1e15 }),
					cadence: CreditCadence,
					customCurrencyId: RefId,
				},
				{ additionalProperties: false },
			),
		),
		taxes: Type.Optional(nullable(TaxRefs)),
		pricePeriods: Type.Array(PricePeriod, { minItems: 1, maxItems: pricePeriodsMax }),
	},
	{ additionalProperties: false },
);
export type OveragePricingModel = Static<typeof OveragePricingModel>;

const MinimumSpends = nullable(
	Type.Array(
		Type.Object(
			{
				billingPeriod: BillingPeriod,
				billingInterval: Type.Optional(BillingInterval),
				minimum: Price,
			},
			{ additionalProperties: false },
		),
		{ maxItems: minimumSpendsMax },
	),
);

/** The prices of a version or of a phase, and the terms that they share. */
const pricing = {
	pricingModels: Type.Optional(Type.Array(PricingModel, { maxItems: pricingModelsMax })),
	overagePricingModels: Type.Optional(Type.Array(OveragePricingModel, { maxItems: pricingModelsMax })),
	overageBillingPeriod: Type.Optional(OverageBillingPeriod),
	// Our additions: the default of the charges, and of subscriptions.
	prorationMode: Type.Optional(ProrationMode),
	/** Our addition: the ids of the taxes of its charges; null: those of the customer. */
	taxes: Type.Optional(nullable(TaxRefs)),
};
const minimums = { minimumSpend: Type.Optional(MinimumSpends) };

/** The prices of a phase, in place of all prices of the plan. A term that holds in all phases is refused. */
const PhaseCharges = Type.Object(
	{ pricingType: Type.Optional(PricingType), ...pricing, ...minimums },
	{ additionalProperties: false },
);
export type PhaseChargesInput = Static<typeof PhaseCharges>;

/** Five years of monthly phases. */
const phasesMax = 60;

/**
 * Our addition: parts of a subscription's time with other prices, in their order (docs/pricing.md#phases). A phase has either
 * `percentOff` or `charges`.
 */
export const Phases = Type.Array(
	Type.Object(
		{
			id: RefId,
			displayName: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
			duration: BillingInterval,
			percentOff: Type.Optional(ExactNumber({ minimum: 0, maximum: 100 })),
			charges: Type.Optional(PhaseCharges),
		},
		{ additionalProperties: false },
	),
	{ maxItems: phasesMax },
);
export type Phases = Static<typeof Phases>;

/** The whole pricing of a draft. It replaces the previous pricing. */
export const PackageCharges = Type.Object(
	{
		pricingType: PricingType,
		/** Deprecated on the wire. Stored as the billing id of the version. */
		billingId: Type.Optional(Type.String({ maxLength: 255 })),
		...pricing,
		billingAnchor: Type.Optional(BillingAnchor),
		/** Our addition: the phases before these prices apply. */
		phases: Type.Optional(Phases),
		/** Our addition: the term for which subscriptions to the plan are agreed. */
		term: Type.Optional(Term),
		spendThresholds: Type.Optional(SpendThresholds),
		commitments: Type.Optional(SpendCommitments),
		...minimums,
	},
	{ additionalProperties: false },
);
export type PackageCharges = Static<typeof PackageCharges>;

const nullableMoney = Type.Optional(nullable(Money));

const ChargeTier = Type.Object({
	upTo: Type.Optional(nullable(Type.Number())),
	unitPrice: nullableMoney,
	flatPrice: nullableMoney,
});

export const Charge = Type.Object(
	{
		id: Type.String(),
		billingModel: BillingModel,
		billingCadence: BillingCadence,
		billingPeriod: BillingPeriod,
		// Our addition, for periods that the interface does not have.
		billingInterval: Type.Optional(BillingInterval),
		billingCountryCode: Type.Optional(nullable(Type.String())),
		featureId: Type.Optional(nullable(Type.String())),
		price: nullableMoney,
		tiersMode: Type.Optional(nullable(TiersMode)),
		tiers: Type.Optional(nullable(Type.Array(ChargeTier))),
		blockSize: Type.Optional(nullable(Type.Number())),
		minUnitQuantity: Type.Optional(nullable(Type.Number())),
		maxUnitQuantity: Type.Optional(nullable(Type.Number())),
		creditRate: Type.Optional(
			nullable(
				Type.Object({
					amount: Type.Number(),
					currencyId: Type.String(),
					costFormula: Type.Optional(nullable(Type.String())),
				}),
			),
		),
		creditGrantCadence: Type.Optional(nullable(CreditGrantCadence)),
		topUpCustomCurrencyId: Type.Optional(nullable(Type.String())),
		// Our additions, present if they are not the default.
		prorationMode: Type.Optional(ProrationMode),
		refundsUnusedTime: Type.Optional(Type.Boolean()),
		paymentTime: Type.Optional(PaymentTime),
		eventInvoicing: Type.Optional(EventInvoicing),
		// Our additions, where a price has them.
		key: Type.Optional(Type.String()),
		chargesFlatPriceUnused: Type.Optional(Type.Boolean()),
		usageMeasure: Type.Optional(UsageMeasure),
		chargeInterval: Type.Optional(BillingInterval),
		minimumAmount: Type.Optional(Type.Number()),
		maximumAmount: Type.Optional(Type.Number()),
		commitment: Type.Optional(CommitmentShown),
		transactionPrice: Type.Optional(
			Type.Object({
				currency: Type.String(),
				percentRate: Type.Optional(Type.Number()),
				formula: Type.Optional(Type.String()),
				fixedFee: Type.Optional(Type.Number()),
				minimum: Type.Optional(Type.Number()),
				maximum: Type.Optional(Type.Number()),
				freeTransactions: Type.Optional(Type.Number()),
				freeAmount: Type.Optional(Type.Number()),
			}),
		),
		/** Our addition: present if the charge has taxes of its own. */
		taxes: Type.Optional(Type.Array(Type.String())),
		variants: Type.Optional(
			Type.Array(
				Type.Object({
					id: Type.String(),
					match: Type.Record(Type.String(), Type.Array(Type.String())),
					price: Type.Optional(Money),
					tiers: Type.Optional(Type.Array(ChargeTier)),
					blockSize: Type.Optional(Type.Number()),
				}),
			),
		),
		groupBy: Type.Optional(Type.Array(Type.String())),
		billingId: Type.Optional(nullable(Type.String())),
		crmId: Type.Optional(nullable(Type.String())),
		crmLinkUrl: Type.Optional(nullable(Type.String())),
		usedInSubscriptions: Type.Optional(nullable(Type.Boolean())),
		createdAt: Type.String(),
	},
	{ $id: "Charge" },
);
export type Charge = Static<typeof Charge>;

/** The terms of a charge without the fields of its row. Two versions are compared by them. */
export const ChargeTerms = Type.Omit(Charge, [
	"id",
	"createdAt",
	"usedInSubscriptions",
	"billingId",
	"crmId",
	"crmLinkUrl",
]);
export type ChargeTerms = Static<typeof ChargeTerms>;
