import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Work } from "../../kernel/work";
import { customers } from "../customers/table";
import { type BudgetCounterRow, budgetAssignments, budgetCounters, budgetEntries, budgetHolds } from "./table";

/** Entries and counters are read in pages, so that memory stays bounded. */
const rowsAtOnce = 1_000;

/** Visits the customers of the environment that have counters, by their row id and the caller's id. */
export function* customersWithCounters(work: Work): Generator<{ readonly id: string; readonly refId: string }> {
	for (let after = ""; ; ) {
		const next = work.tx
			.select({ id: customers.id, refId: customers.refId })
			.from(customers)
			.where(
				and(
					eq(customers.environmentId, work.actor.environmentId),
					gt(customers.id, after),
					sql`exists (select 1 from ${budgetCounters} where ${budgetCounters.customerId} = ${customers.id})`,
				),
			)
			.orderBy(asc(customers.id))
			.limit(1)
			.get();
		if (!next) return;
		yield next;
		after = next.id;
	}
}

/** Visits what was counted for a customer, in the order in which it was counted. */
export function* entriesOfCustomer({ tx }: Work, customerId: string): Generator<typeof budgetEntries.$inferSelect> {
	for (let after = 0; ; ) {
		const rows = tx
			.select()
			.from(budgetEntries)
			.where(and(eq(budgetEntries.customerId, customerId), gt(budgetEntries.sequence, after)))
			.orderBy(asc(budgetEntries.sequence))
			.limit(rowsAtOnce)
			.all();
		yield* rows;
		const last = rows.at(-1);
		if (!last || rows.length < rowsAtOnce) return;
		after = last.sequence;
	}
}

export const holdsOfCustomer = ({ tx }: Work, customerId: string) =>
	tx.select().from(budgetHolds).where(eq(budgetHolds.customerId, customerId)).all();

/** A counter with its budget's node. */
export interface CheckedCounter extends BudgetCounterRow {
	readonly nodeId: string;
}

/** Visits the counters of a customer, the oldest first. */
export function* countersOfCustomer({ tx }: Work, customerId: string): Generator<CheckedCounter> {
	for (let after = 0; ; ) {
		const rows = tx
			.select({ counter: budgetCounters, nodeId: budgetAssignments.nodeId })
			.from(budgetCounters)
			.innerJoin(budgetAssignments, eq(budgetAssignments.id, budgetCounters.assignmentId))
			.where(and(eq(budgetCounters.customerId, customerId), gt(budgetCounters.id, after)))
			.orderBy(asc(budgetCounters.id))
			.limit(rowsAtOnce)
			.all();
		for (const { counter, nodeId } of rows) yield { ...counter, nodeId };
		const last = rows.at(-1);
		if (!last || rows.length < rowsAtOnce) return;
		after = last.counter.id;
	}
}
