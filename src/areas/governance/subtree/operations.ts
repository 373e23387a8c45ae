import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import type { BudgetNodeRow } from "../table";
import { selectNodeOfAssignment, selectNodesOfEntity } from "./store";

/** Returns the nodes of an entity (row id): one for each feature or currency. */
export const nodeIdsOf = (work: Work, entityId: string): ReadonlySet<string> =>
	new Set(selectNodesOfEntity(work, entityId).map(({ id }) => id));

/** Returns the place of a budget in its tree. */
export function nodeOfBudget(work: Work, assignmentId: string): Pick<BudgetNodeRow, "id" | "customerId" | "ancestors"> {
	const node = selectNodeOfAssignment(work, assignmentId);
	assert(node, "a budget has a node");
	return node;
}
