import type { Instant } from "../../../kernel/clock";
import type { Aggregate } from "../aggregation/aggregate";
import { type CompiledMeter, changesOfCanceled } from "../aggregation/meter";
import type { EventBlock, Shape } from "../blocks/event-block";
import { hourOf } from "../hours";
import type { DimensionValue, EventFacts } from "../rules";
import type { CompiledSegments, ValueAt } from "../rules.segments";

/** A meter that is counted, under the id of its totals. */
export interface Counter extends CompiledMeter {
	readonly id: number;
	readonly environmentId: string;
	readonly featureId: string;
	readonly meterId: string;
}

/** The events that a counter counted, and their aggregate. */
export class CountedEvents {
	/** One for each event, and one more for each canceled event (`usage_totals.events`). */
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

/** The amounts of one subject in one hour. */
export class HourTally {
	readonly eventIds: number[] = [];
	/** The earliest and the latest time of its events. */
	firstAt = Number.POSITIVE_INFINITY;
	lastAt = Number.NEGATIVE_INFINITY;
	/** One for each counter with events: a handful, so a list is faster than a map. */
	readonly amounts: CountedEvents[] = [];
	readonly cuts: readonly CutTally[];
	/** The amounts of the segments of the subject in this hour, by name. */
	segments: Map<string, HourTally> | undefined;
	/** Whether it has grown since it was published (recent-writer.ts). */
	isFresh = false;

	constructor(
		readonly subjectId: number,
		/** Row id, or a placeholder (subjects.ts). */
		public customerId: string,
		readonly hour: number,
		cuts: readonly Instant[],
	) {
		this.cuts = cuts.map((at) => ({ at, head: [], tail: [] }));
	}

	/** Adds an event to the list, canceled or not: readers of parts of the hour skip lists by their earliest and latest time. */
	list(event: number, at: Instant): void {
		this.eventIds.push(event);
		if (at < this.firstAt) this.firstAt = at;
		if (at > this.lastAt) this.lastAt = at;
	}
}

/** The amounts of an hour before an instant, and from it on. */
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

/** More than the hours from the year 0 to the year 9999. The offset makes all of them positive. */
const hoursMax = 2 ** 27;
const hoursBeforeEpoch = 2 ** 25;

/** Returns one number for a subject and an hour. */
export const hourKey = (subjectId: number, hour: number): number => subjectId * hoursMax + hour + hoursBeforeEpoch;

/** Returns the instants at which an hour of a customer's subject is cut. */
export type CutsOf = (subjectId: number, hour: number, customerId: string) => readonly Instant[];

/** Amounts by subject and hour, before they are written to the totals. */
export class Tally {
	readonly #cutsOf: CutsOf;
	readonly #hours = new Map<number, HourTally>();
	#fresh: HourTally[] = [];

	constructor(cutsOf: CutsOf) {
		this.#cutsOf = cutsOf;
	}

	/** The number of subjects and hours. Memory grows with it, and with the events. */
	get size(): number {
		return this.#hours.size;
	}

	has(subjectId: number, hour: number): boolean {
		return this.#hours.has(hourKey(subjectId, hour));
	}

	/** A segment of a subject's usage is cut like the subject, `cutAs`. */
	of(subjectId: number, at: Instant, customerId: string, cutAs = subjectId): HourTally {
		const hour = hourOf(at);
		const key = hourKey(subjectId, hour);
		let tally = this.#hours.get(key);
		if (tally === undefined) {
			tally = new HourTally(subjectId, customerId, hour, this.#cutsOf(cutAs, hour, customerId));
			this.#hours.set(key, tally);
		}
		return this.#grown(tally, customerId);
	}

	/** Returns the amounts of a segment of a subject, in the hour `whole` of the subject. `idOf` returns the id of the segment. */
	ofSegment(
		whole: HourTally,
		name: string,
		at: Instant,
		customerId: string,
		idOf: (name: string) => number,
	): HourTally {
		whole.segments ??= new Map();
		const known = whole.segments.get(name);
		if (known) return this.#grown(known, customerId);
		const tally = this.of(idOf(name), at, customerId, whole.subjectId);
		whole.segments.set(name, tally);
		return tally;
	}

	#grown(tally: HourTally, customerId: string): HourTally {
		if (tally.isFresh) return tally;
		tally.isFresh = true;
		tally.customerId = customerId;
		this.#fresh.push(tally);
		return tally;
	}

	/** The hours that have grown since they were published. */
	get fresh(): readonly HourTally[] {
		return this.#fresh;
	}

	/** Records that all amounts are published. */
	havePublished(): void {
		for (const tally of this.#fresh) tally.isFresh = false;
		this.#fresh = [];
	}

	/** Returns the hours, in no order. */
	hours(): HourTally[] {
		return [...this.#hours.values()];
	}

	/** Returns the hours by subject, then by hour: the order of the tables. */
	sorted(): HourTally[] {
		return this.hours().sort((one, other) => one.subjectId - other.subjectId || one.hour - other.hour);
	}

	clear(): void {
		this.#fresh = [];
		this.#hours.clear();
	}
}

/** How one counter counts the events of one shape. */
export interface Take {
	readonly counter: Counter;
	/** The values in the counter's field, by rank; undefined if the events have none. */
	readonly values: readonly DimensionValue[] | undefined;
	/** The value of all events, if the field is their name. */
	readonly value: DimensionValue | undefined;
}

/** Returns the value of an event in the counter's field, by the event's rank. */
export const foundIn = ({ values, value }: Take, rank: number): DimensionValue | undefined =>
	values === undefined ? value : values[rank];

/** How one counter divides the events of one shape into segments. */
interface SegmentedTake extends Take {
	readonly segments: CompiledSegments;
}

const noDimension = (): undefined => undefined;

/** Counts the events of one shape for several counters. It compares the shape with each counter once. */
export class ShapeCount {
	readonly #certain: Take[] = [];
	/** Counters whose filters look at the dimensions of each event. */
	readonly #tested: Take[] = [];
	/** Counters that also count each segment by itself. */
	readonly #segmented: SegmentedTake[] = [];
	/** The rank whose values `#valueAt` returns. */
	#rank = 0;
	readonly #valueAt: ValueAt;

	constructor(shape: Shape, counters: readonly Counter[]) {
		this.#valueAt = (dimension) =>
			dimension === "eventName" ? shape.eventName : shape.column(dimension)?.[this.#rank];
		const facts: EventFacts = { eventName: shape.eventName, dimension: noDimension };
		for (const counter of counters) {
			const { field } = counter;
			const values = field === undefined || field === "eventName" ? undefined : shape.column(field);
			const take = { counter, values, value: field === "eventName" ? shape.eventName : undefined };
			if (counter.isComputed && counter.filtersByName && !counter.takes(facts)) continue;
			if (counter.segments && !(counter.filtersByName && !counter.takes(facts)))
				this.#segmented.push({ ...take, segments: counter.segments });
			if (counter.isComputed || !counter.filtersByName) this.#tested.push(take);
			else if (counter.takes(facts)) this.#certain.push(take);
		}
	}

	/** Counts one event of this shape for its subject and hour. */
	count(tally: HourTally, block: EventBlock, index: number): void {
		const event = block.firstEvent + index;
		const at = block.at(index);
		tally.list(event, at);
		const rank = block.rank(index);
		for (const take of this.#certain) add(tally, take.counter, foundIn(take, rank), event, at);
		if (this.#tested.length === 0) return;
		const facts = block.event(index);
		for (const take of this.#tested) {
			const { counter } = take;
			if (!counter.takes(facts)) continue;
			add(tally, counter, counter.isComputed ? counter.fieldOf(facts) : foundIn(take, rank), event, at);
		}
	}

	/** Returns the counters that count one event of this shape. */
	takesOf(block: EventBlock, index: number): readonly Take[] {
		if (this.#tested.length === 0) return this.#certain;
		const facts = block.event(index);
		return [...this.#certain, ...this.#tested.filter(({ counter }) => counter.takes(facts))];
	}

	/** Whether a counter counts segments. */
	get hasSegments(): boolean {
		return this.#segmented.length > 0;
	}

	/** Calls `take` for each counter that counts one event of this shape in a segment, with the segment's name. */
	forEachSegment(block: EventBlock, index: number, take: (take: Take, segment: string) => void): void {
		this.#rank = block.rank(index);
		for (const one of this.#segmented)
			if (one.counter.filtersByName || one.counter.takes(block.event(index)))
				take(one, one.segments.nameOf(this.#valueAt));
	}

	/** Adds a canceled event to the list of its hour, and to the number of changes. */
	countCanceled(tally: HourTally, block: EventBlock, index: number): void {
		const at = block.at(index);
		tally.list(block.firstEvent + index, at);
		for (const take of this.takesOf(block, index)) cancel(tally, take, at);
	}
}

export function cancel(tally: HourTally, { counter }: Take, at: Instant): void {
	amountOf(tally.amounts, counter).events += changesOfCanceled;
	for (const cut of tally.cuts) amountOf(at < cut.at ? cut.head : cut.tail, counter).events += changesOfCanceled;
}

export function add(
	tally: HourTally,
	counter: Counter,
	found: DimensionValue | undefined,
	event: number,
	at: Instant,
): void {
	const amount = amountOf(tally.amounts, counter);
	amount.events += 1;
	amount.aggregate.add(found, at, event);
	for (const cut of tally.cuts) {
		const part = amountOf(at < cut.at ? cut.head : cut.tail, counter);
		part.events += 1;
		part.aggregate.add(found, at, event);
	}
}
