import { and, desc, eq, gte, lt, ne, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Transaction, Work } from "../../../kernel/work";
import { type SubscriptionRow, subscriptions } from "../table";
import {
	type SubscriptionUnspentMinimumRow,
	type SubscriptionUsageBillRow,
	type SubscriptionUsageMarkRow,
	subscriptionUnspentMinimums,
	subscriptionUsageBills,
	subscriptionUsageMarks,
	subscriptionUsagePrices,
	type UsagePrice,
} from "./table.usage-bills";

// `subscription` is a row that the caller has read in its environment. Asked for with every bill, and so prepared once.

/** What is counted by itself: one subscription's pay as you go, or overage, of one feature. */
export type UsageKey = Pick<SubscriptionUsageBillRow, "kind" | "featureId">;

const { placeholder } = sql;

const ofKey = and(
	eq(subscriptionUsageBills.subscriptionId, placeholder("subscriptionId")),
	eq(subscriptionUsageBills.kind, placeholder("kind")),
	eq(subscriptionUsageBills.featureId, placeholder("featureId")),
);

const billsFrom = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptionUsageBills)
		.where(and(ofKey, gte(subscriptionUsageBills.windowStart, placeholder("from"))))
		.orderBy(subscriptionUsageBills.windowStart)
		.prepare();

/** Of the windows that begin at a time or later. */
export const selectUsageBillsFrom = (
	work: Work,
	{ id }: SubscriptionRow,
	{ kind, featureId }: UsageKey,
	from: Instant,
): SubscriptionUsageBillRow[] => work.prepared(billsFrom).all({ subscriptionId: id, kind, featureId, from });

const billsBefore = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptionUsageBills)
		.where(and(ofKey, lt(subscriptionUsageBills.windowStart, placeholder("before"))))
		.orderBy(desc(subscriptionUsageBills.windowStart))
		.limit(placeholder("rowsMax"))
		.prepare();

/** Of the windows that begin before a time, newest first. */
export const selectUsageBillsBefore = (
	work: Work,
	{ id }: SubscriptionRow,
	{ kind, featureId }: UsageKey,
	{ before, rowsMax }: { readonly before: Instant; readonly rowsMax: number },
): SubscriptionUsageBillRow[] =>
	work.prepared(billsBefore).all({ subscriptionId: id, kind, featureId, before, rowsMax });

export function upsertUsageBill(
	work: Work,
	{ id }: SubscriptionRow,
	bill: Omit<SubscriptionUsageBillRow, "subscriptionId" | "updatedAt">,
): void {
	const row = { ...bill, subscriptionId: id, updatedAt: work.now };
	const { subscriptionId, kind, featureId, windowStart } = subscriptionUsageBills;
	work.tx
		.insert(subscriptionUsageBills)
		.values(row)
		.onConflictDoUpdate({ target: [subscriptionId, kind, featureId, windowStart], set: row })
		.run();
}

/** Whether another subscription of the customer, on the same resource, counts a window of the same limit. */
export const isCountedByAnother = (
	work: Work,
	{ id, environmentId, customerId, resourceId }: SubscriptionRow,
	{ kind, featureId, windowStart }: Pick<SubscriptionUsageBillRow, "kind" | "featureId" | "windowStart">,
): boolean =>
	work.tx
		.select({ id: subscriptions.id })
		.from(subscriptions)
		.innerJoin(subscriptionUsageBills, eq(subscriptionUsageBills.subscriptionId, subscriptions.id))
		.where(
			and(
				eq(subscriptions.environmentId, environmentId),
				eq(subscriptions.customerId, customerId),
				ne(subscriptions.id, id),
				sql`${subscriptions.resourceId} is ${resourceId}`,
				eq(subscriptionUsageBills.kind, kind),
				eq(subscriptionUsageBills.featureId, featureId),
				eq(subscriptionUsageBills.windowStart, windowStart),
			),
		)
		.limit(1)
		.get() !== undefined;

const marksOf = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptionUsageMarks)
		.where(eq(subscriptionUsageMarks.subscriptionId, placeholder("subscriptionId")))
		.prepare();

export const selectUsageMarks = (work: Work, { id }: Pick<SubscriptionRow, "id">): SubscriptionUsageMarkRow[] =>
	work.prepared(marksOf).all({ subscriptionId: id });

export function upsertUsageMark(
	work: Work,
	{ id }: SubscriptionRow,
	mark: Omit<SubscriptionUsageMarkRow, "subscriptionId">,
): void {
	const row = { ...mark, subscriptionId: id };
	const { subscriptionId, kind, featureId } = subscriptionUsageMarks;
	work.tx
		.insert(subscriptionUsageMarks)
		.values(row)
		.onConflictDoUpdate({ target: [subscriptionId, kind, featureId], set: row })
		.run();
}

/** Keeps a set of prices, and answers the id it is found by. The same prices are kept once. */
export function keepUsagePrices(work: Work, prices: readonly UsagePrice[]): string {
	const id = new Bun.CryptoHasher("sha256").update(JSON.stringify(prices)).digest("hex");
	work.tx
		.insert(subscriptionUsagePrices)
		.values({ environmentId: work.actor.environmentId, id, prices })
		.onConflictDoNothing()
		.run();
	return id;
}

export const selectUsagePrices = (work: Work, id: string): readonly UsagePrice[] =>
	work.tx
		.select()
		.from(subscriptionUsagePrices)
		.where(and(eq(subscriptionUsagePrices.environmentId, work.actor.environmentId), eq(subscriptionUsagePrices.id, id)))
		.get()?.prices ?? [];

/** Of the settled time that an instant lies in; undefined where nothing of a minimum is left there. */
export const selectUnspentMinimum = (
	work: Work,
	{ id }: SubscriptionRow,
	at: Instant,
): SubscriptionUnspentMinimumRow | undefined => {
	const latest = work.tx
		.select()
		.from(subscriptionUnspentMinimums)
		.where(
			and(eq(subscriptionUnspentMinimums.subscriptionId, id), sql`${subscriptionUnspentMinimums.chargedFrom} <= ${at}`),
		)
		.orderBy(desc(subscriptionUnspentMinimums.chargedFrom))
		.limit(1)
		.get();
	return latest && latest.chargedUntil > at ? latest : undefined;
};

export function upsertUnspentMinimum(work: Work, row: SubscriptionUnspentMinimumRow): void {
	const { subscriptionId, chargedFrom } = subscriptionUnspentMinimums;
	work.tx
		.insert(subscriptionUnspentMinimums)
		.values(row)
		.onConflictDoUpdate({ target: [subscriptionId, chargedFrom], set: row })
		.run();
}
