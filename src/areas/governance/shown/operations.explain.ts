import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire, toWireOrNull, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import type { ExplainedBudget } from "../../entitlement-sources/schema.explanation";
import { convertUnits } from "../../pricing/unit-conversion";
import type { BudgetDecision } from "../operations.decide";
import { resetOf } from "../rules.cadence";
import { remainingOf } from "../rules.chains";
import { scopeRefs } from "./operations.chains";

/** Explains each budget of a decision once, from the entities up. */
export function explainedBudgets(work: Work, decision: BudgetDecision): ExplainedBudget[] {
	const refOf = scopeRefs(work, decision);
	const budgets = new Map(decision.chains.flat().map((budget) => [budget.assignmentId, budget]));
	return [...budgets.values()].map((budget) => ({
		entityId: budget.entityRef,
		displayName: budget.displayName,
		scopeEntityIds: budget.scope.map(refOf).sort(),
		capability: budget.capability,
		isGranted: budget.isGranted,
		usageLimit: toWireOrNull(budget.usageLimit),
		used: toWire(convertUnits(budget.used, budget.units)),
		reserved: toWire(convertUnits(budget.reserved, budget.units)),
		...(budget.allocatedToOthers !== zero && { allocatedToOthers: toWire(budget.allocatedToOthers) }),
		remaining: toWireOrNull(remainingOf(budget, budget.units)),
		windowStart: toIso(budget.window.start),
		resetsAt: toIsoOrNull(resetOf(budget.window)),
		raisedBy: "CUSTOMER:WRITE",
	}));
}
