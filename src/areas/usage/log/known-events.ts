import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Clock, wallClock } from "../../../kernel/clock";
import type { FileUnreadable } from "../../../kernel/storage/failures";
import type { Database } from "../../../kernel/work";
import { type Fingerprint, fingerprintOf, type Hash, wyhash } from "../fingerprints/fingerprint";
import { FingerprintSet } from "../fingerprints/fingerprint-set";
import { DamagedRun, type Run } from "../fingerprints/run-file";
import { KnownWindow } from "./known-window";
import { LogFingerprints } from "./log-fingerprints";
import type { LogReader } from "./log-reader";
import { UnknownEvents } from "./unknown-events";

export interface KnownEventsOptions {
	/** The data folder. */
	readonly folder: string;
	readonly onTrouble: (error: unknown) => void;
	/** Tests inject a poor one to force collisions. */
	readonly hash?: Hash;
	/** The number of fingerprints in memory; see `FingerprintSet`. */
	readonly recentMax?: number;
	/** The memory limit of the fingerprints in bytes; see `FingerprintSet`. */
	readonly memoryBytesMax?: number;
	/** The days for which an event stays known, by its own time; undefined for ever. */
	readonly knownDays?: number | undefined;
	readonly clock?: Clock;
	/** The interval between attempts to read an unreadable file of the archive. Tests shorten it. */
	readonly retryEveryMs?: number;
}

/** Entries that merges of fingerprint files process for each event: an event takes part in four merges. */
const mergedPerEvent = 16;

const eventsAtOnce = 10_000;

/** The interval between attempts to read an unreadable file. */
const retryEveryMs = 10_000;

/**
 * Finds the events of the log by their fingerprints, in files that are written again from the log if they are missing,
 * damaged or another log's. An equal fingerprint is only a suspicion: another event may share it, and both must count.
 */
export class KnownEvents {
	readonly #options: KnownEventsOptions;
	readonly #stored: LogFingerprints;
	readonly #hash: Hash;
	readonly #window: KnownWindow | undefined;
	#fingerprints: FingerprintSet;
	#unknown: UnknownEvents;
	#retryAtMs = 0;
	/** The fingerprints that the open transaction has added, high and low half, so that they can be removed. */
	#added: number[] = [];

	constructor(db: Database, reader: LogReader, options: KnownEventsOptions) {
		const { hash = wyhash, knownDays: days, clock = wallClock } = options;
		this.#options = options;
		this.#stored = new LogFingerprints(db);
		this.#hash = hash;
		this.#unknown = this.#openUnknown();
		this.#fingerprints = this.#open();
		if (days !== undefined) {
			const fingerprints = () => this.#fingerprints;
			this.#window = new KnownWindow({ reader, stored: this.#stored, days, clock, fingerprints });
		}
		this.#replay();
	}

	/** Whether it finds every event of the log; false once older ones are no longer known. */
	get areWhole(): boolean {
		return this.#fingerprints.isWhole && this.#unknown.isEmpty;
	}

	/**
	 * Returns why an event without a match may still be a duplicate; undefined if it is none. `customer` is called on
	 * demand.
	 */
	doubtOf(customer: () => number): FileUnreadable | undefined {
		return this.#unknown.isEmpty ? undefined : this.#unknown.failureFor(customer());
	}

	/**
	 * Writes the fingerprints of blocks to files before the blocks leave the log, so that no start needs their archive.
	 */
	prepareArchiving(lastFirstEvent: number, lastEvent: number): void {
		if (this.#fingerprints.coveredTo < lastFirstEvent) this.#fingerprints.writeRecent(lastEvent);
	}

	/** `identity` is a text that identifies an event. */
	fingerprintOf(identity: string): Fingerprint {
		return fingerprintOf(this.#hash, identity);
	}

	/** Calls `visit` with each event of this fingerprint until it returns true; returns whether it did. */
	some({ high, low }: Fingerprint, visit: (event: number) => boolean): boolean {
		return this.#fingerprints.some(high, low, visit);
	}

	/** Adds an event of the open transaction. */
	add({ high, low }: Fingerprint, event: number): void {
		this.#fingerprints.add(high, low, event);
		this.#added.push(high, low);
	}

	/** Records that the transaction is on disk. */
	commit(): void {
		this.#added = [];
	}

	/** Removes the events of a rolled-back transaction; `before` is the last event before it. */
	rollBack(before: number): void {
		for (let at = 0; at < this.#added.length; at += 2)
			this.#fingerprints.remove(this.#added[at] ?? 0, this.#added[at + 1] ?? 0, before + 1 + at / 2);
		this.#added = [];
	}

	/**
	 * Runs housekeeping between two groups; returns whether some is left. `events`, the last group's size, limits it.
	 */
	tidy(lastEvent: number, events: number): boolean {
		const isMerging = this.#fingerprints.tidy(lastEvent, mergedPerEvent * events + 1024);
		this.#retryFiles();
		return this.#window?.step() || isMerging;
	}

	/** Reads the log again from the first event whose file is readable again. */
	#retryFiles(): void {
		if (this.#unknown.isEmpty || performance.now() < this.#retryAtMs) return;
		this.#retryAtMs = performance.now() + (this.#options.retryEveryMs ?? retryEveryMs);
		this.#unknown.filter(({ lastEvent }) => lastEvent > this.#fingerprints.droppedTo);
		if (!this.#unknown.hasReadable(this.#stored.readArchivedAt)) return;
		this.#reopen();
	}

	#reopen(): void {
		this.#fingerprints.close();
		this.#unknown = this.#openUnknown();
		this.#fingerprints = this.#open();
		this.#replay();
	}

	/** Deletes a damaged file and writes its contents again from the log. */
	repair({ run }: DamagedRun): void {
		run.delete();
		this.#reopen();
	}

	close(): void {
		this.#fingerprints.close();
	}

	#open(): FingerprintSet {
		const { folder, recentMax, memoryBytesMax } = this.#options;
		return new FingerprintSet({
			folder: join(folder, "fingerprints"),
			isOurs: (run) => this.#isOurs(run),
			trustedTo: this.#unknown.trustedTo,
			onSpill: () => this.#unknown.save(),
			isLast: (event, [high, low]) => this.#stored.ofLast(event)?.join() === `${high},${low}`,
			onTrouble: (error) => {
				this.#options.onTrouble(error);
				if (error instanceof DamagedRun) this.repair(error);
			},
			...(recentMax !== undefined && { recentMax }),
			...(memoryBytesMax !== undefined && { memoryBytesMax }),
		});
	}

	#openUnknown(): UnknownEvents {
		const folder = join(this.#options.folder, "fingerprints");
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		return new UnknownEvents(folder, this.#stored.readArchivedAt);
	}

	/** Adds the events that the files do not cover, in pieces, so that a log of any size fits. */
	#replay(): void {
		const { coveredTo } = this.#fingerprints;
		this.#unknown.filter(({ lastEvent }) => lastEvent <= coveredTo);
		let replayedTo = coveredTo;
		for (const row of this.#stored.after(coveredTo)) {
			if ("error" in row) {
				this.#unknown.add({ ...row, customersTo: this.#stored.lastCustomer });
				this.#options.onTrouble(row.error);
				replayedTo = row.lastEvent;
				continue;
			}
			const { firstEvent, words } = row;
			for (let at = 0; at < words.length; at += 2)
				this.#fingerprints.add(words[at] ?? 0, words[at + 1] ?? 0, firstEvent + at / 2);
			replayedTo = firstEvent + words.length / 2 - 1;
			this.#fingerprints.tidy(replayedTo, eventsAtOnce);
		}
		this.#coverArchive(replayedTo);
	}

	/** Adds blocks that left the log before their fingerprints were in files, as in folders of earlier releases. */
	#coverArchive(lastEvent: number): void {
		try {
			if (lastEvent > 0) this.prepareArchiving(this.#stored.lastArchived, lastEvent);
		} catch (error) {
			this.#options.onTrouble(error);
		}
	}

	/** A run belongs to this log if it knows the last event that it covers. */
	#isOurs(run: Run): boolean {
		const { lastEvent } = run.header;
		// A run ends where a block ends: otherwise the rest of the block would never be added.
		const last = this.#stored.ofLast(lastEvent);
		return last !== undefined && run.some(...last, (event) => event === lastEvent);
	}
}
