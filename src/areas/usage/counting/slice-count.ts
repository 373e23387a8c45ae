import { assert } from "../../../kernel/errors";
import type { EventBlock } from "../blocks/event-block";
import type { LogSlice } from "../log/log-reader";
import type { Owner, Subjects } from "./subjects";
import { add, type Counter, cancel, foundIn, type HourTally, ShapeCount, type Tally } from "./tally";

/** Returns the counters of an environment's events; undefined to skip them. */
export type CountersOf = (environmentId: string) => readonly Counter[] | undefined;

const noneCanceled: ReadonlySet<number> = new Set();

/**
 * Adds events of the log to a tally. Counters of equal lists share work only if the list is the same object. `canceled`
 * are the canceled events of the block.
 */
export function countSlice(
	slice: LogSlice,
	tally: Tally,
	subjects: Subjects,
	countersOf: CountersOf,
	canceled: ReadonlySet<number> = noneCanceled,
): void {
	const { block } = slice;
	forEachCounted(slice, subjects, countersOf, (count, index, subject, { customerId }) => {
		const hour = tally.of(subject, block.at(index), customerId);
		const isCanceled = canceled.size > 0 && canceled.has(block.firstEvent + index);
		if (isCanceled) count.countCanceled(hour, block, index);
		else count.count(hour, block, index);
		if (count.hasSegments) countSegments({ count, block, index, hour, customerId }, tally, subjects, isCanceled);
	});
}

/** An event with its shape and its subject. */
interface CountedEvent {
	readonly count: ShapeCount;
	readonly block: EventBlock;
	readonly index: number;
	/** The amounts of its subject and hour. */
	readonly hour: HourTally;
	readonly customerId: string;
}

/** Counts an event in its segments, which have totals of their own and share the subject's list of events. */
function countSegments(
	{ count, block, index, hour: whole, customerId }: CountedEvent,
	tally: Tally,
	subjects: Subjects,
	isCanceled: boolean,
): void {
	const at = block.at(index);
	const rank = block.rank(index);
	const idOf = (name: string): number => subjects.segmentOf(whole.subjectId, name);
	count.forEachSegment(block, index, (take, name) => {
		const hour = tally.ofSegment(whole, name, at, customerId, idOf);
		if (isCanceled) cancel(hour, take, at);
		else add(hour, take.counter, foundIn(take, rank), block.firstEvent + index, at);
	});
}

/** Calls `take` for each event of an environment with counters: with its shape, its index in the block and its subject. */
export function forEachCounted(
	{ block, from, to }: LogSlice,
	subjects: Subjects,
	countersOf: CountersOf,
	take: (count: ShapeCount, index: number, subject: number, owner: Owner) => void,
): void {
	const { shapes } = block;
	const counts = new Map<readonly Counter[], ShapeCount[]>();
	for (let index = from; index < to; index += 1) {
		const owner = subjects.owner(block.customer(index));
		const counters = countersOf(owner.environmentId);
		if (counters === undefined) continue;
		let byShape = counts.get(counters);
		if (byShape === undefined) {
			byShape = shapes.map((shape) => new ShapeCount(shape, counters));
			counts.set(counters, byShape);
		}
		const count = byShape[block.shapeIndex(index)];
		assert(count, "every event of the log has a shape");
		take(count, index, subjects.subjectOf(owner, block.resource(index)), owner);
	}
}
