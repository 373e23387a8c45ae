import type { Instant } from "../../../kernel/clock";
import { zero } from "../../../kernel/decimal";
import { earliest } from "../../../kernel/period";
import { type Work, workIn } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import { convertUnits } from "../../pricing/unit-conversion";
import { findUnits } from "../operations.capabilities";
import { scopeEntities } from "../rules.assignments";
import { windowAt } from "../rules.cadence";
import { utilizationOf } from "../rules.chains";
import type { ShownAssignment } from "../shown/operations";
import { selectAssignments } from "../store.assignments";
import { findCounter, selectCounter } from "../store.usage";
import type { BudgetAssignmentRow } from "../table";
import { findTreeRow, putTreeRow, saveTreeUsage } from "./store";
import type { TreeRow } from "./table";

/** Writes the rows of budgets that a request has created or changed. */
export function putInTree(work: Work, shown: readonly ShownAssignment[]): void {
	for (const one of shown) {
		const { id, environmentId, customerId, scope, usageLimit, node, entity } = one;
		putTreeRow(work, {
			...{ assignmentId: id, environmentId, customerId, capabilityId: node.capabilityId },
			...{ entityId: entity.id, entityRef: entity.refId, scopeSize: scopeEntities(scope).length },
			usageLimit: usageLimit === null ? null : Number(usageLimit),
			...usageAt(work, one, node.capabilityId, work.now),
		});
	}
}

/**
 * Calculates the usage of the budgets of some counters again. `nowOf` returns the time of an environment. A counter of a later window
 * becomes due at its start.
 */
export function followCounters(
	work: Work,
	counterIds: Iterable<number>,
	nowOf: (environmentId: string) => Instant,
): void {
	for (const id of counterIds) {
		const counter = selectCounter(work, id);
		const row = counter && findTreeRow(work, counter.assignmentId);
		if (!row) continue;
		const now = nowOf(row.environmentId);
		if (counter.windowEnd <= now) continue;
		recalculate(work, row, now, now < counter.windowStart ? counter.windowStart : null);
	}
}

/** Calculates the usage of one budget again. */
export function recalculate(
	everywhere: Work,
	{ environmentId, assignmentId, capabilityId }: Pick<TreeRow, "environmentId" | "assignmentId" | "capabilityId">,
	now: Instant,
	laterAt: Instant | null = null,
): void {
	const work = workIn(everywhere, systemActor(environmentId));
	const [assignment] = selectAssignments(work, [assignmentId]);
	if (!assignment) return;
	const usage = usageAt(work, assignment, capabilityId, now);
	saveTreeUsage(work, { assignmentId, ...usage, dueAt: earliest([usage.dueAt, laterAt]) });
}

function usageAt(work: Work, assignment: BudgetAssignmentRow, capabilityId: string, now: Instant) {
	const window = windowAt(assignment, now);
	const counter = findCounter(work, assignment, window);
	const used = convertUnits(counter?.used ?? zero, findUnits(work, capabilityId));
	return {
		currentUsage: Number(used),
		utilization: utilizationOf(used, assignment.usageLimit),
		dueAt: counter ? window.end : null,
	};
}
