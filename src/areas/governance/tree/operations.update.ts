import type { Instant } from "../../../kernel/clock";
import { zero } from "../../../kernel/decimal";
import { earliest } from "../../../kernel/period";
import { type Work, workAt, workIn } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import { convertUnits } from "../../pricing/unit-conversion";
import { type CountedBudget, countedBudget } from "../notices/operations.counted-budget";
import { findUnits } from "../operations.capabilities";
import { scopeEntities } from "../rules.assignments";
import { resetOf, windowAt } from "../rules.cadence";
import { limitOfWindow, utilizationOf } from "../rules.chains";
import type { ShownAssignment } from "../shown/operations";
import { selectAssignments } from "../store.assignments";
import { findCounter, selectCounter } from "../store.counters";
import type { BudgetAssignmentRow, BudgetCounterRow } from "../table";
import { findTreeRow, hasTree, putTreeRow, saveTreeUsage } from "./store";
import type { TreeRow } from "./table";

/** Writes the rows of budgets that a request has created or changed. */
export function putInTree(work: Work, shown: readonly ShownAssignment[]): void {
	// The follower rests long while there are no budgets.
	if (shown.length > 0 && !hasTree(work)) work.wake("budget-tree");
	for (const one of shown) {
		const { counter, window: _, ...usage } = usageOf(work, one, one.node.capabilityId);
		const { id, environmentId, customerId, scope, usageLimit, node, entity } = one;
		putTreeRow(work, {
			...{ assignmentId: id, environmentId, customerId, capabilityId: node.capabilityId },
			...{ entityId: entity.id, entityRef: entity.refId, scopeSize: scopeEntities(scope).length },
			usageLimit: usageLimit === null ? null : Number(usageLimit),
			// The follower compares the usage with the new limit.
			...{ ...usage, dueAt: counter ? work.now : null },
		});
	}
}

/** Compares the usage of a budget with limits and thresholds, at the time of its environment. */
export type Observe = (work: Work, counted: CountedBudget) => void;

/**
 * Calculates the usage of the budgets of some counters again. `nowOf` returns the time of an environment. A counter of a later window
 * becomes due at its start. `observe` also gets the counters of windows that have ended.
 */
export function followCounters(
	everywhere: Work,
	counterIds: Iterable<number>,
	nowOf: (environmentId: string) => Instant,
	observe: Observe,
): void {
	for (const id of counterIds) {
		const counter = selectCounter(everywhere, id);
		const row = counter && findTreeRow(everywhere, counter.assignmentId);
		if (!row) continue;
		const work = workOfEnvironment(everywhere, row.environmentId, nowOf(row.environmentId));
		const [budget] = selectAssignments(work, [row.assignmentId]);
		if (!budget) continue;
		observe(work, countedBudget(work, budget, row, counter));
		if (counter.windowEnd > work.now)
			recalculate(work, budget, row, work.now < counter.windowStart ? counter.windowStart : null);
	}
}

/** Calculates the usage of budgets again whose windows have ended, or whose limits have changed. */
export function followDue(everywhere: Work, due: readonly DueRow[], observe: Observe): void {
	for (const { row, now } of due) {
		const work = workOfEnvironment(everywhere, row.environmentId, now);
		const [budget] = selectAssignments(work, [row.assignmentId]);
		const counter = budget && recalculate(work, budget, row);
		if (counter) observe(work, countedBudget(work, budget, row, counter));
	}
}

/** A row, and the time of its environment. */
export interface DueRow {
	readonly row: TreeRow;
	readonly now: Instant;
}

const workOfEnvironment = (work: Work, environmentId: string, now: Instant): Work =>
	workAt(workIn(work, systemActor(environmentId)), now);

/** Calculates the usage of one budget again. Returns the counter of its current window. */
function recalculate(
	work: Work,
	budget: BudgetAssignmentRow,
	{ assignmentId, capabilityId }: TreeRow,
	laterAt: Instant | null = null,
): BudgetCounterRow | undefined {
	const { counter, window, ...usage } = usageOf(work, budget, capabilityId);
	saveTreeUsage(work, {
		...{ assignmentId, ...usage },
		dueAt: earliest([counter ? resetOf(window) : null, laterAt]),
	});
	return counter;
}

function usageOf(work: Work, assignment: BudgetAssignmentRow, capabilityId: string) {
	const window = windowAt(assignment, work.now);
	const counter = findCounter(work, assignment, window);
	const used = convertUnits(counter?.used ?? zero, findUnits(work, capabilityId));
	const limit = limitOfWindow(assignment.usageLimit, counter?.raised);
	return { counter, window, currentUsage: Number(used), utilization: utilizationOf(used, limit) };
}
