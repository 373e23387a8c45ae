import type { GraphqlArea } from "../../graphql/area";
import { mutationsOf } from "../../graphql/input/mutations";
import { createPlan, updatePlan } from "./operations";
import { Plan, PlanCreate, PlanUpdate } from "./schema";

const schemas = { Plan, PlanCreate, PlanUpdate };

const typeDefs = `
	input DefaultTrialConfigInput from Plan.defaultTrialConfig {
		duration units as TrialPeriodUnits budget as TrialBudgetInput { * } trialEndBehavior as TrialEndBehavior
		"Whether usage in the trial is billed at its end. Default: false."
		billsUsage
	}
	input CreatePlanInput from PlanCreate {
		*
		"The caller's id of the product."
		productId
		billingId defaultTrialConfig description additionalMetaData
		"The base plan. Its entitlements are inherited."
		parentPlanId
		pricingType
		"DRAFT, or omitted."
		status
	}
	"Changes the draft. Omitted members stay. Null clears."
	input UpdatePlanInput from PlanUpdate {
		refId billingId charges as PackagePricingInput compatibleAddonIds
		defaultTrialConfig as DefaultTrialConfigInput *
	}
`;

const write = mutationsOf({ returns: "Plan", scope: "CATALOG:WRITE" });

/** `packages` has the types and the queries: plans and addons share them. */
export const plansGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	mutations: {
		createOnePlan: write.create("CreatePlanInput", PlanCreate, createPlan),
		updateOnePlan: write.change("UpdatePlanInput", PlanUpdate, updatePlan),
		setPlanPricing: write.change("SetPackagePricingInput", PlanUpdate, updatePlan, { under: "charges" }),
	},
};
