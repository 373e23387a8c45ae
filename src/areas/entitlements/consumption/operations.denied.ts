import type { Work } from "../../../kernel/work";
import { noticeDenials } from "../../governance/notices/operations";
import type { FeatureFinding } from "../operations";

/** Emits the events of the budgets that denied a use. */
export function noticeDeniedUse(work: Work, { budgets, decision, holder }: FeatureFinding): void {
	if (budgets && decision.decidedBy === "ENTITY_BUDGET_SPENT") noticeDenials(work, holder.customerId, budgets);
}
