import type { Instant } from "../../../kernel/clock";
import { assert } from "../../../kernel/errors";
import type { DimensionValue, EventFacts } from "../rules";
import type { eventBlocks } from "../table.events";

/** Reading one event of a larger block would cost more, and writing an event in smaller blocks would. */
export const blockEventsMax = 128;

/** The values of each dimension, for the events of one shape, in their order. */
export type Columns = Readonly<Record<string, readonly DimensionValue[]>>;

/** The stored form: shapes (a name and the columns of its dimensions), the shape of each event, and the resources. */
export type StoredFacts = readonly [
	shapes: ReadonlyArray<readonly [eventName: string, columns: Columns]>,
	/** By event; omitted or null if all have the first shape. */
	shapeOf?: readonly number[] | null,
	/** By event; omitted if no event names one. */
	resources?: ReadonlyArray<string | null>,
];

/** Events with the same name and the same dimensions. */
export class Shape {
	constructor(
		readonly eventName: string,
		private readonly columns: Columns,
	) {}

	/** Returns the values of a dimension by rank; undefined if the events have no such dimension. */
	column(name: string): readonly DimensionValue[] | undefined {
		return Object.hasOwn(this.columns, name) ? this.columns[name] : undefined;
	}

	/** Returns all dimensions of one event, by its rank. */
	dimensions(rank: number): Record<string, DimensionValue> {
		return Object.fromEntries(Object.entries(this.columns).map(([name, values]) => [name, values[rank] ?? ""]));
	}
}

/** The columns of a row of the log, except those that only identify duplicates. `facts` is parsed on demand. */
export interface BlockContent {
	readonly firstEvent: number;
	readonly customers: Uint32Array;
	readonly times: Float64Array;
	readonly facts: string | StoredFacts;
}

/** Consecutive events of the log, by their index within the block. */
export class EventBlock {
	readonly firstEvent: number;
	/** `event_customers.id` */
	readonly customers: Uint32Array;
	readonly #times: Float64Array;
	readonly #stored: string | StoredFacts;
	#facts: BlockFacts | undefined;

	constructor({ firstEvent, customers, times, facts }: BlockContent) {
		this.firstEvent = firstEvent;
		this.customers = customers;
		this.#times = times;
		this.#stored = facts;
	}

	get events(): number {
		return this.customers.length;
	}

	get lastEvent(): number {
		return this.firstEvent + this.events - 1;
	}

	holds(event: number): boolean {
		return this.firstEvent <= event && event <= this.lastEvent;
	}

	get shapes(): readonly Shape[] {
		return this.#read().shapes;
	}

	customer(index: number): number {
		return this.customers[index] ?? 0;
	}

	at(index: number): Instant {
		return this.#times[index] as Instant;
	}

	/** Returns the index of the event's shape. */
	shapeIndex(index: number): number {
		return this.#read().shapeOf?.[index] ?? 0;
	}

	/** Returns the event's rank among the events of its shape. */
	rank(index: number): number {
		const { ranks } = this.#read();
		return ranks === undefined ? index : (ranks[index] ?? 0);
	}

	resource(index: number): string | null {
		return this.#read().resources?.[index] ?? null;
	}

	dimensions(index: number): Record<string, DimensionValue> {
		return this.shapes[this.shapeIndex(index)]?.dimensions(this.rank(index)) ?? {};
	}

	eventName(index: number): string {
		return this.shapes[this.shapeIndex(index)]?.eventName ?? "";
	}

	event(index: number): EventFacts {
		const shape = this.shapes[this.shapeIndex(index)];
		assert(shape, "every event of the log has a shape");
		const rank = this.rank(index);
		return { eventName: shape.eventName, dimension: (name) => shape.column(name)?.[rank] };
	}

	#read(): BlockFacts {
		this.#facts ??= readFacts(typeof this.#stored === "string" ? JSON.parse(this.#stored) : this.#stored);
		return this.#facts;
	}
}

interface BlockFacts {
	readonly shapes: readonly Shape[];
	/** By event; undefined if all have the first shape. */
	readonly shapeOf: readonly number[] | undefined;
	readonly ranks: Uint32Array | undefined;
	readonly resources: ReadonlyArray<string | null> | undefined;
}

function readFacts([shapes, shapeOf, resources]: StoredFacts): BlockFacts {
	return {
		shapes: shapes.map(([eventName, columns]) => new Shape(eventName, columns)),
		shapeOf: shapeOf ?? undefined,
		ranks: shapeOf ? ranksOf(shapeOf, shapes.length) : undefined,
		resources,
	};
}

/** Returns the number of earlier events of the same shape, for each event. */
export function ranksOf(shapeOf: readonly number[], shapes: number): Uint32Array {
	const seen = new Uint32Array(shapes);
	return Uint32Array.from(shapeOf, (shape) => {
		const rank = seen[shape] ?? 0;
		seen[shape] = rank + 1;
		return rank;
	});
}

/** A whole row of the log. */
export type LogRow = typeof eventBlocks.$inferSelect;

/** The columns of a row that counting needs, as bytes of SQLite. */
export interface BlockRow extends Pick<LogRow, "firstEvent" | "firstAt" | "facts"> {
	readonly later: Uint8Array;
	readonly customers: Uint8Array;
}

export function readBlock({ firstEvent, firstAt, later, customers, facts }: BlockRow): EventBlock {
	const numbers = wordsOf(customers);
	const behind = behindOf(later, numbers.length);
	assert(behind.length >= numbers.length, "each event of a block has a time");
	const times = new Float64Array(behind.length);
	for (let index = 0; index < times.length; index += 1) times[index] = firstAt + (behind[index] ?? 0);
	return new EventBlock({ firstEvent, customers: numbers, times, facts });
}

/** Returns by how many milliseconds each event is later than the first. */
const behindOf = (later: Uint8Array, events: number): Uint32Array | Float64Array =>
	later.length === events * 8 ? new Float64Array(copyOf(later)) : wordsOf(later);

/** Returns the latest time of a block's events. */
export const lastAtOf = ({ firstAt, later, events }: Pick<LogRow, "firstAt" | "later" | "events">): Instant =>
	(firstAt + Math.max(...behindOf(later, events))) as Instant;

/** Copies bytes: those of SQLite may not be aligned to words. */
const copyOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

export const wordsOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(copyOf(bytes));

/** The parts of an event that identify it within its environment. */
export interface Identity {
	/** `event_customers.id` */
	readonly customer: number;
	readonly resourceRef: string | null;
	readonly eventName: string;
	readonly idempotencyKey: string;
}
