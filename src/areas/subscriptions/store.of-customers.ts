import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, min, or, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { amongIds, idsIn } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import type { PricingType } from "../packages/schema";
import { type SubscriptionRow, subscriptions } from "./table";

const ofCustomer = and(
	eq(subscriptions.environmentId, sql.placeholder("environmentId")),
	eq(subscriptions.customerId, sql.placeholder("customerId")),
);

// Every entitlement check without a cached answer runs this.
const live = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(
			and(
				ofCustomer,
				inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL"]),
				or(isNull(subscriptions.effectiveEndAt), gt(subscriptions.effectiveEndAt, sql.placeholder("now"))),
			),
		)
		.orderBy(subscriptions.id)
		.prepare();

export const selectLive = (work: Work, customerId: string): SubscriptionRow[] =>
	work.prepared(live).all({ environmentId: work.actor.environmentId, customerId, now: work.now });

const everLive = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(and(ofCustomer, inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL", "PAUSED", "CANCELED", "EXPIRED"])))
		.orderBy(subscriptions.id)
		.prepare();

/** Selects the subscriptions that give access now or gave it once. */
export const selectEverLive = (work: Work, customerId: string): SubscriptionRow[] =>
	work.prepared(everLive).all({ environmentId: work.actor.environmentId, customerId });

const nextStart = (tx: Transaction) =>
	tx
		.select({ at: min(subscriptions.startAt) })
		.from(subscriptions)
		.where(and(ofCustomer, eq(subscriptions.status, "NOT_STARTED"), gt(subscriptions.startAt, sql.placeholder("now"))))
		.prepare();

export const selectNextStart = (work: Work, customerId: string): Instant | null =>
	work.prepared(nextStart).get({ environmentId: work.actor.environmentId, customerId, now: work.now })?.at ?? null;

const firstAnchor = (tx: Transaction) =>
	tx
		.select({ at: subscriptions.billingAnchorAt })
		.from(subscriptions)
		.where(and(ofCustomer, isNotNull(subscriptions.billingAnchorAt)))
		.orderBy(asc(subscriptions.startAt), asc(subscriptions.id))
		.limit(1)
		.prepare();

/** Selects the anchor of a customer's first charged subscription; null if nothing was charged. */
export const selectFirstAnchor = (work: Work, customerId: string): Instant | null =>
	work.prepared(firstAnchor).get({ environmentId: work.actor.environmentId, customerId })?.at ?? null;

const lastEnded = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(
			and(
				ofCustomer,
				inArray(subscriptions.status, ["CANCELED", "EXPIRED"]),
				sql`${subscriptions.resourceId} is ${sql.placeholder("resourceId")}`,
			),
		)
		.orderBy(desc(subscriptions.endedAt), desc(subscriptions.id))
		.limit(1)
		.prepare();

export const selectLastEnded = (
	work: Work,
	customerId: string,
	resourceId: string | null,
): SubscriptionRow | undefined =>
	work.prepared(lastEnded).get({ environmentId: work.actor.environmentId, customerId, resourceId });

const running = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(
			and(
				amongIds(subscriptions.environmentId, subscriptions.customerId),
				inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL", "PAYMENT_PENDING", "NOT_STARTED", "PAUSED"]),
			),
		)
		.orderBy(subscriptions.id)
		.prepare();

/** Selects the rows of these customers that have not ended: a provision or an import may have to end them. */
export const selectRunning = (work: Work, customerIds: readonly string[]): SubscriptionRow[] =>
	customerIds.length === 0 ? [] : work.prepared(running).all(idsIn(work, customerIds));

const currentOf = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(
			and(
				isRunningOf,
				eq(subscriptions.productId, sql.placeholder("productId")),
				// Any resource, if the product allows one subscription for each customer.
				or(
					sql`${sql.placeholder("anyResource")}`,
					sql`${subscriptions.resourceId} is ${sql.placeholder("resourceId")}`,
				),
			),
		)
		.orderBy(subscriptions.id)
		.prepare();

const countRunningOf = (tx: Transaction) =>
	tx.select({ rows: count() }).from(subscriptions).where(isRunningOf).prepare();

const isRunningOf = and(
	ofCustomer,
	inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL", "PAYMENT_PENDING", "NOT_STARTED", "PAUSED"]),
);

/** The slot of a subscription: one resource (its row id; null: none), or any resource. */
export interface SlotFilter {
	readonly customerId: string;
	readonly productId: string;
	readonly resourceId: string | null;
	readonly anyResource: boolean;
}

export const selectCurrent = (work: Work, { anyResource, ...filter }: SlotFilter): SubscriptionRow[] =>
	work
		.prepared(currentOf)
		.all({ environmentId: work.actor.environmentId, ...filter, anyResource: anyResource ? 1 : 0 });

export const countRunning = (work: Work, customerId: string): number =>
	work.prepared(countRunningOf).get({ environmentId: work.actor.environmentId, customerId })?.rows ?? 0;

/** Selects a customer's subscriptions to a product, of every status. */
export const selectOfProduct = (work: Work, customerId: string, productId: string): SubscriptionRow[] =>
	work.prepared(ofProduct).all({ environmentId: work.actor.environmentId, customerId, productId });

const ofProduct = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(and(ofCustomer, eq(subscriptions.productId, sql.placeholder("productId"))))
		.prepare();

/** Returns the subscriptions of customers (row ids) to one of their resources, or to none. */
export const selectOfCustomers = (
	work: Work,
	customerIds: readonly string[],
	resourceRef: string | null,
): SubscriptionRow[] => {
	if (customerIds.length === 0) return [];
	const resource = sql`(SELECT ref_id FROM customer_resources WHERE id = ${subscriptions.resourceId})`;
	return work.tx
		.select()
		.from(subscriptions)
		.where(
			and(
				eq(subscriptions.environmentId, work.actor.environmentId),
				inArray(subscriptions.customerId, [...customerIds]),
				resourceRef === null ? isNull(subscriptions.resourceId) : sql`${resource} = ${resourceRef}`,
			),
		)
		.all();
};

export interface LiveCount {
	readonly customerId: string;
	readonly pricingType: PricingType;
	readonly totalCount: number;
}

/** Counts the live subscriptions of many customers at once. */
export const selectLiveCounts = (work: Work, customerIds: readonly string[]): LiveCount[] =>
	work.tx
		.select({
			customerId: subscriptions.customerId,
			pricingType: subscriptions.pricingType,
			totalCount: count(),
		})
		.from(subscriptions)
		.where(
			and(
				eq(subscriptions.environmentId, work.actor.environmentId),
				inArray(subscriptions.customerId, [...customerIds]),
				inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL"]),
				or(isNull(subscriptions.effectiveEndAt), gt(subscriptions.effectiveEndAt, work.now)),
			),
		)
		.groupBy(subscriptions.customerId, subscriptions.pricingType)
		.orderBy(subscriptions.pricingType)
		.all();
