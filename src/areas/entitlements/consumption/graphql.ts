import type { GraphqlArea } from "../../../graphql/area";
import { derive } from "../../../graphql/derive/types";
import { mutationsOf } from "../../../graphql/input/mutations";

import { costs } from "../../../graphql/request/budget";
import { estimateEvent, estimateUsage } from "./operations.estimate";
import { CreditEstimate, EventEstimateBody, estimateWarnings, UsageEstimateBody } from "./schema.estimate";

const typeDefs = derive(
	{ CreditEstimate, UsageEstimateBody, EventEstimateBody },
	`
	enum CreditEstimateWarning { ${estimateWarnings.join(" ")} }
	enum CreditEstimateFeatureWarning { UNSUPPORTED_AGGREGATION }
	enum UsageUpdateBehavior from UsageEstimateBody.updateBehavior
	type CreditEstimateOfCurrency from CreditEstimate.estimates {
		* breakdown as CreditEstimateOfFeature { * warningCode as CreditEstimateFeatureWarning }
	}
	"The cost in credits. Nothing is recorded."
	type CreditEstimate { estimates: [CreditEstimateOfCurrency!]! warnings: [CreditEstimateWarning!]! }
	input EstimateUsageCostInput from UsageEstimateBody {
		*
		"Defaults to DELTA."
		updateBehavior as UsageUpdateBehavior
		resourceId dimensions environmentId
	}
	input EstimateEventCostInput from EventEstimateBody { * resourceId dimensions environmentId }
`,
);

const estimate = mutationsOf({ returns: "CreditEstimate", scope: "USAGE:READ", dropsNulls: true }).create;
const cost = costs.entitlements;

export const creditEstimatesGraphql: GraphqlArea = {
	typeDefs,
	queries: {
		estimateUsageCost: { ...estimate("EstimateUsageCostInput", UsageEstimateBody, estimateUsage), cost },
		estimateEventCost: { ...estimate("EstimateEventCostInput", EventEstimateBody, estimateEvent), cost },
	},
};
