import type { Log } from "../../../../http/log";
import type { Instant } from "../../../../kernel/clock";
import { isStorageTrouble } from "../../../../kernel/storage/failures";
import type { Work } from "../../../../kernel/work";
import type { JobThread } from "../../../../tasks/job";
import { systemActor } from "../../../access/rules.actors";
import type { EventIds } from "../../../usage/events/rules.event-ids";
import { cancellationsAfter, followedEvent, lastEventOf, visitEvents } from "../../../usage/operations.following";
import { EventPrices, type PricedCustomer } from "./event-prices";
import { chargeEvents, reverseEvent, type StepRange } from "./operations";
import { beginEventCharging } from "./operations.begin";
import { deleteRetry, type EventCursor, findRetry, nextRetryAt, saveRetry, writeCursor } from "./store";
import { type CustomerUses, StepUses } from "./uses";

/** The pause before the job looks for new events while a feature is priced in credits. */
const lookEveryMs = 250;

/** The pause while none is. The writer wakes the job after its commits, so this delays only prices that another process has set. */
const lookIdleMs = 10_000;

/** A few milliseconds of reading. */
const eventsAtOnce = 2_560;

/** The events of one step, grouped in memory. The more there are, the more share an entry. */
const stepEventsMax = 65_536;

/** The groups of one customer that end a step: one transaction writes them in some milliseconds. */
const groupsMax = 128;

/** After a crash, at most this many uncharged events are read again. */
const eventsUnwrittenMax = 1_000_000;

const cancellationsAtOnce = 64;

/** The first pause before a retry of a customer's events. It doubles each time, up to an hour. */
const firstPauseMs = 5_000;
const pauseMsMax = 3_600_000;

/** Not of one environment: all share one log. */
const everywhere = systemActor("");

export interface EventChargingOptions extends JobThread {
	readonly eventIds: EventIds;
	readonly log: Log;
}

/**
 * The job that charges metered events, each once. It follows the log in steps, and charges a step customer by customer. One
 * transaction of the main file consumes the credits of a customer's events and moves the cursor, so after a crash the job continues
 * with the next customer. It processes a cancellation after the step of the canceled event.
 */
export class EventCharging {
	readonly #options: EventChargingOptions;
	readonly #prices: EventPrices;
	/** The stored cursor, or a later one if the events after it cost nothing. */
	#cursor: EventCursor | undefined;
	/** The stored cursor. */
	#written: EventCursor | undefined;

	constructor(options: EventChargingOptions) {
		this.#options = options;
		this.#prices = new EventPrices(options.transactions);
	}

	/** Returns the pause until the next run, in milliseconds. */
	async run(): Promise<number | undefined> {
		const { turns, isStopping } = this.#options;
		try {
			for (;;) {
				await turns.next();
				if (isStopping()) return undefined;
				const cursor = this.#cursor ?? this.#begin();
				const isBetween = cursor.stepTo === cursor.takenTo;
				if (isBetween && (this.#followCancellations(cursor) || this.#retry(cursor))) continue;
				if ((await this.#step(cursor)) || this.#store()) continue;
				return this.#restMs();
			}
		} catch (error) {
			// The last write may have been rolled back.
			this.#cursor = undefined;
			throw error;
		}
	}

	#begin(): EventCursor {
		const cursor = beginEventCharging(this.#options.transactions);
		this.#cursor = cursor;
		this.#written = cursor;
		return cursor;
	}

	#restMs(): number {
		const { transactions } = this.#options;
		if (!this.#prices.isAnyPriced) return lookIdleMs;
		const retryAt = transactions.read(everywhere, (work) => {
			const at = nextRetryAt(work);
			return at === null ? lookEveryMs : at - work.machineNow;
		});
		return Math.max(1, Math.min(lookEveryMs, retryAt));
	}

	/** Charges the next step. Returns whether there were events. */
	async #step(cursor: EventCursor): Promise<boolean> {
		const { transactions, turns, isStopping } = this.#options;
		const isOpen = cursor.stepTo > cursor.takenTo;
		const last = isOpen ? cursor.stepTo : transactions.read(everywhere, lastEventOf);
		if (last <= cursor.takenTo) return false;
		if (!isOpen && !this.#prices.isAnyPriced) {
			this.#moveOn({ ...cursor, takenTo: last, stepTo: last });
			return false;
		}
		const { uses, readTo } = await this.#read(cursor, last, isOpen);
		if (isStopping()) return true;
		const range = { after: cursor.takenTo, upTo: readTo };
		const ended = { ...cursor, takenTo: readTo, stepTo: readTo, customerTo: 0 };
		const waiting = uses.byCustomer().filter(({ number }) => number > cursor.customerTo);
		for (const [at, ofCustomer] of waiting.entries()) {
			if (turns.isOver()) await turns.next();
			if (isStopping()) return true;
			const isLast = at === waiting.length - 1;
			const next = isLast ? ended : { ...cursor, stepTo: readTo, customerTo: ofCustomer.number };
			this.#charge(ofCustomer, range, next);
			this.#cursor = next;
			this.#written = next;
		}
		this.#moveOn(ended);
		return true;
	}

	/** Reads the charges of a step. A step that has already begun is read to its end. */
	async #read(cursor: EventCursor, last: number, isOpen: boolean): Promise<{ uses: StepUses; readTo: number }> {
		const { turns, isStopping } = this.#options;
		const uses = new StepUses();
		const end = isOpen ? last : Math.min(last, cursor.takenTo + stepEventsMax);
		let readTo = cursor.takenTo;
		while (readTo < end && !isStopping()) {
			if (turns.isOver()) await turns.next();
			const part = { after: readTo, upTo: end, canceledTo: cursor.canceledTo, eventsMax: eventsAtOnce };
			readTo = this.#visit(part, uses);
			if (!isOpen && uses.largest >= groupsMax) break;
		}
		return { uses, readTo };
	}

	#visit(part: Parameters<typeof visitEvents>[1], uses: StepUses, only?: number): number {
		const isPriced = (customer: number) =>
			(only === undefined || customer === only) && this.#prices.customer(customer) !== null;
		return this.#options.transactions.read(everywhere, (work) =>
			visitEvents(work, part, isPriced, (event) => {
				const customer = this.#prices.customer(event.customer);
				if (customer)
					uses.add(
						event,
						customer,
						this.#in(customer, (within) => customer.usesOf(within, event)),
					);
			}),
		);
	}

	#in<T>({ environmentId }: PricedCustomer, body: (work: Work) => T): T {
		return this.#options.transactions.read<unknown>(systemActor(environmentId), body) as T;
	}

	/** Charges the events of one customer. A failure is recorded for a retry, and delays no other customer. */
	#charge({ number, customer, groups }: CustomerUses, range: StepRange, next: EventCursor): void {
		const { transactions, eventIds, log } = this.#options;
		const actor = systemActor(customer.environmentId);
		try {
			transactions.writeUsage(actor, (work) => {
				chargeEvents(work, customer, groups, range, eventIds);
				writeCursor(work, next);
			});
		} catch (error) {
			if (isStorageTrouble(error)) throw error;
			log.error(
				{ err: error, customerId: customer.customerId },
				"charging events for credits failed; it is retried soon",
			);
			transactions.writeUsage(actor, (work) => {
				saveRetry(work, { id: work.newId(), customer: number, ...range, attempts: 1, retryAt: retryAt(work, 1) });
				writeCursor(work, next);
			});
		}
	}

	/** Retries the failed events of one customer. Returns whether there were any. */
	#retry({ canceledTo }: EventCursor): boolean {
		const { transactions, eventIds, log } = this.#options;
		const failed = transactions.read(everywhere, (work) => findRetry(work, work.machineNow));
		if (!failed) return false;
		const { customer: number, after, upTo } = failed;
		const actor = systemActor(this.#prices.customer(number)?.environmentId ?? "");
		try {
			const uses = new StepUses();
			for (let readTo = after; readTo < upTo; )
				readTo = this.#visit({ after: readTo, upTo, canceledTo, eventsMax: eventsAtOnce }, uses, number);
			transactions.writeUsage(actor, (work) => {
				for (const { customer, groups } of uses.byCustomer())
					chargeEvents(work, customer, groups, { after, upTo }, eventIds);
				deleteRetry(work, failed.id);
			});
		} catch (error) {
			if (isStorageTrouble(error)) throw error;
			log.error({ err: error, retry: failed.id }, "charging events for credits failed again; it is retried later");
			const attempts = failed.attempts + 1;
			transactions.writeUsage(actor, (work) =>
				saveRetry(work, { ...failed, attempts, retryAt: retryAt(work, attempts) }),
			);
		}
		return true;
	}

	/** Processes cancellations. Returns whether there were any. The step of a later event skips it, so its cancellation needs nothing. */
	#followCancellations(cursor: EventCursor): boolean {
		const { transactions, turns, eventIds } = this.#options;
		const next = transactions.read(everywhere, (work) =>
			cancellationsAfter(work, cursor.canceledTo, cancellationsAtOnce),
		);
		let followed = cursor;
		for (const { id, event: position } of next) {
			followed = { ...followed, canceledTo: id };
			const event =
				position > cursor.takenTo ? undefined : transactions.read(everywhere, (work) => followedEvent(work, position));
			const customer = event && this.#prices.customer(event.customer);
			if (event && customer) {
				const after = followed;
				transactions.writeUsage(systemActor(customer.environmentId), (work) => {
					if (reverseEvent(work, customer, event, eventIds)) writeCursor(work, after);
				});
			}
			this.#cursor = followed;
			if (turns.isOver()) break;
		}
		return next.length > 0;
	}

	/** Moves the cursor past events that cost nothing. It is stored later, because reading them again charges nothing. */
	#moveOn(cursor: EventCursor): void {
		this.#cursor = cursor;
		if (cursor.takenTo - (this.#written?.takenTo ?? 0) >= eventsUnwrittenMax) this.#write(cursor);
	}

	/** Stores the cursor if due steps may wait for it (operations.acknowledged.ts). Returns whether it has moved. */
	#store(): boolean {
		const cursor = this.#cursor;
		if (!cursor || !this.#prices.isAnyPriced) return false;
		const { takenTo, canceledTo } = this.#written ?? {};
		if (cursor.takenTo === takenTo && cursor.canceledTo === canceledTo) return false;
		this.#write(cursor);
		return true;
	}

	#write(cursor: EventCursor): void {
		this.#options.transactions.writeUsage(everywhere, (work) => writeCursor(work, cursor));
		this.#written = cursor;
	}
}

const retryAt = ({ machineNow }: Work, attempts: number): Instant =>
	(machineNow + Math.min(pauseMsMax, firstPauseMs * 2 ** (attempts - 1))) as Instant;
