import type { Decimal } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { convertUnits } from "../../pricing/unit-conversion";
import { findUnits } from "../operations.capabilities";
import { limitOfWindow } from "../rules.chains";
import type { BudgetAssignmentRow, BudgetCounterRow, BudgetNodeRow } from "../table";

/** A budget with its usage in one window. */
export interface CountedBudget {
	readonly budget: BudgetAssignmentRow;
	readonly place: BudgetPlace;
	readonly counter: BudgetCounterRow;
	/** In the units of the limit. */
	readonly usage: Decimal;
	/** The limit of the window. */
	readonly limit: Decimal | null;
}

/** The entity and the capability of a budget, by their row ids. */
export type BudgetPlace = Pick<BudgetNodeRow, "entityId" | "capabilityId">;

/** Returns a budget with the usage that a counter has. */
export function countedBudget(
	work: Work,
	budget: BudgetAssignmentRow,
	place: BudgetPlace,
	counter: BudgetCounterRow,
): CountedBudget {
	const usage = convertUnits(counter.used, findUnits(work, place.capabilityId));
	return { budget, place, counter, usage, limit: limitOfWindow(budget.usageLimit, counter.raised) };
}
