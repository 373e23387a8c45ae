import type { Instant } from "../../../kernel/clock";
import type { Decimal } from "../../../kernel/decimal";
import type { DimensionValue } from "../rules";

/** What is known of some events, as it is stored. Summaries merge in any order, since events only ever come to them. */
export interface Summary {
	/** As its function writes it; said at each class. */
	readonly state: string;
	/** The values, and how many events hold each; empty but for UNIQUE and PERCENTILE. */
	readonly members: ReadonlyMap<string, number>;
}

/** A summary that grows. */
export interface Aggregate extends Summary {
	/** One event: what it holds in the meter's field, its time, and its position in the log. */
	add(found: DimensionValue | undefined, at: Instant, event: number): void;
	/** Other events, of which none is in here yet. */
	merge(other: Summary): void;
	/** What the meter answers; 0 while no event had a value (our choice; the sources are silent). */
	readonly value: Decimal;
}
