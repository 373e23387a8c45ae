import { and, eq, gt, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { changeRow, insertRow, newRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { type CustomerParentRow, type CustomerRow, customerParents, customers } from "../table";
import { membershipsMax } from "./rules";

const firstChild = (tx: Transaction) =>
	tx
		.select()
		.from(customers)
		.where(eq(customers.parentCustomerId, sql.placeholder("parentId")))
		.orderBy(customers.id)
		.limit(1)
		.prepare();

/** Returns the oldest child of a customer, archived or not. */
export const selectFirstChild = (work: Work, parentId: string): CustomerRow | undefined =>
	work.prepared(firstChild).get({ parentId });

/** Returns the oldest child of a customer that is not archived. */
export const selectLiveChild = (work: Work, parentId: string): CustomerRow | undefined =>
	work.tx
		.select()
		.from(customers)
		.where(and(eq(customers.parentCustomerId, parentId), isNull(customers.archivedAt)))
		.orderBy(customers.id)
		.limit(1)
		.get();

/** Returns the number of children of a customer, archived ones included. */
export const countChildren = (work: Work, parentId: string): number =>
	work.tx
		.select({ count: sql<number>`count(*)` })
		.from(customers)
		.where(and(eq(customers.parentCustomerId, parentId), isNotNull(customers.parentCustomerId)))
		.get()?.count ?? 0;

const childrenOver = (tx: Transaction) =>
	tx
		.select()
		.from(customerParents)
		.where(eq(customerParents.parentId, sql.placeholder("parentId")))
		.orderBy(customerParents.id)
		.limit(membershipsMax)
		.prepare();

/** Returns the number of records of children that a customer has or had. */
export const countMemberships = (work: Work, parentId: string): number =>
	work.tx
		.select({ count: sql<number>`count(*)` })
		.from(customerParents)
		.where(eq(customerParents.parentId, parentId))
		.get()?.count ?? 0;

export const selectChildrenOver = (work: Work, parentId: string): CustomerParentRow[] =>
	work.prepared(childrenOver).all({ parentId });

/** Customers in memory at once. */
const checkedMax = 500;

/** Returns customers that have a parent, have had one, or bill to one, in the order of their ids. */
export const selectPlacedAfter = (work: Work, after: string): CustomerRow[] =>
	work.tx
		.select()
		.from(customers)
		.where(
			and(
				eq(customers.environmentId, work.actor.environmentId),
				gt(customers.id, after),
				sql`(${customers.parentCustomerId} IS NOT NULL OR ${customers.billsTo} IS NOT NULL
					OR EXISTS (SELECT 1 FROM ${customerParents} WHERE ${customerParents.customerId} = ${customers.id}))`,
			),
		)
		.orderBy(customers.id)
		.limit(checkedMax)
		.all();

/** Returns the records of the parents of customers with ids after `after` up to `until`, oldest first. */
export const selectParentsAfter = (work: Work, after: string, until: string): CustomerParentRow[] =>
	work.tx
		.select()
		.from(customerParents)
		.where(and(gt(customerParents.customerId, after), lte(customerParents.customerId, until)))
		.orderBy(customerParents.id)
		.all();

export const insertParent = (
	work: Work,
	row: Pick<CustomerParentRow, "customerId" | "parentId" | "startsAt">,
): CustomerParentRow => insertRow(work, customerParents, { ...newRow(work), ...row, endsAt: null });

/** Ends the time in which the customer belongs to its parent. */
export function endParent(work: Work, customerId: string): void {
	const open = work.tx
		.select()
		.from(customerParents)
		.where(and(eq(customerParents.customerId, customerId), isNull(customerParents.endsAt)))
		.get();
	if (open) changeRow(work, customerParents, open.id, { endsAt: work.now, updatedAt: work.now });
}
