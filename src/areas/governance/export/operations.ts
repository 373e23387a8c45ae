import type { Work } from "../../../kernel/work";
import { getCustomer } from "../../customers/operations";
import { assertGovernance } from "../operations.entity-types";
import type { ShownAssignment } from "../shown/operations";
import { selectTypes } from "../store";
import { pageOfBudgets, usageReader, type WindowUsage } from "../tree/operations";
import { type BudgetsCsvQuery, csvRowsMax } from "./schema";

/** A budget with the usage of its current window. */
export interface ExportedBudget extends ShownAssignment {
	readonly typeRef: string;
	readonly counted: WindowUsage;
}

export interface ExportPage {
	readonly rows: readonly ExportedBudget[];
	/** The cursor of the next page; null on the last one. */
	readonly next: string | null;
}

/** Returns a page of a customer's budgets by creation, so that usage between two pages moves no budget from one to the other. */
export function exportBudgets(work: Work, customerRef: string, query: BudgetsCsvQuery): ExportPage {
	assertGovernance(work);
	const { id } = getCustomer(work, customerRef);
	const { rows, next } = pageOfBudgets(work, id, {
		limit: `${csvRowsMax}`,
		...query,
		...{ sortBy: "createdAt", order: "asc" },
	});
	const types = new Map(selectTypes(work).map((type) => [type.id, type.refId]));
	const usageOf = usageReader(work, id, rows);
	return {
		rows: rows.map((row) => ({ ...row, typeRef: types.get(row.entity.typeId) ?? "", counted: usageOf(row) })),
		next,
	};
}
