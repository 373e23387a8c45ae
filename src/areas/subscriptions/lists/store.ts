import { and, eq, gt, inArray, isNotNull, isNull, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { createdWithin, fewCreated, type Page, readPage, readPageByTime } from "../../../kernel/page";
import { addDays } from "../../../kernel/period";
import { queryValues } from "../../../kernel/query";
import { beginsWith, foundIds } from "../../../kernel/search";
import { isOneOf } from "../../../kernel/storage/rows";
import type { Work } from "../../../kernel/work";
import { pricingTypes as everyPricingType, type PricingType } from "../../packages/schema";
import { type SubscriptionListQuery, type SubscriptionStatus, subscriptionStatuses } from "../schema";
import { selectByIds } from "../store";
import { type SubscriptionRow, subscriptions } from "../table";
import { isOverdue, statusAfterEnd, statusNow } from "./store.status";

/** The row ids of the query's ids; undefined without a filter, null for "no resource". */
export interface SubscriptionFilter {
	readonly customerId?: string | undefined;
	readonly planId?: string | undefined;
	readonly resourceIds?: readonly string[] | null | undefined;
}

interface RequestedFilter extends SubscriptionFilter {
	readonly statuses: readonly SubscriptionStatus[] | undefined;
	readonly pricingTypes: readonly PricingType[] | undefined;
	readonly hasProblem: boolean | undefined;
	readonly search: string | undefined;
	readonly created: readonly SQL[];
	/** The ids of rows created within the bounds, if they are few. */
	readonly fewCreated: readonly string[] | undefined;
}

/** The start, order and size of a page. */
interface PageRange {
	readonly beyondCursor: SQL | undefined;
	readonly isBackward: boolean;
	readonly rowsMax: number;
}

/**
 * Reads a page at the same cost for any number of subscriptions. Selective filters (customer, resource, problem,
 * creation time) have indexes of their own. For statuses and pricing types an index has the rows of each pair in page
 * order, and the first rows of the requested pairs make up the page.
 */
export function pageSubscriptions(
	work: Work,
	query: SubscriptionListQuery,
	filter: SubscriptionFilter,
): Page<SubscriptionRow> {
	const created = createdWithin(query, subscriptions.createdAt);
	const asked: RequestedFilter = {
		...filter,
		statuses: queryValues(query.status),
		pricingTypes: queryValues(query.pricingType),
		hasProblem: query.hasProblem === undefined ? undefined : query.hasProblem === "true",
		search: query.search,
		created,
		fewCreated: fewCreated(work, subscriptions, created),
	};
	const days = query.trialEndsWithinDays;
	if (days !== undefined)
		return readPageByTime(
			query,
			{ time: subscriptions.trialEndAt, id: subscriptions.id },
			(cursor) => selectByIds(work, [cursor])[0]?.trialEndAt,
			(beyondCursor, order, rowsMax) =>
				read(work, and(beyondCursor, trialEnds(work, Number(days)), byKey(work, asked)), order, rowsMax),
		);
	return readPage(
		query,
		subscriptions.id,
		(cursor) => selectByIds(work, [cursor]).length > 0,
		(beyondCursor, order, rowsMax) => {
			const stretch = { beyondCursor, isBackward: query.before !== undefined, rowsMax };
			return read(work, and(beyondCursor, found(work, asked, stretch)), [order], rowsMax);
		},
	);
}

const read = (work: Work, where: SQL | undefined, order: SQL[], rowsMax: number): SubscriptionRow[] =>
	work.tx
		.select()
		.from(subscriptions)
		.where(and(eq(subscriptions.environmentId, work.actor.environmentId), where))
		.orderBy(...order)
		.limit(rowsMax)
		.all();

/** The condition repeats that of the index of trials, so that SQLite uses it. */
const trialEnds = ({ now }: Work, days: number): SQL | undefined =>
	and(
		sql`${subscriptions.status} = 'IN_TRIAL'`,
		gt(subscriptions.trialEndAt, now),
		lte(subscriptions.trialEndAt, addDays(now, days)),
		sql`coalesce(${plain(subscriptions.effectiveEndAt)} > ${now}, true)`,
	);

function found(work: Work, asked: RequestedFilter, stretch: PageRange): SQL | undefined {
	const { customerId, planId, resourceIds, statuses, pricingTypes } = asked;
	if (
		customerId !== undefined ||
		resourceIds?.length !== undefined ||
		asked.hasProblem ||
		asked.fewCreated ||
		asked.search
	)
		return byKey(work, asked);
	if (planId !== undefined || statuses || pricingTypes) return byStatus(work, asked, stretch);
	return and(...residual(asked));
}

/** Conditions in addition to status, pricing type and plan, without a better index than the list itself. */
const residual = ({ resourceIds, hasProblem, created }: RequestedFilter): Array<SQL | undefined> => [
	resourceIds === null ? isNull(subscriptions.resourceId) : undefined,
	hasProblem === false ? isNull(subscriptions.problem) : undefined,
	...created,
];

/** SQLite uses no index for an expression such as a sum, so only the other conditions select rows. */
const plain = (column: SQLWrapper): SQL => sql`+${column}`;

function byKey(work: Work, asked: RequestedFilter): SQL | undefined {
	const { customerId, planId, resourceIds, hasProblem, statuses, pricingTypes, search, fewCreated: ids } = asked;
	return and(
		customerId === undefined ? undefined : eq(subscriptions.customerId, customerId),
		resourceIds ? inArray(subscriptions.resourceId, [...resourceIds]) : undefined,
		hasProblem ? isNotNull(subscriptions.problem) : undefined,
		search === undefined ? undefined : foundBy(work, search),
		ids && isOneOf(subscriptions.id, ids),
		planId === undefined ? undefined : sql`${plain(subscriptions.planId)} = ${planId}`,
		pricingTypes && inArray(plain(subscriptions.pricingType), pricingTypes),
		statuses && inArray(statusNow(work), statuses),
		...residual(asked),
	);
}

/** Ids that begin with the text. */
const foundBy = (work: Work, text: string): SQL =>
	foundIds(subscriptions.id, subscriptions, [
		and(eq(subscriptions.environmentId, work.actor.environmentId), beginsWith(subscriptions.refId, text)),
	]);

function byStatus(work: Work, asked: RequestedFilter, { beyondCursor, isBackward, rowsMax }: PageRange): SQL {
	const { planId, statuses = subscriptionStatuses, pricingTypes = everyPricingType } = asked;
	const direction = sql.raw(isBackward ? "asc" : "desc");
	const within = and(
		planId === undefined
			? eq(subscriptions.environmentId, work.actor.environmentId)
			: and(eq(subscriptions.planId, planId), sql`${plain(subscriptions.environmentId)} = ${work.actor.environmentId}`),
		beyondCursor,
		...residual(asked),
	);
	const ofPair = and(
		within,
		sql`${subscriptions.status} = status.value and ${subscriptions.pricingType} = pricing.value`,
		sql`coalesce(${isOverdue(work)}, 0) = 0`,
	);
	const ofOverdue = and(
		isOverdue(work),
		planId === undefined ? undefined : sql`${plain(subscriptions.planId)} = ${planId}`,
		beyondCursor,
		inArray(statusAfterEnd, [...statuses]),
		inArray(plain(subscriptions.pricingType), [...pricingTypes]),
		...residual(asked),
	);
	const first = sql`select ${subscriptions.id} as id from ${subscriptions} where ${ofPair}
		order by ${subscriptions.id} ${direction} limit ${rowsMax}`;
	return sql`${subscriptions.id} in (
		select id from (
			select found.value as id from json_each(${JSON.stringify(statuses)}) as status,
				json_each(${JSON.stringify(pricingTypes)}) as pricing,
				json_each((select json_group_array(id) from (${first}))) as found
			union all select ${subscriptions.id} from ${subscriptions} where ${ofOverdue}
		) order by id ${direction} limit ${rowsMax})`;
}
