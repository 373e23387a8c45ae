import type { Log } from "../../../http/log";
import type { Instant } from "../../../kernel/clock";
import { workAt } from "../../../kernel/work";
import type { JobThread } from "../../../tasks/job";
import { systemActor } from "../../access/rules.actors";
import { usageProgress } from "../../usage/operations";
import { type ChangedSubject, subjectsChanged } from "../../usage/operations.changed";
import { LoweredTotals } from "./lowered-totals";
import { examine, invoiceReached, type Reached } from "./operations";
import { checkTimeOf, type EnvironmentTime } from "./rules";
import { deleteCursor, readCursor, selectDue, selectEnvironments, writeCursor } from "./store";
import { markCustomer } from "./store.marks";
import type { SpendCheckRow } from "./table";

/** The pause before the job looks for newly counted usage and due checks. */
const lookEveryMs = 100;

/** One transaction looks up their customers in a few milliseconds. */
const eventsAtOnce = 512;

/** The customers that end a step. */
const subjectsMax = 256;

/** The checks of an environment, before those of the next one. */
const checksAtOnce = 16;

/** Not of one environment: all share one log. */
const everywhere = systemActor("");

interface State {
	/** The environments with thresholds, and their time. */
	readonly environments: ReadonlyMap<string, EnvironmentTime>;
	readonly counted: number;
	readonly cursor: number | undefined;
}

/**
 * The job that invoices usage at a threshold, and usage that each event charges. It marks the subscriptions of customers with newly counted
 * events, and compares those that are marked. One transaction marks and moves the position in the log; one issues the invoice and deletes
 * the mark. Where negative values have lowered a total, the first one stores how high it was.
 */
export class SpendThresholds {
	readonly #thread: JobThread & { readonly log: Log };
	readonly #lowered: LoweredTotals;
	/** Undefined: as stored. The stored position waits for lowered totals. */
	#readTo: number | undefined;

	constructor(thread: JobThread & { readonly log: Log }) {
		this.#thread = thread;
		this.#lowered = new LoweredTotals(thread.transactions);
	}

	/** Returns the pause until the next run; undefined while there are no thresholds. */
	async run(): Promise<number | undefined> {
		try {
			return await this.#follow();
		} catch (error) {
			// The last write may have been rolled back.
			this.#forget();
			throw error;
		}
	}

	async #follow(): Promise<number | undefined> {
		const { transactions, turns, isStopping } = this.#thread;
		for (;;) {
			await turns.next();
			if (isStopping()) return undefined;
			const state = transactions.read(everywhere, stateOf);
			if (state.environments.size === 0) {
				this.#forget();
				// Usage from before the next threshold is compared with it once, when it is set.
				if (state.cursor !== undefined) transactions.writeUsage(everywhere, deleteCursor);
				return undefined;
			}
			const hasMoreEvents = this.#mark(state);
			const hasMoreChecks = this.#carryOut(state);
			if (!hasMoreEvents && !hasMoreChecks) return lookEveryMs;
		}
	}

	/** Marks customers with newly counted events for one time slice. Returns whether there may be more. */
	#mark({ environments, counted, cursor }: State): boolean {
		const { transactions, turns } = this.#thread;
		let readTo = this.#readTo ?? cursor ?? counted;
		const subjects: ChangedSubject[] = [];
		const timeOf = (environmentId: string, at: Instant): Instant => {
			const time = environments.get(environmentId);
			return time ? checkTimeOf(at, time) : at;
		};
		while (readTo < counted && subjects.length < subjectsMax && !turns.isOver()) {
			const part = { after: readTo, upTo: counted, eventsMax: eventsAtOnce };
			const read = transactions.read(everywhere, (work) => subjectsChanged(work, part, environments, timeOf));
			subjects.push(...read.subjects);
			this.#lowered.collect({ after: readTo, upTo: read.readTo }, environments);
			readTo = Math.max(read.readTo, readTo + 1);
		}
		this.#readTo = readTo;
		if (readTo === cursor) return readTo < counted;
		let isOutdated = false;
		const isStored = transactions.writeUsage(everywhere, (work) => {
			for (const { environmentId, customerId, examineAt } of subjects)
				if (examineAt !== undefined) markCustomer(work, environmentId, customerId, examineAt);
			if (this.#lowered.isPending) {
				// The present totals count further events.
				if (usageProgress(work).counted !== readTo) return false;
				isOutdated = !this.#lowered.save(work, environments);
				if (isOutdated) return false;
			}
			writeCursor(work, readTo);
			return true;
		});
		if (isOutdated) this.#forget();
		else if (isStored) this.#lowered.clear();
		return readTo < counted || !isStored;
	}

	/** Returns to the stored position. */
	#forget(): void {
		this.#readTo = undefined;
		this.#lowered.clear();
	}

	/** Compares marked subscriptions for one time slice. Returns whether there may be more. */
	#carryOut({ environments }: State): boolean {
		const { transactions, turns } = this.#thread;
		const due = transactions.read(everywhere, (work) =>
			[...environments].flatMap(([id, { now }]) => selectDue(work, id, now, checksAtOnce)),
		);
		for (const check of due) {
			if (turns.isOver()) break;
			this.#carryOutOne(check);
		}
		// A failed check is due later.
		return due.length > 0;
	}

	/** Both transactions are in the group of this turn, and see the same usage. Only an invoice changes the epoch. */
	#carryOutOne(check: SpendCheckRow): void {
		const { transactions, log } = this.#thread;
		const { environmentId, subscriptionId } = check;
		const actor = systemActor(environmentId);
		const { reached, failed, at } = transactions.writeUsage(actor, (work) => ({
			...examine(work, check),
			at: work.now,
		}));
		const failure = reached ? this.#invoice(check, reached, at) : failed;
		if (failure)
			log.error({ environmentId, subscriptionId, err: failure.failure }, "usage at a threshold could not be invoiced");
	}

	#invoice(check: SpendCheckRow, reached: Reached, at: Instant) {
		return this.#thread.transactions.write(systemActor(check.environmentId), (work) => {
			work.cause.operation = "scheduler.BILL_THRESHOLD";
			return invoiceReached(workAt(work, at), check, reached);
		});
	}
}

function stateOf(work: Parameters<typeof readCursor>[0]): State {
	const environments = new Map(
		selectEnvironments(work).map(({ id, clockAt }) => [
			id,
			{ now: clockAt ?? work.machineNow, isFrozen: clockAt !== null },
		]),
	);
	return { environments, counted: usageProgress(work).counted, cursor: readCursor(work) };
}
