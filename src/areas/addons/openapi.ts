import { operation } from "../../openapi/operation";
import { packageOperations } from "../packages/openapi";

export const addonOperations = {
	...packageOperations("ADDON"),
	create: operation({
		operationId: "addons.create",
		summary: "Create an addon",
		description: "It begins as a draft. Give it charges and entitlements, then publish it.",
		example: { id: "addon-training", displayName: "Training day", productId: "product-atlas", maxQuantity: 10 },
		refusals: ["ProductNotFoundError", "DuplicatedEntityNotAllowed"],
	}),
	update: operation({
		operationId: "addons.update",
		summary: "Change an addon",
		description: "What is left out stays. `charges` take the place of all that were there, and need a draft.",
		path: { id: ["The addon's id", "addon-onboarding"] },
		example: {
			charges: {
				pricingType: "PAID",
				pricingModels: [
					{
						billingModel: "FLAT_FEE",
						pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount: 250, currency: "usd" } }],
					},
				],
			},
		},
		refusals: ["AddonNotFound", "FeatureNotFound", "CannotEditPackageInNonDraftMode", "EntityIsArchivedError"],
	}),
};
