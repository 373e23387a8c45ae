import { fieldsOf, type GraphqlArea, referred } from "../../../graphql/area";
import { derive } from "../../../graphql/derive/types";
import { currenciesByIds } from "../../currencies/operations";
import { featuresByIds } from "../../features/operations";
import type { ChargeRow } from "../table";
import { Charge, PackageCharges } from "./schema";

const resetPeriodFields = `
	resetPeriod as EntitlementResetPeriod yearlyResetPeriodConfiguration as YearlyResetPeriodConfigInput
	monthlyResetPeriodConfiguration as MonthlyResetPeriodConfigInput
	weeklyResetPeriodConfiguration as WeeklyResetPeriodConfigInput`;

/** The whole pricing of a draft, like `charges` in REST. */
const pricing = `
	pricingType as PricingType billingId pricingModels as PricingModelInput
	overagePricingModels as OveragePricingModelInput overageBillingPeriod as OverageBillingPeriod
	minimumSpend: [MinimumSpendInput!]`;

const typeDefs = derive(
	{ Charge, PackageCharges },
	`
	enum BillingModel from Charge.billingModel
	enum BillingPeriod from Charge.billingPeriod
	enum BillingCadence from Charge.billingCadence
	enum TiersMode from Charge.tiersMode
	enum OverageBillingPeriod from PackageCharges.overageBillingPeriod
	enum CreditGrantCadence from Charge.creditGrantCadence
	type Price from Charge {
		id billingModel as BillingModel billingPeriod as BillingPeriod billingCadence as BillingCadence
		billingCountryCode billingId minUnitQuantity as Int maxUnitQuantity as Int
		"Of tiers: the price of the first tier. Null where credits pay."
		price
		tiers as PriceTier { * } tiersMode as TiersMode blockSize
		creditRate as CreditRate { amount currencyId? costFormula } creditGrantCadence as CreditGrantCadence
		"The caller's id of the currency that this price tops up."
		topUpCustomCurrencyId
		feature: Feature createdAt
	}
	"Without a currency the amount is in that of the list's other prices, else in the environment's."
	input PriceInput from PackageCharges.pricingModels.pricePeriods.price
	input PriceTierInput from Charge.tiers { upTo unitPrice as PriceInput flatPrice as PriceInput }
	input CreditRateInput from Charge.creditRate
	input PricePeriodInput from PackageCharges.pricingModels.pricePeriods {
		billingPeriod as BillingPeriod billingCountryCode price as PriceInput tiers as PriceTierInput blockSize
		creditRate as CreditRateInput creditGrantCadence as CreditGrantCadence
	}
	input PricingModelInput from PackageCharges.pricingModels {
		billingModel as BillingModel billingCadence as BillingCadence * tiersMode as TiersMode
		${resetPeriodFields} pricePeriods as PricePeriodInput
	}
	input OveragePricingModelInput from PackageCharges.overagePricingModels {
		billingModel as BillingModel billingCadence as BillingCadence *
		entitlement as OverageEntitlementInput { * ${resetPeriodFields} }
		creditEntitlement as OverageCreditEntitlementInput { amount cadence as CreditCadence customCurrencyId }
		pricePeriods as PricePeriodInput
	}
	input MinimumSpendInput { billingPeriod: BillingPeriod! minimum: PriceInput! }
	input PackagePricingInput from PackageCharges { ${pricing} }
	"Replaces all prices of the draft."
	input SetPackagePricingInput from PackageCharges { refId ${pricing} }
`,
);

const price = fieldsOf<ChargeRow>({
	fields: {
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
		feature: referred(({ featureId }) => featureId, featuresByIds),
	},
});

export const pricesGraphql: GraphqlArea = { typeDefs, types: { Price: price } };
