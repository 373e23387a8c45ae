import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { currenciesByIds } from "../../currencies/operations";
import { featuresByIds } from "../../features/operations";
import { shownRequests } from "../../governance/requests/operations";
import { obstacleTo, personOf } from "../../governance/requests/rules";
import type { BudgetRequestRow } from "../../governance/requests/table";
import { type ShownAssignment, shownAssignmentsByIds } from "../../governance/shown/operations";
import { nodeView } from "../../governance/tree/operations";
import type { OwnBudgets } from "./operations.link";
import type { PortalBudget, PortalBudgetRequest } from "./schema";

/** Shows budgets with their usage, and what the link may do. */
export function viewBudgets(work: Work, own: OwnBudgets, rows: readonly ShownAssignment[]): PortalBudget[] {
	const viewNode = nodeView(work, own.customer.id, rows);
	const nameOf = namesOf(work, rows);
	return rows.map((row) => ({
		...viewNode(row),
		...nameOf(row),
		isGoverned: own.requester.rightsOn(row.node).isGoverned,
	}));
}

/** Returns a function that names the feature or currency of a budget, and its units. */
export function namesOf(work: Work, rows: Iterable<ShownAssignment>) {
	const ids = [...new Set([...rows].map(({ node }) => node.capabilityId))];
	const features = featuresByIds(work, ids);
	const currencies = currenciesByIds(work, ids);
	return ({ node, capabilityRef }: ShownAssignment): { readonly name: string; readonly units: string | null } => {
		const feature = features.get(node.capabilityId);
		const currency = currencies.get(node.capabilityId);
		return {
			name: feature?.displayName ?? currency?.displayName ?? capabilityRef,
			units: feature?.featureUnitsPlural ?? currency?.unitPlural ?? null,
		};
	};
}

/** Returns a function that shows requests, and whether the link may decide about them. */
export function viewRequests(
	work: Work,
	own: OwnBudgets,
	rows: readonly BudgetRequestRow[],
): (row: BudgetRequestRow) => PortalBudgetRequest {
	const shown = new Map(shownRequests(work, rows).map((request) => [request.id, request]));
	const budgets = shownAssignmentsByIds(work, [...new Set(rows.map(({ assignmentId }) => assignmentId))]);
	const nameOf = namesOf(work, budgets.values());
	return (row) => {
		const [request, budget] = [shown.get(row.id), budgets.get(row.assignmentId)];
		assert(request && budget, "a request is shown with its budget");
		return {
			...request,
			...{ entityName: budget.entity.displayName, name: nameOf(budget).name, personId: personOf(row) },
			isDecidable: obstacleTo(row, budget.node, own.requester) === null,
		};
	};
}
