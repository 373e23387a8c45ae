import { and, desc, eq, isNull, lt, lte, max, sql } from "drizzle-orm";
import type { Transaction } from "../../../kernel/work";
import { wordsOf } from "../blocks/event-block";
import { LogReader } from "../log/log-reader";
import { eventCustomers } from "../table.events";
import { usageCounters, usageEventNames, usageEventsByHour, usageSubjects, usageUnattributed } from "../table.usage";

const { placeholder } = sql;

/** Our choice: so many rows of an index are read at once. */
const rowsAtOnce = 50;

/** Our choice: customers of the log that are remembered by their number; beyond it all are looked up again. About 10 MB. */
const customersRememberedMax = 100_000;

const buildStatements = (tx: Transaction) => ({
	customer: tx
		.select({ environmentId: eventCustomers.environmentId, customerRef: eventCustomers.customerRef })
		.from(eventCustomers)
		.where(eq(eventCustomers.id, placeholder("id")))
		.prepare(),
	waitingNumber: tx
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
	waiting: tx
		.select({ event: usageUnattributed.eventId })
		.from(usageUnattributed)
		.where(
			and(
				eq(usageUnattributed.customer, placeholder("customer")),
				lt(usageUnattributed.eventId, placeholder("before")),
			),
		)
		.orderBy(desc(usageUnattributed.eventId))
		.limit(rowsAtOnce)
		.prepare(),
	isWaiting: tx
		.select({ event: usageUnattributed.eventId })
		.from(usageUnattributed)
		.where(
			and(eq(usageUnattributed.customer, placeholder("customer")), eq(usageUnattributed.eventId, placeholder("event"))),
		)
		.prepare(),
	/** Of those that count a meter: one that counts it anew stands beside the one that answers. */
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

/** A customer as the log names it. */
interface Named {
	readonly environmentId: string;
	readonly customerRef: string;
}

/** Looks into the log and its indexes. One for each connection. */
export class EventStore {
	readonly log: LogReader;
	readonly statements: ReturnType<typeof buildStatements>;
	readonly #customers = new Map<number, Named>();

	constructor(tx: Transaction) {
		this.log = new LogReader(tx);
		this.statements = buildStatements(tx);
	}

	/** Whose number it is: that never changes. `onLookUp` is called where it is not remembered. */
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

	/** The next hour back, from one on, in which a subject has any event. */
	lastHour(subjectId: number, hour: number): number | undefined {
		return this.statements.lastHour.get({ subjectId, hour })?.hour;
	}

	/** The events of a subject in an hour, in the rows that begin before an event, the newest first. */
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
