import { operation } from "../../openapi/operation";

export const catalogOperations = {
	merge: operation({
		operationId: "environments.merge",
		summary: "Take over the catalogue of another environment",
		description:
			"`from` is the id or the name of an environment of the same account. Products, features, feature groups, currencies, taxes, plans, addons and coupons as they are sold over there, whole or not at all. `dryRun` tells what would change. What only this environment has stays, unless `prune` archives it. With `migrationType` ALL_CUSTOMERS subscriptions move to new versions. Coupons ask for COUPON:WRITE as well, and COUPON:READ over there. For signed-in users: a key sees its own environment only.",
		path: { id: ["The environment's id; `current` is that of the caller", "current"] },
		example: { from: "Staging", dryRun: true },
		refusals: ["EnvironmentMissing", "MergeEnvironmentValidationError"],
	}),
};
