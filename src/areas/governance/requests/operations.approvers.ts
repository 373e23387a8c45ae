import type { Work } from "../../../kernel/work";
import { entitiesByIds } from "../operations.entities";
import type { Approver } from "../schema";
import { selectNodes } from "../store.assignments";
import type { BudgetNodeRow } from "../table";
import type { Requester } from "./rules";

/** The person who decides requests for the budgets below an entity. */
export interface RequestApprover {
	readonly email: string;
	readonly personId: string;
	/** The row id of the entity whose approver it is. */
	readonly entityId: string;
}

/** Returns the id of a person: the caller's one, or else the address. */
export const personOfApprover = ({ personId, email }: Approver): string => personId ?? email;

/** Returns the approver of the nearest active ancestor of a budget, except for the person who requests. */
export function approverOf(
	work: Work,
	{ ancestors }: Pick<BudgetNodeRow, "ancestors">,
	by: Requester,
): RequestApprover | undefined {
	const nodes = new Map(selectNodes(work, ancestors).map((node) => [node.id, node]));
	const entities = entitiesByIds(
		work,
		[...nodes.values()].map(({ entityId }) => entityId),
	);
	for (const id of ancestors) {
		const entity = entities.get(nodes.get(id)?.entityId ?? "");
		if (!entity?.approver || entity.archivedAt !== null) continue;
		const personId = personOfApprover(entity.approver);
		const isRequester = by.kind === "PORTAL" && by.id === personId;
		if (!isRequester) return { email: entity.approver.email, personId, entityId: entity.id };
	}
	return undefined;
}
