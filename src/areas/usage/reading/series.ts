import type { CompiledMeter } from "../counting/tally";

/** Whose usage of what. */
export interface UsageKey {
	readonly environmentId: string;
	readonly featureId: string;
	readonly customerId: string;
	/** The caller's id of the resource; empty for the usage that names none. */
	readonly resourceRef: string;
}

/** A counter and a subject of which at least one event was counted. */
export interface Series extends CompiledMeter {
	readonly counterId: number;
	readonly subjectId: number;
	readonly meterId: string;
	/** The last cancellation that it follows: what is taken back is counted again, not subtracted. */
	readonly correctedTo: number;
	/** How often the total in the file has changed: events that came, and that were taken back. As long as it is the same, so is all of it. */
	readonly keptEvents: number;
	/** Of all time, as it is in the file; null where nothing is. */
	readonly keptState: string | null;
}
