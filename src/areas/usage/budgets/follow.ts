import type { Transaction } from "../../../kernel/work";
import type { JobThread } from "../../../tasks/job";
import { systemActor } from "../../access/rules.actors";
import { LogReader } from "../log/log-reader";
import { cancellationsAfter } from "../operations.following";
import { GovernedEvents, type NamedByEvents } from "./governed-events";
import { beginEventCounting } from "./operations.begin";
import { countStep, reverseEvent } from "./operations.count";
import { EventStep } from "./step";
import { type BudgetCursor, writeCursor } from "./store";

/** The pause before the job looks for new events while budgets count events. */
const lookEveryMs = 20;

/** The pause while none do. The writer wakes the job after its commits. */
const lookIdleMs = 10_000;

/** The events of one step: a few milliseconds. */
const stepEventsMax = 4_096;

/** The sums that end a step: one transaction writes them in some milliseconds. */
const sumsMax = 256;

/** The entities that one transaction creates for events: some milliseconds. */
const createdAtOnce = 8;

const cancellationsAtOnce = 64;

/** After a crash, at most about as many events without budgets are read again. */
const eventsUnwrittenMax = 100_000;

/** Not of one environment: all share one log. */
const everywhere = systemActor("");

const buildLog = (tx: Transaction): LogReader => new LogReader(tx);

/**
 * The job that counts events at budgets, each once. It follows the log in steps. One transaction of the main file counts a step and moves
 * the cursor, so that counters, entries and position agree after a crash. A cancellation is processed after the step of its event.
 */
export class BudgetEvents {
	readonly #thread: JobThread;
	readonly #governed: GovernedEvents;
	/** The stored cursor, or a later one if no budget counts the events after it. */
	#cursor: BudgetCursor | undefined;
	#written: BudgetCursor | undefined;
	#epoch: number | undefined;
	/** Whether budgets count events. */
	#isAny = false;
	/** Entities to create before the next step is read. */
	#named: readonly NamedByEvents[] = [];

	constructor(thread: JobThread) {
		this.#thread = thread;
		this.#governed = new GovernedEvents(thread.transactions);
	}

	/** Returns the pause until the next run, in milliseconds. */
	async run(): Promise<number | undefined> {
		const { turns, isStopping } = this.#thread;
		try {
			for (let hasMore = true; hasMore; ) {
				await turns.next();
				if (isStopping()) return undefined;
				do hasMore = this.#advance();
				while (hasMore && !turns.isOver());
			}
			return this.#isAny ? lookEveryMs : lookIdleMs;
		} catch (error) {
			// The last write may have been rolled back.
			this.#cursor = undefined;
			this.#named = [];
			this.#governed.invalidate();
			throw error;
		}
	}

	/** Creates some entities, processes some cancellations, or counts one step. Returns whether there may be more. */
	#advance(): boolean {
		const cursor = this.#cursor ?? this.#begin();
		this.#followMainFile(cursor);
		return this.#createNamed() || this.#followCancellations(cursor) || this.#step(cursor);
	}

	/** Creates some of the entities that the events of a step name. Returns whether there were any. */
	#createNamed(): boolean {
		const [first] = this.#named;
		if (!first) return false;
		const { environment } = first.customer;
		const next = this.#named.slice(0, createdAtOnce).filter(({ customer }) => customer.environment === environment);
		this.#governed.create(environment.id, next);
		this.#named = this.#named.slice(next.length);
		return true;
	}

	/** Stores the cursor when budgets may have changed: a crash must not repeat the reading of earlier events with later budgets. */
	#followMainFile(cursor: BudgetCursor): void {
		const epoch = this.#thread.transactions.epoch();
		const hasNew = this.#governed.look();
		if (epoch === this.#epoch && !hasNew) return;
		this.#epoch = epoch;
		const wasAny = this.#isAny;
		this.#isAny = this.#governed.isAny;
		if ((wasAny || this.#isAny) && cursor !== this.#written) this.#write(cursor);
	}

	#begin(): BudgetCursor {
		const cursor = beginEventCounting(this.#thread.transactions);
		this.#cursor = cursor;
		this.#written = cursor;
		return cursor;
	}

	#step(cursor: BudgetCursor): boolean {
		const { transactions } = this.#thread;
		const step = new EventStep(this.#governed);
		const upTo = transactions.read(everywhere, (work) => {
			const log = work.prepared(buildLog);
			const last = log.lastEvent();
			if (!this.#isAny || last <= cursor.countedTo) return Math.max(last, cursor.countedTo);
			let readTo = cursor.countedTo;
			for (const slice of log.after(cursor.countedTo, last, stepEventsMax)) {
				step.add(slice, log.canceled.in(slice.block, cursor.canceledTo));
				readTo = slice.block.firstEvent + slice.to - 1;
				if (step.spans.length >= sumsMax) break;
			}
			// A damaged log may have no events between.
			return readTo === cursor.countedTo ? last : readTo;
		});
		if (upTo === cursor.countedTo) return false;
		this.#named = step.named();
		if (this.#named.length > 0) {
			// The step is read again, and then counts at the budgets of the created entities.
			step.clear();
			return true;
		}
		const next = { ...cursor, countedTo: upTo };
		if (step.spans.length === 0) this.#moveOn(next);
		else
			try {
				transactions.writeUsage(everywhere, (work) => {
					countStep(work, step.spans, { after: cursor.countedTo, upTo, canceledTo: cursor.canceledTo });
					writeCursor(work, next);
				});
				this.#cursor = next;
				this.#written = next;
			} finally {
				step.clear();
			}
		this.#governed.trim();
		return this.#isAny;
	}

	/** Processes cancellations. Returns whether there were any. The step of a later event skips it, so its cancellation needs nothing. */
	#followCancellations(cursor: BudgetCursor): boolean {
		const { transactions, turns } = this.#thread;
		const next = transactions.read(everywhere, (work) =>
			cancellationsAfter(work, cursor.canceledTo, cancellationsAtOnce),
		);
		for (const { id, event: position } of next) {
			const after = { ...cursor, canceledTo: id };
			if (position <= cursor.countedTo)
				transactions.writeUsage(everywhere, (work) => {
					if (reverseEvent(work, position, id)) writeCursor(work, after);
				});
			this.#cursor = after;
			if (turns.isOver()) break;
		}
		return next.length > 0;
	}

	/** Moves the cursor past events that no budget counts. It is stored later, because reading them again counts nothing. */
	#moveOn(cursor: BudgetCursor): void {
		this.#cursor = cursor;
		if (cursor.countedTo - (this.#written?.countedTo ?? 0) >= eventsUnwrittenMax) this.#write(cursor);
	}

	#write(cursor: BudgetCursor): void {
		this.#thread.transactions.writeUsage(everywhere, (work) => writeCursor(work, cursor));
		this.#written = cursor;
	}
}
