import type { Log } from "../../../../http/log";
import type { Instant } from "../../../../kernel/clock";
import { isStorageTrouble } from "../../../../kernel/storage/failures";
import type { Work } from "../../../../kernel/work";
import type { JobThread } from "../../../../tasks/job";
import { systemActor } from "../../../access/rules.actors";
import type { EventIds } from "../../../usage/events/rules.event-ids";
import { cancellationsAfter, followedEvent, lastEventOf, visitEvents } from "../../../usage/operations.following";
import { EventPrices, type PricedCustomer } from "./event-prices";
import { beginEventCredits, giveBackForEvent, type StepRange, takeForEvents } from "./operations";
import { type EventCursor, findLeft, forgetLeft, nextRetryAt, saveLeft, writeCursor } from "./store";
import { type CustomerUses, StepUses } from "./uses";

/** Our choice: how soon after they were accepted events take their credits, where nothing else is to be done. */
const lookEveryMs = 250;
const lookIdleMs = 1_000;

/** Our choice: a few milliseconds of the log. */
const eventsAtOnce = 2_560;

/** Our choice: the more there is, the more events share an entry; so many are grouped in memory. */
const stepEventsMax = 65_536;

/** Our choice: what one transaction writes of one customer: some milliseconds. */
const groupsMax = 128;

/** Our choice: so much of the log that took nothing may be read again after a crash. */
const eventsUnwrittenMax = 1_000_000;

const cancellationsAtOnce = 64;

/** Our choices: after what pause a customer's events are tried again, twice as long each time, up to an hour. */
const firstPauseMs = 5_000;
const pauseMsMax = 3_600_000;

/** No environment: the log is one for all of them. */
const everywhere = systemActor("");

export interface EventCreditsOptions extends JobThread {
	readonly eventIds: EventIds;
	readonly log: Log;
}

/**
 * The job by which metered events take credits, each once. It follows the log in steps, and works through a step customer by
 * customer: what the events of one take, and that they have, is one transaction of the main file. So whatever becomes of the
 * process, the next one goes on with the next customer. A cancellation is followed once the step that its event lies in is over.
 */
export class EventCredits {
	readonly #options: EventCreditsOptions;
	readonly #prices: EventPrices;
	/** What the file says, or further where nothing was taken since. */
	#cursor: EventCursor | undefined;
	#writtenTo = 0;

	constructor(options: EventCreditsOptions) {
		this.#options = options;
		this.#prices = new EventPrices(options.transactions);
	}

	/** Answers when to look again. */
	async run(): Promise<number | undefined> {
		const { turns, isStopping } = this.#options;
		try {
			for (;;) {
				await turns.next();
				if (isStopping()) return undefined;
				const cursor = this.#cursor ?? this.#begin();
				const isBetween = cursor.stepTo === cursor.takenTo;
				if (isBetween && (this.#followCancellations(cursor) || this.#retry(cursor))) continue;
				if (!(await this.#step(cursor))) return this.#restMs();
			}
		} catch (error) {
			// What was written may not have been kept.
			this.#cursor = undefined;
			throw error;
		}
	}

	#begin(): EventCursor {
		const cursor = beginEventCredits(this.#options.transactions);
		this.#cursor = cursor;
		this.#writtenTo = cursor.takenTo;
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

	/** Works through what there is, as far as one step goes; whether there was any. */
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
			this.#take(ofCustomer, range, next);
			this.#cursor = next;
			this.#writtenTo = next.takenTo;
		}
		this.#moveOn(ended);
		return true;
	}

	/** What the events of a step cost; one that has begun already is read to its end. */
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
		const isAskedFor = (customer: number) =>
			(only === undefined || customer === only) && this.#prices.customer(customer) !== null;
		return this.#options.transactions.read(everywhere, (work) =>
			visitEvents(work, part, isAskedFor, (event) => {
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

	/** What cannot be taken now is left to be tried again: it holds up no other customer. */
	#take({ number, customer, groups }: CustomerUses, range: StepRange, next: EventCursor): void {
		const { transactions, eventIds, log } = this.#options;
		const actor = systemActor(customer.environmentId);
		try {
			transactions.writeUsage(actor, (work) => {
				takeForEvents(work, customer, groups, range, eventIds);
				writeCursor(work, next);
			});
		} catch (error) {
			if (isStorageTrouble(error)) throw error;
			log.error(
				{ err: error, customerId: customer.customerId },
				"events could not take their credits; tried again soon",
			);
			transactions.writeUsage(actor, (work) => {
				saveLeft(work, { id: work.newId(), customer: number, ...range, attempts: 1, retryAt: retryAt(work, 1) });
				writeCursor(work, next);
			});
		}
	}

	/** Tries one customer's events again that failed; whether there was one. */
	#retry({ canceledTo }: EventCursor): boolean {
		const { transactions, eventIds, log } = this.#options;
		const left = transactions.read(everywhere, (work) => findLeft(work, work.machineNow));
		if (!left) return false;
		const { customer: number, after, upTo } = left;
		const actor = systemActor(this.#prices.customer(number)?.environmentId ?? "");
		try {
			const uses = new StepUses();
			for (let readTo = after; readTo < upTo; )
				readTo = this.#visit({ after: readTo, upTo, canceledTo, eventsMax: eventsAtOnce }, uses, number);
			transactions.writeUsage(actor, (work) => {
				for (const { customer, groups } of uses.byCustomer())
					takeForEvents(work, customer, groups, { after, upTo }, eventIds);
				forgetLeft(work, left.id);
			});
		} catch (error) {
			if (isStorageTrouble(error)) throw error;
			log.error({ err: error, left: left.id }, "events could not take their credits again; tried again later");
			const attempts = left.attempts + 1;
			transactions.writeUsage(actor, (work) => saveLeft(work, { ...left, attempts, retryAt: retryAt(work, attempts) }));
		}
		return true;
	}

	/** Follows cancellations; whether there were any. One of an event that has not come to its turn is passed over then. */
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
					if (giveBackForEvent(work, customer, event, eventIds)) writeCursor(work, after);
				});
			}
			this.#cursor = followed;
			if (turns.isOver()) break;
		}
		return next.length > 0;
	}

	/** Only from time to time where nothing was taken: reading it again takes nothing either. */
	#moveOn(cursor: EventCursor): void {
		this.#cursor = cursor;
		if (cursor.takenTo - this.#writtenTo < eventsUnwrittenMax) return;
		this.#options.transactions.writeUsage(everywhere, (work) => writeCursor(work, cursor));
		this.#writtenTo = cursor.takenTo;
	}
}

const retryAt = ({ machineNow }: Work, attempts: number): Instant =>
	(machineNow + Math.min(pauseMsMax, firstPauseMs * 2 ** (attempts - 1))) as Instant;
