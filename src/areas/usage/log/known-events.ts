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
	/** How many fingerprints stay in memory; see `FingerprintSet`. */
	readonly recentMax?: number;
	/** What the fingerprints may take of memory, in bytes; see `FingerprintSet`. */
	readonly memoryBytesMax?: number;
	/** For how many days an event stays known, by its own time; for ever when left out. */
	readonly knownDays?: number | undefined;
	readonly clock?: Clock;
	/** How often a file of the archive that could not be read is tried again. Tests wait less. */
	readonly lookAgainMs?: number;
}

/** Entries that a merge of fingerprint files goes on by for each event: four merges in an event's life, with room. */
const mergedPerEvent = 16;

const eventsAtOnce = 10_000;

/** Our choice: how often a file that could not be read is tried again. */
const lookAgainMs = 10_000;

/**
 * Which events the log has, by their fingerprints: in files that are made again from the log where they are missing, damaged
 * or another log's. The same fingerprint is a suspicion only: another event may share it, and both must count.
 */
export class KnownEvents {
	readonly #options: KnownEventsOptions;
	readonly #kept: LogFingerprints;
	readonly #hash: Hash;
	readonly #window: KnownWindow | undefined;
	#fingerprints: FingerprintSet;
	#unknown: UnknownEvents;
	#lookAgainAtMs = 0;
	/** What the open transaction has added, high and low, so that it can be taken back. */
	#added: number[] = [];

	constructor(db: Database, reader: LogReader, options: KnownEventsOptions) {
		const { hash = wyhash, knownDays: days, clock = wallClock } = options;
		this.#options = options;
		this.#kept = new LogFingerprints(db);
		this.#hash = hash;
		this.#unknown = this.#openUnknown();
		this.#fingerprints = this.#open();
		if (days !== undefined) {
			const fingerprints = () => this.#fingerprints;
			this.#window = new KnownWindow({ reader, kept: this.#kept, days, clock, fingerprints });
		}
		this.#replay();
	}

	/** Whether every event of the log is among them, or the older ones are no longer known. */
	get areWhole(): boolean {
		return this.#fingerprints.isWhole && this.#unknown.isEmpty;
	}

	/** Why an event that was not found may be a duplicate all the same; undefined where it is none. `customer` is called when needed. */
	doubtOf(customer: () => number): FileUnreadable | undefined {
		return this.#unknown.isEmpty ? undefined : this.#unknown.failureFor(customer());
	}

	/** Writes the fingerprints of blocks to files before the blocks leave the log, so that no start needs their archive. */
	prepareArchiving(lastFirstEvent: number, lastEvent: number): void {
		if (this.#fingerprints.coveredTo < lastFirstEvent) this.#fingerprints.writeRecent(lastEvent);
	}

	/** `identity` is a text of what tells an event from all others. */
	fingerprintOf(identity: string): Fingerprint {
		return fingerprintOf(this.#hash, identity);
	}

	/** Calls `visit` with each event of this fingerprint, until it answers true; answers whether it did. */
	some({ high, low }: Fingerprint, visit: (event: number) => boolean): boolean {
		return this.#fingerprints.some(high, low, visit);
	}

	/** An event of the open transaction. */
	add({ high, low }: Fingerprint, event: number): void {
		this.#fingerprints.add(high, low, event);
		this.#added.push(high, low);
	}

	/** The transaction is on disk. */
	keep(): void {
		this.#added = [];
	}

	/** The transaction was rolled back; `before` is the last event before it. */
	takeBack(before: number): void {
		for (let at = 0; at < this.#added.length; at += 2)
			this.#fingerprints.remove(this.#added[at] ?? 0, this.#added[at + 1] ?? 0, before + 1 + at / 2);
		this.#added = [];
	}

	/** Housekeeping between two groups; answers whether some is left. `events` bounds it, by the last group's size. */
	tidy(lastEvent: number, events: number): boolean {
		const isMerging = this.#fingerprints.tidy(lastEvent, mergedPerEvent * events + 1024);
		this.#lookForFiles();
		return this.#window?.step() || isMerging;
	}

	/** Reads the log again from the first event whose file is back. */
	#lookForFiles(): void {
		if (this.#unknown.isEmpty || performance.now() < this.#lookAgainAtMs) return;
		this.#lookAgainAtMs = performance.now() + (this.#options.lookAgainMs ?? lookAgainMs);
		this.#unknown.filter(({ lastEvent }) => lastEvent > this.#fingerprints.forgottenTo);
		if (!this.#unknown.hasReadable(this.#kept.readArchivedAt)) return;
		this.#reopen();
	}

	#reopen(): void {
		this.#fingerprints.close();
		this.#unknown = this.#openUnknown();
		this.#fingerprints = this.#open();
		this.#replay();
	}

	/** Throws a damaged file away, and makes again from the log what it held. */
	mend({ run }: DamagedRun): void {
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
			onSpill: () => this.#unknown.keep(),
			isLast: (event, [high, low]) => this.#kept.ofLast(event)?.join() === `${high},${low}`,
			onTrouble: (error) => {
				this.#options.onTrouble(error);
				if (error instanceof DamagedRun) this.mend(error);
			},
			...(recentMax !== undefined && { recentMax }),
			...(memoryBytesMax !== undefined && { memoryBytesMax }),
		});
	}

	#openUnknown(): UnknownEvents {
		const folder = join(this.#options.folder, "fingerprints");
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		return new UnknownEvents(folder, this.#kept.readArchivedAt);
	}

	/** Adds what the files do not cover, in pieces, so that a log of any size fits. */
	#replay(): void {
		const { coveredTo } = this.#fingerprints;
		this.#unknown.filter(({ lastEvent }) => lastEvent <= coveredTo);
		let replayedTo = coveredTo;
		for (const row of this.#kept.after(coveredTo)) {
			if ("error" in row) {
				this.#unknown.add({ ...row, customersTo: this.#kept.lastCustomer });
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

	/** Applies to a folder whose blocks have left the log before their fingerprints were in files. */
	#coverArchive(lastEvent: number): void {
		try {
			if (lastEvent > 0) this.prepareArchiving(this.#kept.lastArchived, lastEvent);
		} catch (error) {
			this.#options.onTrouble(error);
		}
	}

	/** A run is of this log when it knows the last event that it claims to cover. */
	#isOurs(run: Run): boolean {
		const { lastEvent } = run.header;
		// Runs end where a block ends: else the rest of it would never be added.
		const last = this.#kept.ofLast(lastEvent);
		return last !== undefined && run.some(...last, (event) => event === lastEvent);
	}
}
