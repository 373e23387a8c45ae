import { eq, max, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import type { Transaction, Work } from "../../kernel/work";
import type { Cancellation } from "./log/canceled-events";
import { LogReader } from "./log/log-reader";
import type { DimensionValue, EventFacts } from "./rules";
import { eventCancellations, eventCustomers } from "./table.events";

// Operations for consumers that follow the log on their own, event by event, and store their position.

/** An event of the log. */
export interface FollowedEvent {
	readonly position: number;
	/** The customer's number in the log. */
	readonly customer: number;
	/** The id that callers use; null if it names none. */
	readonly resourceRef: string | null;
	readonly at: Instant;
	readonly facts: EventFacts;
	readonly dimensions: () => Record<string, DimensionValue>;
}

/** The customer of a number in the log. */
export interface FollowedCustomer {
	readonly environmentId: string;
	/** The id that callers use. */
	readonly customerRef: string;
}

const buildReader = (tx: Transaction) => ({
	log: new LogReader(tx),
	customer: tx
		.select({ environmentId: eventCustomers.environmentId, customerRef: eventCustomers.customerRef })
		.from(eventCustomers)
		.where(eq(eventCustomers.id, sql.placeholder("id")))
		.prepare(),
	lastCancellation: tx
		.select({ id: max(eventCancellations.id) })
		.from(eventCancellations)
		.prepare(),
});

/** Returns the position of the newest event; 0 if there is none. */
export const lastEventOf = (work: Work): number => work.prepared(buildReader).log.lastEvent();

export const followedCustomer = (work: Work, customer: number): FollowedCustomer | undefined =>
	work.prepared(buildReader).customer.get({ id: customer });

/** A part of the log, without the events that cancellations up to `canceledTo` have canceled. */
export interface Following {
	readonly after: number;
	readonly upTo: number;
	readonly canceledTo: number;
	readonly eventsMax: number;
}

/** Visits the events of selected customers, in the order of the log. Returns the position to continue from. */
export function visitEvents(
	work: Work,
	{ after, upTo, canceledTo, eventsMax }: Following,
	isAskedFor: (customer: number) => boolean,
	visit: (event: FollowedEvent) => void,
): number {
	const { log } = work.prepared(buildReader);
	let readTo = after;
	for (const { block, from, to } of log.after(after, upTo, eventsMax)) {
		for (let index = from; index < to; index += 1) {
			const customer = block.customer(index);
			if (!isAskedFor(customer)) continue;
			const position = block.firstEvent + index;
			if (!log.canceled.in(block, canceledTo).has(position)) visit(followed(block, index));
		}
		readTo = block.firstEvent + to - 1;
	}
	// A damaged log may have no events between.
	return readTo === after ? upTo : readTo;
}

/** Returns the cancellations after `id`, in their order. */
export const cancellationsAfter = (work: Work, id: number, rowsMax: number): Cancellation[] =>
	work.prepared(buildReader).log.canceled.after(id, rowsMax);

/** Returns the last cancellation; 0 if there is none. */
export const lastCancellationOf = (work: Work): number => work.prepared(buildReader).lastCancellation.get()?.id ?? 0;

/** Returns an existing event. */
export function followedEvent(work: Work, position: number): FollowedEvent {
	const block = work.prepared(buildReader).log.blockOf(position);
	return followed(block, position - block.firstEvent);
}

const followed = (block: ReturnType<LogReader["blockOf"]>, index: number): FollowedEvent => ({
	position: block.firstEvent + index,
	customer: block.customer(index),
	resourceRef: block.resource(index),
	at: block.at(index),
	facts: block.event(index),
	dimensions: () => block.dimensions(index),
});
