import type { Database as SqliteFile } from "bun:sqlite";
import { type Clock, type Instant, wallClock } from "../../kernel/clock";
import { openFile } from "../../kernel/db";
import { openDoors } from "../../kernel/doors";
import { newUuidV7 } from "../../kernel/ids";
import type { Database } from "../../kernel/work";
import { testClocksIn } from "../access/operations.clocks";
import { Counters } from "./counters";
import { Subjects } from "./subjects";
import { type Counter, readDimensions, Tally } from "./tally";
import { Totals } from "./totals";

export interface AggregatorOptions {
	/** The data folder. */
	readonly folder: string;
	/** Events that one transaction takes at most. Tests make it small, to cut the log everywhere. */
	readonly chunkEvents?: number;
	readonly clock?: Clock;
}

/** Our choice: some 30 ms of work, so that readers of the log never hold its write-ahead log open for long. */
const chunkEventsDefault = 10_000;

/** One event of the log, as counting reads it. */
export interface LogRow {
	readonly id: number;
	readonly customer: number;
	readonly resource_ref: string | null;
	readonly event_name: string;
	readonly at: Instant;
	readonly dimensions: string | null;
}

export const logColumns = "e.id, e.customer, e.resource_ref, e.event_name, e.at, e.dimensions";

/**
 * Turns the log of raw events into totals; the only writer of usage.db. It reads the log from a cursor in chunks, and the
 * cursor commits with what was counted: after a crash it goes on where the totals stand, so that every event counts
 * exactly once. Each meter has a cursor of its own.
 */
export class Aggregator {
	readonly #usage: SqliteFile;
	readonly #main: Database;
	readonly #counters: Counters;
	readonly #subjects: Subjects;
	readonly #totals: Totals;
	readonly #chunkEvents: number;
	readonly #mainVersion;
	readonly #readLog;
	readonly #readPending;
	readonly #nextPending;
	readonly #isPending;
	readonly #addPending;
	#postedTo: number;
	#pendingEpoch: number | undefined;

	constructor({ folder, chunkEvents = chunkEventsDefault, clock = wallClock }: AggregatorOptions) {
		this.#usage = openFile(folder, "usage", ["events"]).$client;
		// What a power cut takes from this file is counted again from the log, whose commits are on disk before they can be
		// read: the cursor and the totals go back together. So the flush at each commit is spared.
		this.#usage.run("PRAGMA main.synchronous = NORMAL");
		this.#main = openFile(folder, "main");
		this.#main.$client.run("PRAGMA query_only = ON");
		const doors = openDoors({ db: this.#main, clock, testClocks: testClocksIn, newId: newUuidV7, wake: () => {} });
		this.#chunkEvents = chunkEvents;
		this.#usage.run("INSERT OR IGNORE INTO usage_cursor (id, posted_to, revision) VALUES (1, 0, 0)");
		this.#postedTo = this.#readCursor();
		this.#counters = new Counters(this.#usage, doors, () => this.#epoch());
		this.#subjects = new Subjects(this.#usage, this.#main.$client);
		this.#totals = new Totals(this.#usage);
		this.#mainVersion = this.#main.$client.prepare<{ data_version: number }, []>("PRAGMA data_version");
		this.#readLog = this.#usage.prepare<LogRow, [number, number, number]>(
			`SELECT ${logColumns} FROM events e WHERE e.id > ? AND e.id <= ? ORDER BY e.id LIMIT ?`,
		);
		this.#readPending = this.#usage.prepare<LogRow, [number, number]>(
			`SELECT ${logColumns} FROM usage_unattributed u JOIN events e ON e.id = u.event_id
			WHERE u.customer = ? ORDER BY u.event_id LIMIT ?`,
		);
		this.#nextPending = this.#usage.prepare<{ customer: number }, [number]>(
			"SELECT customer FROM usage_unattributed WHERE customer > ? ORDER BY customer LIMIT 1",
		);
		this.#isPending = this.#usage.prepare<unknown, [number, number]>(
			"SELECT 1 FROM usage_unattributed WHERE customer = ? AND event_id = ?",
		);
		this.#addPending = this.#usage.prepare<unknown, [number, number]>(
			"INSERT INTO usage_unattributed (customer, event_id) VALUES (?, ?)",
		);
	}

	/** One short transaction of work; answers whether there may be more. */
	step(): boolean {
		this.#usage.run("BEGIN IMMEDIATE");
		try {
			const before = this.#totalChanges();
			this.#counters.follow();
			// The end of the log first: a new meter that counts a long past must not hold up all the others.
			const read = this.#post();
			const filled = this.#fill();
			const attributed = this.#attribute();
			const deleted = this.#counters.deleteRetired(this.#chunkEvents);
			if (this.#totalChanges() > before)
				this.#usage.run("UPDATE usage_cursor SET revision = revision + 1 WHERE id = 1");
			this.#usage.run("COMMIT");
			return read || filled || attributed || deleted;
		} catch (error) {
			if (this.#usage.inTransaction) this.#usage.run("ROLLBACK");
			this.#postedTo = this.#readCursor();
			this.#subjects.forget();
			this.#counters.reload();
			this.#pendingEpoch = undefined;
			throw error;
		}
	}

	/** Until nothing is left to count. */
	run(): void {
		while (this.step());
	}

	/** How many events the totals are behind the log; the longest way that any meter has to go. */
	lag(): number {
		const last = this.#usage.query<{ last: number | null }, []>("SELECT max(id) AS last FROM events").get()?.last ?? 0;
		return last - Math.min(this.#postedTo, this.#counters.filling()?.countedTo ?? this.#postedTo);
	}

	close(): void {
		this.#usage.close();
		this.#main.$client.close();
	}

	/** Reads on at the end of the log, for all live counters at once. */
	#post(): boolean {
		const rows = this.#readLog.all(this.#postedTo, Number.MAX_SAFE_INTEGER, this.#chunkEvents);
		const last = rows.at(-1);
		if (!last) return false;
		// The chunk may bring the first events of an environment whose meters nobody has looked at.
		for (const { customer } of rows) this.#counters.meet(this.#subjects.owner(customer).environmentId);
		this.#counters.follow();
		const tally = new Tally();
		for (const row of rows) {
			const { environmentId, customerId } = this.#subjects.owner(row.customer);
			if (customerId === undefined) this.#addPending.run(row.customer, row.id);
			else this.#addTo(tally, customerId, row, this.#counters.live(environmentId));
		}
		this.#totals.post(tally);
		this.#totals.add(tally);
		this.#counters.advanceLive(last.id);
		this.#usage.query("UPDATE usage_cursor SET posted_to = ? WHERE id = 1").run(last.id);
		this.#postedTo = last.id;
		return true;
	}

	/** Brings the counter that is furthest behind on by a chunk. It never overtakes the end that the others have read to. */
	#fill(): boolean {
		const filling = this.#counters.filling();
		if (!filling) return false;
		const { counter, countedTo } = filling;
		const rows = this.#readLog.all(countedTo, this.#postedTo, this.#chunkEvents);
		const tally = new Tally();
		for (const row of rows) {
			const { environmentId, customerId, cameEarly } = this.#subjects.owner(row.customer);
			if (environmentId !== counter.environmentId || customerId === undefined) continue;
			// An event that is still waiting for its customer is counted when that comes (`#attribute`).
			if (cameEarly && this.#isPending.get(row.customer, row.id) !== null) continue;
			this.#addTo(tally, customerId, row, [counter]);
		}
		this.#totals.add(tally);
		const to = rows.length < this.#chunkEvents ? this.#postedTo : (rows.at(-1)?.id ?? this.#postedTo);
		this.#counters.advanceFilling(filling, to, this.#postedTo);
		return true;
	}

	/** Counts events that have waited for a customer which exists by now. */
	#attribute(): boolean {
		const epoch = this.#epoch();
		if (epoch === this.#pendingEpoch) return false;
		for (let after = 0; ; ) {
			const pending = this.#nextPending.get(after)?.customer;
			if (pending === undefined) break;
			const { environmentId, customerId } = this.#subjects.owner(pending);
			after = pending;
			if (customerId === undefined) continue;
			const rows = this.#readPending.all(pending, this.#chunkEvents);
			const tally = new Tally();
			for (const row of rows) this.#addTo(tally, customerId, row, this.#counters.past(environmentId, row.id));
			this.#totals.post(tally);
			this.#totals.add(tally);
			this.#usage
				.query("DELETE FROM usage_unattributed WHERE customer = ? AND event_id <= ?")
				.run(pending, rows.at(-1)?.id ?? 0);
			return true;
		}
		this.#pendingEpoch = epoch;
		return false;
	}

	#addTo(tally: Tally, customerId: string, row: LogRow, counters: readonly Counter[]): void {
		const readsThem = row.dimensions !== null && counters.some(({ readsDimensions }) => readsDimensions);
		const event = { eventName: row.event_name, dimensions: readDimensions(readsThem ? row.dimensions : null) };
		tally.add(this.#subjects.idOf(customerId, row.resource_ref ?? ""), row.id, row.at, event, counters);
	}

	/**
	 * Changes whenever the main file has changed. Asked anew each time: the doors' own epoch stands still until the thread
	 * has paused, and a step must see what was committed just before it.
	 */
	#epoch(): number {
		return this.#mainVersion.get()?.data_version ?? 0;
	}

	#totalChanges(): number {
		return this.#usage.query<{ rows: number }, []>("SELECT total_changes() AS rows").get()?.rows ?? 0;
	}

	#readCursor(): number {
		return (
			this.#usage.query<{ posted_to: number }, []>("SELECT posted_to FROM usage_cursor WHERE id = 1").get()
				?.posted_to ?? 0
		);
	}
}
