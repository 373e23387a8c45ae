import { assert, fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import {
	findCustomer,
	getCustomer,
	getCustomerById,
	markCustomerArchived,
	resourcesByIds,
	resourcesByRef,
} from "../customers/operations";
import type { CustomerRow } from "../customers/table";
import { latestVersionsOf, packagesByRefs } from "../packages/operations";
import { productsByIds } from "../products/operations";
import type { ProductSettings } from "../products/schema";
import { endSubscription, provisionSubscription, settleEnd } from "./provision";
import { assertMayEnd } from "./rules";
import type { SubscriptionCancel, SubscriptionListQuery } from "./schema";
import { changeSubscription, pageSubscriptions, selectByIds, selectByRef, selectLive, selectRunning } from "./store";
import { selectAddons, selectEntitlements, selectQuantities } from "./store.parts";
import type {
	SubscriptionAddonRow,
	SubscriptionEntitlementRow,
	SubscriptionQuantityRow,
	SubscriptionRow,
} from "./table";

export { provisionSubscription };

/** SubscriptionNotFound. */
export function getSubscription(work: Work, refId: string): SubscriptionRow {
	const subscription = selectByRef(work, refId);
	if (!subscription) throw fail("SubscriptionNotFound", `There is no subscription '${refId}' in this environment.`);
	return subscription;
}

/** Row id → row. */
export const subscriptionsByIds = (work: Work, ids: readonly string[]): Map<string, SubscriptionRow> =>
	new Map(selectByIds(work, ids).map((subscription) => [subscription.id, subscription]));

/** An id in the query that does not exist finds nothing. */
export function listSubscriptions(work: Work, query: SubscriptionListQuery): Page<SubscriptionRow> {
	const { customerId, planId, resourceId } = query;
	return pageSubscriptions(work, query, {
		customerId: customerId === undefined ? undefined : (findCustomer(work, customerId)?.id ?? ""),
		planId: planId === undefined ? undefined : (packagesByRefs(work, "PLAN", [planId]).get(planId)?.id ?? ""),
		resourceIds:
			resourceId === undefined
				? undefined
				: resourceId === ""
					? null
					: resourcesByRef(work, resourceId).map(({ id }) => id),
	});
}

/** The ones that give access now, on every resource of the customer (its row id), oldest first. */
export const liveSubscriptions = (work: Work, customerId: string): SubscriptionRow[] => selectLive(work, customerId);

/** Units bought in advance, by row ids of subscriptions. */
export const quantitiesOf = (work: Work, subscriptionIds: readonly string[]): SubscriptionQuantityRow[] =>
	selectQuantities(work, subscriptionIds);

export const addonsOf = (work: Work, subscriptionIds: readonly string[]): SubscriptionAddonRow[] =>
	selectAddons(work, subscriptionIds);

/** Entitlements of these subscriptions alone, not their plans'. */
export const ownEntitlementsOf = (work: Work, subscriptionIds: readonly string[]): SubscriptionEntitlementRow[] =>
	selectEntitlements(work, subscriptionIds);

/**
 * Ends a subscription at once. SubscriptionNotFound, SubscriptionAlreadyCanceledOrExpired; another time than IMMEDIATE is
 * UnsupportedSubscriptionScheduleType, whether the call names it or the product's settings do. Where the product goes on
 * with a free plan, that begins in the same transaction, unless REVOKE_ENTITLEMENTS takes all access away.
 */
export function cancelSubscription(work: Work, refId: string, input: SubscriptionCancel): SubscriptionRow {
	const subscription = getSubscription(work, refId);
	assertMayEnd(subscription, work.now);
	const settings = productsByIds(work, [subscription.productId]).get(subscription.productId)?.settings;
	assert(settings, "a subscription has a product");
	const time = input.cancellationTime ?? settings.subscriptionCancellationTime;
	if (time !== "IMMEDIATE")
		throw fail(
			"UnsupportedSubscriptionScheduleType",
			`Cancelling with ${time} is not available; call again with 'cancellationTime': 'IMMEDIATE' when it is due.`,
		);
	if (input.endDate !== undefined)
		throw fail("InvalidCancellationDate", "'endDate' goes with SPECIFIC_DATE only; leave it out to cancel at once.");
	if (input.prorate)
		throw fail(
			"UnsupportedParameter",
			"Credit for unused time is not available; leave 'prorate' out, or set it to false.",
		);
	const ended = endSubscription(work, subscription, "Immediate");
	const downgradePlan = input.cancellationAction === "REVOKE_ENTITLEMENTS" ? null : downgradePlanOf(settings);
	if (downgradePlan !== null) startDowngrade(work, ended, downgradePlan);
	return ended;
}

/** The free plan that follows the end of a subscription, where the product says so (semantics-extra 13). */
const downgradePlanOf = ({ subscriptionEndSetup, downgradePlanId }: ProductSettings): string | null =>
	subscriptionEndSetup === "DOWNGRADE_TO_FREE" ? (downgradePlanId ?? null) : null;

/**
 * The end of the downgrade plan itself is followed by nothing, and so is an end once that plan is archived (with its
 * product, say): what can no longer be sold must not keep anybody from leaving.
 */
function startDowngrade(work: Work, { planId, customerId, resourceId }: SubscriptionRow, downgradePlan: string): void {
	const plan = packagesByRefs(work, "PLAN", [downgradePlan]).get(downgradePlan);
	if (plan?.id === planId) return;
	if (plan && latestVersionsOf(work, [plan.id]).get(plan.id)?.status === "ARCHIVED") return;
	const resource = resourceId === null ? undefined : resourcesByIds(work, [resourceId]).get(resourceId);
	provisionSubscription(work, {
		customerId: getCustomerById(work, customerId).refId,
		planId: downgradePlan,
		...(resource && { resourceId: resource.refId }),
	});
}

/**
 * Archives a customer and ends its free subscriptions (reason CustomerArchived). Paid and custom ones must be ended
 * first: CannotDeleteCustomerError (semantics-extra 4 and 14). CustomerNotFound.
 */
export function archiveCustomer(work: Work, refId: string): CustomerRow {
	const customer = getCustomer(work, refId);
	if (customer.archivedAt !== null) return customer;
	const running = selectRunning(work, [customer.id]).filter((row) => !settleEnd(work, row));
	const charged = running.find(({ pricingType }) => pricingType !== "FREE");
	if (charged)
		throw fail(
			"CannotDeleteCustomerError",
			`The customer '${refId}' has the ${charged.pricingType} subscription '${charged.refId}'; cancel it first.`,
		);
	for (const row of running) endSubscription(work, row, "CustomerArchived");
	return markCustomerArchived(work, customer);
}

/** Puts a subscription under a contract, or takes it out (null). The contract's row id and external id. */
export const setContract = (
	work: Work,
	subscription: SubscriptionRow,
	contract: { readonly id: string; readonly refId: string } | null,
): SubscriptionRow =>
	changeSubscription(work, subscription, { contractId: contract?.id ?? null, contractRefId: contract?.refId ?? null });
