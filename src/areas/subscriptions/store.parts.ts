import { and, asc, eq, inArray } from "drizzle-orm";
import type { Work } from "../../kernel/work";
import {
	type SubscriptionAddonRow,
	type SubscriptionCouponRow,
	type SubscriptionEntitlementRow,
	type SubscriptionQuantityRow,
	subscriptionAddons,
	subscriptionCoupons,
	subscriptionEntitlements,
	subscriptionQuantities,
	subscriptions,
} from "./table";

/**
 * The parts of subscriptions. Their tables have no environment of their own: each query goes by way of the subscription
 * they belong to, whose environment it checks.
 */
const owned = (work: Work, ids: readonly string[]) =>
	and(eq(subscriptions.environmentId, work.actor.environmentId), inArray(subscriptions.id, [...ids]));

/** In the order in which they were given. */
export const selectAddons = (work: Work, subscriptionIds: readonly string[]): SubscriptionAddonRow[] =>
	subscriptionIds.length === 0
		? []
		: work.tx
				.select()
				.from(subscriptionAddons)
				.innerJoin(subscriptions, eq(subscriptions.id, subscriptionAddons.subscriptionId))
				.where(owned(work, subscriptionIds))
				.orderBy(asc(subscriptionAddons.subscriptionId), asc(subscriptionAddons.position))
				.all()
				.map((row) => row.subscription_addons);

export const selectQuantities = (work: Work, subscriptionIds: readonly string[]): SubscriptionQuantityRow[] =>
	subscriptionIds.length === 0
		? []
		: work.tx
				.select()
				.from(subscriptionQuantities)
				.innerJoin(subscriptions, eq(subscriptions.id, subscriptionQuantities.subscriptionId))
				.where(owned(work, subscriptionIds))
				.orderBy(asc(subscriptionQuantities.subscriptionId), asc(subscriptionQuantities.position))
				.all()
				.map((row) => row.subscription_quantities);

export const selectEntitlements = (work: Work, subscriptionIds: readonly string[]): SubscriptionEntitlementRow[] =>
	subscriptionIds.length === 0
		? []
		: work.tx
				.select()
				.from(subscriptionEntitlements)
				.innerJoin(subscriptions, eq(subscriptions.id, subscriptionEntitlements.subscriptionId))
				.where(owned(work, subscriptionIds))
				.orderBy(asc(subscriptionEntitlements.id))
				.all()
				.map((row) => row.subscription_entitlements);

export const selectCoupons = (work: Work, subscriptionIds: readonly string[]): SubscriptionCouponRow[] =>
	subscriptionIds.length === 0
		? []
		: work.tx
				.select()
				.from(subscriptionCoupons)
				.innerJoin(subscriptions, eq(subscriptions.id, subscriptionCoupons.subscriptionId))
				.where(owned(work, subscriptionIds))
				.orderBy(asc(subscriptionCoupons.id))
				.all()
				.map((row) => row.subscription_coupons);

export type NewAddon = Pick<SubscriptionAddonRow, "addonId" | "versionId" | "quantity">;
export type NewQuantity = Pick<SubscriptionQuantityRow, "featureId" | "currencyId" | "quantity">;
export type NewEntitlement = Omit<SubscriptionEntitlementRow, "id" | "subscriptionId" | "createdAt" | "updatedAt">;

/** What is given takes the place of what was there; `subscriptionId` is a row that the caller has read or just made. */
export function replaceAddons(work: Work, subscriptionId: string, addons: readonly NewAddon[]): void {
	work.tx.delete(subscriptionAddons).where(eq(subscriptionAddons.subscriptionId, subscriptionId)).run();
	addons.forEach((addon, position) => {
		work.tx
			.insert(subscriptionAddons)
			.values({ ...addon, subscriptionId, position, createdAt: work.now })
			.run();
	});
}

export function replaceQuantities(work: Work, subscriptionId: string, quantities: readonly NewQuantity[]): void {
	work.tx.delete(subscriptionQuantities).where(eq(subscriptionQuantities.subscriptionId, subscriptionId)).run();
	quantities.forEach((quantity, position) => {
		work.tx
			.insert(subscriptionQuantities)
			.values({ ...quantity, subscriptionId, position })
			.run();
	});
}

export function insertEntitlements(work: Work, subscriptionId: string, entitlements: readonly NewEntitlement[]): void {
	for (const entitlement of entitlements)
		work.tx
			.insert(subscriptionEntitlements)
			.values({ ...entitlement, id: work.newId(), subscriptionId, createdAt: work.now, updatedAt: work.now })
			.run();
}

export const insertCoupon = (
	work: Work,
	subscriptionId: string,
	coupon: Pick<SubscriptionCouponRow, "couponId" | "startAt" | "endAt">,
): void => {
	work.tx
		.insert(subscriptionCoupons)
		.values({ ...coupon, id: work.newId(), subscriptionId, status: "ACTIVE", createdAt: work.now })
		.run();
};
