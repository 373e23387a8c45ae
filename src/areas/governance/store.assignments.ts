import { and, eq, exists, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Page, type PageQuery, readTablePage } from "../../kernel/page";
import { amongIds, changeRow, idsIn, insertRow, insertRows, isOneOf } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { scopeEntities } from "./rules.assignments";
import { appliesTo } from "./rules.chains";
import { type BudgetAssignmentRow, type BudgetNodeRow, budgetAssignments, budgetNodes, entities } from "./table";

const { placeholder } = sql;

const isActive: SQL = sql`${entities.archivedAt} is null`;

/** Returns the nodes of entities, for one or more capabilities. */
export const selectNodesOf = (work: Work, entityIds: readonly string[], capabilityIds: readonly string[]) =>
	work.tx
		.select()
		.from(budgetNodes)
		.where(and(isOneOf(budgetNodes.entityId, entityIds), isOneOf(budgetNodes.capabilityId, capabilityIds)))
		.all();

const nodesFor = (tx: Transaction) => ({
	any: tx
		.select({ id: budgetNodes.id })
		.from(budgetNodes)
		.where(eq(budgetNodes.capabilityId, placeholder("capabilityId")))
		.limit(1)
		.prepare(),
	ofCustomer: tx
		.select({ id: budgetNodes.id })
		.from(budgetNodes)
		.where(
			and(
				eq(budgetNodes.capabilityId, placeholder("capabilityId")),
				eq(budgetNodes.customerId, placeholder("customerId")),
			),
		)
		.limit(1)
		.prepare(),
});

/** Whether a capability has budgets, of one customer or of any. */
export function hasBudgetsFor(work: Work, capabilityId: string, customerId: string | undefined): boolean {
	const { any, ofCustomer } = work.prepared(nodesFor);
	return (
		(customerId === undefined ? any.get({ capabilityId }) : ofCustomer.get({ capabilityId, customerId })) !== undefined
	);
}

const newestOf = (tx: Transaction) =>
	tx
		.select({ rowid: sql<number | null>`max(${budgetAssignments}.rowid)` })
		.from(budgetAssignments)
		.prepare();

/** Returns a number that grows with each new budget of any customer. */
export const selectNewestAssignment = (work: Work): number => work.prepared(newestOf).get()?.rowid ?? 0;

const nodesAmong = (tx: Transaction) =>
	tx.select().from(budgetNodes).where(amongIds(budgetNodes.environmentId, budgetNodes.id)).prepare();

export const selectNodes = (work: Work, ids: readonly string[]): BudgetNodeRow[] =>
	ids.length === 0 ? [] : work.prepared(nodesAmong).all(idsIn(work, ids));

/** Returns which of some nodes have children. */
export const selectParentsAmong = (work: Work, nodeIds: readonly string[]): Set<string> =>
	new Set(
		work.tx
			.selectDistinct({ id: budgetNodes.parentId })
			.from(budgetNodes)
			.where(isOneOf(budgetNodes.parentId, nodeIds))
			.all()
			.flatMap(({ id }) => id ?? []),
	);

export const insertNode = (
	work: Work,
	node: Pick<BudgetNodeRow, "customerId" | "entityId" | "capability" | "capabilityId">,
): BudgetNodeRow =>
	insertRow(work, budgetNodes, {
		...node,
		...{ id: work.newId(), environmentId: work.actor.environmentId, createdAt: work.now },
		...{ parentId: null, ancestors: [] },
	});

export const placeNode = (work: Work, id: string, ancestors: readonly string[]): BudgetNodeRow =>
	changeRow(work, budgetNodes, id, { parentId: ancestors[0] ?? null, ancestors: [...ancestors] });

const assignmentsAmong = (tx: Transaction) =>
	tx
		.select()
		.from(budgetAssignments)
		.where(amongIds(budgetAssignments.environmentId, budgetAssignments.nodeId))
		.prepare();

export const selectAssignmentsOf = (work: Work, nodeIds: readonly string[]): BudgetAssignmentRow[] =>
	nodeIds.length === 0 ? [] : work.prepared(assignmentsAmong).all(idsIn(work, nodeIds));

export const insertAssignment = (work: Work, row: BudgetAssignmentRow): void =>
	insertRows(work, budgetAssignments, [row]);

export const saveAssignment = (
	work: Work,
	id: string,
	changes: Partial<Pick<BudgetAssignmentRow, "usageLimit" | "hasSoftLimit" | "allocatedFrom" | "cadence" | "anchorAt">>,
): BudgetAssignmentRow => changeRow(work, budgetAssignments, id, { ...changes, updatedAt: work.now });

export interface AssignmentFilter {
	/** Row ids; undefined: any. */
	readonly entityId: string | undefined;
	readonly capabilityId: string | undefined;
}

/** Pages the assignments of entities that are not archived. */
export const pageAssignments = (
	work: Work,
	customerId: string,
	query: PageQuery,
	filter: AssignmentFilter,
): Page<BudgetAssignmentRow> =>
	readTablePage(
		work,
		query,
		budgetAssignments,
		// The unary plus makes SQLite find the few budgets of an entity by their nodes, instead of along all budgets of the customer.
		filter.entityId === undefined
			? eq(budgetAssignments.customerId, customerId)
			: eq(sql`+${budgetAssignments.customerId}`, customerId),
		[assignmentsShown(work, filter)],
	);

/**
 * The condition of the assignments of entities that are not archived. The nodes of one entity are few. Of all entities they are many, so
 * each row of a page looks up its own.
 */
export const assignmentsShown = ({ tx }: Work, { entityId, capabilityId }: AssignmentFilter): SQL => {
	const shown = (condition: SQL) =>
		tx
			.select({ id: budgetNodes.id })
			.from(budgetNodes)
			.innerJoin(entities, eq(entities.id, budgetNodes.entityId))
			.where(
				and(condition, isActive, capabilityId === undefined ? undefined : eq(budgetNodes.capabilityId, capabilityId)),
			);
	return entityId === undefined
		? exists(shown(eq(budgetNodes.id, budgetAssignments.nodeId)))
		: inArray(budgetAssignments.nodeId, shown(eq(budgetNodes.entityId, entityId)));
};

export const selectAssignments = (work: Work, ids: readonly string[]): BudgetAssignmentRow[] =>
	ids.length === 0 ? [] : work.prepared(assignmentsById).all(idsIn(work, ids));

const assignmentsById = (tx: Transaction) =>
	tx.select().from(budgetAssignments).where(amongIds(budgetAssignments.environmentId, budgetAssignments.id)).prepare();

/** A budget at a level of a chain. */
export interface ChainedAssignment
	extends Pick<
		BudgetAssignmentRow,
		"id" | "nodeId" | "scope" | "usageLimit" | "hasSoftLimit" | "cadence" | "anchorAt"
	> {
	readonly entityId: string;
	readonly entityRef: string;
	readonly displayName: string | null;
	/** It reserves amounts for children. */
	readonly allocates: 0 | 1;
}

const chained = {
	...{ id: budgetAssignments.id, nodeId: budgetAssignments.nodeId, scope: budgetAssignments.scope },
	...{ usageLimit: budgetAssignments.usageLimit, hasSoftLimit: budgetAssignments.hasSoftLimit },
	...{ cadence: budgetAssignments.cadence, anchorAt: budgetAssignments.anchorAt },
	...{ entityId: entities.id, entityRef: entities.refId, displayName: entities.displayName },
	allocates: sql<
		0 | 1
	>`exists (select 1 from budget_assignments as part where part.allocated_from = ${budgetAssignments.nodeId})`.as(
		"allocates",
	),
};

const own = alias(budgetNodes, "own");

/** Joins each node of the path of `own`: the node itself, its parent, and so on. */
const level = sql`json_each(json_insert(${own.ancestors}, '$[#]', ${own.id})) as level`;

const chainOf = (tx: Transaction) =>
	tx
		.select(chained)
		.from(own)
		.innerJoin(level, sql`true`)
		.innerJoin(budgetAssignments, eq(budgetAssignments.nodeId, sql`level.value`))
		.innerJoin(budgetNodes, eq(budgetNodes.id, budgetAssignments.nodeId))
		.innerJoin(entities, eq(entities.id, budgetNodes.entityId))
		.where(and(eq(own.entityId, placeholder("entityId")), eq(own.capabilityId, placeholder("capabilityId")), isActive))
		// The node itself is last in the list.
		.orderBy(sql`iif(level.value = ${own.id}, -1, level.key)`, budgetAssignments.scope)
		.prepare();

const activeAmong = (tx: Transaction) =>
	tx
		.select(chained)
		.from(budgetAssignments)
		.innerJoin(budgetNodes, eq(budgetNodes.id, budgetAssignments.nodeId))
		.innerJoin(entities, eq(entities.id, budgetNodes.entityId))
		.where(and(amongIds(budgetAssignments.environmentId, budgetAssignments.id), isActive))
		.prepare();

/**
 * Returns the budgets of an entity and its ancestors for one capability, from the entity up, the budget of the whole node before those of
 * scopes. Omits those of archived entities. Cached until a budget changes.
 */
export const selectChain = (work: Work, entityId: string, capabilityId: string): ChainedAssignment[] =>
	work.remembered(chainOf).all({ entityId, capabilityId });

/** The chains of several entities, with the budgets whose scope applies. */
const chainsOf = (tx: Transaction) => {
	const chain = chainOf(tx);
	return {
		get: (values: Record<string, unknown> = {}) => {
			const { entityIds, capabilityId } = values as Record<string, string>;
			const attributed = new Set(entityIds?.split(","));
			return [...attributed]
				.map((entityId) =>
					chain.all({ entityId, capabilityId }).filter(({ scope }) => appliesTo(scopeEntities(scope), attributed)),
				)
				.filter((budgets) => budgets.length > 0);
		},
		all: () => [],
		// Its tables.
		getQuery: () => chain.getQuery(),
	};
};

/**
 * Returns the chain of each of the entities to which a use is attributed, if it has any budget whose scope applies. Cached until a budget
 * changes, because each use with dimensions reads them. Callers must not change them.
 */
export const selectApplicable = (
	work: Work,
	entityIds: readonly string[],
	capabilityId: string,
): ReadonlyArray<readonly ChainedAssignment[]> =>
	entityIds.length === 0 ? [] : work.remembered(chainsOf).get({ entityIds: entityIds.join(), capabilityId });

const allocatedOf = (tx: Transaction) =>
	tx
		.select(chained)
		.from(budgetAssignments)
		.innerJoin(budgetNodes, eq(budgetNodes.id, budgetAssignments.nodeId))
		.innerJoin(entities, eq(entities.id, budgetNodes.entityId))
		.where(and(eq(budgetAssignments.allocatedFrom, placeholder("nodeId")), isActive))
		.prepare();

/** Returns the budgets for which a node reserves their limits, without those of archived entities. Cached until a budget changes. */
export const selectAllocated = (work: Work, nodeId: string): ChainedAssignment[] =>
	work.remembered(allocatedOf).all({ nodeId });

/** Returns the budgets for which nodes reserve their limits, with those of archived entities. */
export const selectAllocatedFrom = (work: Work, nodeIds: readonly string[]): BudgetAssignmentRow[] =>
	work.tx
		.select()
		.from(budgetAssignments)
		.where(and(isOneOf(budgetAssignments.allocatedFrom, nodeIds), isNotNull(budgetAssignments.allocatedFrom)))
		.all();

/** Returns budgets by their ids, without those of archived entities. */
export const selectChained = (work: Work, ids: readonly string[]): ChainedAssignment[] =>
	ids.length === 0 ? [] : work.prepared(activeAmong).all(idsIn(work, ids));
