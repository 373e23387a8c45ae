import { and, eq, max, ne, sql } from "drizzle-orm";
import type { Transaction, Work } from "../../kernel/work";
import { listMeters } from "../features/operations";
import { usageProgress } from "./operations";
import { eventCancellations, eventCustomers } from "./table.events";
import { usageCounters, usageCursor } from "./table.usage";

/** The events and cancellations in the log at one instant, all of which were acknowledged before it. */
export interface Acknowledged {
	/** Position of the newest event; 0 if there is none. */
	readonly event: number;
	/** Row id of the newest cancellation; 0 if there is none. */
	readonly cancellation: number;
}

const buildStatements = (tx: Transaction) => ({
	lastCancellation: tx
		.select({ id: max(eventCancellations.id) })
		.from(eventCancellations)
		.prepare(),
	correctedTo: tx.select({ to: usageCursor.correctedTo }).from(usageCursor).where(eq(usageCursor.id, 1)).prepare(),
	customer: tx
		.select({ id: eventCustomers.id })
		.from(eventCustomers)
		.where(eq(eventCustomers.environmentId, sql.placeholder("environmentId")))
		.limit(1)
		.prepare(),
	counters: tx
		.select({ meterId: usageCounters.meterId, state: usageCounters.state, countedTo: usageCounters.countedTo })
		.from(usageCounters)
		.where(and(eq(usageCounters.environmentId, sql.placeholder("environmentId")), ne(usageCounters.state, "RETIRED")))
		.prepare(),
});

export const acknowledgedNow = (work: Work): Acknowledged => ({
	event: usageProgress(work).written,
	cancellation: work.prepared(buildStatements).lastCancellation.get()?.id ?? 0,
});

/**
 * Returns how many events the totals of the work's environment lack, over all of its meters, and cancellations that
 * they do not follow yet; 0 if they hold everything acknowledged. A meter without a counter lacks every event.
 */
export function uncountedOf(work: Work, { event, cancellation }: Acknowledged): number {
	const statements = work.prepared(buildStatements);
	const behind = Math.max(0, event - usageProgress(work).counted);
	const uncorrected = Math.max(0, cancellation - (statements.correctedTo.get()?.to ?? 0));
	return behind + uncorrected + missedByMeters(work, event);
}

/** Returns how many events meters lack while they count the past of the log, or before they begin. */
function missedByMeters(work: Work, event: number): number {
	const { environmentId } = work.actor;
	const statements = work.prepared(buildStatements);
	// An environment without events has no counters.
	if (!statements.customer.get({ environmentId })) return 0;
	const counters = statements.counters.all({ environmentId });
	const isCounted = new Set(counters.filter(({ state }) => state === "LIVE").map(({ meterId }) => meterId));
	const countedTo = new Map(counters.map((counter) => [counter.meterId, counter.countedTo]));
	return listMeters(work)
		.filter(({ id }) => !isCounted.has(id))
		.reduce((missed, { id }) => missed + Math.max(1, event - (countedTo.get(id) ?? 0)), 0);
}
