import { assert } from "../../../kernel/errors";
import type { LogSlice } from "../log/log-reader";
import type { Owner, Subjects } from "./subjects";
import { type Counter, ShapeCount, type Tally } from "./tally";

/** By which meters an event of a customer is counted; undefined when it is not to be counted now. */
export type CountersOf = (owner: Owner, customer: number, event: number) => readonly Counter[] | undefined;

const noneCanceled: ReadonlySet<number> = new Set();

/**
 * Adds events of the log to a tally. Lists of counters are told apart by identity, so the same one is asked for again.
 * `canceled` are those of the block that were taken back.
 */
export function countSlice(
	{ block, from, to }: LogSlice,
	tally: Tally,
	subjects: Subjects,
	countersOf: CountersOf,
	canceled: ReadonlySet<number> = noneCanceled,
): void {
	const { shapes } = block;
	const counts = new Map<readonly Counter[], ShapeCount[]>();
	for (let index = from; index < to; index += 1) {
		const customer = block.customer(index);
		const owner = subjects.owner(customer);
		const counters = countersOf(owner, customer, block.firstEvent + index);
		if (counters === undefined || owner.customerId === undefined) continue;
		let byShape = counts.get(counters);
		if (byShape === undefined) {
			byShape = shapes.map((shape) => new ShapeCount(shape, counters));
			counts.set(counters, byShape);
		}
		const count = byShape[block.shapeIndex(index)];
		assert(count, "every event of the log has a shape");
		const subject = subjects.subjectOf(owner.customerId, owner, block.resource(index));
		const hour = tally.of(subject, block.at(index), owner.customerId);
		if (canceled.size > 0 && canceled.has(block.firstEvent + index)) count.countCanceled(hour, block, index);
		else count.count(hour, block, index);
	}
}
