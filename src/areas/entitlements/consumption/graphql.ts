import type { GraphqlArea } from "../../../graphql/area";
import { type Input, operation } from "../../../graphql/input/operation";
import { sent } from "../../../graphql/input/subscription-input";
import { costs } from "../../../graphql/request/budget";
import { estimateEvent, estimateUsage } from "./operations.estimate";
import { EventEstimateBody, estimateWarnings, UsageEstimateBody } from "./schema.estimate";

const typeDefs = `
	enum CreditEstimateWarning { ${estimateWarnings.join(" ")} }
	enum CreditEstimateFeatureWarning { UNSUPPORTED_AGGREGATION }
	enum UsageUpdateBehavior { DELTA SET }
	type CreditEstimateOfFeature { featureId: String! cost: Float! warningCode: CreditEstimateFeatureWarning }
	type CreditEstimateOfCurrency {
		currencyId: String!
		estimatedCost: Float!
		currentBalance: Float!
		balanceAfterEstimate: Float!
		wouldOverdraft: Boolean!
		breakdown: [CreditEstimateOfFeature!]!
	}
	"What something would cost in credits; nothing is recorded."
	type CreditEstimate { estimates: [CreditEstimateOfCurrency!]! warnings: [CreditEstimateWarning!]! }
	input EstimateUsageCostInput {
		customerId: String!
		featureId: String!
		value: Float!
		"DELTA when left out."
		updateBehavior: UsageUpdateBehavior
		resourceId: String
		dimensions: JSON
		environmentId: String
	}
	input EstimateEventCostInput {
		customerId: String!
		eventName: String!
		resourceId: String
		dimensions: JSON
		environmentId: String
	}
	extend type Query {
		estimateUsageCost(input: EstimateUsageCostInput!): CreditEstimate
		estimateEventCost(input: EstimateEventCostInput!): CreditEstimate
	}
`;

const scope = "USAGE:READ";
const read = ({ environmentId: _, ...input }: Input): Input => sent(input);
const cost = costs.entitlements;

export const creditEstimatesGraphql: GraphqlArea = {
	typeDefs,
	queries: {
		estimateUsageCost: { ...operation({ scope, read, body: UsageEstimateBody, run: estimateUsage }), cost },
		estimateEventCost: { ...operation({ scope, read, body: EventEstimateBody, run: estimateEvent }), cost },
	},
};
