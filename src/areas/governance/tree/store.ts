import { and, asc, eq, gt, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { Transaction, Work } from "../../../kernel/work";
import type { TreeQuery } from "../schema";
import { budgetEntries, entities } from "../table";
import type { TreePlace } from "./rules.cursor";
import { budgetTree, budgetTreeCursor, type TreeRow } from "./table";

export type TreeSort = NonNullable<TreeQuery["sortBy"]>;

/** The rows of one customer and capability (row ids), in one order. */
export interface TreeOrder {
	readonly customerId: string;
	readonly capabilityId: string;
	readonly sortBy: TreeSort;
	readonly isAscending: boolean;
}

/** A budget at its place in the sorted tree, with the values that filters compare. */
export interface SortedRow extends TreePlace {
	readonly scopeSize: number;
	readonly utilization: number | null;
	readonly typeId: string;
	readonly entityRef: string;
	readonly displayName: string | null;
	readonly archivedAt: Instant | null;
}

const columns = {
	utilization: budgetTree.utilization,
	currentUsage: budgetTree.currentUsage,
	usageLimit: budgetTree.usageLimit,
	scopeSize: budgetTree.scopeSize,
	id: budgetTree.entityRef,
	createdAt: budgetTree.assignmentId,
} as const;

/** Returns the next rows along an index, those without a value last. `after` is exclusive. */
export function selectSorted(work: Work, order: TreeOrder, after: TreePlace | undefined, rowsMax: number): SortedRow[] {
	const found = after?.value === null ? [] : selectRows(work, order, after, true, rowsMax);
	if (found.length === rowsMax) return found;
	const place = after?.value === null ? after : undefined;
	return [...found, ...selectRows(work, order, place, false, rowsMax - found.length)];
}

function selectRows(
	work: Work,
	{ customerId, capabilityId, sortBy, isAscending }: TreeOrder,
	after: TreePlace | undefined,
	hasValue: boolean,
	rowsMax: number,
): SortedRow[] {
	const value = columns[sortBy];
	const direction = sql.raw(isAscending ? "asc" : "desc");
	return work.tx
		.select({
			...{ value: sql<TreePlace["value"]>`${value}`, id: budgetTree.assignmentId, scopeSize: budgetTree.scopeSize },
			...{ utilization: budgetTree.utilization, typeId: entities.typeId, entityRef: entities.refId },
			...{ displayName: entities.displayName, archivedAt: entities.archivedAt },
		})
		.from(budgetTree)
		.innerJoin(entities, eq(entities.id, budgetTree.entityId))
		.where(
			and(
				eq(budgetTree.customerId, customerId),
				eq(budgetTree.capabilityId, capabilityId),
				hasValue ? isNotNull(value) : isNull(value),
				after && beyond(hasValue ? value : undefined, after, isAscending),
			),
		)
		.orderBy(...(hasValue ? [sql`${value} ${direction}`] : []), sql`${budgetTree.assignmentId} ${direction}`)
		.limit(rowsMax)
		.all();
}

function beyond(column: (typeof columns)[TreeSort] | undefined, { value, id }: TreePlace, isAscending: boolean): SQL {
	const operator = sql.raw(isAscending ? ">" : "<");
	return column
		? sql`(${column}, ${budgetTree.assignmentId}) ${operator} (${value}, ${id})`
		: sql`${budgetTree.assignmentId} ${operator} ${id}`;
}

/** Returns the capabilities that a customer has budgets for: one look-up for each, however many budgets there are. */
export function capabilitiesOfCustomer(work: Work, customerId: string): string[] {
	const found: string[] = [];
	for (let after = ""; ; ) {
		const next = work.prepared(statements).nextCapability.get({ customerId, after });
		if (!next) return found;
		found.push(next.id);
		after = next.id;
	}
}

const { placeholder } = sql;

const statements = (tx: Transaction) => ({
	nextCapability: tx
		.select({ id: budgetTree.capabilityId })
		.from(budgetTree)
		.where(and(eq(budgetTree.customerId, placeholder("customerId")), gt(budgetTree.capabilityId, placeholder("after"))))
		.orderBy(asc(budgetTree.capabilityId))
		.limit(1)
		.prepare(),
	row: tx
		.select()
		.from(budgetTree)
		.where(eq(budgetTree.assignmentId, placeholder("assignmentId")))
		.prepare(),
	save: tx
		.update(budgetTree)
		.set({
			currentUsage: sql`${placeholder("currentUsage")}`,
			utilization: sql`${placeholder("utilization")}`,
			dueAt: sql`${placeholder("dueAt")}`,
		})
		.where(eq(budgetTree.assignmentId, placeholder("assignmentId")))
		.prepare(),
	due: tx
		.select()
		.from(budgetTree)
		.where(and(eq(budgetTree.environmentId, placeholder("environmentId")), lte(budgetTree.dueAt, placeholder("now"))))
		.limit(placeholder("rowsMax"))
		.prepare(),
	environments: tx
		.selectDistinct({ id: budgetTree.environmentId })
		.from(budgetTree)
		.where(gt(budgetTree.environmentId, placeholder("after")))
		.limit(1)
		.prepare(),
	entriesAfter: tx
		.select({ sequence: budgetEntries.sequence, counters: budgetEntries.counters })
		.from(budgetEntries)
		.where(gt(budgetEntries.sequence, placeholder("after")))
		.orderBy(asc(budgetEntries.sequence))
		.limit(placeholder("rowsMax"))
		.prepare(),
	cursor: tx.select().from(budgetTreeCursor).where(eq(budgetTreeCursor.id, 1)).prepare(),
});

export const findTreeRow = (work: Work, assignmentId: string): TreeRow | undefined =>
	work.prepared(statements).row.get({ assignmentId });

/** Writes a new row, or the values of a budget that has changed. */
export function putTreeRow(work: Work, row: TreeRow): void {
	const { usageLimit, currentUsage, utilization, dueAt } = row;
	work.tx
		.insert(budgetTree)
		.values(row)
		.onConflictDoUpdate({ target: budgetTree.assignmentId, set: { usageLimit, currentUsage, utilization, dueAt } })
		.run();
}

export const saveTreeUsage = (
	work: Work,
	{
		assignmentId,
		currentUsage,
		utilization,
		dueAt,
	}: Pick<TreeRow, "assignmentId" | "currentUsage" | "utilization" | "dueAt">,
): void => {
	work.prepared(statements).save.run({ assignmentId, currentUsage, utilization, dueAt });
};

/** Returns rows of an environment whose usage has to be calculated again. */
export const selectDue = (work: Work, environmentId: string, now: Instant, rowsMax: number): TreeRow[] =>
	work.prepared(statements).due.all({ environmentId, now, rowsMax });

/** Returns the environments with budgets. */
export function treeEnvironments(work: Work): string[] {
	const found: string[] = [];
	for (let after = ""; ; ) {
		const next = work.prepared(statements).environments.get({ after });
		if (!next) return found;
		found.push(next.id);
		after = next.id;
	}
}

/** Whether any environment has budgets. */
export const hasTree = (work: Work): boolean => work.prepared(statements).environments.get({ after: "" }) !== undefined;

/** Returns the entries after one, in the order in which they were counted. */
export const selectEntriesAfter = (work: Work, after: number, rowsMax: number) =>
	work.prepared(statements).entriesAfter.all({ after, rowsMax });

export const readTreeCursor = (work: Work): number => work.prepared(statements).cursor.get()?.followedTo ?? 0;

export const writeTreeCursor = (work: Work, followedTo: number): void => {
	work.tx
		.insert(budgetTreeCursor)
		.values({ id: 1, followedTo })
		.onConflictDoUpdate({ target: budgetTreeCursor.id, set: { followedTo } })
		.run();
};
