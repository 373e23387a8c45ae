import type { Instant } from "../../../kernel/clock";
import { isSameKey } from "../archive/identity-check";
import type { EventBlock } from "../blocks/event-block";
import { identityStart } from "../blocks/event-identity";
import { hourOf } from "../hours";
import { placeholderOf } from "../table.usage";
import type { EventStore, HourRow } from "./store";

/** Steps that one request takes before it answers with what it has found; about ten milliseconds. */
const stepsMax = 5_000;
/** The cost of reading a block, in lookups by a key. */
const stepsPerBlock = 10;

/** The criteria of a search. An omitted field matches everything. */
export interface EventFilter {
	readonly environmentId: string;
	/** `id` is its row id; undefined if there is no such customer. */
	readonly customer?: { readonly ref: string; readonly id: string | undefined };
	readonly resourceId?: string;
	readonly eventName?: string;
	readonly idempotencyKey?: string;
	/** Up to, but not including, `to`. */
	readonly from?: Instant;
	readonly to?: Instant;
}

/** An event in the log. */
export interface Place {
	readonly block: EventBlock;
	readonly index: number;
}

export const positionOf = ({ block, index }: Place): number => block.firstEvent + index;

export interface Found {
	readonly places: readonly Place[];
	/** The event after which the search can continue; undefined at the end. Possibly no later event matches. */
	readonly continueAfter: number | undefined;
}

/** The remaining steps of one request. */
class Steps {
	#left = stepsMax;

	get areSpent(): boolean {
		return this.#left <= 0;
	}

	spend(steps: number): void {
		this.#left -= steps;
	}
}

/**
 * Returns at most `limit` matching events, the newest first: those of a customer by the hour of their time, others in
 * the order of the log. It searches a bounded part of the log, and returns where to continue.
 */
export function searchEvents(store: EventStore, filter: EventFilter, after: number | undefined, limit: number): Found {
	const steps = new Steps();
	const search = new Search(store, filter, steps);
	const places: Place[] = [];
	for (const place of search.candidates(after)) {
		if (search.matches(place)) {
			const last = places.at(-1);
			if (last && places.length === limit) return { places, continueAfter: positionOf(last) };
			places.push(place);
		}
		if (steps.areSpent) return { places, continueAfter: positionOf(place) };
	}
	return { places, continueAfter: undefined };
}

/** Returns the events at known positions that match, the latest first. */
export function eventsAt(store: EventStore, filter: EventFilter, positions: readonly number[]): Place[] {
	const search = new Search(store, filter, new Steps());
	return positions
		.map((position) => search.place(position))
		.filter((place) => search.matches(place))
		.sort((one, other) => other.block.at(other.index) - one.block.at(one.index) || positionOf(other) - positionOf(one));
}

class Search {
	constructor(
		readonly store: EventStore,
		readonly filter: EventFilter,
		readonly steps: Steps,
	) {
		// Values in its memory may have been erased since.
		store.log.discard();
	}

	candidates(after: number | undefined): Generator<Place> {
		const { customer } = this.filter;
		if (!customer) return this.#wholeLog(after);
		return this.#ofCustomer(customer.id ?? this.#placeholderOf(customer.ref), after);
	}

	/** The cheapest comparisons come first. */
	matches(place: Place): boolean {
		const { block, index } = place;
		const { from, to, resourceId, eventName, idempotencyKey, customer, environmentId } = this.filter;
		const at = block.at(index);
		if ((from !== undefined && at < from) || (to !== undefined && at >= to)) return false;
		if (eventName !== undefined && block.shapes[block.shapeIndex(index)]?.eventName !== eventName) return false;
		if (resourceId !== undefined && block.resource(index) !== resourceId) return false;
		if (!customer) {
			const named = this.store.customer(block.customer(index), () => this.steps.spend(1));
			if (named?.environmentId !== environmentId) return false;
		}
		if (idempotencyKey === undefined) return true;
		if (this.#keysOf !== block.firstEvent) this.steps.spend(stepsPerBlock);
		this.#keysOf = block.firstEvent;
		const stored = this.store.log.identity(positionOf(place));
		const named = this.store.customer(stored.customer, () => this.steps.spend(1));
		const start = identityStart(environmentId, named?.customerRef ?? "", stored.resourceRef, stored.eventName);
		return isSameKey(stored.idempotencyKey, idempotencyKey, start + idempotencyKey);
	}

	*#wholeLog(after: number | undefined): Generator<Place> {
		for (let before = after ?? Number.MAX_SAFE_INTEGER; ; ) {
			this.steps.spend(stepsPerBlock);
			const block = this.store.log.blockBefore(before);
			if (!block) return;
			for (let index = Math.min(block.events, before - block.firstEvent) - 1; index >= 0; index -= 1)
				yield { block, index };
			before = block.firstEvent;
		}
	}

	/** Events of a customer that does not exist are indexed under a placeholder. */
	#placeholderOf(customerRef: string): string {
		const { environmentId } = this.filter;
		return placeholderOf(this.store.statements.earlyNumber.get({ environmentId, customerRef })?.id ?? 0);
	}

	*#ofCustomer(customerId: string, after: number | undefined): Generator<Place> {
		const { from, to, resourceId } = this.filter;
		const subjects = this.store.statements.subjects
			.all({ customerId })
			.filter(({ resourceRef }) => resourceId === undefined || resourceRef === resourceId)
			.map(({ id }) => id);
		const afterHour = after === undefined ? undefined : this.#hourOf(after);
		const newest = to === undefined ? Number.MAX_SAFE_INTEGER : hourOf((to - 1) as Instant);
		let hour = Math.min(afterHour ?? newest, newest);
		for (;;) {
			const next = this.#lastHour(subjects, hour);
			if (next === undefined || (from !== undefined && next < hourOf(from))) return;
			yield* this.#inHour(subjects, next, next === afterHour ? after : undefined);
			hour = next - 1;
		}
	}

	#lastHour(subjects: readonly number[], hour: number): number | undefined {
		this.steps.spend(subjects.length);
		const hours = subjects.flatMap((subject) => this.store.lastHour(subject, hour) ?? []);
		return hours.length === 0 ? undefined : hours.reduce((one, other) => Math.max(one, other));
	}

	/** Yields events by rows of the index, the newest row first: each row was written at one time. */
	*#inHour(subjects: readonly number[], hour: number, after: number | undefined): Generator<Place> {
		const begun = after === undefined ? undefined : this.#rowOf(subjects, hour, after);
		const before = begun === undefined ? Number.MAX_SAFE_INTEGER : begun + 1;
		const lists = subjects.map((subject) => this.store.rowsOfHour(subject, hour, before));
		const heads = lists.map((list) => list.next().value);
		this.steps.spend(subjects.length);
		for (;;) {
			const at = newestOf(heads);
			const row = heads[at];
			if (!row) return;
			heads[at] = lists[at]?.next().value;
			this.steps.spend(1);
			yield* this.#inRow(row, row.firstEvent === begun ? after : undefined);
		}
	}

	*#inRow({ firstEvent, offsets }: HourRow, after: number | undefined): Generator<Place> {
		for (let at = offsets.length - 1; at >= 0; at -= 1) {
			const event = firstEvent + (offsets[at] ?? 0);
			if (after === undefined || event < after) yield this.place(event);
		}
	}

	/** Returns the first event of the row that holds an event; undefined if none does. */
	#rowOf(subjects: readonly number[], hour: number, event: number): number | undefined {
		this.steps.spend(subjects.length);
		const rows = subjects.map((subject) => this.store.rowsOfHour(subject, hour, event + 1).next().value);
		return rows.find((row) => row?.offsets.includes(event - row.firstEvent))?.firstEvent;
	}

	#hourOf(event: number): number | undefined {
		if (!this.store.log.has(event)) return undefined;
		const block = this.store.log.blockOf(event);
		return hourOf(block.at(event - block.firstEvent));
	}

	/** The block whose keys were read last. */
	#keysOf: number | undefined;
	/** The block of the last place, which its neighbors share. */
	#block: EventBlock | undefined;

	place(event: number): Place {
		const known = this.#block;
		if (!known?.holds(event)) this.steps.spend(stepsPerBlock);
		const block = known?.holds(event) ? known : this.store.log.blockOf(event);
		this.#block = block;
		return { block, index: event - block.firstEvent };
	}
}

function newestOf(heads: ReadonlyArray<HourRow | undefined>): number {
	let newest = -1;
	let firstEvent = -1;
	for (const [at, row] of heads.entries()) {
		if (!row || row.firstEvent <= firstEvent) continue;
		newest = at;
		firstEvent = row.firstEvent;
	}
	return newest;
}
