import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { amongIds, idsIn, insertRows, writeColumns } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { subscriptions } from "../table";
import {
	type SubscriptionAddonRow,
	type SubscriptionCouponRow,
	type SubscriptionEntitlementRow,
	type SubscriptionQuantityRow,
	subscriptionAddons,
	subscriptionCoupons,
	subscriptionEntitlements,
	subscriptionQuantities,
} from "../table.parts";

/**
 * The parts of subscriptions. Their tables have no environment column, so each query joins the subscription and checks
 * its environment. Every bill and every access decision reads them, so the statements are prepared once.
 */
const owned = amongIds(subscriptions.environmentId, subscriptions.id);

const addonsOf = (tx: Transaction) =>
	tx
		.select(getTableColumns(subscriptionAddons))
		.from(subscriptionAddons)
		.innerJoin(subscriptions, eq(subscriptions.id, subscriptionAddons.subscriptionId))
		.where(owned)
		.orderBy(asc(subscriptionAddons.subscriptionId), asc(subscriptionAddons.position))
		.prepare();

/** In the order of the request. */
export const selectAddons = (work: Work, subscriptionIds: readonly string[]): SubscriptionAddonRow[] =>
	subscriptionIds.length === 0 ? [] : work.prepared(addonsOf).all(idsIn(work, subscriptionIds));

const quantitiesOf = (tx: Transaction) =>
	tx
		.select(getTableColumns(subscriptionQuantities))
		.from(subscriptionQuantities)
		.innerJoin(subscriptions, eq(subscriptions.id, subscriptionQuantities.subscriptionId))
		.where(owned)
		.orderBy(asc(subscriptionQuantities.subscriptionId), asc(subscriptionQuantities.position))
		.prepare();

export const selectQuantities = (work: Work, subscriptionIds: readonly string[]): SubscriptionQuantityRow[] =>
	subscriptionIds.length === 0 ? [] : work.prepared(quantitiesOf).all(idsIn(work, subscriptionIds));

const entitlementsOf = (tx: Transaction) =>
	tx
		.select(getTableColumns(subscriptionEntitlements))
		.from(subscriptionEntitlements)
		.innerJoin(subscriptions, eq(subscriptions.id, subscriptionEntitlements.subscriptionId))
		.where(owned)
		.orderBy(asc(subscriptionEntitlements.id))
		.prepare();

export const selectEntitlements = (work: Work, subscriptionIds: readonly string[]): SubscriptionEntitlementRow[] =>
	subscriptionIds.length === 0 ? [] : work.prepared(entitlementsOf).all(idsIn(work, subscriptionIds));

const couponsOf = (tx: Transaction) =>
	tx
		.select(getTableColumns(subscriptionCoupons))
		.from(subscriptionCoupons)
		.innerJoin(subscriptions, eq(subscriptions.id, subscriptionCoupons.subscriptionId))
		.where(owned)
		.orderBy(asc(subscriptionCoupons.id))
		.prepare();

export const selectCoupons = (work: Work, subscriptionIds: readonly string[]): SubscriptionCouponRow[] =>
	subscriptionIds.length === 0 ? [] : work.prepared(couponsOf).all(idsIn(work, subscriptionIds));

export type NewAddon = Pick<SubscriptionAddonRow, "addonId" | "versionId" | "quantity">;
export type NewQuantity = Pick<SubscriptionQuantityRow, "featureId" | "currencyId" | "quantity">;
export type NewEntitlement = Omit<SubscriptionEntitlementRow, "id" | "subscriptionId" | "createdAt" | "updatedAt">;

const given = sql.placeholder("subscriptionId");
const noAddons = (tx: Transaction) =>
	tx.delete(subscriptionAddons).where(eq(subscriptionAddons.subscriptionId, given)).prepare();
const noQuantities = (tx: Transaction) =>
	tx.delete(subscriptionQuantities).where(eq(subscriptionQuantities.subscriptionId, given)).prepare();
const noEntitlements = (tx: Transaction) =>
	tx.delete(subscriptionEntitlements).where(eq(subscriptionEntitlements.subscriptionId, given)).prepare();

// `subscriptionId` is a row that the caller has read or inserted. `replace…` deletes the former rows.

export function insertAddons(work: Work, subscriptionId: string, addons: readonly NewAddon[]): void {
	insertRows(
		work,
		subscriptionAddons,
		addons.map((addon, position) => ({ ...addon, subscriptionId, position, createdAt: work.now })),
	);
}

export function replaceAddons(work: Work, subscriptionId: string, addons: readonly NewAddon[]): void {
	work.prepared(noAddons).run({ subscriptionId });
	insertAddons(work, subscriptionId, addons);
}

export function replaceQuantities(work: Work, subscriptionId: string, quantities: readonly NewQuantity[]): void {
	work.prepared(noQuantities).run({ subscriptionId });
	insertQuantities(work, subscriptionId, quantities);
}

export function insertQuantities(work: Work, subscriptionId: string, quantities: readonly NewQuantity[]): void {
	insertRows(
		work,
		subscriptionQuantities,
		quantities.map((quantity, position) => ({ ...quantity, subscriptionId, position })),
	);
}

export function replaceEntitlements(work: Work, subscriptionId: string, entitlements: readonly NewEntitlement[]): void {
	work.prepared(noEntitlements).run({ subscriptionId });
	insertEntitlements(work, subscriptionId, entitlements);
}

export function insertEntitlements(work: Work, subscriptionId: string, entitlements: readonly NewEntitlement[]): void {
	const dated = { subscriptionId, createdAt: work.now, updatedAt: work.now };
	insertRows(
		work,
		subscriptionEntitlements,
		entitlements.map((entitlement) => ({ ...entitlement, ...dated, id: work.newId() })),
	);
}

/** Ends the active coupon. Discounts it has given stay. */
export const removeCoupons = (work: Work, subscriptionId: string): void => {
	work.prepared(removed).run({ subscriptionId, now: work.now });
};

const removed = (tx: Transaction) =>
	tx
		.update(subscriptionCoupons)
		.set({ status: "REMOVED", endAt: sql`${sql.placeholder("now")}` })
		.where(and(eq(subscriptionCoupons.subscriptionId, given), eq(subscriptionCoupons.status, "ACTIVE")))
		.prepare();

export const setCouponEnd = (work: Work, id: string, endAt: Instant): void =>
	writeColumns(work, subscriptionCoupons, id, { endAt });

export const insertCoupon = (
	work: Work,
	subscriptionId: string,
	coupon: Pick<SubscriptionCouponRow, "couponId" | "startAt" | "endAt" | "position" | "applicationId">,
): void => {
	insertRows(work, subscriptionCoupons, [
		{ ...coupon, id: work.newId(), subscriptionId, status: "ACTIVE", createdAt: work.now },
	]);
};
