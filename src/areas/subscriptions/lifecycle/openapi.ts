import { operation } from "../../../openapi/operation";

const query = { dryRun: "`true` previews the call and changes nothing" };

export const lifecycleOperations = {
	endTrial: operation({
		operationId: "subscriptions.endTrial",
		summary: "End a trial now and start to charge the subscription",
		description:
			"The first billing period starts now. If the plan's trial has `billsUsage`, the invoice also bills the usage of the trial.",
		path: { id: ["The subscription's id", "subscription-soylent-pro"] },
		query,
		refusals: ["SubscriptionNotFound", "InvalidSubscriptionStatus"],
	}),
};
