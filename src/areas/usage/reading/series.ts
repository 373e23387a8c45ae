import type { CompiledMeter } from "../aggregation/meter";

/** The feature, customer and resource of usage. */
export interface UsageKey {
	readonly environmentId: string;
	readonly featureId: string;
	readonly customerId: string;
	/** The id of the resource that callers use; empty for usage without a resource. */
	readonly resourceRef: string;
}

/** A counter and a subject with at least one counted event. */
export interface Series extends CompiledMeter {
	readonly counterId: number;
	readonly subjectId: number;
	/** The subject in whose index its events are: of a segment, the one that it is a part of. */
	readonly indexedAs: number;
	readonly meterId: string;
	/** Changes when counted events have changed: canceled events are recounted, and erased values replaced. */
	readonly version: string;
	/**
	 * The number of changes of the stored total by events and cancellations. As long as it is the same, so are all
	 * stored totals.
	 */
	readonly storedEvents: number;
	/** The stored state of all time; null if there is none. */
	readonly storedState: string | null;
}
