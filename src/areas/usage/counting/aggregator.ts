import { type Clock, wallClock } from "../../../kernel/clock";
import { overwriteDeleted } from "../../../kernel/storage/db";
import type { RetryOptions } from "../archive/retries";
import { Corrections } from "./corrections";
import { type Counting, openCounting } from "./counting";
import { EarlyEvents } from "./early-events";
import { EventNames } from "./event-names";
import { Filling } from "./filling";
import { LateCuts } from "./late-cuts";
import { LogEnd } from "./log-end";
import { type MemberPlace, type MembersOrder, replaceMembers } from "./members";
import { Pace } from "./pace";
import { Rebuild, type RebuildOrder } from "./rebuild";
import { RecentWriter } from "./recent-writer";
import type { HourTally } from "./tally";

export interface AggregatorOptions extends RetryOptions {
	/** The data folder. */
	readonly folder: string;
	/** Events that one transaction takes at most. Tests make it small, to cut the log everywhere. */
	readonly chunkEvents?: number;
	readonly clock?: Clock;
	/** The totals have changed: what is remembered of them is asked for anew. */
	readonly onChanged?: (of: ChangedTotals) => void;
}

/** Whose totals have changed: the row ids of customers, or anybody's. */
export type ChangedTotals = ReadonlySet<string> | "all";

const nobody: ReadonlySet<string> = new Set();

/** Our choice: some 30 ms of work, so that readers of the log never hold its write-ahead log open for long. */
const chunkEventsDefault = 10_000;

/**
 * TimeSlices the log of raw events into totals; the only writer of usage.db. It reads on from the end of what it has counted,
 * keeps what that adds in memory, and writes it to the totals now and then: the fewer the writes, the less each event costs.
 * Meanwhile it is shown beside them (recent.ts). The position in the log commits with the totals up to it: after a crash it
 * goes on where they stand, so that every event counts exactly once. Each meter has a position of its own.
 */
export class Aggregator {
	readonly #counting: Counting;
	readonly #rebuild: Rebuild;
	readonly #names: EventNames;
	readonly #early: EarlyEvents;
	readonly #end: LogEnd;
	readonly #recent: RecentWriter;
	readonly #filling: Filling;
	readonly #corrections: Corrections;
	readonly #lateCuts: LateCuts;
	readonly #pace = new Pace();
	readonly #onChanged: (of: ChangedTotals) => void;
	readonly #begin;
	readonly #commit;
	readonly #revise;
	readonly #note;
	readonly #selectChanges;
	/** Whether there may be more in the log than was counted, and more to do for the totals than was done. */
	#hasMoreEvents = true;
	#hasMoreTotals = true;
	/** The main file's, before the totals were written last: where it is another, there may be something to follow. */
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
		this.#early = new EarlyEvents(counting, this.#rebuild);
		this.#end = new LogEnd(counting, this.#early, this.#names);
		this.#recent = new RecentWriter(usage);
		this.#filling = new Filling(counting, this.#rebuild, this.#early);
		this.#corrections = new Corrections(counting, this.#end, this.#early);
		this.#lateCuts = new LateCuts(counting, this.#end);
		this.#begin = usage.prepare("BEGIN");
		this.#commit = usage.prepare("COMMIT");
		this.#revise = usage.prepare("UPDATE usage_cursor SET revision = revision + 1 WHERE id = 1");
		this.#note = usage.prepare<unknown, [number]>("UPDATE usage_subjects SET replaced = replaced + 1 WHERE id = ?");
		this.#selectChanges = usage.prepare<{ rows: number }, []>("SELECT total_changes() AS rows");
	}

	/** Whether it is time to write: enough was counted, or enough time has passed for what the last write has taken. */
	isWriteDue(): boolean {
		return this.#end.isLarge || this.#filling.isWriteDue || this.#pace.isWriteDue;
	}

	/** Whether it is time to show what was counted, in the totals or beside them. */
	isShowDue(): boolean {
		return this.#pace.isShowDue || this.isWriteDue();
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

	/** Until nothing is left to count. */
	run(): void {
		while (this.step());
	}

	/** Counts on in memory, the end of the log and its past by a chunk each; answers whether there may be more. */
	count(): boolean {
		// In one transaction: else each look takes the locks of its own.
		this.#begin.run();
		try {
			this.#hasMoreEvents = this.#countEnd();
			return this.#filling.count(this.#end.postedTo) || this.#hasMoreEvents;
		} finally {
			this.#commit.run();
		}
	}

	/** Makes what was counted readable: in the totals when it is time for them and they may be written, else beside them. Answers as `write`. */
	show(mayWrite = true): boolean {
		const { isPosted, isLarge, countedTo } = this.#end;
		const { counters, retries, epochOf } = this.#counting;
		const hasOther = this.#hasMoreTotals || counters.hasMet || this.#corrections.isDue || retries.isDue;
		const hasMainChanged = epochOf() !== this.#wroteAt;
		if (isPosted && !hasOther && !hasMainChanged) return false;
		const isDue = hasMainChanged ? this.#pace.isFollowingDue : this.#pace.areTotalsDue;
		if (mayWrite && (isPosted || isLarge || isDue || hasOther || this.#recent.isFull)) return this.write();
		const isShown = isPosted || countedTo <= this.#recent.to || this.#showBeside();
		return mayWrite ? !isShown && this.write() : true;
	}

	/**
	 * Writes what was counted to the totals, follows the catalogue, and goes on with what does not belong to the end of the
	 * log; answers whether there may be more of that.
	 */
	write(): boolean {
		// What was shown before a crash has to be counted first.
		if (this.#end.countedTo < this.#recent.to && this.#hasMoreEvents) return true;
		const { log, counters, retries, epochOf, chunkEvents } = this.#counting;
		const epoch = epochOf();
		// Where it is told that it may be anybody's: who follows all of them looks at these first.
		let first = nobody;
		this.#hasMoreTotals = this.#transact("totals", () => {
			// The end of the log first: a new meter that counts a long past must not hold up all the others.
			const customers = this.#writeEnd();
			const { postedTo } = this.#end;
			const named = retries.attempt("the names", () => this.#names.catchUp(log, postedTo, chunkEvents));
			this.#names.save();
			const beforeOthers = this.#totalChanges();
			counters.follow();
			const attributed = this.#stepAfterFilling(this.#early);
			const corrected = this.#stepAfterFilling(this.#corrections);
			const others = this.#totalChanges() > beforeOthers;
			const tookOver = this.#fill();
			const { isFilling } = this;
			const isBehind = this.#filling.countedTo !== undefined;
			const beforeCut = this.#totalChanges();
			const cut = this.#cutLate(isBehind || tookOver || attributed || corrected) && (isFilling || !isBehind);
			const isForAll = others || tookOver || this.#totalChanges() > beforeCut;
			// Nobody reads what is deleted, nor what is not yet in its place.
			const deleted = counters.deleteRetired(chunkEvents);
			const hasFormer = this.#rebuild.deleteFormerIndex(chunkEvents);
			if (isForAll) this.#revise.run();
			if (isForAll) first = customers;
			return {
				changed: isForAll ? "all" : customers,
				result: named === true || isFilling || attributed || corrected || cut || deleted || hasFormer,
			};
		});
		this.#wroteAt = epoch;
		if (first.size > 0) this.#onChanged(first);
		return this.#hasMoreTotals;
	}

	/** Counts anew beside what answers; where this task has begun, it goes on. */
	rebuild(order: RebuildOrder): void {
		this.#transact("beside them", () => {
			this.#rebuild.begin(order);
			return { changed: nobody, result: undefined };
		});
		this.#hasMoreTotals = true;
	}

	/** Whether a past of the log is still to be counted, though it may rest. */
	get isBehind(): boolean {
		return this.#filling.countedTo !== undefined;
	}

	/** Blocks of the log have been written anew: what was read of them does not stand, here and where totals are read. */
	forgetBlocks(): void {
		this.#transact("beside them", () => {
			this.#counting.log.forget();
			this.#revise.run();
			return { changed: nobody, result: undefined };
		});
	}

	/** Replaces members of a meter's sets by others (members.ts); answers where to go on. What was remembered of them is asked for anew. */
	replaceMembers(order: MembersOrder): MemberPlace | undefined {
		const { usage, totals } = this.#counting;
		overwriteDeleted(usage);
		return this.#transact("totals", () => {
			const result = replaceMembers(usage, order);
			this.#note.run(order.subject);
			this.#revise.run();
			totals.forget();
			return { changed: "all", result };
		});
	}

	/** How far a task has come that counts anew; undefined when another was begun since. */
	progressOf(taskId: string): ReturnType<Rebuild["progressOf"]> {
		return this.#rebuild.progressOf(taskId);
	}

	/** How many events the totals are behind the log; the longest way that any meter has to go. */
	lag(): number {
		return this.#counting.log.lastEvent() - Math.min(this.#recent.to, this.#filling.countedTo ?? this.#recent.to);
	}

	close(): void {
		this.#counting.usage.close();
		this.#counting.main.close();
	}

	#countEnd(): boolean {
		// The end of the log is read first, so that no sale before it is missed.
		const hasEvents = this.#counting.log.lastEvent() > this.#end.countedTo;
		if (!hasEvents || !this.#lateCuts.hasNew()) return this.#end.count();
		this.#hasMoreTotals = true;
		return true;
	}

	/** Answers whether it can be shown there. */
	#showBeside(): boolean {
		const { postedTo, countedTo, tally } = this.#end;
		return this.#transact("beside them", () => {
			if (!this.#recent.show(tally, postedTo, countedTo)) return { changed: nobody, result: false };
			this.#counting.subjects.save();
			this.#counting.cuts.save();
			const changed = customersOf(tally.fresh);
			tally.haveShown();
			return { changed, result: true };
		});
	}

	/** Answers whose totals have changed since they were shown. */
	#writeEnd(): ReadonlySet<string> {
		const { isPosted, postedTo, countedTo, tally } = this.#end;
		const customers = customersOf(tally.fresh);
		if (isPosted) return customers;
		// Who has read the totals as they stand need not read the new ones.
		if (countedTo > this.#recent.to) this.#recent.show(tally, postedTo, countedTo);
		this.#end.write();
		this.#recent.haveTotals(postedTo);
		return customers;
	}

	/** A step of what counts events that the past's counters may have passed; answers whether there may be more. */
	#stepAfterFilling(others: EarlyEvents | Corrections): boolean {
		if (!others.isDue) return false;
		// How far they have come is asked, and what they hold in memory may be changed by it.
		this.#filling.write(this.#end.postedTo);
		others.step();
		return true;
	}

	/** Writes what was counted of the past of the log, when it is time; answers whether any counter has taken over. */
	#fill(): boolean {
		const { postedTo } = this.#end;
		return this.#filling.count(postedTo) && this.#filling.isWriteDue && this.#filling.write(postedTo);
	}

	/** Cuts hours by what was sold after their first events; waits while others count what it would have to count too. */
	#cutLate(hasMoved: boolean): boolean {
		this.#lateCuts.look();
		if (!hasMoved) return this.#lateCuts.step();
		this.#lateCuts.restart();
		return true;
	}

	/** One transaction; after it rests, for as long as it has taken. */
	#transact<T>(what: "totals" | "beside them", body: () => { readonly changed: ChangedTotals; readonly result: T }): T {
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
			this.#forget();
			throw error;
		}
	}

	/** After a rollback: what was not written is counted again from the log. */
	#forget(): void {
		const { subjects, cuts, totals, canceled, counters, retries } = this.#counting;
		this.#hasMoreEvents = true;
		this.#hasMoreTotals = true;
		for (const one of [this.#end, this.#early, this.#names, this.#filling, this.#lateCuts]) one.forget();
		for (const one of [subjects, cuts, totals, canceled]) one.forget();
		this.#recent.forget();
		counters.reload();
		this.#rebuild.reload();
		retries.forgetAll();
	}

	#totalChanges(): number {
		return this.#selectChanges.get()?.rows ?? 0;
	}
}

/** Whose they are: row ids. */
const customersOf = (hours: readonly HourTally[]): ReadonlySet<string> =>
	new Set(hours.map(({ customerId }) => customerId));
