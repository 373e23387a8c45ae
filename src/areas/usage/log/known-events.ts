import { join } from "node:path";
import { type Clock, wallClock } from "../../../kernel/clock";
import type { Database } from "../../../kernel/work";
import { type Fingerprint, fingerprintOf, type Hash, wyhash } from "../fingerprints/fingerprint";
import { FingerprintSet } from "../fingerprints/fingerprint-set";
import { DamagedRun, type Run } from "../fingerprints/run-file";
import { KnownWindow } from "./known-window";
import { LogFingerprints } from "./log-fingerprints";
import type { LogReader } from "./log-reader";

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
}

/** Entries that a merge of fingerprint files goes on by for each event: four merges in an event's life, with room. */
const mergedPerEvent = 16;

const eventsAtOnce = 10_000;

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
	/** What the open transaction has added, high and low, so that it can be taken back. */
	#added: number[] = [];

	constructor(db: Database, reader: LogReader, options: KnownEventsOptions) {
		const { hash = wyhash, knownDays: days, clock = wallClock } = options;
		this.#options = options;
		this.#kept = new LogFingerprints(db);
		this.#hash = hash;
		this.#fingerprints = this.#open();
		if (days !== undefined) {
			const fingerprints = () => this.#fingerprints;
			this.#window = new KnownWindow({ reader, kept: this.#kept, days, clock, fingerprints });
		}
		this.#replay();
	}

	/** Whether every event of the log is among them, or the older ones are no longer known. */
	get areWhole(): boolean {
		return this.#fingerprints.isWhole;
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
		return this.#window?.step() || isMerging;
	}

	/** Throws a damaged file away, and makes again from the log what it held. */
	mend({ run }: DamagedRun): void {
		run.delete();
		this.#fingerprints.close();
		this.#fingerprints = this.#open();
		this.#replay();
	}

	close(): void {
		this.#fingerprints.close();
	}

	#open(): FingerprintSet {
		const { folder, recentMax, memoryBytesMax } = this.#options;
		return new FingerprintSet({
			folder: join(folder, "fingerprints"),
			isOurs: (run) => this.#isOurs(run),
			isLast: (event, [high, low]) => this.#kept.ofLast(event)?.join() === `${high},${low}`,
			onTrouble: (error) => {
				this.#options.onTrouble(error);
				if (error instanceof DamagedRun) this.mend(error);
			},
			...(recentMax !== undefined && { recentMax }),
			...(memoryBytesMax !== undefined && { memoryBytesMax }),
		});
	}

	/** Adds what the files do not cover, in pieces, so that a log of any size fits. */
	#replay(): void {
		for (const { firstEvent, words } of this.#kept.after(this.#fingerprints.coveredTo)) {
			for (let at = 0; at < words.length; at += 2)
				this.#fingerprints.add(words[at] ?? 0, words[at + 1] ?? 0, firstEvent + at / 2);
			this.#fingerprints.tidy(firstEvent + words.length / 2 - 1, eventsAtOnce);
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
