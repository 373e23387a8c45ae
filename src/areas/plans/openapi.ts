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
	simulate: operation({
		operationId: "plans.simulate",
		summary: "Reckon what a version would have cost",
		description:
			"Rates last period's real subscriptions and usage under a draft, before it is published. Nothing is changed. The task goes on in the background; show its result with `GET /plans/{id}/simulations/{taskId}`.",
		path: { id: ["The plan's id", "plan-pro"] },
		example: { versionNumber: 1 },
		refusals: ["PlanNotFound"],
	}),
	retrieveSimulation: operation({
		operationId: "plans.retrieveSimulation",
		summary: "Show what a version would have cost",
		path: {
			id: ["The plan's id", "plan-pro"],
			taskId: ["What `POST /plans/{id}/simulate` answered", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c70"],
		},
		refusals: ["PlanNotFound"],
		uncoded: { 404: "The plan has no such simulation." },
	}),
};
