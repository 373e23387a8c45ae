import { and, eq, type SQL } from "drizzle-orm";
import { type Decimal, toDecimal, toWire } from "../../kernel/decimal";
import { assert, fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { findCurrency } from "../currencies/operations";
import { getCustomer } from "../customers/operations";
import { assertNotArchived } from "../customers/rules";
import { findFeature } from "../features/operations";
import { alignAllocations } from "./allocation/operations";
import { getCapability } from "./operations.capabilities";
import { assertActive } from "./operations.entities";
import { assertGovernance } from "./operations.entity-types";
import { placeNodes } from "./placement/operations";
import { assertCadence, assertLimitPlaces, assertScope, scopeOf } from "./rules.assignments";
import type { AssignmentItem, AssignmentListQuery, AssignmentsBody } from "./schema";
import { type ShownAssignment, shownAssignments } from "./shown/operations";
import { selectEntitiesByRefs, selectEntity } from "./store";
import {
	type AssignmentFilter,
	assignmentsShown,
	insertAssignment,
	insertNode,
	pageAssignments,
	saveAssignment,
	selectAssignmentsOf,
	selectNodesOf,
} from "./store.assignments";
import {
	type BudgetAssignmentRow,
	type BudgetNodeRow,
	budgetAssignments,
	type Capability,
	type EntityRow,
} from "./table";
import { putInTree } from "./tree/operations.update";
import { viewCapability } from "./view.capability";

/** An assignment of a request with the rows that it names. */
export interface ResolvedAssignment {
	readonly item: AssignmentItem;
	/** Its place in the request, for messages. */
	readonly where: string;
	readonly entity: EntityRow;
	readonly capability: Capability;
	/** Row id. */
	readonly capabilityId: string;
	/** The parent's entity; undefined keeps the parent, null makes a root. */
	readonly parent: EntityRow | null | undefined;
	readonly scope: string;
}

/**
 * Creates or changes budgets, all or none. Returns them in the order of the request. The items may name each other's nodes as parents, in
 * any order.
 */
export function putAssignments(
	work: Work,
	customerRef: string,
	{ assignments }: AssignmentsBody,
	placeOf: PlaceOf = placeInRequest,
): ShownAssignment[] {
	assertGovernance(work);
	const customer = getCustomer(work, customerRef);
	assertNotArchived(customer);
	const items = resolveItems(work, { id: customer.id, ref: customerRef }, assignments, placeOf);
	const nodes = new NodesOfRequest(work, items);
	const before = selectAssignmentsOf(work, [...nodes.ids]);
	const saved = items.map((item) => {
		const node = nodes.of(item);
		const known = before.find(({ nodeId, scope }) => nodeId === node.id && scope === item.scope);
		return known ? changeAssignment(work, known, item) : createAssignment(work, customer.id, node.id, item);
	});
	placeNodes(work, items, nodes);
	const aligned = alignAllocations(work, items, nodes);
	const shown = shownAssignments(
		work,
		saved.map((row) => aligned.get(row.id) ?? row),
	);
	putInTree(work, shown);
	return shown;
}

/** Returns the place of an item for messages, by its index. */
type PlaceOf = (at: number) => string;

const placeInRequest: PlaceOf = (at) => `body/assignments/${at}`;

/** The nodes that a request assigns budgets to. New ones are roots until they are placed. */
export class NodesOfRequest {
	readonly #nodes = new Map<string, BudgetNodeRow>();
	/** The ids of the nodes that this request created. */
	readonly created = new Set<string>();

	constructor(work: Work, items: readonly ResolvedAssignment[]) {
		const entities = items.flatMap(({ entity, parent }) => [entity.id, ...(parent ? [parent.id] : [])]);
		const capabilities = items.map(({ capabilityId }) => capabilityId);
		for (const node of selectNodesOf(work, [...new Set(entities)], [...new Set(capabilities)]))
			this.#nodes.set(`${node.entityId} ${node.capabilityId}`, node);
		for (const { entity, capability, capabilityId } of items) {
			if (this.find(entity.id, capabilityId)) continue;
			const of = { customerId: entity.customerId, entityId: entity.id, capability, capabilityId };
			const node = insertNode(work, of);
			this.#nodes.set(`${entity.id} ${capabilityId}`, node);
			this.created.add(node.id);
		}
	}

	find(entityId: string, capabilityId: string): BudgetNodeRow | undefined {
		return this.#nodes.get(`${entityId} ${capabilityId}`);
	}

	of({ entity, capabilityId }: ResolvedAssignment): BudgetNodeRow {
		const node = this.find(entity.id, capabilityId);
		assert(node, "each assignment of the request has a node");
		return node;
	}

	get ids(): Set<string> {
		return new Set(this.#nodes.values().map(({ id }) => id));
	}
}

function resolveItems(
	work: Work,
	customer: { readonly id: string; readonly ref: string },
	items: readonly AssignmentItem[],
	placeOf: PlaceOf,
): ResolvedAssignment[] {
	const refs = items.flatMap(({ entityId, parentId, scopeEntityIds = [] }) => [
		entityId,
		...(parentId ? [parentId] : []),
		...scopeEntityIds,
	]);
	const known = new Map(
		selectEntitiesByRefs(work, customer.id, [...new Set(refs)]).map((entity) => [entity.refId, entity]),
	);
	const named = (refId: string, where: string): EntityRow => {
		const entity = known.get(refId);
		if (!entity)
			throw fail(
				"BadUserInput",
				`${where}: customer '${customer.ref}' has no entity '${refId}'; create it with PUT …/entities.`,
			);
		assertActive(entity, where);
		return entity;
	};
	const seen = new Map<string, number>();
	return items.map((item, at): ResolvedAssignment => {
		const where = placeOf(at);
		const entity = named(item.entityId, `${where}/entityId`);
		const scoped = (item.scopeEntityIds ?? []).map((refId, index) => named(refId, `${where}/scopeEntityIds/${index}`));
		assertScope(entity, scoped, where);
		const { capability, capabilityId } = getCapability(work, item, where);
		const { parentId } = item;
		const parent = typeof parentId === "string" ? named(parentId, `${where}/parentId`) : parentId;
		const scope = scopeOf(scoped);
		const key = `${entity.id} ${capabilityId} ${scope}`;
		const other = seen.get(key);
		if (other !== undefined)
			throw fail(
				"BadUserInput",
				`${where}: has the entity, capability and scope of ${placeOf(other)}; send each budget once.`,
			);
		seen.set(key, at);
		return { item, where, entity, capability, capabilityId, parent, scope };
	});
}

function createAssignment(
	work: Work,
	customerId: string,
	nodeId: string,
	{ item: { entityId, usageLimit, hasSoftLimit = false, cadence }, where, scope }: ResolvedAssignment,
): BudgetAssignmentRow {
	if (usageLimit === undefined || cadence === undefined)
		throw fail(
			"BadUserInput",
			`${where}: the budget of '${entityId}' is new and needs 'usageLimit' (null for no limit) and 'cadence' (such as P1M).`,
		);
	assertCadence(cadence, where);
	const row: BudgetAssignmentRow = {
		...{ id: work.newId(), environmentId: work.actor.environmentId, customerId, nodeId, scope, cadence },
		...{
			usageLimit: limitOf(usageLimit, where),
			hasSoftLimit,
			// Set after the node is placed.
			allocatedFrom: null,
			anchorAt: work.now,
			createdAt: work.now,
			updatedAt: work.now,
		},
	};
	insertAssignment(work, row);
	return row;
}

/** A new cadence starts a new window now. */
function changeAssignment(
	work: Work,
	before: BudgetAssignmentRow,
	{ item: { usageLimit, hasSoftLimit, cadence = before.cadence }, where }: ResolvedAssignment,
): BudgetAssignmentRow {
	assertCadence(cadence, where);
	return saveAssignment(work, before.id, {
		...(usageLimit !== undefined && { usageLimit: limitOf(usageLimit, where) }),
		...(hasSoftLimit !== undefined && { hasSoftLimit }),
		...(cadence !== before.cadence && { cadence, anchorAt: work.now }),
	});
}

function limitOf(usageLimit: number | null, where: string): Decimal | null {
	if (usageLimit === null) return null;
	const limit = toDecimal(usageLimit);
	assertLimitPlaces(limit, `${where}/usageLimit`);
	return limit;
}

/** Changes the limit of a budget without a scope, by the rules of a request. */
export function changeLimit(work: Work, customerRef: string, budget: ShownAssignment, usageLimit: Decimal): void {
	const item = { entityId: budget.entity.refId, ...viewCapability(budget.node.capability, budget.capabilityRef) };
	putAssignments(work, customerRef, { assignments: [{ ...item, usageLimit: toWire(usageLimit) }] });
}

export function listAssignments(work: Work, customerRef: string, query: AssignmentListQuery): Page<ShownAssignment> {
	assertGovernance(work);
	const { id } = getCustomer(work, customerRef);
	const found = pageAssignments(work, id, query, filterOf(work, id, query));
	return { ...found, rows: shownAssignments(work, found.rows) };
}

type Filtered = Pick<AssignmentListQuery, "entityId" | "featureId" | "currencyId">;

/** Unknown ids have no assignments. */
function filterOf(work: Work, customerId: string, { entityId, featureId, currencyId }: Filtered): AssignmentFilter {
	if (featureId !== undefined && currencyId !== undefined)
		throw fail("BadUserInput", "query: give only one of 'featureId' and 'currencyId'.");
	const isFiltered = featureId !== undefined || currencyId !== undefined;
	const capability =
		featureId === undefined ? currencyId && findCurrency(work, currencyId) : findFeature(work, featureId);
	return {
		entityId: entityId === undefined ? undefined : (selectEntity(work, customerId, entityId)?.id ?? ""),
		capabilityId: isFiltered ? (capability ? capability.id : "") : undefined,
	};
}

/** Returns the condition of the assignments that `listAssignments` lists. */
export function assignmentsWhere(work: Work, customerRef: string, filtered: Filtered): SQL | undefined {
	assertGovernance(work);
	const { id } = getCustomer(work, customerRef);
	return and(eq(budgetAssignments.customerId, id), assignmentsShown(work, filterOf(work, id, filtered)));
}
