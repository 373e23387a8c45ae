import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { isLess, toWire, toWireOrNull } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import type { EventPayload } from "../../outbox/event-types";
import { writeEvent } from "../../outbox/operations";
import type { BudgetDecision } from "../operations.decide";
import { resetOf, windowAt } from "../rules.cadence";
import { utilizationOf } from "../rules.chains";
import { shownAssignments } from "../shown/operations";
import { selectAssignments, selectAssignmentsOf, selectNodesOf } from "../store.assignments";
import { findCounter, openCounter, saveExceeded } from "../store.counters";
import { type CountedBudget, countedBudget } from "./operations.counted-budget";

/** Compares the usage of a budget with thresholds. The alerts of a later area do it. */
export type RecordThresholds = (work: Work, counted: CountedBudget) => void;

/**
 * Compares the changed usage of a budget with its limit and with thresholds. Usage passes a soft limit by decisions, and any limit by reports
 * and events.
 */
export function noticeUsage(work: Work, counted: CountedBudget, record: RecordThresholds): void {
	const { counter, limit } = counted;
	if (counter.exceededAt === null && limit !== null && isLess(limit, counted.usage))
		emitExceeded(work, counted, "USAGE");
	record(work, counted);
}

/** Emits `budget.exceeded` for each budget that denied a use, once in each window. */
export function noticeDenials(work: Work, customerId: string, { chains }: BudgetDecision): void {
	for (const { assignmentId, entityId, capabilityId, isGranted, isNoticed, window } of chains.flat()) {
		if (isGranted || isNoticed) continue;
		const [budget] = selectAssignments(work, [assignmentId]);
		// A denied use creates no entities, so its budgets do not exist either.
		if (!budget) continue;
		const counter = openCounter(work, customerId, budget, window);
		if (counter.exceededAt === null)
			emitExceeded(work, countedBudget(work, budget, { entityId, capabilityId }, counter), "DENIED");
	}
}

function emitExceeded(work: Work, counted: CountedBudget, cause: EventPayload<"budget.exceeded">["cause"]): void {
	saveExceeded(work, counted.counter.id, work.now);
	writeEvent(work, "budget.exceeded", counted.budget.id, { ...budgetPayload(work, counted), cause });
}

/** Returns the budgets of an entity for a feature or currency (row ids) with their usage in the current windows. */
export const countedBudgetsOf = (work: Work, entityId: string, capabilityId: string): CountedBudget[] =>
	selectAssignmentsOf(
		work,
		selectNodesOf(work, [entityId], [capabilityId]).map(({ id }) => id),
	).flatMap((budget) => {
		const counter = findCounter(work, budget, windowAt(budget, work.now));
		return counter ? countedBudget(work, budget, { entityId, capabilityId }, counter) : [];
	});

/** Returns the fields of each event about a budget. */
export function budgetPayload(work: Work, { budget: row, counter, usage, limit }: CountedBudget) {
	const [budget] = shownAssignments(work, [row]);
	assert(budget, "a budget is shown");
	const { node, capabilityRef, hasSoftLimit, cadence } = budget;
	const capability = (wanted: typeof node.capability) => (node.capability === wanted ? { id: capabilityRef } : null);
	return {
		customer: { id: customersByIds(work, [budget.customerId]).get(budget.customerId)?.refId ?? "" },
		...{ entity: { id: budget.entity.refId }, parent: budget.parentRef === null ? null : { id: budget.parentRef } },
		...{ feature: capability("FEATURE"), currency: capability("CURRENCY"), scopeEntityIds: [...budget.scopeRefs] },
		...{ usageLimit: toWireOrNull(limit), hasSoftLimit, currentUsage: toWire(usage) },
		...{ utilization: utilizationOf(usage, limit), cadence, usagePeriodStart: toIso(counter.windowStart) },
		usagePeriodEnd: toIsoOrNull(resetOf({ end: counter.windowEnd })),
	};
}
