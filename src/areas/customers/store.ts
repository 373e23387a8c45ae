import { and, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { createdWithin, fewCreated, type Page, readPage, readTablePage } from "../../kernel/page";
import { beginsWith, foundIds } from "../../kernel/search";
import { amongIds, changeRow, idsIn, insertRow, isOneOf, newRow, saveRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { customerChanged, customerCreated } from "./events";
import type { CustomerListQuery, ResourceListQuery } from "./schema";
import { type CustomerRow, customerCounts, customerResources, customers, type ResourceRow } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(customers.environmentId, actor.environmentId);

// Prepared once per connection, because every entitlement check, event batch and invoice runs it.
const byRef = (tx: Transaction) =>
	tx
		.select()
		.from(customers)
		.where(
			and(eq(customers.environmentId, sql.placeholder("environmentId")), eq(customers.refId, sql.placeholder("refId"))),
		)
		.prepare();

export const selectByRef = (work: Work, refId: string): CustomerRow | undefined =>
	work.prepared(byRef).get({ environmentId: work.actor.environmentId, refId });

export const selectByBillingId = (work: Work, billingId: string): CustomerRow | undefined =>
	work.prepared(byBillingId).get({ environmentId: work.actor.environmentId, billingId });

const byBillingId = (tx: Transaction) =>
	tx
		.select()
		.from(customers)
		.where(
			and(
				eq(customers.environmentId, sql.placeholder("environmentId")),
				eq(customers.billingId, sql.placeholder("billingId")),
			),
		)
		.prepare();

export const selectByBillingIds = (work: Work, billingIds: readonly string[]): CustomerRow[] =>
	billingIds.length === 0 ? [] : work.prepared(customersBilledAs).all(idsIn(work, billingIds));

const customersBilledAs = (tx: Transaction) =>
	tx.select().from(customers).where(amongIds(customers.environmentId, customers.billingId)).prepare();

/** Returns the number of customers that are not archived, from the maintained count. */
export const countShown = (work: Work): number =>
	work.tx
		.select({ count: customerCounts.count })
		.from(customerCounts)
		.where(eq(customerCounts.environmentId, work.actor.environmentId))
		.get()?.count ?? 0;

export const selectRefsUpTo = (work: Work, rowsMax: number): string[] =>
	work.tx
		.select({ refId: customers.refId })
		.from(customers)
		.where(and(inEnvironment(work), isNull(customers.archivedAt)))
		.orderBy(customers.id)
		.limit(rowsMax)
		.all()
		.map(({ refId }) => refId);

const idsAfter = (tx: Transaction) =>
	tx
		.select({ id: customers.id })
		.from(customers)
		.where(
			and(eq(customers.environmentId, sql.placeholder("environmentId")), gt(customers.id, sql.placeholder("after"))),
		)
		.orderBy(customers.id)
		.limit(sql.placeholder("rowsMax"))
		.prepare();

export const selectIdsAfter = (work: Work, after: string, rowsMax: number): string[] =>
	work
		.prepared(idsAfter)
		.all({ environmentId: work.actor.environmentId, after, rowsMax })
		.map(({ id }) => id);

/**
 * Returns the rows with these ids. The batches of callers limit their number. A transaction reads one customer several times: for its
 * invoice, its coupon and each event.
 */
export function selectByIds(work: Work, ids: readonly string[]): CustomerRow[] {
	if (ids.length === 0) return [];
	return (ids.length === 1 ? work.remembered(customersAmong) : work.prepared(customersAmong)).all(idsIn(work, ids));
}

const customersAmong = (tx: Transaction) =>
	tx.select().from(customers).where(amongIds(customers.environmentId, customers.id)).prepare();

export const selectByRefs = (work: Work, refIds: readonly string[]): CustomerRow[] =>
	refIds.length === 0 ? [] : work.prepared(customersOfRefs).all(idsIn(work, refIds));

const customersOfRefs = (tx: Transaction) =>
	tx.select().from(customers).where(amongIds(customers.environmentId, customers.refId)).prepare();

/** Matches the beginning of ids, names (ASCII case-insensitive) and email addresses, or the whole billing id. */
const foundBy = (work: Work, text: string): SQL =>
	foundIds(
		customers.id,
		customers,
		[
			beginsWith(customers.refId, text),
			beginsWith(sql`${customers.name} collate nocase`, text),
			beginsWith(customers.email, text.toLowerCase()),
			eq(customers.billingId, text),
		].map((condition) => and(inEnvironment(work), condition)),
	);

/** Lists exclude archived customers (docs/interface/customers.md). */
export const pageCustomers = (
	work: Work,
	query: CustomerListQuery,
	{ couponId, parentCustomerId }: { readonly couponId?: string; readonly parentCustomerId?: string },
): Page<CustomerRow> =>
	readPage(
		query,
		customers.id,
		(cursor) => selectByIds(work, [cursor]).length > 0,
		(beyondCursor, order, rowsMax) => {
			const created = createdWithin(query, customers.createdAt);
			const few = fewCreated(work, customers, created);
			return work.tx
				.select()
				.from(customers)
				.where(
					and(
						inEnvironment(work),
						isNull(customers.archivedAt),
						beyondCursor,
						query.email === undefined ? undefined : eq(customers.email, query.email),
						query.name === undefined ? undefined : eq(customers.name, query.name),
						couponId === undefined ? undefined : eq(customers.couponId, couponId),
						parentCustomerId === undefined ? undefined : eq(customers.parentCustomerId, parentCustomerId),
						query.search === undefined ? undefined : foundBy(work, query.search),
						few && isOneOf(customers.id, few),
						...created,
					),
				)
				.orderBy(order)
				.limit(rowsMax)
				.all();
		},
	);

export type NewCustomer = Omit<CustomerRow, "environmentId" | "archivedAt" | "createdAt" | "updatedAt">;

export function insertCustomer(work: Work, customer: NewCustomer): CustomerRow {
	const row = insertRow(work, customers, { ...newRow(work), ...customer });
	customerCreated(work, row);
	return row;
}

/** Inserts or updates complete rows. `known` contains the existing ones by id. */
export function saveCustomers(work: Work, rows: readonly CustomerRow[], known: ReadonlyMap<string, CustomerRow>): void {
	for (const row of rows) {
		saveRow(work, customers, row);
		const before = known.get(row.id);
		if (before) customerChanged(work, before, row);
		else customerCreated(work, row);
	}
}

export const saveSeparate = (work: Work, id: string): void => {
	changeRow(work, customers, id, { invoiceGrouping: null });
};

/** The date of the record stays: no caller has changed it. */
export const saveCycleAnchor = (work: Work, { id }: CustomerRow, cycleAnchorAt: Instant): void => {
	changeRow(work, customers, id, { cycleAnchorAt });
};

/** Changes a customer and clears `importedAsOf`, so the record has the date of this change. */
export function changeCustomer(work: Work, before: CustomerRow, changes: Partial<CustomerRow>): CustomerRow {
	work.accessChanged(before.id);
	const row = changeRow(work, customers, before.id, { importedAsOf: null, ...changes, updatedAt: work.now });
	customerChanged(work, before, row);
	return row;
}

const resourceByRef = (tx: Transaction) =>
	tx
		.select()
		.from(customerResources)
		.where(
			and(
				eq(customerResources.environmentId, sql.placeholder("environmentId")),
				eq(customerResources.customerId, sql.placeholder("customerId")),
				eq(customerResources.refId, sql.placeholder("refId")),
			),
		)
		.prepare();

export const selectResource = (work: Work, customerId: string, refId: string): ResourceRow | undefined =>
	work.prepared(resourceByRef).get({ environmentId: work.actor.environmentId, customerId, refId });

const resourcesAmong = (tx: Transaction) =>
	tx.select().from(customerResources).where(amongIds(customerResources.environmentId, customerResources.id)).prepare();

export const selectResourcesByIds = (work: Work, ids: readonly string[]): ResourceRow[] =>
	ids.length === 0 ? [] : work.prepared(resourcesAmong).all(idsIn(work, ids));

/** Several customers may have the same resource id. A filter matches at most this many. */
const resourcesPerFilterMax = 1000;

export const selectResourcesByRef = (work: Work, refId: string): ResourceRow[] =>
	work.tx
		.select()
		.from(customerResources)
		.where(and(eq(customerResources.environmentId, work.actor.environmentId), eq(customerResources.refId, refId)))
		.limit(resourcesPerFilterMax)
		.all();

const resourceRefs = (tx: Transaction) =>
	tx
		.select({ refId: customerResources.refId })
		.from(customerResources)
		.where(
			and(
				eq(customerResources.environmentId, sql.placeholder("environmentId")),
				eq(customerResources.customerId, sql.placeholder("customerId")),
			),
		)
		.orderBy(customerResources.id)
		.limit(sql.placeholder("rowsMax"))
		.prepare();

export const selectResourceRefs = (work: Work, customerId: string, rowsMax: number): string[] =>
	work
		.prepared(resourceRefs)
		.all({ environmentId: work.actor.environmentId, customerId, rowsMax })
		.map(({ refId }) => refId);

export function insertResource(work: Work, customerId: string, refId: string): ResourceRow {
	work.accessChanged(customerId);
	return insertRow(work, customerResources, { ...newRow(work), customerId, refId });
}

export const pageResources = (work: Work, customerId: string, query: ResourceListQuery): Page<ResourceRow> =>
	readTablePage(
		work,
		query,
		customerResources,
		and(eq(customerResources.environmentId, work.actor.environmentId), eq(customerResources.customerId, customerId)),
	);
