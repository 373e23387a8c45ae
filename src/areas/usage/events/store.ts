import { and, desc, eq, isNull, lt, lte, max, sql } from "drizzle-orm";
import type { Transaction } from "../../../kernel/work";
import { wordsOf } from "../blocks/event-block";
import { LogReader } from "../log/log-reader";
import { eventCustomers } from "../table.events";
import { usageCounters, usageEventNames, usageEventsByHour, usageSubjects } from "../table.usage";

const { placeholder } = sql;

/** Rows of an index that are read at once. */
const rowsAtOnce = 50;

/** Customers of the log that stay in memory, by their number; beyond this, all are evicted. About 10 MB. */
const customersRememberedMax = 100_000;

const buildStatements = (tx: Transaction) => ({
	customer: tx
		.select({ environmentId: eventCustomers.environmentId, customerRef: eventCustomers.customerRef })
		.from(eventCustomers)
		.where(eq(eventCustomers.id, placeholder("id")))
		.prepare(),
	earlyNumber: tx
		.select({ id: eventCustomers.id })
		.from(eventCustomers)
		.where(
			and(
				eq(eventCustomers.environmentId, placeholder("environmentId")),
				eq(eventCustomers.customerRef, placeholder("customerRef")),
				isNull(eventCustomers.customerId),
			),
		)
		.prepare(),
	subjects: tx
		.select({ id: usageSubjects.id, resourceRef: usageSubjects.resourceRef })
		.from(usageSubjects)
		.where(eq(usageSubjects.customerId, placeholder("customerId")))
		.prepare(),
	lastHour: tx
		.select({ hour: usageEventsByHour.hour })
		.from(usageEventsByHour)
		.where(
			and(eq(usageEventsByHour.subjectId, placeholder("subjectId")), lte(usageEventsByHour.hour, placeholder("hour"))),
		)
		.orderBy(desc(usageEventsByHour.hour))
		.limit(1)
		.prepare(),
	rowsOfHour: tx
		.select({ firstEvent: usageEventsByHour.firstEvent, offsets: usageEventsByHour.offsets })
		.from(usageEventsByHour)
		.where(
			and(
				eq(usageEventsByHour.subjectId, placeholder("subjectId")),
				eq(usageEventsByHour.hour, placeholder("hour")),
				lt(usageEventsByHour.firstEvent, placeholder("before")),
			),
		)
		.orderBy(desc(usageEventsByHour.firstEvent))
		.limit(rowsAtOnce)
		.prepare(),
	/** A subject of a customer that does not exist yet. */
	placeholder: tx
		.select({ id: usageSubjects.id })
		.from(usageSubjects)
		.where(eq(usageSubjects.customerId, sql`'#' || ${placeholder("customer")}`))
		.limit(1)
		.prepare(),
	/** The furthest of a meter's counters: during a rebuild it has two. */
	counter: tx
		.select({ countedTo: max(usageCounters.countedTo) })
		.from(usageCounters)
		.where(
			and(eq(usageCounters.featureId, placeholder("featureId")), eq(usageCounters.meterId, placeholder("meterId"))),
		)
		.prepare(),
	names: tx
		.select()
		.from(usageEventNames)
		.where(
			and(
				eq(usageEventNames.environmentId, placeholder("environmentId")),
				lt(usageEventNames.id, placeholder("before")),
			),
		)
		.orderBy(desc(usageEventNames.id))
		.limit(placeholder("rows"))
		.prepare(),
});

/** A customer by its names in the log. */
interface Named {
	readonly environmentId: string;
	readonly customerRef: string;
}

/** Reads the log and its indexes. One for each connection. */
export class EventStore {
	readonly log: LogReader;
	readonly statements: ReturnType<typeof buildStatements>;
	readonly #customers = new Map<number, Named>();

	constructor(tx: Transaction) {
		this.log = new LogReader(tx);
		this.statements = buildStatements(tx);
	}

	/** Returns the customer of a number, which never changes. Calls `onLookUp` if it is not in memory. */
	customer(id: number, onLookUp: () => void): Named | undefined {
		const known = this.#customers.get(id);
		if (known) return known;
		onLookUp();
		const found = this.statements.customer.get({ id });
		if (!found) return undefined;
		if (this.#customers.size >= customersRememberedMax) this.#customers.clear();
		this.#customers.set(id, found);
		return found;
	}

	/** Returns the last hour, up to and including `hour`, in which a subject has an event. */
	lastHour(subjectId: number, hour: number): number | undefined {
		return this.statements.lastHour.get({ subjectId, hour })?.hour;
	}

	/** Yields the rows of a subject's hour that begin before the event `before`, the newest first. */
	*rowsOfHour(subjectId: number, hour: number, before: number): Generator<HourRow, undefined> {
		for (let next = before; ; ) {
			const rows = this.statements.rowsOfHour.all({ subjectId, hour, before: next });
			for (const { firstEvent, offsets } of rows) yield { firstEvent, offsets: wordsOf(offsets) };
			const last = rows.at(-1);
			if (!last || rows.length < rowsAtOnce) return undefined;
			next = last.firstEvent;
		}
	}
}

export interface HourRow {
	readonly firstEvent: number;
	/** Ascending. */
	readonly offsets: Uint32Array;
}
