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
 * Ends a subscription of any status. A running one is settled. The product's free plan follows
 * a running or paused one. `action` is the
 * effect of a cancellation on access.
 */
export function endSubscription(
	work: Work,
	row: SubscriptionRow,
	how: End,
	action: CancellationAction | null = row.cancelAction,
): SubscriptionRow {
	if (!isRunning(row.status) && row.status !== "PAUSED") return markEnded(work, row, how);
	const ended = settleAndEnd(work, row, how);
	startFallbackPlan(work, ended, action);
	return ended;
}

/**
 * Starts the free plan that follows the end of a subscription (docs/interface/subscriptions.md), unless all access is
 * revoked. No plan follows the free plan itself. An archived plan, product or customer starts nothing, so that an end
 * never fails.
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
