import { createHash } from "node:crypto";
import { type Decimal, divide, exact, zero } from "../../../kernel/decimal";
import { type DimensionValue, decimalOf, measureOf } from "../rules";
import type { Aggregate, Summary } from "./aggregate";
import { compareRanked, type Ranked, ranked } from "./ranked";

/** Longer texts are stored as their hash, so that a row stays small. */
const textCharactersMax = 64;

/**
 * Returns the text that identifies a value. Values are equal if their texts are, as in `groupBy`, so 5 and "5" are one.
 * A long text becomes its SHA-256. So does a text that SQLite cannot store (half a surrogate pair), and one that looks
 * like a hash.
 */
export function valueTextOf(value: DimensionValue): string {
	const text = String(value);
	const isPlain = text.length <= textCharactersMax && text.isWellFormed() && !text.startsWith(hashMark);
	return isPlain ? text : `${hashMark}${createHash("sha256").update(Buffer.from(text, "utf16le")).digest("base64")}`;
}

const hashMark = "#";

/** UNIQUE: each value counts once, and an event without a value not at all. State: the number of values. */
export class DistinctValues implements Aggregate {
	readonly #values = new Map<string, number>();

	add(found: DimensionValue | undefined): void {
		if (found !== undefined) this.#values.set(valueTextOf(found), 1);
	}

	merge({ members }: Summary): void {
		for (const value of members.keys()) this.#values.set(value, 1);
	}

	get members(): ReadonlyMap<string, number> {
		return this.#values;
	}

	get state(): string {
		return String(this.#values.size);
	}

	get value(): Decimal {
		return decimalOf(this.#values.size);
	}
}

/**
 * PERCENTILE by nearest rank: the least value that at least `percentile` percent of the values do not exceed. So the
 * answer is always one of the values, and exact. State: the number of values.
 */
export class RankedValues implements Aggregate {
	readonly #counts = new Map<Decimal, number>();
	#size = 0;
	/** The values in order, as of the last read, and those added since. */
	#ordered: Ranked[] = [];
	#fresh: Decimal[] = [];

	/** Above 0, up to 100. */
	constructor(private readonly percentile: number) {}

	add(found: DimensionValue | undefined): void {
		const measure = measureOf(found);
		if (measure !== undefined) this.#count(decimalOf(measure), 1);
	}

	merge({ members }: Summary): void {
		for (const [value, events] of members) this.#count(value as Decimal, events);
	}

	get members(): ReadonlyMap<string, number> {
		return this.#counts;
	}

	get state(): string {
		return String(this.#size);
	}

	get value(): Decimal {
		this.#order();
		// Whole numbers: a rank that is a hair too high would select another value.
		const rank = Number(divide(exact(this.percentile).times(this.#size), exact(100), 0, "up"));
		let passed = 0;
		for (const { value } of this.#ordered) {
			passed += this.#counts.get(value) ?? 0;
			if (passed >= rank) return value;
		}
		return zero;
	}

	#count(value: Decimal, events: number): void {
		const known = this.#counts.get(value);
		if (known === undefined) this.#fresh.push(value);
		this.#counts.set(value, (known ?? 0) + events);
		this.#size += events;
	}

	/** Sorts new values only: a history reads the value at every point. */
	#order(): void {
		if (this.#fresh.length === 0) return;
		const fresh = this.#fresh.map(ranked).sort(compareRanked);
		const merged: Ranked[] = [];
		let at = 0;
		for (const one of this.#ordered) {
			for (let next = fresh[at]; next && compareRanked(next, one) < 0; next = fresh[at]) {
				merged.push(next);
				at += 1;
			}
			merged.push(one);
		}
		this.#ordered = merged.concat(fresh.slice(at));
		this.#fresh = [];
	}
}
