import { createHash } from "node:crypto";
import { type Decimal, divide, exact, zero } from "../../../kernel/decimal";
import { type DimensionValue, decimalOf, measureOf } from "../rules";
import type { Aggregate, Summary } from "./aggregate";
import { compareRanked, type Ranked, ranked } from "./ranked";

/** Our choice: longer texts stand in the tables as their hash, so that a row stays small. */
const textCharactersMax = 64;

/**
 * The text that a value is known by: values are the same when their texts are, as in `groupBy`, so 5 and "5" are one. Of a
 * long text the SHA-256, of which no two texts are known to share one; so too of what SQLite cannot store as it is (half a
 * surrogate pair), and of what looks like a hash.
 */
export function valueTextOf(value: DimensionValue): string {
	const text = String(value);
	const isPlain = text.length <= textCharactersMax && text.isWellFormed() && !text.startsWith(hashMark);
	return isPlain ? text : `${hashMark}${createHash("sha256").update(Buffer.from(text, "utf16le")).digest("base64")}`;
}

const hashMark = "#";

/** UNIQUE: any value counts once, and an event without one not at all. State: the number of values. */
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
 * PERCENTILE by nearest rank: the least value that at least `percentile` per cent of the values do not exceed, so the
 * answer is always one of them, and exact. State: the number of values.
 */
export class RankedValues implements Aggregate {
	readonly #counts = new Map<Decimal, number>();
	#size = 0;
	/** The values in order, as far as they were asked for, and those that came since. */
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
		// In whole numbers: a rank that is a hair too high would name another value.
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

	/** A history asks at every point: what is in order already is not sorted again. */
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
