import type { Instant } from "../../../kernel/clock";
import { type Decimal, divide, exact, toDecimal, zero } from "../../../kernel/decimal";
import { unreachable } from "../../../kernel/errors";
import { amountOf, type DimensionValue, decimalOf, type MeterDefinition, measureOf } from "../rules";
import type { Aggregate, Summary } from "./aggregate";
import { ExactSum } from "./exact-sum";
import { noMembers } from "./no-members";
import { compareRanked, type Ranked, ranked } from "./ranked";
import { Transactions } from "./transactions";
import { DistinctValues, RankedValues } from "./value-sets";

/**
 * The values that are stored alongside the totals: none; each once, so that merging a set twice changes nothing; or
 * each with the number of its events.
 */
export type Membership = "none" | "distinct" | "counted";

export interface Aggregation {
	readonly membership: Membership;
	/** The number that an event adds to the state, if the state is a sum. Undefined for other functions. */
	readonly addend: ((found: DimensionValue | undefined) => number | Decimal) | undefined;
	readonly start: () => Aggregate;
}

/** Returns how a meter's function counts. */
export function aggregationOf({ aggregation, transactionPrice }: MeterDefinition): Aggregation {
	if (transactionPrice)
		return { membership: "none", addend: undefined, start: () => new Transactions(transactionPrice) };
	const { function: name, percentile = 100 } = aggregation;
	switch (name) {
		case "COUNT":
			return { membership: "none", addend: () => 1, start: () => new Count() };
		case "SUM":
			return { membership: "none", addend: amountOf, start: () => new Sum() };
		case "MIN":
			return { membership: "none", addend: undefined, start: () => new Extreme((sign) => sign < 0) };
		case "MAX":
			return { membership: "none", addend: undefined, start: () => new Extreme((sign) => sign > 0) };
		case "AVG":
			return { membership: "none", addend: undefined, start: () => new Average() };
		case "LATEST":
			return { membership: "none", addend: undefined, start: () => new Latest() };
		case "UNIQUE":
			return { membership: "distinct", addend: undefined, start: () => new DistinctValues() };
		case "PERCENTILE":
			return { membership: "counted", addend: undefined, start: () => new RankedValues(percentile) };
		default:
			return unreachable(name);
	}
}

/** State: the number. */
class Count implements Aggregate {
	readonly members = noMembers;
	#count = 0;

	add(): void {
		this.#count += 1;
	}

	merge({ state }: Summary): void {
		this.#count += Number(state);
	}

	get state(): string {
		return String(this.#count);
	}

	get value(): Decimal {
		return decimalOf(this.#count);
	}
}

/** State: the sum. */
class Sum implements Aggregate {
	readonly members = noMembers;
	readonly #sum = new ExactSum();

	add(found: DimensionValue | undefined): void {
		this.#sum.add(amountOf(found));
	}

	merge({ state }: Summary): void {
		this.#sum.add(state as Decimal);
	}

	get state(): string {
		return this.#sum.value;
	}

	get value(): Decimal {
		return this.#sum.value;
	}
}

/** State: the least or the greatest value, or empty. */
class Extreme implements Aggregate {
	readonly members = noMembers;
	#best: Ranked | undefined;

	/** `beats` decides by the sign of (one - other) whether the one replaces the other. */
	constructor(private readonly beats: (sign: number) => boolean) {}

	add(found: DimensionValue | undefined): void {
		const measure = measureOf(found);
		if (measure !== undefined) this.#offer(decimalOf(measure));
	}

	merge({ state }: Summary): void {
		if (state !== "") this.#offer(state as Decimal);
	}

	get state(): string {
		return this.#best?.value ?? "";
	}

	get value(): Decimal {
		return this.#best?.value ?? zero;
	}

	#offer(value: Decimal): void {
		const offered = ranked(value);
		if (this.#best === undefined || this.beats(compareRanked(offered, this.#best))) this.#best = offered;
	}
}

/** More places than any price has. The quotient stays exact until it is read, and is rounded once, half up. */
const averagePlaces = 12;

/** State: "sum/number of values". */
class Average implements Aggregate {
	readonly members = noMembers;
	readonly #sum = new ExactSum();
	#count = 0;

	add(found: DimensionValue | undefined): void {
		const measure = measureOf(found);
		if (measure === undefined) return;
		this.#sum.add(measure);
		this.#count += 1;
	}

	merge({ state }: Summary): void {
		const [sum = "0", count] = state.split("/");
		this.#sum.add(sum as Decimal);
		this.#count += Number(count);
	}

	get state(): string {
		return `${this.#sum.value}/${this.#count}`;
	}

	get value(): Decimal {
		if (this.#count === 0) return zero;
		return decimalOf(toDecimal(divide(exact(this.#sum.value), exact(this.#count), averagePlaces, "half-up")));
	}
}

/** The value with the latest time; among equal times, the last one in the log. State: "time/event/value", or empty. */
class Latest implements Aggregate {
	readonly members = noMembers;
	#at = 0;
	#event = 0;
	#value: Decimal | undefined;

	add(found: DimensionValue | undefined, at: Instant, event: number): void {
		const measure = measureOf(found);
		if (measure !== undefined) this.#offer(at, event, decimalOf(measure));
	}

	merge({ state }: Summary): void {
		const [at, event, value] = state.split("/");
		if (value !== undefined) this.#offer(Number(at), Number(event), value as Decimal);
	}

	get state(): string {
		return this.#value === undefined ? "" : `${this.#at}/${this.#event}/${this.#value}`;
	}

	get value(): Decimal {
		return this.#value ?? zero;
	}

	#offer(at: number, event: number, value: Decimal): void {
		const isLater = this.#value === undefined || at > this.#at || (at === this.#at && event > this.#event);
		if (!isLater) return;
		this.#at = at;
		this.#event = event;
		this.#value = value;
	}
}
