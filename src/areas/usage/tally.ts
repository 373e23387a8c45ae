import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import { ExactSum } from "./exact-sum";
import { hourOf } from "./hours";
import { compileFilters, compileValue, type EventFacts, type MeterDefinition, readsDimensions } from "./rules";

/** A meter, ready to be held against events. */
export interface Counter {
	readonly id: number;
	readonly environmentId: string;
	readonly featureId: string;
	readonly meterId: string;
	readonly readsDimensions: boolean;
	readonly takes: (event: EventFacts) => boolean;
	readonly valueOf: (event: EventFacts) => number | Decimal;
}

export const compileMeter = (definition: MeterDefinition): Pick<Counter, "readsDimensions" | "takes" | "valueOf"> => ({
	readsDimensions: readsDimensions(definition),
	takes: compileFilters(definition.filters),
	valueOf: compileValue(definition),
});

/** Events and their sum. */
export class Amount {
	events = 0;
	readonly sum = new ExactSum();

	add(events: number, value: number | Decimal): void {
		this.events += events;
		this.sum.add(value);
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
			const amount = tally.amounts.get(counter) ?? new Amount();
			tally.amounts.set(counter, amount);
			amount.add(1, counter.valueOf(event));
		}
	}
}

const noDimensions = {};

/** The stored dimensions; they are read only where a meter needs them. */
export const readDimensions = (json: string | null): EventFacts["dimensions"] =>
	json === null ? noDimensions : JSON.parse(json);
