import { isLess, plus, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { entitiesByIds } from "../operations.entities";
import { saveAssignment, selectAllocatedFrom, selectAssignmentsOf, selectNodes } from "../store.assignments";
import type { BudgetAssignmentRow, BudgetNodeRow, EntityRow } from "../table";

/** Our choice (docs/interface/governance.md#allocated-budgets): a decision at the parent reads the usage of each. */
const allocatedMax = 100;

/** A budget of a request. */
interface Item {
	readonly item: { readonly allocated?: boolean | undefined };
	readonly where: string;
	readonly entity: EntityRow;
	readonly capabilityId: string;
	readonly scope: string;
}

interface Nodes {
	find(entityId: string, capabilityId: string): BudgetNodeRow | undefined;
	readonly ids: ReadonlySet<string>;
}

/**
 * Binds allocated budgets to the parents that their nodes have after a request: they get the windows of the parent. Returns the rows that it
 * changed, by id. Throws BadUserInput if a budget cannot be allocated, or if a parent has allocated more than its limit.
 */
export function alignAllocations(work: Work, items: readonly Item[], nodes: Nodes): Map<string, BudgetAssignmentRow> {
	const placed = selectNodes(work, [...nodes.ids]).sort((one, other) => one.ancestors.length - other.ancestors.length);
	const budgets = Map.groupBy(selectAssignmentsOf(work, [...nodes.ids]), ({ nodeId }) => nodeId);
	const changed = new Map<string, BudgetAssignmentRow>();
	const parents = new Map<string, string>();
	for (const node of placed) {
		const ofNode = items.filter((item) => nodes.find(item.entity.id, item.capabilityId)?.id === node.id);
		const place = ofNode.at(-1)?.where ?? "body/assignments";
		parents.set(node.id, place);
		for (const budget of budgets.get(node.id) ?? []) {
			const { item, where } = ofNode.find(({ scope }) => scope === budget.scope) ?? { item: {}, where: place };
			const isAllocated = item.allocated ?? budget.allocatedFrom !== null;
			if (!isAllocated && budget.allocatedFrom === null) continue;
			const change = isAllocated ? allocation(work, budget, node, where) : { allocatedFrom: null };
			const saved = saveAssignment(work, budget.id, change);
			changed.set(saved.id, saved);
			if (change.allocatedFrom !== null) parents.set(change.allocatedFrom, where);
		}
	}
	for (const [nodeId, where] of parents) alignBelow(work, nodeId, where, changed);
	return changed;
}

/** Returns the parent of an allocated budget with its windows. */
function allocation(
	work: Work,
	{ scope, usageLimit, hasSoftLimit, cadence }: BudgetAssignmentRow,
	{ parentId }: BudgetNodeRow,
	where: string,
): Pick<BudgetAssignmentRow, "allocatedFrom" | "anchorAt"> {
	const refuse = (why: string) => fail("BadUserInput", `${where}/allocated: ${why}`);
	if (scope !== "") throw refuse("a budget with a scope cannot be allocated; leave out 'scopeEntityIds'.");
	if (usageLimit === null || hasSoftLimit)
		throw refuse("an allocated budget needs a limit that is not soft; send 'usageLimit'.");
	const parent = parentId === null ? undefined : wholeBudgetOf(work, parentId);
	if (parentId === null || !parent)
		throw refuse("an allocated budget needs a parent with a budget without a scope; send 'parentId'.");
	if (parent.cadence !== cadence)
		throw refuse(`the cadence '${cadence}' differs from '${parent.cadence}' of the parent; send the parent's.`);
	return { allocatedFrom: parentId, anchorAt: parent.anchorAt };
}

const wholeBudgetOf = (work: Work, nodeId: string): BudgetAssignmentRow | undefined =>
	selectAssignmentsOf(work, [nodeId]).find(({ scope }) => scope === "");

/** Compares the allocated limits below a node with its own, and gives them its windows. */
function alignBelow(work: Work, nodeId: string, where: string, changed: Map<string, BudgetAssignmentRow>): void {
	const allocated = selectAllocatedFrom(work, [nodeId]);
	const parent = allocated.length === 0 ? undefined : wholeBudgetOf(work, nodeId);
	if (!parent) return;
	const [name] = selectNodes(work, [nodeId]).map(
		({ entityId }) => entitiesByIds(work, [entityId]).get(entityId)?.refId,
	);
	if (allocated.length > allocatedMax)
		throw fail(
			"BadUserInput",
			`${where}/allocated: '${name}' would have ${allocated.length} allocated budgets, and has at most ${allocatedMax}.`,
		);
	const total = allocated.reduce((sum, { usageLimit }) => plus(sum, usageLimit ?? zero), zero);
	if (parent.usageLimit !== null && isLess(parent.usageLimit, total))
		throw fail(
			"BadUserInput",
			`${where}/usageLimit: the allocated budgets below '${name}' total ${total}, and its limit is ${parent.usageLimit}; raise the limit of '${name}', or allocate less.`,
		);
	for (const part of allocated) {
		if (part.cadence !== parent.cadence)
			throw fail(
				"BadUserInput",
				`${where}/cadence: allocated budgets below '${name}' have the cadence '${part.cadence}'; change them in the same request.`,
			);
		if (part.anchorAt === parent.anchorAt) continue;
		changed.set(part.id, saveAssignment(work, part.id, { anchorAt: parent.anchorAt }));
		alignBelow(work, part.nodeId, where, changed);
	}
}
