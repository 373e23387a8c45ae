import type { Counting } from "./counting";
import type { Rebuild } from "./rebuild";
import { countSlice } from "./slice-count";
import { Tally } from "./tally";

/** A row of `usage_unattributed`. */
interface EarlyEvent {
	/** `event_customers.id` */
	readonly customer: number;
	readonly event_id: number;
}

/** Events that came before their customer: they wait, and are counted once it exists. */
export class EarlyEvents {
	readonly #counting: Counting;
	readonly #rebuild: Rebuild;
	readonly #insert;
	readonly #delete;
	readonly #isWaiting;
	readonly #select;
	readonly #selectCustomer;
	/** Those that have no row yet. */
	#fresh: EarlyEvent[] = [];
	/** When none of them had a customer. */
	#lookedAt: number | undefined;
	/** Whose are counted next. */
	#customer: number | undefined;

	constructor(counting: Counting, rebuild: Rebuild) {
		const { usage } = counting;
		this.#counting = counting;
		this.#rebuild = rebuild;
		this.#insert = usage.prepare<unknown, [number, number]>(
			"INSERT INTO usage_unattributed (customer, event_id) VALUES (?, ?)",
		);
		this.#delete = usage.prepare<unknown, [number, number]>(
			"DELETE FROM usage_unattributed WHERE customer = ? AND event_id <= ?",
		);
		this.#isWaiting = usage.prepare<unknown, [number, number]>(
			"SELECT 1 FROM usage_unattributed WHERE customer = ? AND event_id = ?",
		);
		this.#select = usage.prepare<EarlyEvent, [number, number]>(
			"SELECT customer, event_id FROM usage_unattributed WHERE customer = ? ORDER BY event_id LIMIT ?",
		);
		this.#selectCustomer = usage.prepare<{ customer: number }, [number]>(
			"SELECT customer FROM usage_unattributed WHERE customer > ? ORDER BY customer LIMIT 1",
		);
	}

	/** How many have no row yet. */
	get size(): number {
		return this.#fresh.length;
	}

	add(customer: number, event: number): void {
		this.#fresh.push({ customer, event_id: event });
	}

	/** Inside the caller's transaction, with what was counted beside them. */
	save(): void {
		for (const { customer, event_id } of this.#fresh) this.#insert.run(customer, event_id);
		this.#fresh = [];
	}

	/** After a rollback. */
	forget(): void {
		this.#fresh = [];
		this.#lookedAt = undefined;
	}

	/** Whether an event of a customer (`event_customers.id`) waits for that to exist. */
	readonly isWaiting = (customer: number, event: number): boolean => this.#isWaiting.get(customer, event) !== null;

	/** Whether a customer has come that events wait for. */
	get isDue(): boolean {
		const { retries, epochOf } = this.#counting;
		const epoch = epochOf();
		if (epoch === this.#lookedAt && !retries.isDue) return false;
		this.#customer = this.#nextCustomer();
		if (this.#customer === undefined) this.#lookedAt = epoch;
		return this.#customer !== undefined;
	}

	/** Counts events of that customer, inside the caller's transaction. */
	step(): void {
		const customer = this.#customer;
		if (customer !== undefined) this.#counting.retries.attempt(retryOf(customer), () => this.#countOf(customer));
	}

	#countOf(customer: number): void {
		const { log, subjects, cuts, totals, counters, canceled, chunkEvents } = this.#counting;
		const events = this.#select.all(customer, chunkEvents);
		const tally = new Tally(cuts.opening);
		for (const { event_id: event } of events) {
			const block = log.blockOf(event);
			const from = event - block.firstEvent;
			const countersOf = ({ environmentId }: { readonly environmentId: string }) => counters.past(environmentId, event);
			countSlice({ block, from, to: from + 1 }, tally, subjects, countersOf, canceled.in(block));
		}
		const hours = tally.sorted();
		subjects.save();
		cuts.save();
		totals.post(hours);
		this.#rebuild.addPassed(hours);
		totals.add(hours);
		this.#delete.run(customer, events.at(-1)?.event_id ?? 0);
	}

	#nextCustomer(): number | undefined {
		for (let after = 0; ; ) {
			const customer = this.#selectCustomer.get(after)?.customer;
			if (customer === undefined) return undefined;
			const { subjects, retries } = this.#counting;
			if (subjects.owner(customer).customerId !== undefined && !retries.isResting(retryOf(customer))) return customer;
			after = customer;
		}
	}
}

const retryOf = (customer: number): string => `the early events of ${customer}`;
