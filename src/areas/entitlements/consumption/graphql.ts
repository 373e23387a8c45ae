import type { GraphqlArea } from "../../../graphql/area";
import { mutationsOf } from "../../../graphql/input/mutations";

import { costs } from "../../../graphql/request/budget";
import { estimateEvent, estimateUsage } from "./operations.estimate";
import { CreditEstimate, EventEstimateBody, UsageEstimateBody } from "./schema.estimate";

const schemas = { CreditEstimate, UsageEstimateBody, EventEstimateBody };

const typeDefs = `
	enum CreditEstimateWarning from CreditEstimate.warnings
	enum CreditEstimateFeatureWarning from CreditEstimate.estimates.breakdown.warningCode
	enum UsageUpdateBehavior from UsageEstimateBody.updateBehavior
	type CreditEstimateOfCurrency from CreditEstimate.estimates {
		* breakdown as CreditEstimateOfFeature { * }
	}
	"The cost in credits. Nothing is recorded."
	type CreditEstimate { estimates: [CreditEstimateOfCurrency!]! warnings: [CreditEstimateWarning!]! }
	input EstimateUsageCostInput from UsageEstimateBody {
		*
		"Defaults to DELTA."
		updateBehavior
		resourceId dimensions environmentId
	}
	input EstimateEventCostInput from EventEstimateBody { * resourceId dimensions environmentId }
`;

const estimate = mutationsOf({ returns: "CreditEstimate", scope: "USAGE:READ", dropsNulls: true }).create;
const cost = costs.entitlements;

export const creditEstimatesGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	queries: {
		estimateUsageCost: { ...estimate("EstimateUsageCostInput", UsageEstimateBody, estimateUsage), cost },
		estimateEventCost: { ...estimate("EstimateEventCostInput", EventEstimateBody, estimateEvent), cost },
	},
};
