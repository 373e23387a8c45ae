import type { CompiledMeter } from "../aggregation/meter";

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
	/** Is another one when what was counted before has changed: what is taken back is counted again, and what is erased replaced. */
	readonly version: string;
	/** How often the total in the file has changed: events that came, and that were taken back. As long as it is the same, so is all of it. */
	readonly keptEvents: number;
	/** Of all time, as it is in the file; null where nothing is. */
	readonly keptState: string | null;
}
