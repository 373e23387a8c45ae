import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire, toWireOrNull } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import { shownAssignmentsByIds } from "../shown/operations";
import type { BudgetRequest } from "./schema";
import type { BudgetRequestRow } from "./table";

/** Returns a function that shows requests with the callers' ids. */
export function requestView(work: Work, rows: readonly BudgetRequestRow[]): (row: BudgetRequestRow) => BudgetRequest {
	const customers = customersByIds(work, [...new Set(rows.map(({ customerId }) => customerId))]);
	const budgets = shownAssignmentsByIds(work, [...new Set(rows.map(({ assignmentId }) => assignmentId))]);
	return (row) => {
		const budget = budgets.get(row.assignmentId);
		const capability = (wanted: "FEATURE" | "CURRENCY") =>
			budget?.node.capability === wanted ? budget.capabilityRef : null;
		return {
			...{ id: row.id, customerId: customers.get(row.customerId)?.refId ?? "", entityId: budget?.entity.refId ?? "" },
			...{ featureId: capability("FEATURE"), currencyId: capability("CURRENCY"), amount: toWire(row.amount) },
			...{ approvedAmount: toWireOrNull(row.approvedAmount), reason: row.reason, duration: row.duration },
			...{ status: row.status, expiresAt: toIsoOrNull(row.nextDueAt) },
			...{ createdAt: toIso(row.createdAt), updatedAt: toIso(row.updatedAt) },
		};
	};
}

export const viewRequest = (work: Work, row: BudgetRequestRow): BudgetRequest => requestView(work, [row])(row);
