import type { Database as SqliteFile } from "bun:sqlite";
import { type Clock, wallClock } from "../../../kernel/clock";
import { overwriteDeleted } from "../../../kernel/storage/db";
import type { RetryOptions } from "../archive/retries";
import { EventNames } from "../events/name-counts";
import { type Counting, openCounting } from "./counting";
import { Filling } from "./filling";
import { LogEnd } from "./log-end";
import { Pace } from "./pace";
import { Rebuild, type RebuildOrder } from "./rebuild";
import { RecentWriter } from "./recent-writer";
import { StaleHours } from "./stale-hours";
import type { HourTally } from "./tally";

export interface AggregatorOptions extends RetryOptions {
	/** The data folder. */
	readonly folder: string;
	/** The most events that one transaction counts. Tests set it low, to split the log everywhere. */
	readonly chunkEvents?: number;
	readonly clock?: Clock;
	/** Called when totals have changed, so that caches of them are read again. */
	readonly onChanged?: (of: ChangedTotals) => void;
}

/** The customers whose totals have changed, by row id, or all customers. */
export type ChangedTotals = ReadonlySet<string> | "all";

const nobody: ReadonlySet<string> = new Set();

/** About 30 ms of work, so that readers of the log never keep its write-ahead log open for long. */
const chunkEventsDefault = 10_000;

/**
 * Counts the log of raw events into totals. It is the only writer of usage.db. It reads on from the last counted event,
 * keeps new amounts in memory, and writes them to the totals every few seconds: fewer writes cost less for each event.
 * Between two writes, it publishes these amounts next to the totals (recent.ts).
 *
 * The position in the log commits with the totals up to it. After a crash, counting resumes from there, so every event
 * counts exactly once. Each meter has a position of its own.
 */
export class Aggregator {
	readonly #counting: Counting;
	readonly #rebuild: Rebuild;
	readonly #names: EventNames;
	readonly #end: LogEnd;
	readonly #recent: RecentWriter;
	readonly #filling: Filling;
	readonly #stale: StaleHours;
	readonly #pace = new Pace();
	readonly #onChanged: (of: ChangedTotals) => void;
	readonly #begin;
	readonly #commit;
	readonly #revise;
	readonly #note;
	readonly #selectChanges;
	/** Whether the log may hold uncounted events, and whether the totals may need further steps. */
	#hasMoreEvents = true;
	#hasMoreTotals = true;
	/** The state of the main file before the last write. Another state may bring new meters, customers or sales. */
	#wroteAt: number | undefined;

	constructor({
		folder,
		chunkEvents = chunkEventsDefault,
		clock = wallClock,
		onChanged = () => {},
		...retry
	}: AggregatorOptions) {
		const counting = openCounting({ folder, clock, chunkEvents, ...retry });
		const { usage, counters, subjects } = counting;
		this.#counting = counting;
		this.#onChanged = onChanged;
		this.#rebuild = new Rebuild(usage, counters);
		this.#names = new EventNames(usage, (customer) => subjects.owner(customer).environmentId);
		this.#end = new LogEnd(counting, this.#names);
		this.#recent = new RecentWriter(usage);
		this.#filling = new Filling(counting, this.#rebuild);
		this.#stale = new StaleHours(counting, this.#end);
		this.#begin = usage.prepare("BEGIN");
		this.#commit = usage.prepare("COMMIT");
		this.#revise = usage.prepare("UPDATE usage_cursor SET revision = revision + 1 WHERE id = 1");
		this.#note = usage.prepare<unknown, [number]>("UPDATE usage_subjects SET replaced = replaced + 1 WHERE id = ?");
		this.#selectChanges = usage.prepare<{ rows: number }, []>("SELECT total_changes() AS rows");
	}

	/** Whether a write is due: memory is full, or the pause after the last write is over. */
	isWriteDue(): boolean {
		return this.#end.isLarge || this.#filling.isWriteDue || this.#pace.isWriteDue;
	}

	/** Whether counted amounts are due to be published, in the totals or next to them. */
	isPublishDue(): boolean {
		return this.#pace.isPublishDue || this.isWriteDue();
	}

	/** Whether the past of the log is being counted, for a new meter or a rebuild. */
	get isFilling(): boolean {
		return this.#filling.countedTo !== undefined && !this.#filling.isResting;
	}

	/** Whether old events are being fetched: no message announces their arrival. */
	get isAwaitingFile(): boolean {
		return this.#counting.retries.isAwaitingFile;
	}

	/** Counts and writes, in one short transaction; returns whether more may be left. */
	step(): boolean {
		const counted = this.count();
		return this.write() || counted;
	}

	/** Counts until nothing is left. */
	run(): void {
		while (this.step());
	}

	/** Counts in memory, one chunk of the end of the log and one of its past; returns whether more may be left. */
	count(): boolean {
		// One transaction for all reads: otherwise each read takes locks of its own.
		this.#begin.run();
		try {
			this.#hasMoreEvents = this.#countEnd();
			return this.#countPast() || this.#hasMoreEvents;
		} finally {
			this.#commit.run();
		}
	}

	/**
	 * Publishes counted amounts: in the totals if they are due and may be written, otherwise next to them. Returns as
	 * `write`.
	 */
	show(mayWrite = true): boolean {
		const { isPosted, isLarge, countedTo } = this.#end;
		const { counters, retries, epochOf } = this.#counting;
		const hasOther = this.#hasMoreTotals || counters.hasMet || this.#stale.isDue || retries.isDue;
		const hasMainChanged = epochOf() !== this.#wroteAt;
		if (isPosted && !hasOther && !hasMainChanged) return false;
		const isDue = hasMainChanged ? this.#pace.isFollowingDue : this.#pace.areTotalsDue;
		if (mayWrite && (isPosted || isLarge || isDue || hasOther || this.#recent.isFull)) return this.write();
		const isShown = isPosted || countedTo <= this.#recent.to || this.#publish();
		return mayWrite ? !isShown && this.write() : true;
	}

	/**
	 * Writes counted amounts to the totals, follows the catalog, and advances all work that does not belong to the end
	 * of the log; returns whether more of that work may be left.
	 */
	write(): boolean {
		// Amounts that were published before a crash are counted first.
		if (this.#end.countedTo < this.#recent.to && this.#hasMoreEvents) return true;
		const { log, subjects, counters, retries, epochOf, chunkEvents } = this.#counting;
		const epoch = epochOf();
		// A change of all customers also names these customers: subscribers that follow everyone look at them first.
		let first = nobody;
		this.#hasMoreTotals = this.#transact("totals", () => {
			// The end of the log comes first: a new meter with a long past must not delay all others.
			const customers = this.#writeEnd();
			const { postedTo } = this.#end;
			const named = retries.attempt("the names", () => this.#names.catchUp(log, postedTo, chunkEvents));
			this.#names.save();
			const beforeOthers = this.#totalChanges();
			counters.follow();
			const hasCustomers = subjects.followCustomers(epoch);
			subjects.save();
			const recounted = this.#recount();
			const others = this.#totalChanges() > beforeOthers;
			const tookOver = this.#fill();
			const isForAll = others || tookOver;
			// Readers use neither deleted totals nor totals that are still being filled.
			const deleted = counters.deleteRetired(chunkEvents);
			const hasFormer = this.#rebuild.deleteFormerIndex(chunkEvents);
			if (isForAll) this.#revise.run();
			if (isForAll) first = customers;
			return {
				changed: isForAll ? "all" : customers,
				result: named === true || this.isFilling || hasCustomers || recounted || deleted || hasFormer,
			};
		});
		this.#wroteAt = epoch;
		if (first.size > 0) this.#onChanged(first);
		return this.#hasMoreTotals;
	}

	/** Begins to count totals again, next to the present totals; continues a task that has begun. */
	rebuild(order: RebuildOrder): void {
		this.#transact("next to them", () => {
			this.#rebuild.begin(order);
			return { changed: nobody, result: undefined };
		});
		this.#hasMoreTotals = true;
	}

	/** Whether the past of the log is not fully counted, even if the counting pauses. */
	get isBehind(): boolean {
		return this.#filling.countedTo !== undefined;
	}

	/** Discards what was read of the log, here and in readers: its blocks have been rewritten. */
	discardBlocks(): void {
		this.#transact("next to them", () => {
			this.#counting.log.discard();
			this.#stale.restart();
			this.#revise.run();
			return { changed: nobody, result: undefined };
		});
	}

	/** Changes members of a subject's sets in one transaction; readers discard what they hold in memory of them. */
	changeMembers<T>(subjectId: number, change: (usage: SqliteFile) => T): T {
		const { usage, totals } = this.#counting;
		overwriteDeleted(usage);
		return this.#transact("totals", () => {
			const result = change(usage);
			this.#note.run(subjectId);
			this.#revise.run();
			totals.discard();
			this.#stale.restart();
			return { changed: "all", result };
		});
	}

	/**
	 * Rewrites the file after an erasure, if it has value sets: SQLite moves rows between pages when one changes, and leaves copies in their
	 * free space, which `overwriteDeleted` does not reach.
	 */
	rewriteFile(): void {
		const { usage } = this.#counting;
		if (usage.query("SELECT 1 FROM usage_values LIMIT 1").get() !== null) usage.run("VACUUM");
	}

	/** Returns the progress of a rebuild task; undefined if another task has begun since. */
	progressOf(taskId: string): ReturnType<Rebuild["progressOf"]> {
		return this.#rebuild.progressOf(taskId);
	}

	/**
	 * Returns the number of events between the totals and the end of the log, for the meter that is furthest behind.
	 */
	lag(): number {
		return this.#counting.log.lastEvent() - Math.min(this.#recent.to, this.#filling.countedTo ?? this.#recent.to);
	}

	close(): void {
		this.#counting.usage.close();
		this.#counting.main.close();
	}

	#countEnd(): boolean {
		// The end of the log is read first, so that no earlier sale is missed.
		const hasEvents = this.#counting.log.lastEvent() > this.#end.countedTo;
		if (!hasEvents || !this.#stale.hasNewCuts()) return this.#end.count();
		this.#hasMoreTotals = true;
		return true;
	}

	/** Returns whether the amounts can be published next to the totals. */
	#publish(): boolean {
		const { postedTo, countedTo, tally } = this.#end;
		return this.#transact("next to them", () => {
			if (!this.#recent.show(tally, postedTo, countedTo)) return { changed: nobody, result: false };
			const tookOver = this.#counting.subjects.save();
			this.#counting.cuts.save();
			const changed = customersOf(tally.fresh).union(tookOver);
			tally.havePublished();
			return { changed, result: true };
		});
	}

	/** Returns the customers whose totals have changed since they were published. */
	#writeEnd(): ReadonlySet<string> {
		const { isPosted, postedTo, countedTo, tally } = this.#end;
		const customers = customersOf(tally.fresh);
		if (isPosted) return customers;
		// Readers of the present totals need not read the new totals.
		if (countedTo > this.#recent.to) this.#recent.show(tally, postedTo, countedTo);
		const tookOver = this.#end.write();
		this.#recent.haveTotals(postedTo);
		return customers.union(tookOver);
	}

	/** Counts the past of the log; it pauses during a recount. */
	#countPast(): boolean {
		return !this.#stale.isRecounting && this.#filling.count(this.#end.postedTo);
	}

	/** Recounts stale hours; returns whether there may be more. */
	#recount(): boolean {
		this.#stale.followSales();
		if (!this.#stale.isDue) return false;
		// A recount needs the totals of the past as far as they have come.
		if (!this.#stale.isRecounting) this.#filling.write(this.#end.postedTo);
		this.#stale.step();
		return true;
	}

	/** Writes counted amounts of the past when due; returns whether a counter has taken over. */
	#fill(): boolean {
		const { postedTo } = this.#end;
		return this.#countPast() && this.#filling.isWriteDue && this.#filling.write(postedTo);
	}

	/** Runs one transaction. The next one waits in proportion to its duration. */
	#transact<T>(
		what: "totals" | "next to them",
		body: () => { readonly changed: ChangedTotals; readonly result: T },
	): T {
		const { usage } = this.#counting;
		const beganAtMs = performance.now();
		usage.run("BEGIN IMMEDIATE");
		try {
			const { changed, result } = body();
			this.#commit.run();
			if (changed === "all" || changed.size > 0) this.#onChanged(changed);
			this.#pace.wrote(what, beganAtMs);
			return result;
		} catch (error) {
			if (usage.inTransaction) usage.run("ROLLBACK");
			this.#discard();
			throw error;
		}
	}

	/** Discards memory after a rollback: unwritten amounts are counted again from the log. */
	#discard(): void {
		const { subjects, cuts, totals, cancellations, counters, retries } = this.#counting;
		this.#hasMoreEvents = true;
		this.#hasMoreTotals = true;
		for (const one of [this.#end, this.#names, this.#filling, this.#stale]) one.discard();
		for (const one of [subjects, cuts, totals, cancellations]) one.discard();
		this.#recent.discard();
		counters.reload();
		this.#rebuild.reload();
		retries.discardAll();
	}

	#totalChanges(): number {
		return this.#selectChanges.get()?.rows ?? 0;
	}
}

/** Returns the customers of hours, by row id. */
const customersOf = (hours: readonly HourTally[]): ReadonlySet<string> =>
	new Set(hours.map(({ customerId }) => customerId));
