import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import type { DimensionValue } from "../rules";

/** The aggregate of some events as it is stored. Summaries merge in any order. */
export interface Summary {
	/** In the form of its function (functions.ts). */
	readonly state: string;
	/** The values, with the number of events that hold each; empty except for UNIQUE and PERCENTILE. */
	readonly members: ReadonlyMap<string, number>;
}

/** A summary that grows. */
export interface Aggregate extends Summary {
	/** Adds one event: its value in the meter's field, its time, and its position in the log. */
	add(found: DimensionValue | undefined, at: Instant, event: number): void;
	/** Merges a summary of other events. */
	merge(other: Summary): void;
	/** The answer of the meter; 0 while no event had a value. */
	readonly value: Decimal;
}
