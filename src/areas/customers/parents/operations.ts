import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { assertNotArchived } from "../rules";
import type { Place } from "../schema";
import { selectByIds, selectByRef } from "../store";
import type { CustomerParentRow, CustomerRow } from "../table";
import { assertParent } from "./rules";
import {
	countChildren,
	countMemberships,
	endParent,
	insertParent,
	selectChildrenOver,
	selectFirstChild,
	selectLiveChild,
} from "./store";

type Placed = Pick<CustomerRow, "id" | "refId" | "parentCustomerId" | "billsTo">;

/**
 * Returns the parent of a customer after a request, and who pays. Missing fields keep their values; a null parent removes it. Throws
 * CustomerNotFound, EntityIsArchivedError; InvalidArgumentError for a circle, for more than one level, or for a customer that bills to
 * its parent and has none. `where` names the place of the fields.
 */
export function placeAfter(
	work: Work,
	customer: Placed,
	{ parentCustomerId, billsTo }: Place,
	where: string,
): Pick<CustomerRow, "parentCustomerId" | "billsTo"> {
	const parentId =
		parentCustomerId === undefined
			? customer.parentCustomerId
			: parentCustomerId && parentIdOf(work, customer, parentCustomerId, `${where}/parentCustomerId`);
	const payer = billsTo === undefined ? customer.billsTo : billsTo === "PARENT" ? billsTo : null;
	if (payer !== null && parentId === null)
		throw fail(
			"InvalidArgumentError",
			`${where}/billsTo: The customer '${customer.refId}' bills to its parent, so it needs one; give 'parentCustomerId', or set 'billsTo' to SELF.`,
		);
	return { parentCustomerId: parentId, billsTo: payer };
}

function parentIdOf(work: Work, customer: Placed, parentRef: string, where: string): string {
	const parent = selectByRef(work, parentRef);
	if (!parent)
		throw fail(
			"CustomerNotFound",
			`${where}: There is no customer '${parentRef}' in this environment; provision it first.`,
		);
	if (parent.id === customer.parentCustomerId) return parent.id;
	const child = selectFirstChild(work, customer.id);
	const [siblings, memberships] = [countChildren(work, parent.id), countMemberships(work, parent.id)];
	assertParent(customer, { parent, child, siblings, memberships }, where);
	assertNotArchived(parent, `${where}: `);
	return parent.id;
}

/**
 * Records since when a customer belongs to its parent. A new customer belongs to it from its first usage on. `before` is the customer
 * before the change; undefined: it is new.
 */
export function recordParent(
	work: Work,
	before: Pick<CustomerRow, "parentCustomerId"> | undefined,
	{ id, parentCustomerId }: Pick<CustomerRow, "id" | "parentCustomerId">,
): void {
	if ((before?.parentCustomerId ?? null) === parentCustomerId) return;
	if (before && before.parentCustomerId !== null) endParent(work, id);
	if (parentCustomerId !== null)
		insertParent(work, { customerId: id, parentId: parentCustomerId, startsAt: before ? work.now : null });
}

/** Throws CannotDeleteCustomerError if the customer has children that are not archived. */
export function assertHasNoChildren(work: Work, { id, refId }: CustomerRow): void {
	const child = selectLiveChild(work, id);
	if (child)
		throw fail(
			"CannotDeleteCustomerError",
			`The customer '${refId}' is the parent of '${child.refId}'; archive that customer, or set its 'parentCustomerId' to null, first.`,
		);
}

/** Throws EntityIsArchivedError if the parent of the customer is archived. */
export function assertParentIsLive(work: Work, { parentCustomerId }: CustomerRow): void {
	const [parent] = parentCustomerId === null ? [] : selectByIds(work, [parentCustomerId]);
	if (parent) assertNotArchived(parent);
}

/** Returns the times in which customers belong or belonged to a parent (its row id). */
export const childrenOver = (work: Work, parentId: string): CustomerParentRow[] => selectChildrenOver(work, parentId);

/** Maps the row ids of these customers' parents to the caller's ids. */
export function parentRefsOf(work: Work, rows: readonly CustomerRow[]): Map<string, string> {
	const ids = [...new Set(rows.flatMap(({ parentCustomerId }) => parentCustomerId ?? []))];
	return new Map(selectByIds(work, ids).map(({ id, refId }) => [id, refId]));
}
