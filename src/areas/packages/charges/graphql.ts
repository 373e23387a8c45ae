import { fieldsOf, type GraphqlArea, referred } from "../../../graphql/area";
import { currenciesByIds } from "../../currencies/operations";
import { featuresByIds } from "../../features/operations";
import { intervalOf, periodName } from "../../pricing/rules.billing-period";
import { TermShown } from "../../pricing/schema.term";
import type { ChargeRow } from "../table";
import { viewPriceTerms } from "./rules.price-terms";
import { viewSegments } from "./rules.segments";
import { Charge, PackageCharges } from "./schema";

const schemas = { Charge, PackageCharges, TermShown };

const typeDefs = `
	enum BillingModel from Charge.billingModel
	enum BillingPeriod from Charge.billingPeriod
	enum BillingIntervalUnit from Charge.billingInterval.unit
	type BillingInterval from Charge.billingInterval { unit as BillingIntervalUnit count }
	input BillingIntervalInput from Charge.billingInterval { unit as BillingIntervalUnit count }
	enum CommitmentIntervalUnit from Charge.commitment.interval.unit
	enum BillingCadence from Charge.billingCadence
	enum TiersMode from Charge.tiersMode
	enum OverageBillingPeriod from PackageCharges.overageBillingPeriod
	enum CreditGrantCadence from Charge.creditGrantCadence
	type Price from Charge {
		id billingModel billingPeriod
		"The length of billingPeriod."
		billingInterval
		billingCadence billingCountryCode billingId minUnitQuantity as Int maxUnitQuantity as Int
		"Of tiers: the price of the first tier. Null where credits pay."
		price
		tiers as PriceTier { * } tiersMode blockSize
		creditRate as CreditRate { amount currencyId? costFormula } creditGrantCadence
		"The name of the charge, if it has one of its own."
		key
		chargesFlatPriceUnused
		"TIME_WEIGHTED or PEAK if levels are priced; null otherwise."
		usageMeasure as UsageMeasure
		"How often usage is charged, if that is not each billing period; null otherwise."
		chargeInterval as BillingInterval
		minimumAmount maximumAmount
		"What usage owes in each window. Null: nothing."
		commitment as PriceCommitment { * interval as CommitmentInterval { unit as CommitmentIntervalUnit count } }
		transactionPrice as TransactionPrice { * }
		"Prices of the events whose dimensions match. The price itself is the default."
		variants as PriceVariant { * tiers as PriceTier }
		"Each combination of values of these dimensions is metered by itself."
		groupBy
		"The caller's id of the currency that this price tops up."
		topUpCustomCurrencyId
		"Null unless the price has a mode of its own."
		prorationMode as ProrationMode
		"False if unused time is not credited; null otherwise."
		refundsUnusedTime
		"IN_ARREARS if the end of the period charges it, AT_EVENT if each event does; null otherwise."
		paymentTime as PaymentTime
		"When usage that is charged at each event is invoiced; null for other prices."
		eventInvoicing as EventInvoicing
		feature: Feature createdAt
	}
	"Without a currency the amount is in that of the list's other prices, else in the environment's."
	input PriceInput from PackageCharges.pricingModels.pricePeriods.price
	input PriceTierInput from Charge.tiers { * unitPrice as PriceInput flatPrice as PriceInput }
	input CreditRateInput from Charge.creditRate
	"The price of each event of a meter: 'percentRate' of its value, or 'formula' over its dimensions."
	input TransactionPriceInput from PackageCharges.pricingModels.pricePeriods.transactionPrice
	"The price of the events whose dimensions match: 'match' has texts by dimension; an asterisk matches any value."
	input PriceVariantInput from PackageCharges.pricingModels.pricePeriods.variants { * tiers as PriceTierInput blockSize }
	"Exactly one of 'amount' and 'quantity'."
	input PriceCommitmentInput from PackageCharges.pricingModels.pricePeriods.commitment {
		* interval as CommitmentIntervalInput { unit as CommitmentIntervalUnit count }
	}
	input PricePeriodInput from PackageCharges.pricingModels.pricePeriods {
		* commitment as PriceCommitmentInput variants as PriceVariantInput billingInterval as BillingIntervalInput chargeInterval as BillingIntervalInput transactionPrice as TransactionPriceInput tiers as PriceTierInput blockSize creditRate as CreditRateInput creditGrantCadence
	}
	"The cost of usage in a currency that is invoiced at once."
	input SpendThresholdInput from PackageCharges.spendThresholds
	enum CommitmentScope from PackageCharges.commitments.scope
	"What all charges of a subscription owe in each window."
	type SpendCommitment from PackageCharges.commitments { * scope as CommitmentScope interval as CommitmentInterval }
	input SpendCommitmentInput from PackageCharges.commitments { * scope as CommitmentScope interval as CommitmentIntervalInput }
	enum PaymentTime from PackageCharges.pricingModels.paymentTime
	enum EventInvoicing from PackageCharges.pricingModels.eventInvoicing
	enum UsageMeasure from PackageCharges.pricingModels.usageMeasure
	input PricingModelInput from PackageCharges.pricingModels {
		* prorationMode as ProrationMode paymentTime as PaymentTime eventInvoicing as EventInvoicing usageMeasure as UsageMeasure
	}
	input OveragePricingModelInput from PackageCharges.overagePricingModels {
		* entitlement as OverageEntitlementInput { * } creditEntitlement as OverageCreditEntitlementInput { * }
		pricePeriods
	}
	input MinimumSpendInput {
		billingPeriod: BillingPeriod! billingInterval: BillingIntervalInput minimum: PriceInput!
	}
	"A part of a subscription's time with other prices: 'percentOff' those of its plan, or the prices in 'charges'."
	type Phase from PackageCharges.phases { id displayName duration as BillingInterval percentOff charges: JSON }
	"The prices of a phase, in place of all prices of the plan."
	input PhaseChargesInput from PackageCharges.phases.charges {
		* prorationMode as ProrationMode pricingModels: [PricingModelInput!] overagePricingModels: [OveragePricingModelInput!] minimumSpend: [MinimumSpendInput!]
	}
	"Exactly one of 'percentOff' and 'charges'."
	input PhaseInput from PackageCharges.phases { id displayName duration as BillingIntervalInput percentOff charges as PhaseChargesInput }
	"The effect of an end before the end of a term."
	enum EarlyCancellation from PackageCharges.term.earlyCancellation
	"The time for which subscriptions are agreed."
	type Term from TermShown { * earlyCancellation as EarlyCancellation }
	input TermInput from PackageCharges.term { * earlyCancellation as EarlyCancellation }
	input PackagePricingInput from PackageCharges { * prorationMode as ProrationMode billingAnchor as BillingAnchorInput phases as PhaseInput term as TermInput spendThresholds as SpendThresholdInput commitments as SpendCommitmentInput minimumSpend: [MinimumSpendInput!] }
	"Replaces all prices of the draft."
	input SetPackagePricingInput from PackageCharges { refId * prorationMode as ProrationMode billingAnchor as BillingAnchorInput phases as PhaseInput term as TermInput spendThresholds as SpendThresholdInput commitments as SpendCommitmentInput minimumSpend: [MinimumSpendInput!] }
`;

const price = fieldsOf<ChargeRow>({
	fields: {
		billingPeriod: ({ billingPeriod }) => periodName(billingPeriod),
		billingInterval: ({ billingPeriod }) => intervalOf(billingPeriod),
		// No integration assigns an id to a single price.
		billingId: () => null,
		price: ({ price, tiers }) => price ?? tiers?.[0]?.unitPrice ?? tiers?.[0]?.flatPrice,
		creditRate(row, _, context) {
			const currency = context.related(row, ({ creditCurrencyId }) => creditCurrencyId, currenciesByIds);
			if (row.creditAmount === null) return null;
			return { amount: row.creditAmount, currencyId: currency?.refId, costFormula: row.creditCostFormula };
		},
		topUpCustomCurrencyId: (row, _, context) =>
			context.related(row, ({ topUpCurrencyId }) => topUpCurrencyId, currenciesByIds)?.refId,
		chargesFlatPriceUnused: ({ priceTerms }) => priceTerms?.chargesFlatPriceUnused ?? null,
		usageMeasure: ({ priceTerms }) => priceTerms?.usageMeasure ?? null,
		paymentTime: ({ paymentTime, priceTerms }) => viewPriceTerms(priceTerms).paymentTime ?? paymentTime,
		eventInvoicing: ({ priceTerms }) => priceTerms?.eventInvoicing ?? null,
		chargeInterval: ({ priceTerms }) => viewPriceTerms(priceTerms).chargeInterval ?? null,
		prorationMode: ({ prorationMode, priceTerms }) => viewPriceTerms(priceTerms).prorationMode ?? prorationMode,
		minimumAmount: ({ priceTerms }) => priceTerms?.minimumAmount ?? null,
		maximumAmount: ({ priceTerms }) => priceTerms?.maximumAmount ?? null,
		commitment: ({ priceTerms }) => viewPriceTerms(priceTerms).commitment ?? null,
		transactionPrice: ({ priceTerms }) => priceTerms?.transactionPrice ?? null,
		variants: ({ priceTerms }) => viewSegments(priceTerms?.segments).variants ?? null,
		groupBy: ({ priceTerms }) => viewSegments(priceTerms?.segments).groupBy ?? null,
		feature: referred(({ featureId }) => featureId, featuresByIds),
	},
});

export const pricesGraphql: GraphqlArea = { schemas, typeDefs, types: { Price: price } };
