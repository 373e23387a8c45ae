import type { Instant } from "../../kernel/clock";
import { type Aggregation, aggregationOf } from "./aggregate";
import { hourOf } from "./hours";
import {
	compileField,
	compileFilters,
	type DimensionValue,
	type EventFacts,
	type MeterDefinition,
	readsDimensions,
} from "./rules";
import type { Aggregate } from "./summary";

/** A meter, ready to be held against events. */
export interface Counter extends Aggregation {
	readonly id: number;
	readonly environmentId: string;
	readonly featureId: string;
	readonly meterId: string;
	readonly readsDimensions: boolean;
	readonly takes: (event: EventFacts) => boolean;
	readonly fieldOf: (event: EventFacts) => DimensionValue | undefined;
}

export type CompiledMeter = Omit<Counter, "id" | "environmentId" | "featureId" | "meterId">;

export const compileMeter = (definition: MeterDefinition): CompiledMeter => ({
	...aggregationOf(definition),
	readsDimensions: readsDimensions(definition),
	takes: compileFilters(definition.filters),
	fieldOf: compileField(definition),
});

/** Events that a meter took, with or without a value, and what they come to. */
export class Amount {
	events = 0;

	constructor(readonly aggregate: Aggregate) {}

	add(other: Amount): void {
		this.events += other.events;
		this.aggregate.merge(other.aggregate);
	}
}

/** One subject in one hour of a chunk. */
export interface HourTally {
	readonly eventIds: number[];
	readonly amounts: Map<Counter, Amount>;
}

/** What a chunk of the log adds, before it is written: by subject, then by hour. */
export class Tally {
	readonly subjects = new Map<number, Map<number, HourTally>>();

	add(subjectId: number, eventId: number, at: Instant, event: EventFacts, counters: readonly Counter[]): void {
		const hours = this.subjects.get(subjectId) ?? new Map<number, HourTally>();
		this.subjects.set(subjectId, hours);
		const hour = hourOf(at);
		const tally = hours.get(hour) ?? { eventIds: [], amounts: new Map<Counter, Amount>() };
		hours.set(hour, tally);
		tally.eventIds.push(eventId);
		for (const counter of counters) {
			if (!counter.takes(event)) continue;
			const amount = tally.amounts.get(counter) ?? new Amount(counter.start());
			tally.amounts.set(counter, amount);
			amount.events += 1;
			amount.aggregate.add(counter.fieldOf(event), at, eventId);
		}
	}
}

const noDimensions = {};

/** The stored dimensions; they are read only where a meter needs them. */
export const readDimensions = (json: string | null): EventFacts["dimensions"] =>
	json === null ? noDimensions : JSON.parse(json);
