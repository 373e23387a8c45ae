import { and, eq, gt, inArray, isNull, lte, not, or, type SQL, sql } from "drizzle-orm";
import { createdWithin, type Page, readPage } from "../../kernel/page";
import { queryValues } from "../../kernel/query";
import { newRow } from "../../kernel/rows";
import type { Transaction, Work } from "../../kernel/work";
import type { SubscriptionListQuery, SubscriptionStatus } from "./schema";
import { type SubscriptionRow, subscriptions } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(subscriptions.environmentId, actor.environmentId);

export const selectByRef = (work: Work, refId: string): SubscriptionRow | undefined =>
	work.tx
		.select()
		.from(subscriptions)
		.where(and(inEnvironment(work), eq(subscriptions.refId, refId)))
		.get();

export const selectByIds = (work: Work, ids: readonly string[]): SubscriptionRow[] =>
	ids.length === 0
		? []
		: work.tx
				.select()
				.from(subscriptions)
				.where(and(inEnvironment(work), inArray(subscriptions.id, [...ids])))
				.all();

// Asked for by every entitlement check that finds nothing remembered.
const live = (tx: Transaction) =>
	tx
		.select()
		.from(subscriptions)
		.where(
			and(
				eq(subscriptions.environmentId, sql.placeholder("environmentId")),
				eq(subscriptions.customerId, sql.placeholder("customerId")),
				inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL"]),
				or(isNull(subscriptions.endAt), gt(subscriptions.endAt, sql.placeholder("now"))),
			),
		)
		.orderBy(subscriptions.id)
		.prepare();

export const selectLive = (work: Work, customerId: string): SubscriptionRow[] =>
	work.prepared(live).all({ environmentId: work.actor.environmentId, customerId, now: work.now });

/** Rows that still stand as running, of all customers of the batch: what a provision or an import may have to end. */
export const selectRunning = (work: Work, customerIds: readonly string[]): SubscriptionRow[] =>
	customerIds.length === 0
		? []
		: work.tx
				.select()
				.from(subscriptions)
				.where(
					and(
						inEnvironment(work),
						inArray(subscriptions.customerId, [...customerIds]),
						inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL", "PAYMENT_PENDING", "NOT_STARTED"]),
					),
				)
				.orderBy(subscriptions.id)
				.all();

/** The row ids that the query's own ids stand for; undefined where the query does not ask, null for "on none". */
export interface SubscriptionFilter {
	readonly customerId?: string | undefined;
	readonly planId?: string | undefined;
	readonly resourceIds?: readonly string[] | null | undefined;
}

export const pageSubscriptions = (
	work: Work,
	query: SubscriptionListQuery,
	{ customerId, planId, resourceIds }: SubscriptionFilter,
): Page<SubscriptionRow> => {
	const pricingTypes = queryValues(query.pricingType);
	return readPage(
		query,
		subscriptions.id,
		(cursor) => selectByIds(work, [cursor]).length > 0,
		(beyondCursor, order, rowsMax) =>
			work.tx
				.select()
				.from(subscriptions)
				.where(
					and(
						inEnvironment(work),
						beyondCursor,
						customerId === undefined ? undefined : eq(subscriptions.customerId, customerId),
						planId === undefined ? undefined : eq(subscriptions.planId, planId),
						resourceIds === undefined
							? undefined
							: resourceIds === null
								? isNull(subscriptions.resourceId)
								: inArray(subscriptions.resourceId, [...resourceIds]),
						pricingTypes && inArray(subscriptions.pricingType, pricingTypes),
						hasStatus(work, queryValues(query.status)),
						...createdWithin(query, subscriptions.createdAt),
					),
				)
				.orderBy(order)
				.limit(rowsMax)
				.all(),
	);
};

/** As `statusAt` of the rules: an agreed end that has come counts, written down or not. */
function hasStatus(work: Work, statuses: SubscriptionStatus[] | undefined): SQL | undefined {
	if (!statuses) return undefined;
	const overdue = and(inArray(subscriptions.status, ["ACTIVE", "IN_TRIAL"]), lte(subscriptions.endAt, work.now));
	const asWritten = and(
		inArray(subscriptions.status, statuses),
		or(isNull(subscriptions.endAt), not(overdue ?? sql`false`)),
	);
	return statuses.includes("EXPIRED") ? or(asWritten, overdue) : asWritten;
}

export type NewSubscription = Omit<
	SubscriptionRow,
	"id" | "environmentId" | "createdAt" | "updatedAt" | "contractId" | "contractRefId"
>;

export const insertSubscription = (work: Work, subscription: NewSubscription): SubscriptionRow =>
	work.tx
		.insert(subscriptions)
		.values({
			...subscription,
			...newRow(work),
		})
		.returning()
		.get();

export const changeSubscription = (
	work: Work,
	{ id }: Pick<SubscriptionRow, "id">,
	changes: Partial<SubscriptionRow>,
): SubscriptionRow =>
	work.tx
		.update(subscriptions)
		.set({ ...changes, updatedAt: work.now })
		.where(and(inEnvironment(work), eq(subscriptions.id, id)))
		.returning()
		.get();
