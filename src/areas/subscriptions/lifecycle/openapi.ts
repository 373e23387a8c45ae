import { operation } from "../../../openapi/operation";

const refusedInState = [
	"SubscriptionNotFound",
	"InvalidSubscriptionStatus",
	"SubscriptionAlreadyCanceledOrExpired",
	"SubscriptionDoesNotHaveBillingPeriod",
	"BadUserInput",
] as const;

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
	pause: operation({
		operationId: "subscriptions.pause",
		summary: "Pause a subscription",
		description:
			"The status becomes `PAUSED`, without access. It begins now, at the end of the billing period (`at: END_OF_BILLING_PERIOD`), or on a `date` (`SPECIFIC_DATE`). Unused time is credited unless `prorate` is false, and usage until then is billed. Nothing is charged, renewed or granted until the subscription resumes, at `resumeAt` or by a call. It keeps its place: another subscription to the product is refused.",
		path: { id: ["The subscription's id", "subscription-soylent-pro"] },
		query,
		example: { at: "END_OF_BILLING_PERIOD", resumeAt: "2030-09-01T00:00:00.000Z", prorate: true },
		refusals: refusedInState,
	}),
	resume: operation({
		operationId: "subscriptions.resume",
		summary: "Resume a paused subscription",
		description:
			"The subscription becomes `ACTIVE` and pays for the rest of the billing period that runs, or for a whole period that begins now. Updates that became due during the pause take effect. For a pause that is only scheduled, the call sets the time of the resumption; without a later time it withdraws the pause.",
		path: { id: ["The subscription's id", "subscription-soylent-pro"] },
		query,
		example: { at: "IMMEDIATE", billingCycleAnchor: "UNCHANGED" },
		refusals: refusedInState,
	}),
};
