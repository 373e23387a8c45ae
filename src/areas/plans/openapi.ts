import { operation } from "../../openapi/operation";
import { packageOperations } from "../packages/openapi";

export const planOperations = {
	...packageOperations("PLAN"),
	create: operation({
		operationId: "plans.create",
		summary: "Create a plan",
		description: "It begins as a draft. Give it charges and entitlements, then publish it.",
		example: {
			id: "plan-team",
			displayName: "Team",
			productId: "product-atlas",
			defaultTrialConfig: { duration: 14, units: "DAY" },
		},
		refusals: ["ProductNotFoundError", "PlanNotFound", "DuplicatedEntityNotAllowed"],
	}),
	update: operation({
		operationId: "plans.update",
		summary: "Change a plan",
		description:
			"What is left out stays. `charges` take the place of all that were there, and need a draft: `POST /plans/{id}/draft` begins one.",
		path: { id: ["The plan's id", "plan-growth"] },
		example: {
			charges: {
				pricingType: "PAID",
				pricingModels: [
					{
						billingModel: "FLAT_FEE",
						pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount: 199, currency: "usd" } }],
					},
				],
			},
		},
		refusals: [
			"PlanNotFound",
			"AddonNotFound",
			"FeatureNotFound",
			"CannotEditPackageInNonDraftMode",
			"EntityIsArchivedError",
		],
	}),
	retrieveInvoicing: operation({
		operationId: "plans.retrieveInvoicing",
		summary: "Show who invoices what is sold of a plan",
		path: { id: ["The plan's id", "plan-growth"] },
		refusals: ["PlanNotFound"],
	}),
	updateInvoicing: operation({
		operationId: "plans.updateInvoicing",
		summary: "Say who invoices what is sold of a plan",
		description: "Of customers for whom nothing else is said. Null: the default legal entity.",
		path: { id: ["The plan's id", "plan-growth"] },
		example: { legalEntityId: null },
		refusals: ["PlanNotFound", "InvalidArgumentError"],
	}),
};
