import { and, asc, eq, gt } from "drizzle-orm";
import { isLess, plus, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { entitiesByIds } from "../operations.entities";
import { selectAllocatedFrom, selectAssignmentsOf, selectNodes } from "../store.assignments";
import { budgetAssignments } from "../table";

/** Visits the nodes of an environment whose allocated budgets exceed their limit, or have other windows. */
export function* checkAllocations(work: Work): Generator<string> {
	for (const nodeId of allocatingNodes(work)) {
		const parent = selectAssignmentsOf(work, [nodeId]).find(({ scope }) => scope === "");
		const allocated = selectAllocatedFrom(work, [nodeId]);
		const total = allocated.reduce((sum, { usageLimit }) => plus(sum, usageLimit ?? zero), zero);
		const [node] = selectNodes(work, [nodeId]);
		const name = `the budget of entity '${node && entitiesByIds(work, [node.entityId]).get(node.entityId)?.refId}'`;
		if (!parent) yield `${name}: budgets are allocated from it, and it does not exist`;
		else if (parent.usageLimit !== null && isLess(parent.usageLimit, total))
			yield `${name}: ${total} are allocated from its limit of ${parent.usageLimit}`;
		else if (allocated.some(({ cadence, anchorAt }) => cadence !== parent.cadence || anchorAt !== parent.anchorAt))
			yield `${name}: an allocated budget has other windows`;
	}
}

/** Visits the nodes of the environment from which budgets are allocated. */
function* allocatingNodes({ tx, actor }: Work): Generator<string> {
	for (let after = ""; ; ) {
		const next = tx
			.select({ nodeId: budgetAssignments.allocatedFrom })
			.from(budgetAssignments)
			.where(and(gt(budgetAssignments.allocatedFrom, after), eq(budgetAssignments.environmentId, actor.environmentId)))
			.orderBy(asc(budgetAssignments.allocatedFrom))
			.limit(1)
			.get()?.nodeId;
		if (!next) return;
		yield next;
		after = next;
	}
}
