import { toIso } from "../../kernel/clock";
import { type Decimal, minus, plus, zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { checkAllocations } from "./allocation/operations.check";
import { capabilityRefs } from "./operations.capabilities";
import { entitiesByIds } from "./operations.entities";
import { wrongRaises } from "./requests/operations.check";
import { usedAfter } from "./rules.chains";
import { selectNodes } from "./store.assignments";
import {
	type CheckedCounter,
	countersOfCustomer,
	customersWithCounters,
	entriesOfCustomer,
	holdsOfCustomer,
} from "./store.check";
import { rereadCounter, saveRaised, saveReserved, saveUsed } from "./store.counters";
import { saveEntryAmount } from "./store.usage";
import { followCounters } from "./tree/operations.update";

/**
 * Counts the budgets of an environment again, from what was counted and what is reserved. Returns the first budget of each customer that
 * differs, and budgets that allocate more than their limit. Holds the counters of one customer in memory at a time.
 */
export function* checkBudgets(work: Work): Generator<string> {
	for (const { id, refId } of customersWithCounters(work)) {
		for (const { id: counter, is, expected } of wrongRaises(work, id))
			yield `customer '${refId}': the window ${counter} of a budget: its limit is raised by ${is}, and ${expected} were approved; run \`tollgate usage rebuild\``;
		const wrong = wrongCounters(work, id).next().value;
		if (!wrong) continue;
		const name = wrong.used === zero ? "reserved" : "used";
		const stored = wrong.counter[name];
		yield `${named(work, wrong.counter, refId)}: ${name} is ${stored}, expected ${plus(stored, wrong[name])}; run \`tollgate usage rebuild\``;
	}
	yield* checkAllocations(work);
}

/** A counter, and the amounts by which it is to be corrected. */
interface WrongCounter {
	readonly counter: CheckedCounter;
	readonly used: Decimal;
	readonly reserved: Decimal;
}

/** Visits the counters of a customer that differ from what was counted and what is reserved. */
function* wrongCounters(work: Work, customerId: string): Generator<WrongCounter> {
	const used = new Map<number, Decimal>();
	for (const { counters, amount } of entriesOfCustomer(work, customerId))
		for (const id of counters) used.set(id, usedAfter(used.get(id) ?? zero, amount));
	const reserved = new Map<number, Decimal>();
	for (const { counters, amount } of holdsOfCustomer(work, customerId))
		for (const id of counters) reserved.set(id, plus(reserved.get(id) ?? zero, amount));
	for (const counter of countersOfCustomer(work, customerId)) {
		const by = {
			used: minus(used.get(counter.id) ?? zero, counter.used),
			reserved: minus(reserved.get(counter.id) ?? zero, counter.reserved),
		};
		if (by.used !== zero || by.reserved !== zero) yield { counter, ...by };
	}
}

function named(work: Work, { nodeId, windowStart }: CheckedCounter, customerRef: string): string {
	const [node] = selectNodes(work, [nodeId]);
	const entity = node && entitiesByIds(work, [node.entityId]).get(node.entityId)?.refId;
	const capability = node && capabilityRefs(work, [node]).get(node.capabilityId);
	return `the budget of entity '${entity}' (customer '${customerRef}') for '${capability}', from ${toIso(windowStart)}`;
}

/** Amounts of entries, and the amounts by which counters differ. */
export interface BudgetCorrections {
	readonly entries: ReadonlyArray<{ readonly sequence: number; readonly amount: Decimal }>;
	readonly counters: readonly CounterCorrection[];
}

interface CounterCorrection extends Readonly<Record<"used" | "reserved" | "raised", Decimal>> {
	readonly id: number;
}

/** One write corrects some milliseconds' worth. */
export const correctionsMax = 500;

/** Visits the corrections of an environment's counters. Counting may continue meanwhile, because a correction is a difference. */
export function* counterCorrections(work: Work): Generator<CounterCorrection> {
	for (const { id: customerId } of customersWithCounters(work)) {
		for (const { counter, used, reserved } of wrongCounters(work, customerId))
			yield { id: counter.id, used, reserved, raised: zero };
		for (const { id, is, expected } of wrongRaises(work, customerId))
			yield { id, used: zero, reserved: zero, raised: minus(expected, is) };
	}
}

export function correctBudgets(work: Work, { entries, counters }: BudgetCorrections): void {
	for (const { sequence, amount } of entries) saveEntryAmount(work, sequence, amount);
	for (const { id, used, reserved, raised } of counters) {
		const counter = rereadCounter(work, id);
		if (!counter) continue;
		if (used !== zero) saveUsed(work, id, usedAfter(counter.used, used));
		if (reserved !== zero) saveReserved(work, id, usedAfter(counter.reserved, reserved));
		if (raised !== zero) saveRaised(work, id, plus(counter.raised, raised));
		work.usageChanged(counter.customerId);
	}
	followCounters(
		work,
		counters.map(({ id }) => id),
		() => work.now,
		// A repair emits no events.
		() => {},
	);
}
