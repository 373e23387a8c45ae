import { fieldsOf, type GraphqlArea } from "../../../graphql/area";
import { moneyOrNull } from "../../../graphql/input/value-formats";
import { toWire, toWireOrNull } from "../../../kernel/decimal";
import { currenciesByIds } from "../../currencies/operations";
import { featuresByIds } from "../../features/operations";
import type { ChargeRow } from "../table";

/** The whole pricing of a draft, as REST's `charges`. */
const pricing = `
	pricingType: PricingType!
	billingId: String
	pricingModels: [PricingModelInput!]
	overagePricingModels: [OveragePricingModelInput!]
	overageBillingPeriod: OverageBillingPeriod
	minimumSpend: [MinimumSpendInput!]
`;

const typeDefs = `
	enum BillingModel { FLAT_FEE MINIMUM_SPEND PER_UNIT USAGE_BASED CREDIT_BASED }
	enum BillingPeriod { MONTHLY ANNUALLY }
	enum BillingCadence { RECURRING ONE_OFF }
	enum TiersMode { VOLUME GRADUATED }
	enum OverageBillingPeriod { ON_SUBSCRIPTION_RENEWAL MONTHLY }
	enum CreditGrantCadence { BEGINNING_OF_BILLING_PERIOD MONTHLY }
	type PriceTier { upTo: Float unitPrice: Money flatPrice: Money }
	type CreditRate { amount: Float! currencyId: String costFormula: String }
	type Price {
		id: ID!
		billingModel: BillingModel!
		billingPeriod: BillingPeriod!
		billingCadence: BillingCadence!
		billingCountryCode: String
		billingId: String
		minUnitQuantity: Int
		maxUnitQuantity: Int
		"Of tiers, what the first one costs; null where credits pay."
		price: Money
		tiers: [PriceTier!]
		tiersMode: TiersMode
		blockSize: Float
		creditRate: CreditRate
		creditGrantCadence: CreditGrantCadence
		"The caller's id of the currency that this price tops up."
		topUpCustomCurrencyId: String
		feature: Feature
		createdAt: DateTime!
	}
	"Without a currency it is in that of the list's other prices, else in the environment's."
	input PriceInput { amount: Float! currency: Currency }
	input PriceTierInput { upTo: Float unitPrice: PriceInput flatPrice: PriceInput }
	input CreditRateInput { amount: Float! currencyId: String! costFormula: String }
	input PricePeriodInput {
		billingPeriod: BillingPeriod!
		billingCountryCode: String
		price: PriceInput
		tiers: [PriceTierInput!]
		blockSize: Float
		creditRate: CreditRateInput
		creditGrantCadence: CreditGrantCadence
	}
	input PricingModelInput {
		billingModel: BillingModel!
		billingCadence: BillingCadence
		featureId: String
		topUpCustomCurrencyId: String
		minUnitQuantity: Int
		maxUnitQuantity: Int
		tiersMode: TiersMode
		resetPeriod: EntitlementResetPeriod
		yearlyResetPeriodConfiguration: YearlyResetPeriodConfigInput
		monthlyResetPeriodConfiguration: MonthlyResetPeriodConfigInput
		weeklyResetPeriodConfiguration: WeeklyResetPeriodConfigInput
		pricePeriods: [PricePeriodInput!]!
	}
	input OverageEntitlementInput {
		featureId: String!
		usageLimit: Float
		hasSoftLimit: Boolean
		hasUnlimitedUsage: Boolean
		resetPeriod: EntitlementResetPeriod
		yearlyResetPeriodConfiguration: YearlyResetPeriodConfigInput
		monthlyResetPeriodConfiguration: MonthlyResetPeriodConfigInput
		weeklyResetPeriodConfiguration: WeeklyResetPeriodConfigInput
	}
	input OverageCreditEntitlementInput { amount: Float! cadence: CreditCadence! customCurrencyId: String! }
	input OveragePricingModelInput {
		billingModel: BillingModel!
		billingCadence: BillingCadence
		featureId: String
		currencyId: String
		entitlement: OverageEntitlementInput
		creditEntitlement: OverageCreditEntitlementInput
		pricePeriods: [PricePeriodInput!]!
	}
	input MinimumSpendInput { billingPeriod: BillingPeriod! minimum: PriceInput! }
	input PackagePricingInput { ${pricing} }
	"Takes the place of all prices that the draft had."
	input SetPackagePricingInput { refId: String! ${pricing} }
`;

const price = fieldsOf<ChargeRow>({
	fields: {
		// No integration gives an id to a single price.
		billingId: () => null,
		price: ({ price, tiers }) => moneyOrNull(price ?? tiers?.[0]?.unitPrice ?? tiers?.[0]?.flatPrice ?? null),
		tiers: ({ tiers }) =>
			tiers?.map(({ upTo, unitPrice, flatPrice }) => ({
				upTo: toWireOrNull(upTo),
				unitPrice: moneyOrNull(unitPrice),
				flatPrice: moneyOrNull(flatPrice),
			})),
		blockSize: ({ blockSize }) => toWireOrNull(blockSize),
		creditRate(row, _, context) {
			const currency = context.related(row, ({ creditCurrencyId }) => creditCurrencyId, currenciesByIds);
			if (row.creditAmount === null) return null;
			return { amount: toWire(row.creditAmount), currencyId: currency?.refId, costFormula: row.creditCostFormula };
		},
		topUpCustomCurrencyId: (row, _, context) =>
			context.related(row, ({ topUpCurrencyId }) => topUpCurrencyId, currenciesByIds)?.refId,
		feature: (row, _, context) => context.related(row, ({ featureId }) => featureId, featuresByIds),
	},
});

export const pricesGraphql: GraphqlArea = { typeDefs, types: { Price: price } };
