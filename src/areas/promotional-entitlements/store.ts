import { and, eq, getTableColumns, inArray, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { createdWithin, type Page, readPage } from "../../kernel/page";
import { queryValues } from "../../kernel/query";
import { insertRows, newRow, writeColumns } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { customers } from "../customers/table";
import { features } from "../features/table";
import type { PromotionalEntitlementListQuery, PromotionalStatus } from "./schema";
import { type PromotionalEntitlementRow, promotionalEntitlements } from "./table";

const granted = promotionalEntitlements;

/** A grant with its current status, which depends on its feature and customer. */
export interface Grant extends PromotionalEntitlementRow {
	/** The caller's id of the feature. */
	readonly featureRefId: string;
	readonly status: PromotionalStatus;
}

/** An expired grant is never paused. An archived feature or customer pauses an unexpired grant (docs/interface/customers.md). */
export const statusAt = (now: Instant | Placeholder) => sql<PromotionalStatus>`case
	when ${granted.endAt} <= ${now} then 'Expired'
	when ${features.status} = 'SUSPENDED' or ${customers.archivedAt} is not null then 'Paused'
	else 'Active' end`;

/** The joins that `statusAt` needs. */
export const withOwners = sql`${granted}
	inner join ${features} on ${features.id} = ${granted.featureId}
	inner join ${customers} on ${customers.id} = ${granted.customerId}`;

const grants = (tx: Transaction, now: Instant | Placeholder) =>
	tx
		.select({ ...getTableColumns(granted), featureRefId: features.refId, status: statusAt(now) })
		.from(granted)
		.innerJoin(features, eq(features.id, granted.featureId))
		.innerJoin(customers, eq(customers.id, granted.customerId));

const inEnvironment = ({ actor }: Work): SQL => eq(granted.environmentId, actor.environmentId);

// Every entitlement check without a cached answer runs this. Without an order SQLite uses the index of unrevoked
// grants.
const acting = (tx: Transaction) =>
	grants(tx, sql.placeholder("now"))
		.where(
			and(
				eq(granted.environmentId, sql.placeholder("environmentId")),
				eq(granted.customerId, sql.placeholder("customerId")),
				isNull(granted.revokedAt),
				eq(statusAt(sql.placeholder("now")), "Active"),
			),
		)
		.prepare();

export const selectActing = (work: Work, customerId: string): Grant[] =>
	work.prepared(acting).all({ environmentId: work.actor.environmentId, customerId, now: work.now });

export const selectByIds = (work: Work, ids: readonly string[]): Grant[] =>
	ids.length === 0
		? []
		: grants(work.tx, work.now)
				.where(and(inEnvironment(work), inArray(granted.id, [...ids])))
				.all();

/** Selects the unrevoked grant, expired or not. */
export const findStanding = (work: Work, customerId: string, featureId: string): Grant | undefined =>
	grants(work.tx, work.now)
		.where(
			and(
				inEnvironment(work),
				eq(granted.customerId, customerId),
				eq(granted.featureId, featureId),
				isNull(granted.revokedAt),
			),
		)
		.get();

/** Selects all unrevoked grants, expired or not; a customer has at most one for each feature. */
export const selectStanding = (work: Work, customerId: string): Grant[] =>
	grants(work.tx, work.now)
		.where(and(inEnvironment(work), eq(granted.customerId, customerId), isNull(granted.revokedAt)))
		.orderBy(granted.id)
		.all();

export const existsGiven = (work: Work, customerId: string, featureId: string): boolean =>
	work.tx
		.select({ id: granted.id })
		.from(granted)
		.where(and(inEnvironment(work), eq(granted.customerId, customerId), eq(granted.featureId, featureId)))
		.limit(1)
		.get() !== undefined;

export const pageGrants = (work: Work, customerId: string, query: PromotionalEntitlementListQuery): Page<Grant> => {
	const statuses = queryValues(query.status);
	const ofCustomer = and(inEnvironment(work), eq(granted.customerId, customerId), isNull(granted.revokedAt));
	return readPage(
		query,
		granted.id,
		// The cursor may be a grant that was revoked since: pages continue from its place.
		(cursor) => selectByIds(work, [cursor]).some((grant) => grant.customerId === customerId),
		(beyondCursor, order, rowsMax) =>
			grants(work.tx, work.now)
				.where(
					and(
						ofCustomer,
						beyondCursor,
						statuses && inArray(statusAt(work.now), statuses),
						...createdWithin(query, granted.createdAt),
					),
				)
				.orderBy(order)
				.limit(rowsMax)
				.all(),
	);
};

/** Revokes the grants of these features. */
export const markRevoked = (work: Work, customerId: string, featureIds: readonly string[]): void => {
	work.tx
		.update(granted)
		.set({ revokedAt: work.now, updatedAt: work.now })
		.where(
			and(
				inEnvironment(work),
				eq(granted.customerId, customerId),
				inArray(granted.featureId, [...featureIds]),
				isNull(granted.revokedAt),
			),
		)
		.run();
	work.accessChanged(customerId);
};

/** The groups of a grant; null for none. */
export const saveGroups = (work: Work, { id }: PromotionalEntitlementRow, groups: readonly string[]): void =>
	writeColumns(work, granted, id, {
		featureGroupIds: groups.length === 0 ? null : [...groups],
		updatedAt: work.now,
	});

export type NewGrant = Omit<
	PromotionalEntitlementRow,
	"id" | "environmentId" | "customerId" | "revokedAt" | "createdAt" | "updatedAt"
>;

/** Returns the ids in the order of the grants. */
export const insertGrants = (work: Work, customerId: string, given: readonly NewGrant[]): string[] => {
	const rows = given.map((grant) => ({ ...grant, customerId, ...newRow(work) }));
	insertRows(work, granted, rows);
	work.accessChanged(customerId);
	return rows.map(({ id }) => id);
};
