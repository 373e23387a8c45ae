import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { capabilityRefs } from "../operations.capabilities";
import { entitiesByIds } from "../operations.entities";
import { scopeEntities } from "../rules.assignments";
import { selectAssignments, selectNodes } from "../store.assignments";
import type { BudgetAssignmentRow, BudgetNodeRow, EntityRow } from "../table";

/** A budget with the callers' ids of all that it names. */
export interface ShownAssignment extends BudgetAssignmentRow {
	readonly node: BudgetNodeRow;
	readonly entity: EntityRow;
	readonly capabilityRef: string;
	readonly parentRef: string | null;
	readonly scopeRefs: readonly string[];
}

/** Reads what budgets name, for all of them at once. */
export function shownAssignments(work: Work, rows: readonly BudgetAssignmentRow[]): ShownAssignment[] {
	const nodes = nodesById(
		work,
		rows.map(({ nodeId }) => nodeId),
	);
	const parents = nodesById(
		work,
		[...nodes.values()].flatMap(({ parentId }) => parentId ?? []),
	);
	const entities = entitiesByIds(work, [
		...[...nodes.values(), ...parents.values()].map(({ entityId }) => entityId),
		...rows.flatMap(({ scope }) => scopeEntities(scope)),
	]);
	const capabilities = capabilityRefs(work, nodes.values());
	const refOf = (entityId: string): string => entities.get(entityId)?.refId ?? "";
	return rows.map((row): ShownAssignment => {
		const node = nodes.get(row.nodeId);
		const entity = node && entities.get(node.entityId);
		assert(node && entity, "a budget has a node and an entity");
		const parent = node.parentId === null ? undefined : parents.get(node.parentId);
		return {
			...row,
			node,
			entity,
			capabilityRef: capabilities.get(node.capabilityId) ?? "",
			parentRef: parent ? refOf(parent.entityId) : null,
			scopeRefs: scopeEntities(row.scope).map(refOf).sort(),
		};
	});
}

const nodesById = (work: Work, ids: readonly string[]): Map<string, BudgetNodeRow> =>
	new Map(selectNodes(work, [...new Set(ids)]).map((node) => [node.id, node]));

/** Returns budgets with what they name, by row id. */
export const shownAssignmentsByIds = (work: Work, ids: readonly string[]): Map<string, ShownAssignment> =>
	new Map(shownAssignments(work, selectAssignments(work, ids)).map((row) => [row.id, row]));
