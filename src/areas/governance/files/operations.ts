import { toWireOrNull } from "../../../kernel/decimal";
import { dryRun } from "../../../kernel/dry-run";
import { assert, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { getCustomer } from "../../customers/operations";
import { putAssignments } from "../operations.assignments";
import { assertGovernance } from "../operations.entity-types";
import type { AssignmentItem } from "../schema";
import type { ShownAssignment } from "../shown/operations";
import { pageOfBudgets } from "../tree/operations";
import { viewCapability } from "../view.capability";
import { diffBudgets, inFileOrder } from "./rules";
import { type BudgetChange, type BudgetDifference, type BudgetFile, type FileBudget, fileBudgetsMax } from "./schema";

/** A page examines 1,000 budgets, those of archived entities too. */
const pagesMax = 20;

/** Returns the budgets of a customer's active entities as a file. Throws BadUserInput if a file cannot have them all. */
export function exportBudgetFile(work: Work, customerRef: string): BudgetFile {
	assertGovernance(work);
	const { id } = getCustomer(work, customerRef);
	const found: FileBudget[] = [];
	const query = { limit: `${fileBudgetsMax}`, sortBy: "createdAt", order: "asc" } as const;
	let after: string | null = null;
	for (let page = 0; page < pagesMax; page += 1) {
		const { rows, next } = pageOfBudgets(work, id, { ...query, ...(after !== null && { after }) });
		found.push(...rows.map(fileBudget));
		if (found.length > fileBudgetsMax) break;
		if (next === null) return { budgets: inFileOrder(found) };
		after = next;
	}
	throw fail(
		"BadUserInput",
		`Customer '${customerRef}' has more than ${fileBudgetsMax} budgets, the most that a file can have; read them with GET …/assignments or …/budgets.csv.`,
	);
}

const fileBudget = (row: ShownAssignment): FileBudget => ({
	entityId: row.entity.refId,
	...viewCapability(row.node.capability, row.capabilityRef),
	...{ parentId: row.parentRef, scopeEntityIds: [...row.scopeRefs] },
	...{ usageLimit: toWireOrNull(row.usageLimit), cadence: row.cadence },
	...{ hasSoftLimit: row.hasSoftLimit, allocated: row.allocatedFrom !== null },
});

/**
 * Makes the budgets of a customer those of a file, all or none, by the rules of assignments. Equal budgets are not written, so applying a
 * file again changes nothing. Throws BadUserInput with the place in the file.
 */
export function applyBudgetFile(work: Work, customerRef: string, { budgets }: BudgetFile): BudgetDifference {
	const difference = diffBudgets(exportBudgetFile(work, customerRef).budgets, budgets);
	if (difference.changes.length === 0) return difference;
	const assignments = difference.changes.map((change) => itemOf(change, budgets[change.index]));
	putAssignments(work, customerRef, { assignments }, (at) => `body/budgets/${difference.changes[at]?.index}`);
	const [left] = diffBudgets(exportBudgetFile(work, customerRef).budgets, budgets).changes;
	assert(!left, `nothing is left to change once a file is applied, but ${JSON.stringify(left)}`);
	return difference;
}

/** Returns the item that changes only what differs. */
function itemOf(
	{ fields, action: _, index: __, ...place }: BudgetChange,
	budget: FileBudget | undefined,
): AssignmentItem {
	assert(budget, "a change has its budget in the file");
	const isChanged = (wanted: string): boolean => fields.some(({ name }) => name === wanted);
	return {
		...place,
		...(isChanged("parentId") && { parentId: budget.parentId ?? null }),
		...(isChanged("usageLimit") && { usageLimit: budget.usageLimit }),
		...(isChanged("cadence") && { cadence: budget.cadence }),
		...(isChanged("hasSoftLimit") && { hasSoftLimit: budget.hasSoftLimit ?? false }),
		...(isChanged("allocated") && { allocated: budget.allocated ?? false }),
	};
}

/** Applies a file and rolls it back, so that the plan also has the refusals. */
export const planBudgetFile = (work: Work, customerRef: string, file: BudgetFile): BudgetDifference =>
	dryRun(work, () => applyBudgetFile(work, customerRef, file));
