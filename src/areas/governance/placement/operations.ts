import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { entitiesByIds } from "../operations.entities";
import { scopeEntities } from "../rules.assignments";
import { placeNode, selectAssignmentsOf, selectNodes, selectParentsAmong } from "../store.assignments";
import type { BudgetNodeRow, Capability, EntityRow } from "../table";
import { ancestorsOf, type PlacedNode } from "./rules";

/** A budget of a request, as far as its place in the tree depends on it. */
interface PlacedItem {
	readonly where: string;
	readonly entity: EntityRow;
	readonly capability: Capability;
	readonly capabilityId: string;
	/** The parent's entity; undefined keeps the parent, null makes a root. */
	readonly parent: EntityRow | null | undefined;
}

interface Nodes {
	readonly created: ReadonlySet<string>;
	find(entityId: string, capabilityId: string): BudgetNodeRow | undefined;
}

/** A node that a request creates or moves. */
interface Placing extends PlacedNode {
	readonly node: BudgetNodeRow;
}

/** Places the nodes of a request in their trees. Throws BadUserInput; the message names the place and the remedy. */
export function placeNodes(work: Work, items: readonly PlacedItem[], nodes: Nodes): void {
	const placed = placedNodes(items, nodes);
	assertLeavesMove(work, placed, nodes);
	const above = [...new Set(placed.flatMap(({ parentId }) => parentId ?? []))];
	const known = new Map(selectNodes(work, above).map((node) => [node.id, node.ancestors]));
	const ancestors = ancestorsOf(placed, (nodeId) => known.get(nodeId) ?? []);
	for (const [nodeId, path] of ancestors) placeNode(work, nodeId, path);
	assertScopesBelow(work, items, nodes);
}

function placedNodes(items: readonly PlacedItem[], nodes: Nodes): Placing[] {
	const placed = new Map<string, Placing>();
	for (const { where, entity, capabilityId, parent } of items) {
		const node = nodes.find(entity.id, capabilityId);
		if (!node) continue;
		const before = placed.get(node.id);
		if (parent === undefined && (before || !nodes.created.has(node.id))) continue;
		const parentNode = parent ? nodes.find(parent.id, capabilityId) : null;
		if (parent && !parentNode)
			throw fail(
				"BadUserInput",
				`${where}/parentId: '${parent.refId}' has no budget for the same feature or currency; assign one to it first.`,
			);
		const parentId = parentNode?.id ?? null;
		if (before && before.parentId !== parentId && isStated(items, before))
			throw fail(
				"BadUserInput",
				`${where}/parentId: the request names two parents of '${entity.refId}'; all its budgets for a feature or currency have one parent.`,
			);
		placed.set(node.id, { id: node.id, node, entityRef: entity.refId, where, parentId });
	}
	return [...placed.values()].filter(({ node, parentId }) => nodes.created.has(node.id) || node.parentId !== parentId);
}

/** Whether the request states the parent, rather than leaving a new node a root. */
const isStated = (items: readonly PlacedItem[], { where }: Placing): boolean =>
	items.some((item) => item.where === where && item.parent !== undefined);

/** Usage of the nodes below would count on another path from then on. */
function assertLeavesMove(work: Work, placed: readonly Placing[], { created }: Nodes): void {
	const moved = placed.filter(({ id }) => !created.has(id));
	const parents = selectParentsAmong(
		work,
		moved.map(({ id }) => id),
	);
	const inner = moved.find(({ id }) => parents.has(id));
	if (inner)
		throw fail(
			"BadUserInput",
			`${inner.where}/parentId: '${inner.entityRef}' has children, and only leaves move; move its children first.`,
		);
}

/** A scope that names an ancestor would always or never apply. */
function assertScopesBelow(work: Work, items: readonly PlacedItem[], nodes: Nodes): void {
	const ids = new Set(items.flatMap(({ entity, capabilityId }) => nodes.find(entity.id, capabilityId)?.id ?? []));
	const assigned = new Map(selectNodes(work, [...ids]).map((node) => [node.id, node]));
	const scoped = selectAssignmentsOf(work, [...ids]).filter(({ scope }) => scope !== "");
	if (scoped.length === 0) return;
	const above = new Map(
		selectNodes(work, [...new Set([...assigned.values()].flatMap(({ ancestors }) => ancestors))]).map((node) => [
			node.id,
			node.entityId,
		]),
	);
	for (const { nodeId, scope } of scoped) {
		const ancestors = new Set((assigned.get(nodeId)?.ancestors ?? []).flatMap((id) => above.get(id) ?? []));
		const ancestor = scopeEntities(scope).find((entityId) => ancestors.has(entityId));
		if (ancestor === undefined) continue;
		const refId = entitiesByIds(work, [ancestor]).get(ancestor)?.refId;
		const where = items.find(({ entity, capabilityId }) => nodes.find(entity.id, capabilityId)?.id === nodeId)?.where;
		throw fail(
			"BadUserInput",
			`${where}/scopeEntityIds: '${refId}' is an ancestor of the budget's entity; leave it out of the scope, or choose another parent.`,
		);
	}
}
