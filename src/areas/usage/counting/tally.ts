import type { Instant } from "../../../kernel/clock";
import type { Aggregate } from "../aggregation/aggregate";
import { type CompiledMeter, changesOfCanceled } from "../aggregation/meter";
import type { EventBlock, Shape } from "../blocks/event-block";
import { hourOf } from "../hours";
import type { DimensionValue, EventFacts } from "../rules";

/** A meter that is counted, under the id of its totals. */
export interface Counter extends CompiledMeter {
	readonly id: number;
	readonly environmentId: string;
	readonly featureId: string;
	readonly meterId: string;
}

/** Events that a meter took, with or without a value, and what they come to. */
export class CountedEvents {
	/** One for each that came, and one more for each of them that was taken back (`usage_totals.events`). */
	events = 0;

	constructor(
		readonly counter: Counter,
		readonly aggregate: Aggregate = counter.start(),
	) {}

	add(other: CountedEvents): void {
		this.events += other.events;
		this.aggregate.merge(other.aggregate);
	}
}

/** One subject in one hour. */
export class HourTally {
	readonly eventIds: number[] = [];
	/** The earliest and the latest of their times. */
	firstAt = Number.POSITIVE_INFINITY;
	lastAt = Number.NEGATIVE_INFINITY;
	/** One for each counter that took any; a handful, so that a list is quicker than a map. */
	readonly amounts: CountedEvents[] = [];
	readonly cuts: readonly CutTally[];
	/** Whether it has grown since it was shown (recent-writer.ts). */
	isFresh = false;

	constructor(
		readonly subjectId: number,
		readonly customerId: string,
		readonly hour: number,
		cuts: readonly Instant[],
	) {
		this.cuts = cuts.map((at) => ({ at, head: [], tail: [] }));
	}
}

/** What lies before an instant within the hour, and what does not; of each as of the hour. */
export interface CutTally {
	readonly at: Instant;
	readonly head: CountedEvents[];
	readonly tail: CountedEvents[];
}

export function amountOf(amounts: CountedEvents[], counter: Counter): CountedEvents {
	for (const amount of amounts) if (amount.counter === counter) return amount;
	const amount = new CountedEvents(counter);
	amounts.push(amount);
	return amount;
}

/** More than there are hours from the year 0 to the year 9999, and the first of them made positive. */
const hoursMax = 2 ** 27;
const hoursBeforeEpoch = 2 ** 25;

/** One number for a subject and an hour. */
export const hourKey = (subjectId: number, hour: number): number => subjectId * hoursMax + hour + hoursBeforeEpoch;

/** At which instants an hour of a subject, which is a customer's, is cut. */
export type CutsOf = (subjectId: number, hour: number, customerId: string) => readonly Instant[];

/** What events add to the totals before it is written: by subject and hour. */
export class Tally {
	readonly #cutsOf: CutsOf;
	readonly #hours = new Map<number, HourTally>();
	#fresh: HourTally[] = [];

	constructor(cutsOf: CutsOf) {
		this.#cutsOf = cutsOf;
	}

	/** How many subjects and hours: what its memory goes by, together with the events. */
	get size(): number {
		return this.#hours.size;
	}

	has(subjectId: number, hour: number): boolean {
		return this.#hours.has(hourKey(subjectId, hour));
	}

	of(subjectId: number, at: Instant, customerId: string): HourTally {
		const hour = hourOf(at);
		const key = hourKey(subjectId, hour);
		let tally = this.#hours.get(key);
		if (tally === undefined) {
			tally = new HourTally(subjectId, customerId, hour, this.#cutsOf(subjectId, hour, customerId));
			this.#hours.set(key, tally);
		}
		if (!tally.isFresh) {
			tally.isFresh = true;
			this.#fresh.push(tally);
		}
		return tally;
	}

	/** What has grown since it was shown. */
	get fresh(): readonly HourTally[] {
		return this.#fresh;
	}

	/** All that has been counted can be read. */
	haveShown(): void {
		for (const tally of this.#fresh) tally.isFresh = false;
		this.#fresh = [];
	}

	/** In no order. */
	hours(): HourTally[] {
		return [...this.#hours.values()];
	}

	/** In the order of the tables: by subject, then by hour. */
	sorted(): HourTally[] {
		return this.hours().sort((one, other) => one.subjectId - other.subjectId || one.hour - other.hour);
	}

	clear(): void {
		this.#fresh = [];
		this.#hours.clear();
	}
}

/** How one meter counts the events of one shape. */
interface Take {
	readonly counter: Counter;
	/** The values in the meter's field by rank; undefined where the events have none there. */
	readonly values: readonly DimensionValue[] | undefined;
	/** What stands in the field of all of them: their name. */
	readonly value: DimensionValue | undefined;
}

const noDimension = (): undefined => undefined;

/** The events of one shape and the meters that count them: what is the same for all of them is found once. */
export class ShapeCount {
	readonly #certain: Take[] = [];
	/** Of meters that look at the dimensions, event by event. */
	readonly #tested: Take[] = [];

	constructor(shape: Shape, counters: readonly Counter[]) {
		const facts: EventFacts = { eventName: shape.eventName, dimension: noDimension };
		for (const counter of counters) {
			const { field } = counter;
			const values = field === undefined || field === "eventName" ? undefined : shape.column(field);
			const take = { counter, values, value: field === "eventName" ? shape.eventName : undefined };
			if (!counter.filtersByName) this.#tested.push(take);
			else if (counter.takes(facts)) this.#certain.push(take);
		}
	}

	/** One event, of this shape, for the subject and hour that it belongs to. */
	count(tally: HourTally, block: EventBlock, index: number): void {
		const event = block.firstEvent + index;
		tally.eventIds.push(event);
		const at = block.at(index);
		if (at < tally.firstAt) tally.firstAt = at;
		if (at > tally.lastAt) tally.lastAt = at;
		const rank = block.rank(index);
		for (const take of this.#certain) add(tally, take, event, at, rank);
		if (this.#tested.length === 0) return;
		const facts = block.event(index);
		for (const take of this.#tested) if (take.counter.takes(facts)) add(tally, take, event, at, rank);
	}

	/** One that was taken back: it stays in the list of its hour, and tells that the total has changed. */
	countCanceled(tally: HourTally, block: EventBlock, index: number): void {
		tally.eventIds.push(block.firstEvent + index);
		const at = block.at(index);
		for (const take of this.#certain) cancel(tally, take, at);
		const facts = block.event(index);
		for (const take of this.#tested) if (take.counter.takes(facts)) cancel(tally, take, at);
	}
}

function cancel(tally: HourTally, { counter }: Take, at: Instant): void {
	amountOf(tally.amounts, counter).events += changesOfCanceled;
	for (const cut of tally.cuts) amountOf(at < cut.at ? cut.head : cut.tail, counter).events += changesOfCanceled;
}

function add(tally: HourTally, { counter, values, value }: Take, event: number, at: Instant, rank: number): void {
	const found = values === undefined ? value : values[rank];
	const amount = amountOf(tally.amounts, counter);
	amount.events += 1;
	amount.aggregate.add(found, at, event);
	for (const cut of tally.cuts) {
		const part = amountOf(at < cut.at ? cut.head : cut.tail, counter);
		part.events += 1;
		part.aggregate.add(found, at, event);
	}
}
