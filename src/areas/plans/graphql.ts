import type { GraphqlArea } from "../../graphql/area";
import { byRefId, operation } from "../../graphql/input/operation";
import { createPlan, updatePlan } from "./operations";
import { PlanCreate, PlanUpdate } from "./schema";

const typeDefs = `
	input TrialBudgetInput { limit: Float! hasSoftLimit: Boolean! }
	input DefaultTrialConfigInput {
		duration: Int!
		units: TrialPeriodUnits!
		budget: TrialBudgetInput
		trialEndBehavior: TrialEndBehavior
	}
	input CreatePlanInput {
		refId: String!
		displayName: String!
		"The caller's id of the product."
		productId: String!
		billingId: String
		defaultTrialConfig: DefaultTrialConfigInput
		description: String
		additionalMetaData: JSON
		"The base, whose entitlements are inherited."
		parentPlanId: String
		pricingType: PricingType
		"DRAFT, or left out."
		status: PackageStatus
	}
	"Changes the draft. What is left out stays, null clears."
	input UpdatePlanInput {
		refId: String!
		billingId: String
		charges: PackagePricingInput
		compatibleAddonIds: [String!]
		defaultTrialConfig: DefaultTrialConfigInput
		description: String
		displayName: String
		additionalMetaData: JSON
		parentPlanId: String
	}
	extend type Mutation {
		createOnePlan(input: CreatePlanInput!): Plan
		updateOnePlan(input: UpdatePlanInput!): Plan
		setPlanPricing(input: SetPackagePricingInput!): Plan
	}
`;

const scope = "CATALOG:WRITE";

/** The types and the reads are in packages: plans and addons share them. */
export const plansGraphql: GraphqlArea = {
	typeDefs,
	mutations: {
		createOnePlan: operation({ scope, body: PlanCreate, run: createPlan }),
		updateOnePlan: operation({
			scope,
			path: byRefId,
			body: PlanUpdate,
			run: (work, body, { id }) => updatePlan(work, id, body),
		}),
		setPlanPricing: operation({
			scope,
			path: byRefId,
			body: PlanUpdate,
			under: "charges",
			run: (work, body, { id }) => updatePlan(work, id, body),
		}),
	},
};
