import { type Instant, toIso } from "../../../kernel/clock";
import { openFile } from "../../../kernel/storage/db";
import type { Transaction } from "../../../kernel/work";
import type { UsageEvent } from "../schema";
import { EventStore } from "./store";

/** Events that are read at once. */
const eventsAtOnce = 1_000;

export interface TailFilter {
	readonly environmentId: string;
	/** The ids that callers use; an omitted field matches everything. */
	readonly customerId?: string;
	readonly eventName?: string;
}

/** Reads the end of a folder's log, alongside the server that writes it. */
export class LogTail {
	readonly #file;
	readonly #store: EventStore;
	readonly #filter: TailFilter;
	#readTo: number;

	/** Begins `eventsBefore` events before the end. */
	constructor(folder: string, filter: TailFilter, eventsBefore: number) {
		const db = openFile(folder, "events", ["usage"]);
		this.#file = db.$client;
		this.#file.run("PRAGMA query_only = ON");
		const tx: Transaction = db;
		this.#store = new EventStore(tx);
		this.#filter = filter;
		this.#readTo = Math.max(0, this.#store.log.lastEvent() - eventsBefore);
	}

	/** Returns the matching events since the last call, the oldest first, in the form of a report. */
	next(): UsageEvent[] {
		const events: UsageEvent[] = [];
		let readTo = this.#readTo;
		for (const { block, from, to } of this.#store.log.after(this.#readTo, Number.MAX_SAFE_INTEGER, eventsAtOnce)) {
			for (let index = from; index < to; index += 1) {
				const event = this.#eventAt(block.firstEvent + index, block.at(index));
				if (event) events.push({ ...event, dimensions: block.dimensions(index) });
			}
			readTo = block.firstEvent + to - 1;
		}
		this.#readTo = readTo;
		return events;
	}

	/** Whether the log holds more than one call reads. */
	get isBehind(): boolean {
		return this.#readTo < this.#store.log.lastEvent();
	}

	close(): void {
		this.#file.close();
	}

	/** Returns undefined if the event does not match. */
	#eventAt(position: number, at: Instant): UsageEvent | undefined {
		const { log } = this.#store;
		const { environmentId, customerId, eventName } = this.#filter;
		const event = log.identity(position);
		const named = this.#store.customer(event.customer, () => {});
		if (named?.environmentId !== environmentId) return undefined;
		if (customerId !== undefined && named.customerRef !== customerId) return undefined;
		if (eventName !== undefined && event.eventName !== eventName) return undefined;
		return {
			eventName: event.eventName,
			customerId: named.customerRef,
			...(event.resourceRef !== null && { resourceId: event.resourceRef }),
			idempotencyKey: event.idempotencyKey,
			timestamp: toIso(at),
		};
	}
}
