import type { Instant } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { selectEverLive, selectLastEnded, selectLive, selectNextStart } from "./store.of-customers";
import type { SubscriptionRow } from "./table";
import type { SubscriptionAddonRow, SubscriptionEntitlementRow, SubscriptionQuantityRow } from "./table.parts";
import { selectAddons, selectEntitlements, selectQuantities } from "./terms/store";

/**
 * Returns the customer's subscriptions that give access now, on every resource, oldest first. `customerId` is the row
 * id.
 */
export const liveSubscriptions = (work: Work, customerId: string): SubscriptionRow[] => selectLive(work, customerId);

/**
 * Returns the customer's subscriptions that give access now or gave it once, oldest first. `customerId` is the row id.
 */
export const everLiveSubscriptions = (work: Work, customerId: string): SubscriptionRow[] =>
	selectEverLive(work, customerId);

/** Returns the start of the customer's next scheduled subscription; null if none is scheduled. */
export const nextSubscriptionStart = (work: Work, customerId: string): Instant | null =>
	selectNextStart(work, customerId);

/** Returns the subscription that ended last, of the customer itself or of one of its resources (row ids). */
export const lastEndedSubscription = (
	work: Work,
	customerId: string,
	resourceId: string | null,
): SubscriptionRow | undefined => selectLastEnded(work, customerId, resourceId);

/** Returns the purchased units, by row ids of subscriptions. */
export const quantitiesOf = (work: Work, subscriptionIds: readonly string[]): SubscriptionQuantityRow[] =>
	selectQuantities(work, subscriptionIds);

export const addonsOf = (work: Work, subscriptionIds: readonly string[]): SubscriptionAddonRow[] =>
	selectAddons(work, subscriptionIds);

/** Returns the entitlements that subscriptions have in addition to those of their plans. */
export const ownEntitlementsOf = (work: Work, subscriptionIds: readonly string[]): SubscriptionEntitlementRow[] =>
	selectEntitlements(work, subscriptionIds);
