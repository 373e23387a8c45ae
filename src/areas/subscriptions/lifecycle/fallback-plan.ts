import type { Work } from "../../../kernel/work";
import { getCustomerById, resourcesByIds } from "../../customers/operations";
import { latestVersionsOf, packagesByRefs } from "../../packages/operations";
import { productsByIds } from "../../products/operations";
import { isRunning } from "../rules.status";
import type { CancellationAction } from "../schema";
import type { SubscriptionRow } from "../table";
import { type End, markEnded, settleAndEnd } from "./end";
import { provision } from "./provision";

/**
 * Ends a subscription of any status. What runs is settled, and the product's free plan follows it; what does not run has
 * nothing to settle and is followed by nothing. `action` is what the cancellation does with access, where it is one.
 */
export function endSubscription(
	work: Work,
	row: SubscriptionRow,
	how: End,
	action: CancellationAction | null = row.cancelAction,
): SubscriptionRow {
	if (!isRunning(row.status)) return markEnded(work, row, how);
	const ended = settleAndEnd(work, row, how);
	startFallbackPlan(work, ended, action);
	return ended;
}

/**
 * The free plan that follows the end of a subscription where the product says so (docs/interface/subscriptions.md),
 * unless all access is revoked. The end of that plan itself is followed by nothing, and so is an end once the plan is
 * archived (with its product, say), or the customer is: what can no longer be sold must not keep anybody from leaving.
 */
export function startFallbackPlan(work: Work, ended: SubscriptionRow, action: CancellationAction | null): void {
	const settings = productsByIds(work, [ended.productId]).get(ended.productId)?.settings;
	if (action === "REVOKE_ENTITLEMENTS" || settings?.subscriptionEndSetup !== "DOWNGRADE_TO_FREE") return;
	const { downgradePlanId } = settings;
	const plan = downgradePlanId ? packagesByRefs(work, "PLAN", [downgradePlanId]).get(downgradePlanId) : undefined;
	if (!plan || plan.id === ended.planId) return;
	if (latestVersionsOf(work, [plan.id]).get(plan.id)?.status !== "PUBLISHED") return;
	const customer = getCustomerById(work, ended.customerId);
	if (customer.archivedAt !== null) return;
	const resource =
		ended.resourceId === null ? undefined : resourcesByIds(work, [ended.resourceId]).get(ended.resourceId);
	const body = { customerId: customer.refId, planId: plan.refId, ...(resource && { resourceId: resource.refId }) };
	provision(work, customer, body, ended);
}
