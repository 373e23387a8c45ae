import { toIso } from "../../kernel/clock";
import { type Decimal, plus, zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { capabilityRefs } from "./operations.capabilities";
import { entitiesByIds } from "./operations.entities";
import { usedAfter } from "./rules.chains";
import { selectNodes } from "./store.assignments";
import {
	type CheckedCounter,
	countersOfCustomer,
	customersWithCounters,
	entriesOfCustomer,
	holdsOfCustomer,
} from "./store.check";

/**
 * Counts the budgets of an environment again, from what was counted and what is reserved. Returns the first budget of each customer that
 * differs. Holds the counters of one customer in memory at a time.
 */
export function* checkBudgets(work: Work): Generator<string> {
	for (const { id, refId } of customersWithCounters(work)) {
		const wrong = firstDifference(work, id);
		if (wrong) yield `${named(work, wrong.counter, refId)}: ${wrong.text}; restore a backup`;
	}
}

function firstDifference(work: Work, customerId: string) {
	const used = new Map<number, Decimal>();
	for (const { counters, amount } of entriesOfCustomer(work, customerId))
		for (const id of counters) used.set(id, usedAfter(used.get(id) ?? zero, amount));
	const reserved = new Map<number, Decimal>();
	for (const { counters, amount } of holdsOfCustomer(work, customerId))
		for (const id of counters) reserved.set(id, plus(reserved.get(id) ?? zero, amount));
	for (const counter of countersOfCustomer(work, customerId))
		for (const [name, expected] of [
			["used", used.get(counter.id) ?? zero],
			["reserved", reserved.get(counter.id) ?? zero],
		] as const)
			if (counter[name] !== expected) return { counter, text: `${name} is ${counter[name]}, expected ${expected}` };
	return undefined;
}

function named(work: Work, { nodeId, windowStart }: CheckedCounter, customerRef: string): string {
	const [node] = selectNodes(work, [nodeId]);
	const entity = node && entitiesByIds(work, [node.entityId]).get(node.entityId)?.refId;
	const capability = node && capabilityRefs(work, [node]).get(node.capabilityId);
	return `the budget of entity '${entity}' (customer '${customerRef}') for '${capability}', from ${toIso(windowStart)}`;
}
