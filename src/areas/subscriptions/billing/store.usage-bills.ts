import { and, desc, eq, gte, lt, lte, ne, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Period } from "../../../kernel/period";
import { saveRow } from "../../../kernel/storage/rows";
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

// `subscription` is a row that the caller has read in its environment. Every bill runs these statements, so they are
// prepared once.

/** The usage that is counted separately: pay as you go, or overage, of one feature of a subscription. */
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

/** Windows that start at a time or later. */
export const selectUsageBillsFrom = (
	work: Work,
	{ id }: SubscriptionRow,
	{ kind, featureId }: UsageKey,
	from: Instant,
): SubscriptionUsageBillRow[] => work.prepared(billsFrom).all({ subscriptionId: id, kind, featureId, from });

/** All windows that a subscription was billed for, or that count as billed. */
export const selectUsageBills = (work: Work, { id }: SubscriptionRow): SubscriptionUsageBillRow[] =>
	work.tx
		.select()
		.from(subscriptionUsageBills)
		.where(eq(subscriptionUsageBills.subscriptionId, id))
		.orderBy(subscriptionUsageBills.kind, subscriptionUsageBills.featureId, subscriptionUsageBills.windowStart)
		.all();

const billsBefore = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptionUsageBills)
		.where(and(ofKey, lt(subscriptionUsageBills.windowStart, placeholder("before"))))
		.orderBy(desc(subscriptionUsageBills.windowStart))
		.limit(placeholder("rowsMax"))
		.prepare();

/** Windows that start before a time, newest first. */
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
	saveRow(work, subscriptionUsageBills, { ...bill, subscriptionId: id, updatedAt: work.now });
}

/** Whether another subscription of the customer, on the same resource, counts a window of the same limit. */
export const isCountedByAnother = (
	work: Work,
	{ id, environmentId, customerId, resourceId }: SubscriptionRow,
	{ kind, featureId, windowStart }: Pick<SubscriptionUsageBillRow, "kind" | "featureId" | "windowStart">,
): boolean =>
	work.prepared(countedByAnother).get({ environmentId, customerId, id, resourceId, kind, featureId, windowStart }) !==
	undefined;

const countedByAnother = (tx: Transaction) =>
	tx
		.select({ id: subscriptions.id })
		.from(subscriptions)
		.innerJoin(subscriptionUsageBills, eq(subscriptionUsageBills.subscriptionId, subscriptions.id))
		.where(
			and(
				eq(subscriptions.environmentId, placeholder("environmentId")),
				eq(subscriptions.customerId, placeholder("customerId")),
				ne(subscriptions.id, placeholder("id")),
				sql`${subscriptions.resourceId} is ${placeholder("resourceId")}`,
				eq(subscriptionUsageBills.kind, placeholder("kind")),
				eq(subscriptionUsageBills.featureId, placeholder("featureId")),
				eq(subscriptionUsageBills.windowStart, placeholder("windowStart")),
			),
		)
		.limit(1)
		.prepare();

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
	saveRow(work, subscriptionUsageMarks, { ...mark, subscriptionId: id });
}

/** Stores a set of prices and returns its id. Equal sets are stored once. */
export function storeUsagePrices(work: Work, prices: readonly UsagePrice[]): string {
	const id = new Bun.CryptoHasher("sha256").update(JSON.stringify(prices)).digest("hex");
	work.prepared(keptPrices).run({ environmentId: work.actor.environmentId, id, prices });
	return id;
}

const keptPrices = (tx: Transaction) =>
	tx
		.insert(subscriptionUsagePrices)
		.values({ environmentId: placeholder("environmentId"), id: placeholder("id"), prices: placeholder("prices") })
		.onConflictDoNothing()
		.prepare();

export const selectUsagePrices = (work: Work, id: string): readonly UsagePrice[] =>
	work.prepared(pricesById).get({ environmentId: work.actor.environmentId, id })?.prices ?? [];

const pricesById = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptionUsagePrices)
		.where(
			and(
				eq(subscriptionUsagePrices.environmentId, placeholder("environmentId")),
				eq(subscriptionUsagePrices.id, placeholder("id")),
			),
		)
		.prepare();

/** Selects the unused minimum spend of the settled period that contains an instant; undefined without one. */
export const selectUnspentMinimum = (
	work: Work,
	{ id }: SubscriptionRow,
	at: Instant,
): SubscriptionUnspentMinimumRow | undefined => {
	const [latest] = work.prepared(latestMinimums).all({ subscriptionId: id, at });
	return latest && latest.chargedUntil > at ? latest : undefined;
};

/**
 * Selects the minimum spend of the period in which usage happened. A change that waited for its payment is charged from
 * an earlier time; until the change the older one applies.
 */
export function selectMinimumOfUsage(
	work: Work,
	{ id }: SubscriptionRow,
	window: Period,
): SubscriptionUnspentMinimumRow | undefined {
	const at = window.end - 1;
	return work
		.prepared(latestMinimums)
		.all({ subscriptionId: id, at })
		.findLast(({ chargedUntil }) => chargedUntil > at);
}

const latestMinimums = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptionUnspentMinimums)
		.where(
			and(
				eq(subscriptionUnspentMinimums.subscriptionId, placeholder("subscriptionId")),
				lte(subscriptionUnspentMinimums.chargedFrom, placeholder("at")),
			),
		)
		.orderBy(desc(subscriptionUnspentMinimums.chargedFrom))
		.limit(2)
		.prepare();

export function upsertUnspentMinimum(work: Work, row: SubscriptionUnspentMinimumRow): void {
	saveRow(work, subscriptionUnspentMinimums, row);
}
