import { and, eq, isNotNull, ne } from "drizzle-orm";
import { type Decimal, plus, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { budgetCounters } from "../table";
import { budgetRequests } from "./table";

/** A counter, the amount by which its limit is raised, and the approved amount. */
interface WrongRaise {
	readonly id: number;
	readonly is: Decimal;
	readonly expected: Decimal;
}

/** Visits the windows of a customer (row id) whose limit is not higher by exactly the approved amounts. */
export function* wrongRaises({ tx }: Work, customerId: string): Generator<WrongRaise> {
	const approved = new Map<number, Decimal>();
	const requests = tx
		.select({ counterId: budgetRequests.counterId, amount: budgetRequests.approvedAmount })
		.from(budgetRequests)
		.where(and(eq(budgetRequests.customerId, customerId), isNotNull(budgetRequests.counterId)))
		.all();
	for (const { counterId, amount } of requests)
		if (counterId !== null) approved.set(counterId, plus(approved.get(counterId) ?? zero, amount ?? zero));
	const raised = tx
		.select({ id: budgetCounters.id, raised: budgetCounters.raised })
		.from(budgetCounters)
		.where(and(eq(budgetCounters.customerId, customerId), ne(budgetCounters.raised, zero)))
		.all();
	const stored = new Map(raised.map((counter) => [counter.id, counter.raised]));
	for (const id of new Set([...approved.keys(), ...stored.keys()])) {
		const [is, expected] = [stored.get(id) ?? zero, approved.get(id) ?? zero];
		if (is !== expected) yield { id, is, expected };
	}
}
