import { type Decimal, minus, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import { isAwaited } from "../../../kernel/storage/failures";
import type { Work } from "../../../kernel/work";
import { findCustomer } from "../../customers/operations";
import { ExactSum } from "../aggregation/exact-sum";
import { type FollowedEvent, followedCustomer, followedEvent, visitEvents } from "../operations.following";
import { amountOfEvent, isCountedIn, mostSpecific } from "./matching";
import { type CountedEntry, countsAfter, findMeter } from "./store";

/** Entries are read in pages, so that memory stays bounded. */
const rowsAtOnce = 1_000;

const eventsAtOnce = 4_096;

/** An entry whose amount is not the amount of its events. */
export interface WrongEntry extends CountedEntry {
	readonly expected: Decimal;
}

/**
 * Counts the events of all entries of the environment again, step by step, and yields the entries that differ. Skips customers whose events
 * were erased: their dimensions do not name entities any more. Skips steps whose events are in a storage.
 */
export function* recountEntries(work: Work, isErased: (customerId: string) => boolean): Generator<WrongEntry> {
	const customers = new Map<number, string | null>();
	const customerOf = (number: number): string | null => {
		const known = customers.get(number);
		if (known !== undefined) return known;
		const found = customerIn(work, number);
		const id = found === undefined || isErased(found) ? null : found;
		customers.set(number, id);
		return id;
	};
	for (const entries of stepsOf(work)) {
		const checked = entries.filter(({ count }) => !isErased(count.customerId));
		const expected = amountsOf(work, checked, customerOf);
		if (!expected) continue;
		for (const one of checked) {
			const amount = expected.get(one.count.entry) ?? zero;
			if (amount !== one.entry.amount) yield { ...one, expected: amount };
		}
	}
}

function customerIn(work: Work, number: number): string | undefined {
	const followed = followedCustomer(work, number);
	return followed?.environmentId === work.actor.environmentId
		? findCustomer(work, followed.customerRef)?.id
		: undefined;
}

/** Yields the entries of one step or reversal at a time: their range in the log is the same. */
function* stepsOf(work: Work): Generator<CountedEntry[]> {
	let step: CountedEntry[] = [];
	for (let after = 0; ; ) {
		const rows = countsAfter(work, after, rowsAtOnce);
		for (const row of rows) {
			const [first] = step;
			if (first && !isSameStep(first, row)) {
				yield step;
				step = [];
			}
			step.push(row);
		}
		const last = rows.at(-1);
		if (!last || rows.length < rowsAtOnce) break;
		after = last.count.entry;
	}
	if (step.length > 0) yield step;
}

/** A reversal of a step's only event has the range of that step. */
const isSameStep = ({ count: one }: CountedEntry, { count: other }: CountedEntry): boolean =>
	one.upTo === other.upTo && one.after === other.after && one.isReversal === other.isReversal;

/** Returns the amounts of entries by their events; undefined if the events cannot be read now. */
function amountsOf(
	work: Work,
	entries: readonly CountedEntry[],
	customerOf: (number: number) => string | null,
): Map<number, Decimal> | undefined {
	try {
		return entries.some(({ count }) => count.isReversal)
			? reversedAmounts(work, entries)
			: countedAmounts(work, entries, customerOf);
	} catch (error) {
		if (isAwaited(error)) return undefined;
		throw error;
	}
}

function reversedAmounts(work: Work, entries: readonly CountedEntry[]): Map<number, Decimal> {
	return new Map(
		entries.map(({ count }) => {
			const { facts } = followedEvent(work, count.upTo);
			return [count.entry, minus(zero, amountOfEvent(meterOf(work, count.meterId), facts))];
		}),
	);
}

function countedAmounts(
	work: Work,
	entries: readonly CountedEntry[],
	customerOf: (number: number) => string | null,
): Map<number, Decimal> {
	const [first] = entries;
	const sums = new Map<number, ExactSum>();
	if (!first) return new Map();
	const byCustomer = Map.groupBy(entries, ({ count }) => count.customerId);
	const take = (event: FollowedEvent): void => {
		const ofCustomer = byCustomer.get(customerOf(event.customer) ?? "") ?? [];
		const matched = ofCustomer.filter(({ count }) => isCountedIn(work, count, event));
		for (const [meterId, ofMeter] of Map.groupBy(matched, ({ count }) => count.meterId)) {
			const found = mostSpecific(ofMeter);
			if (!found) continue;
			const sum = sums.get(found.count.entry) ?? new ExactSum();
			sums.set(found.count.entry, sum);
			sum.add(amountOfEvent(meterOf(work, meterId), event.facts));
		}
	};
	const { after, upTo, canceledTo } = first.count;
	const isOfStep = (number: number) => byCustomer.has(customerOf(number) ?? "");
	for (let readTo = after; readTo < upTo; )
		readTo = visitEvents(work, { after: readTo, upTo, canceledTo, eventsMax: eventsAtOnce }, isOfStep, take);
	return new Map(sums.entries().map(([entry, sum]) => [entry, sum.value]));
}

function meterOf(work: Work, id: string) {
	const definition = findMeter(work, id);
	assert(definition, "each entry of events has a meter");
	return definition;
}
