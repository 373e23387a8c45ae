import type { Instant } from "../../../kernel/clock";
import { blockEventsMax, type Identity, type LogRow } from "../blocks/event-block";
import type { Fingerprint } from "../fingerprints/fingerprint";
import { type Dimensions, hasNames, textOfNames } from "../formats/dimension-names";
import type { DimensionValue } from "../rules";
import type { UsageEvent } from "../schema";

/** One shape of a block that is being written. */
interface OpenShape {
	readonly eventName: string;
	readonly dimensions: readonly string[];
	readonly columns: DimensionValue[][];
}

/** The block at the end of the log, to which events are added. */
export class OpenBlock {
	#firstEvent = 0;
	#size = 0;
	readonly #customers = new Uint32Array(blockEventsMax);
	readonly #times = new Float64Array(blockEventsMax);
	readonly #fingerprints = new Uint32Array(blockEventsMax * 2);
	#keys: string[] = [];
	#shapes: OpenShape[] = [];
	/** The index of each shape, by its text. */
	readonly #shapeIndexes = new Map<string, number>();
	#shapeOf: number[] = [];
	#resources: Array<string | null> = [];
	#hasResources = false;

	get isEmpty(): boolean {
		return this.#size === 0;
	}

	get isFull(): boolean {
		return this.#size === blockEventsMax;
	}

	add(event: number, customer: number, at: Instant, { high, low }: Fingerprint, sent: UsageEvent): void {
		const index = this.#size;
		if (index === 0) this.#firstEvent = event;
		this.#size = index + 1;
		this.#customers[index] = customer;
		this.#times[index] = at;
		this.#fingerprints[index * 2] = high;
		this.#fingerprints[index * 2 + 1] = low;
		this.#keys.push(sent.idempotencyKey);
		const resource = sent.resourceId ?? null;
		this.#resources.push(resource);
		this.#hasResources ||= resource !== null;
		this.#addFacts(sent);
	}

	/** Returns undefined if the event is not in this block. */
	identity(event: number): Identity | undefined {
		const index = event - this.#firstEvent;
		const shape = this.#shapes[this.#shapeOf[index] ?? -1];
		if (!shape) return undefined;
		return {
			customer: this.#customers[index] ?? 0,
			resourceRef: this.#resources[index] ?? null,
			eventName: shape.eventName,
			idempotencyKey: this.#keys[index] ?? "",
		};
	}

	row(): LogRow {
		const size = this.#size;
		const times = this.#times.subarray(0, size);
		const firstAt = Math.min(...times) as Instant;
		const isNarrow = Math.max(...times) - firstAt < 2 ** 32;
		const behind = times.map((at) => at - firstAt);
		return {
			firstEvent: this.#firstEvent,
			events: size,
			firstAt,
			later: bytesOf(isNarrow ? Uint32Array.from(behind) : behind),
			customers: bytesOf(this.#customers.slice(0, size)),
			facts: this.#facts(),
			keys: JSON.stringify(this.#keys),
			fingerprints: bytesOf(this.#fingerprints.slice(0, size * 2)),
		};
	}

	clear(): void {
		this.#size = 0;
		this.#keys = [];
		this.#shapes = [];
		this.#shapeIndexes.clear();
		this.#shapeOf = [];
		this.#resources = [];
		this.#hasResources = false;
	}

	#addFacts({ eventName, dimensions = {} }: UsageEvent): void {
		const at = this.#shapeIndex(eventName, dimensions);
		this.#shapeOf.push(at);
		const columns = this.#shapes[at]?.columns ?? [];
		let column = 0;
		for (const name in dimensions) columns[column++]?.push(dimensions[name] ?? "");
	}

	/**
	 * Consecutive events usually share a shape: the last one is compared first, without building a text of its names.
	 */
	#shapeIndex(eventName: string, dimensions: Dimensions): number {
		const last = this.#shapeOf.at(-1) ?? 0;
		const lastShape = this.#shapes[last];
		if (lastShape && isOfShape(lastShape, eventName, dimensions)) return last;
		const names = Object.keys(dimensions);
		const text = shapeTextOf(eventName, names);
		const known = this.#shapeIndexes.get(text);
		if (known !== undefined) return known;
		const at = this.#shapes.push({ eventName, dimensions: names, columns: names.map(() => []) }) - 1;
		this.#shapeIndexes.set(text, at);
		return at;
	}

	/**
	 * Returns `StoredFacts` as JSON. Each column is written on its own: an object for each shape would cost ten times
	 * as much if every event has a shape of its own.
	 */
	#facts(): string {
		const shapes = `[${this.#shapes.map(shapeJson).join()}]`;
		const shapeOf = this.#shapes.length > 1 ? JSON.stringify(this.#shapeOf) : "null";
		if (this.#hasResources) return `[${shapes},${shapeOf},${JSON.stringify(this.#resources)}]`;
		return this.#shapes.length > 1 ? `[${shapes},${shapeOf}]` : `[${shapes}]`;
	}
}

function shapeJson({ eventName, dimensions, columns }: OpenShape): string {
	const entries = dimensions.map((name, column) => `${JSON.stringify(name)}:${JSON.stringify(columns[column] ?? [])}`);
	return `[${JSON.stringify(eventName)},{${entries.join()}}]`;
}

/** Returns a text that identifies a shape. */
const shapeTextOf = (eventName: string, names: readonly string[]): string => textOfNames([eventName, ...names]);

/** Whether the event has the shape's name, and the same dimensions in the same order. */
const isOfShape = (shape: OpenShape, eventName: string, dimensions: Dimensions): boolean =>
	shape.eventName === eventName && hasNames(dimensions, shape.dimensions);

const bytesOf = (words: Uint32Array | Float64Array): Buffer =>
	Buffer.from(words.buffer, words.byteOffset, words.byteLength);
