import type { Database as SqliteFile } from "bun:sqlite";
import { type Clock, wallClock } from "../../../kernel/clock";
import { openFile } from "../../../kernel/db";
import { newUuidV7 } from "../../../kernel/ids";
import type { FileUnreadable } from "../../../kernel/storage";
import { openTransactions } from "../../../kernel/transactions";
import type { Database } from "../../../kernel/work";
import { testClocksIn } from "../../access/operations.clocks";
import { LogReader, type LogSlice } from "../log/log-reader";
import type { RecentHour } from "../table.usage";
import { Corrections } from "./corrections";
import { Counters } from "./counters";
import { Cuts } from "./cuts";
import { EventNames } from "./event-names";
import { Filling } from "./filling";
import { LateCuts } from "./late-cuts";
import { Rebuild, type RebuildOrder } from "./rebuild";
import { describeRecent } from "./recent";
import { type CountersOf, countSlice } from "./slice-count";
import { Subjects } from "./subjects";
import { type HourTally, Tally } from "./tally";
import { Totals } from "./totals";

export interface AggregatorOptions {
	/** The data folder. */
	readonly folder: string;
	/** Events that one transaction takes at most. Tests make it small, to cut the log everywhere. */
	readonly chunkEvents?: number;
	readonly clock?: Clock;
	/** The totals have changed: what is remembered of them is asked for anew. */
	readonly onChanged?: (of: ChangedTotals) => void;
	/** The past of the log cannot be read now, and is counted later; the end of it goes on. Thrown when left out. */
	readonly onUnreadable?: (error: FileUnreadable) => void;
}

/** Whose totals have changed: the row ids of customers, or anybody's. */
export type ChangedTotals = ReadonlySet<string> | "all";

const nobody: ReadonlySet<string> = new Set();

/** Our choice: some 30 ms of work, so that readers of the log never hold its write-ahead log open for long. */
const chunkEventsDefault = 10_000;

/** Our choices: what is counted in memory until it is written, some 60 MB. */
const tallyHoursMax = 100_000;
const tallyEventsMax = 2_000_000;

/** Our choice: writing takes a third of the time at most, and so often that what is counted can soon be read. */
const restsPerWrite = 2;
const restMsMin = 20;
const restMsMax = 3_000;

/** Our choices: how often the totals are written at most, and how many hours of subjects stand beside them, some 5 MB. */
const totalsEveryMs = 1_000;
const recentHoursMax = 20_000;

/** Our choice: pages of usage.db that are kept in memory; what a hundred thousand customers change together. */
const pagesKiBMax = 32 * 1024;

/** A row of `usage_unattributed`. */
interface PendingRow {
	readonly customer: number;
	readonly event_id: number;
}

/**
 * Turns the log of raw events into totals; the only writer of usage.db. It reads on from the end of what it has counted,
 * keeps what that adds in memory, and writes it to the totals now and then: the fewer the writes, the less each event costs.
 * Meanwhile it is shown beside them (recent.ts). The position in the log commits with the totals up to it: after a crash it
 * goes on where they stand, so that every event counts exactly once. Each meter has a position of its own.
 */
export class Aggregator {
	readonly #usage: SqliteFile;
	readonly #main: Database;
	readonly #counters: Counters;
	readonly #rebuild: Rebuild;
	readonly #filling: Filling;
	readonly #subjects: Subjects;
	readonly #totals: Totals;
	readonly #cuts: Cuts;
	readonly #lateCuts: LateCuts;
	readonly #corrections: Corrections;
	readonly #names: EventNames;
	readonly #clock: Clock;
	readonly #log: LogReader;
	readonly #chunkEvents: number;
	readonly #onChanged: (of: ChangedTotals) => void;
	readonly #begin;
	readonly #commit;
	readonly #revise;
	readonly #addRecent;
	readonly #mainVersion;
	readonly #readPending;
	readonly #nextPending;
	readonly #addPending;
	/** Up to which event the totals in the file count. */
	#postedTo: number;
	/** What was counted since then, and up to which event. */
	readonly #tally: Tally;
	#countedTo: number;
	/** Up to which event what was counted can be read. Once; so it is never shown to be less. */
	#shownTo: number;
	/** Events since then whose customer does not exist. */
	#early: PendingRow[] = [];
	/** Whether there may be more in the log than was counted, and more to do for the totals than was done. */
	#hasMoreEvents = true;
	#hasMoreTotals = true;
	#pendingEpoch: number | undefined;
	#soldEpoch: number | undefined;
	/** The main file's, before the totals were written last: where it is another, there may be something to follow. */
	#wroteAt: number | undefined;
	/** On the monotonic clock. */
	#writeDueMs = Number.NEGATIVE_INFINITY;
	#totalsDueMs = Number.NEGATIVE_INFINITY;

	constructor({
		folder,
		chunkEvents = chunkEventsDefault,
		clock = wallClock,
		onChanged = () => {},
		onUnreadable,
	}: AggregatorOptions) {
		this.#onChanged = onChanged;
		const usage = openFile(folder, "usage", ["events"]);
		this.#usage = usage.$client;
		this.#log = new LogReader(usage);
		// What a power cut takes from this file is counted again from the log, whose commits are on disk before they can be
		// read: the cursor and the totals go back together. So the flush at each commit is spared.
		this.#usage.run("PRAGMA main.synchronous = NORMAL");
		this.#usage.run(`PRAGMA main.cache_size = -${pagesKiBMax}`);
		this.#main = openFile(folder, "main");
		this.#main.$client.run("PRAGMA query_only = ON");
		const transactions = openTransactions({
			db: this.#main,
			clock,
			testClocks: testClocksIn,
			newId: newUuidV7,
			wake: () => {},
		});
		this.#chunkEvents = chunkEvents;
		this.#usage.run("INSERT OR IGNORE INTO usage_cursor (id, counted_to, revision) VALUES (1, 0, 0)");
		this.#postedTo = this.#readCursor();
		this.#countedTo = this.#postedTo;
		this.#shownTo = this.#readShown();
		this.#counters = new Counters(this.#usage, transactions, () => this.#epoch());
		this.#subjects = new Subjects(this.#usage, this.#main.$client);
		this.#rebuild = new Rebuild(this.#usage, this.#counters);
		this.#totals = new Totals(this.#usage);
		this.#names = new EventNames(this.#usage, (customer) => this.#subjects.owner(customer).environmentId);
		this.#cuts = new Cuts(this.#usage, this.#main.$client);
		this.#tally = new Tally(this.#cuts.opening);
		this.#clock = clock;
		const isWaiting = this.#usage.prepare<unknown, [number, number]>(
			"SELECT 1 FROM usage_unattributed WHERE customer = ? AND event_id = ?",
		);
		const isPending = (customer: number, event: number): boolean => isWaiting.get(customer, event) !== null;
		const files = { usage: this.#usage, main: this.#main.$client, log: this.#log };
		const counting = { subjects: this.#subjects, cuts: this.#cuts, totals: this.#totals };
		this.#corrections = new Corrections({ ...files, ...counting, counters: this.#counters, isPending });
		const { correctedTo } = this.#corrections;
		const isCounted = (subjectId: number, hour: number) => this.#tally.has(subjectId, hour);
		this.#lateCuts = new LateCuts({ ...files, ...counting, isCounted, correctedTo }, clock.now());
		this.#begin = this.#usage.prepare("BEGIN");
		this.#commit = this.#usage.prepare("COMMIT");
		this.#revise = this.#usage.prepare("UPDATE usage_cursor SET revision = revision + 1 WHERE id = 1");
		this.#addRecent = this.#usage.prepare<unknown, [number, string]>(
			"INSERT INTO usage_recent (up_to, hours) VALUES (?, ?)",
		);
		this.#mainVersion = this.#main.$client.prepare<{ data_version: number }, []>("PRAGMA data_version");
		this.#readPending = this.#usage.prepare<PendingRow, [number, number]>(
			"SELECT customer, event_id FROM usage_unattributed WHERE customer = ? ORDER BY event_id LIMIT ?",
		);
		this.#nextPending = this.#usage.prepare<{ customer: number }, [number]>(
			"SELECT customer FROM usage_unattributed WHERE customer > ? ORDER BY customer LIMIT 1",
		);
		this.#filling = new Filling({
			...counting,
			...{ log: this.#log, counters: this.#counters, rebuild: this.#rebuild, chunkEvents },
			...{ isPending, correctedTo, onUnreadable },
		});
		this.#addPending = this.#usage.prepare<unknown, [number, number]>(
			"INSERT INTO usage_unattributed (customer, event_id) VALUES (?, ?)",
		);
	}

	/** Whether it is time to write: enough was counted, or enough time has passed for what the last write has taken. */
	isWriteDue(): boolean {
		const isLarge =
			this.#names.isFull ||
			this.#tally.size >= tallyHoursMax ||
			this.#countedTo - this.#postedTo + this.#early.length >= tallyEventsMax;
		return isLarge || this.#filling.isWriteDue || performance.now() >= this.#writeDueMs;
	}

	/** Whether a past of the log is being counted, for a new meter or anew. */
	get isFilling(): boolean {
		return this.#filling.countedTo !== undefined && !this.#filling.isResting;
	}

	/** Counts on and writes it: one short transaction. Answers whether there may be more. */
	step(): boolean {
		const counted = this.count();
		return this.write() || counted;
	}

	/** Counts on in memory, the end of the log and its past by a chunk each; answers whether there may be more. */
	count(): boolean {
		// In one transaction: else each look takes the locks of its own.
		this.#begin.run();
		try {
			this.#hasMoreEvents = this.#countEnd();
			return this.#filling.count(this.#postedTo) || this.#hasMoreEvents;
		} finally {
			this.#commit.run();
		}
	}

	/** Counts anew beside what answers; where this task has begun, it goes on. */
	rebuild(order: RebuildOrder): void {
		this.#transact(0, () => {
			this.#rebuild.begin(order);
			return { changed: nobody, result: undefined };
		});
		this.#hasMoreTotals = true;
	}

	/** How far a task has come that counts anew; undefined when another was begun since. */
	progressOf(taskId: string): ReturnType<Rebuild["progressOf"]> {
		return this.#rebuild.progressOf(taskId);
	}

	#countEnd(): boolean {
		const before = this.#countedTo;
		if (this.#hasSales(this.#log.lastEvent())) return true;
		for (const slice of this.#log.after(before, Number.MAX_SAFE_INTEGER, this.#chunkEvents)) {
			if (!this.#hasMet(slice)) {
				this.#hasMoreTotals = true;
				return true;
			}
			const canceled = this.#log.canceledOf(slice.block, this.#corrections.correctedTo());
			const countersOf: CountersOf = (owner, customer, event) => {
				if (owner.customerId !== undefined) return this.#counters.live(owner.environmentId);
				this.#early.push({ customer, event_id: event });
				return undefined;
			};
			countSlice(slice, this.#tally, this.#subjects, countersOf, canceled);
			this.#names.add(slice);
			this.#countedTo = slice.block.firstEvent + slice.to - 1;
		}
		return this.#countedTo > before;
	}

	/** Makes what was counted readable: in the totals when it is time for them, else beside them. Answers as `write`. */
	show(): boolean {
		const isIdle = this.#countedTo === this.#postedTo;
		const hasOther = this.#hasMoreTotals || this.#corrections.isDue;
		if (isIdle && !hasOther && this.#epoch() === this.#wroteAt) return false;
		const isLarge = this.#names.isFull || this.#tally.size >= recentHoursMax;
		const isDue = isLarge || performance.now() >= this.#totalsDueMs;
		if (isIdle || isDue || hasOther) return this.write();
		const hours = describeRecent(this.#tally.fresh);
		if (!hours) return this.write();
		if (this.#countedTo > this.#shownTo) this.#showBeside(hours);
		return false;
	}

	/**
	 * Writes what was counted to the totals, follows the catalogue, and goes on with what does not belong to the end of the
	 * log; answers whether there may be more of that.
	 */
	write(): boolean {
		// What was shown before a crash has to be counted first.
		if (this.#countedTo < this.#shownTo && this.#hasMoreEvents) return true;
		const epoch = this.#epoch();
		this.#hasMoreTotals = this.#transact(totalsEveryMs, () => {
			const before = this.#totalChanges();
			// The end of the log first: a new meter that counts a long past must not hold up all the others.
			const customers = this.#writeCounted();
			const named = this.#names.catchUp(this.#log, this.#postedTo, this.#chunkEvents);
			this.#names.save();
			const beforeOthers = this.#totalChanges();
			this.#counters.follow();
			const attributed = this.#attribute();
			const corrected = this.#correct();
			const others = this.#totalChanges() > beforeOthers;
			const tookOver = this.#fill();
			const { isFilling } = this;
			const isBehind = this.#filling.countedTo !== undefined;
			const beforeCut = this.#totalChanges();
			const cut = this.#cutLate(isBehind || tookOver || attributed || corrected) && (isFilling || !isBehind);
			const isForAll = others || tookOver || this.#totalChanges() > beforeCut;
			// Nobody reads what is deleted, nor what is not yet in its place.
			const deleted = this.#counters.deleteRetired(this.#chunkEvents);
			const hasFormer = this.#rebuild.deleteFormerIndex(this.#chunkEvents);
			if (isForAll || beforeOthers > before) this.#revise.run();
			return {
				changed: isForAll ? "all" : customers,
				result: named || isFilling || attributed || corrected || cut || deleted || hasFormer,
			};
		});
		this.#wroteAt = epoch;
		return this.#hasMoreTotals;
	}

	#showBeside(hours: readonly RecentHour[]): void {
		this.#transact(0, () => {
			this.#subjects.save();
			this.#cuts.save();
			this.#addRecent.run(this.#countedTo, JSON.stringify(hours));
			this.#revise.run();
			const changed = customersOf(this.#tally.fresh);
			this.#shownTo = this.#countedTo;
			this.#tally.haveShown();
			return { changed, result: undefined };
		});
	}

	/** One transaction; after it rests, for as long as it has taken. */
	#transact<T>(totalsMs: number, body: () => { readonly changed: ChangedTotals; readonly result: T }): T {
		const beganAtMs = performance.now();
		this.#usage.run("BEGIN IMMEDIATE");
		try {
			const { changed, result } = body();
			this.#commit.run();
			if (changed === "all" || changed.size > 0) this.#onChanged(changed);
			const endedAtMs = performance.now();
			const restMs = Math.min(restMsMax, (endedAtMs - beganAtMs) * restsPerWrite);
			this.#writeDueMs = endedAtMs + Math.max(restMsMin, restMs);
			if (totalsMs > 0) this.#totalsDueMs = endedAtMs + Math.max(totalsMs, restMs);
			return result;
		} catch (error) {
			if (this.#usage.inTransaction) this.#usage.run("ROLLBACK");
			this.#forget();
			throw error;
		}
	}

	/** Until nothing is left to count. */
	run(): void {
		while (this.step());
	}

	/** How many events the totals are behind the log; the longest way that any meter has to go. */
	lag(): number {
		return this.#log.lastEvent() - Math.min(this.#shownTo, this.#filling.countedTo ?? this.#shownTo);
	}

	close(): void {
		this.#usage.close();
		this.#main.$client.close();
	}

	/**
	 * Whether there are hours to be cut by what was sold before these events came: that goes first, since what lies before the
	 * cut costs nothing as long as nothing behind it was counted. The end of the log is read first, so that no sale is missed.
	 */
	#hasSales(lastEvent: number): boolean {
		if (lastEvent === this.#countedTo || this.#lateCuts.isWaiting || this.#epoch() === this.#soldEpoch) return false;
		this.#lookForSales();
		this.#hasMoreTotals ||= this.#lateCuts.isWaiting;
		return this.#lateCuts.isWaiting;
	}

	#lookForSales(): void {
		const epoch = this.#epoch();
		if (epoch !== this.#soldEpoch && !this.#lateCuts.look(this.#clock.now())) this.#soldEpoch = epoch;
	}

	/**
	 * Whether all meters that may count these events are known. An environment that nobody has looked at is looked at by the
	 * next write, which empties the tally: a meter begins between two writes, never within.
	 */
	#hasMet({ block, from, to }: LogSlice): boolean {
		let hasMet = true;
		let last: string | undefined;
		for (let index = from; index < to; index += 1) {
			const { environmentId } = this.#subjects.owner(block.customer(index));
			if (environmentId === last) continue;
			last = environmentId;
			hasMet = this.#counters.meet(environmentId) && hasMet;
		}
		return hasMet;
	}

	/** Answers for which customers. */
	#writeCounted(): ReadonlySet<string> {
		const customers = customersOf(this.#tally.fresh);
		if (this.#countedTo === this.#postedTo) return customers;
		const hours = this.#tally.sorted();
		this.#subjects.save();
		this.#cuts.save();
		this.#totals.post(hours);
		this.#totals.add(hours);
		for (const { customer, event_id } of this.#early) this.#addPending.run(customer, event_id);
		this.#counters.advanceLive(this.#countedTo);
		this.#usage.query("UPDATE usage_cursor SET counted_to = ? WHERE id = 1").run(this.#countedTo);
		this.#usage.query("DELETE FROM usage_recent").run();
		this.#postedTo = this.#countedTo;
		this.#shownTo = this.#countedTo;
		this.#tally.clear();
		this.#early = [];
		return customers;
	}

	/** After a rollback: what was not written is counted again from the log. */
	#forget(): void {
		this.#postedTo = this.#readCursor();
		this.#countedTo = this.#postedTo;
		this.#shownTo = this.#readShown();
		this.#hasMoreEvents = true;
		this.#hasMoreTotals = true;
		this.#tally.clear();
		this.#early = [];
		this.#subjects.forget();
		this.#cuts.forget();
		this.#lateCuts.forget(this.#clock.now());
		this.#soldEpoch = undefined;
		this.#totals.forget();
		this.#names.forget();
		this.#corrections.forget();
		this.#counters.reload();
		this.#rebuild.reload();
		this.#filling.forget();
		this.#pendingEpoch = undefined;
	}

	/** Follows cancellations of events; answers whether there may be more. */
	#correct(): boolean {
		if (!this.#corrections.isDue) return false;
		// What counts the past may have counted in memory what was taken back since.
		this.#filling.write(this.#postedTo);
		this.#corrections.step(this.#postedTo, this.#chunkEvents);
		return true;
	}

	/** Writes what was counted of the past of the log, when it is time; answers whether any counter has taken over. */
	#fill(): boolean {
		return this.#filling.count(this.#postedTo) && this.#filling.isWriteDue && this.#filling.write(this.#postedTo);
	}

	/** Counts events that have waited for a customer which exists by now. */
	#attribute(): boolean {
		const epoch = this.#epoch();
		if (epoch === this.#pendingEpoch) return false;
		for (let after = 0; ; ) {
			const pending = this.#nextPending.get(after)?.customer;
			if (pending === undefined) break;
			after = pending;
			if (this.#subjects.owner(pending).customerId === undefined) continue;
			this.#attributeTo(this.#readPending.all(pending, this.#chunkEvents));
			return true;
		}
		this.#pendingEpoch = epoch;
		return false;
	}

	/** Events of one customer. */
	#attributeTo(rows: readonly PendingRow[]): void {
		// What counts the past has passed some of them, and is to be asked how far it has come.
		this.#filling.write(this.#postedTo);
		const tally = new Tally(this.#cuts.opening);
		for (const { event_id } of rows) {
			const block = this.#log.blockOf(event_id);
			const from = event_id - block.firstEvent;
			countSlice(
				{ block, from, to: from + 1 },
				tally,
				this.#subjects,
				({ environmentId }) => this.#counters.past(environmentId, event_id),
				this.#log.canceledOf(block, this.#corrections.correctedTo()),
			);
		}
		const hours = tally.sorted();
		this.#subjects.save();
		this.#cuts.save();
		this.#totals.post(hours);
		this.#rebuild.addPassed(hours);
		this.#totals.add(hours);
		const last = rows.at(-1);
		if (last)
			this.#usage
				.query("DELETE FROM usage_unattributed WHERE customer = ? AND event_id <= ?")
				.run(last.customer, last.event_id);
	}

	/** Cuts hours by what was sold after their first events; waits while others count what it would have to count too. */
	#cutLate(hasMoved: boolean): boolean {
		this.#lookForSales();
		if (hasMoved) {
			this.#lateCuts.restart();
			return true;
		}
		return this.#lateCuts.step((environmentId) => this.#counters.live(environmentId), this.#chunkEvents);
	}

	/**
	 * Changes whenever the main file has changed. Asked anew each time: the transactions' own epoch stands still until the thread
	 * has paused, and a step must see what was committed just before it.
	 */
	#epoch(): number {
		return this.#mainVersion.get()?.data_version ?? 0;
	}

	#totalChanges(): number {
		return this.#usage.query<{ rows: number }, []>("SELECT total_changes() AS rows").get()?.rows ?? 0;
	}

	#readShown(): number {
		const row = this.#usage.query<{ up_to: number | null }, []>("SELECT max(up_to) AS up_to FROM usage_recent").get();
		return Math.max(this.#postedTo, row?.up_to ?? 0);
	}

	#readCursor(): number {
		return (
			this.#usage.query<{ counted_to: number }, []>("SELECT counted_to FROM usage_cursor WHERE id = 1").get()
				?.counted_to ?? 0
		);
	}
}

const customersOf = (hours: readonly HourTally[]): ReadonlySet<string> =>
	new Set(hours.map(({ customerId }) => customerId));
