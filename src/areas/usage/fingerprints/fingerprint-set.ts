import { mkdirSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { writeWhole } from "../../../kernel/storage/disk";
import { Merge } from "./merge";
import { entryWords, RecentTable } from "./recent-table";
import { DamagedRun, Run, RunWriter, type Stretch } from "./run-file";
import { sortEntries } from "./sort";

/** Fingerprints that are kept in the table before they go to a file: at most 16 MiB of memory. Our choice. */
const recentMax = 2 ** 18;

/** Our choice: filters of some two hundred million events. */
export const memoryBytesDefault = 256 * 1024 * 1024;

/** So many neighbouring runs of one size become one run: with 100 million events there are about ten files to ask. */
const mergedAtOnce = 4;

export interface FingerprintSetOptions {
	/** Holds the sorted runs, and nothing else. May be deleted while Tollgate is stopped: it is made again. */
	readonly folder: string;
	/** Whether a run belongs to this log and not, say, to the one that stood here before a backup was restored. */
	readonly isOurs: (run: Run) => boolean;
	/** Whether a block of this log ends with this event and fingerprint: so what was forgotten was of this log. */
	readonly isLast: (event: number, fingerprint: readonly [high: number, low: number]) => boolean;
	/** The runs hold all events up to this one and may lack later ones, so those that reach further are made again. */
	readonly trustedTo?: number;
	/** A run is about to be written. */
	readonly onSpill?: () => void;
	/** A run could not be written, or one is damaged: the set goes on from memory, and tries again later. */
	readonly onTrouble: (error: unknown) => void;
	readonly recentMax?: number;
	/**
	 * What the set may take of memory, in bytes: where the filters take more, those of the oldest runs stay in their files. The
	 * table of the newest, the work of a merge and 0.03 bytes an event are always in memory.
	 */
	readonly memoryBytesMax?: number;
}

/**
 * Which events are in the log, by fingerprint, for ever: the newest in a table in memory, older ones in sorted files
 * behind Bloom filters: at most 1.3 bytes of memory an event, and no more in all than is set.
 * What it answers is a suspicion: the caller confirms it against the log. What it does not know was never there.
 */
export class FingerprintSet {
	readonly #options: FingerprintSetOptions;
	readonly #recent = new RecentTable();
	/** In the order of the log, each beginning where the one before it ends. */
	#runs: Run[];
	#merge: Merge | undefined;
	#forgotten: Forgotten;
	#spillAt: number;

	constructor(options: FingerprintSetOptions) {
		this.#options = options;
		this.#spillAt = options.recentMax ?? recentMax;
		mkdirSync(options.folder, { recursive: true, mode: 0o700 });
		this.#forgotten = readForgotten(options);
		this.#runs = openRuns(options, this.#forgotten.event);
		this.#fitMemory();
	}

	/** Row id of the last event in the files; what follows it has to be added anew after a start. */
	get coveredTo(): number {
		return this.#runs.at(-1)?.header.lastEvent ?? this.#forgotten.event;
	}

	/** The last event that the set no longer knows, nor any before it. */
	get forgottenTo(): number {
		return this.#forgotten.event;
	}

	/** Whether it knows every event of the log: what it does not find is not there. */
	get isWhole(): boolean {
		return this.#forgotten.event === 0;
	}

	/** What it takes in memory, in bytes. */
	get memoryBytes(): number {
		const inFiles = this.#runs.reduce((sum, run) => sum + run.memoryBytes, 0);
		return this.#recent.memoryBytes + inFiles + (this.#merge?.memoryBytes ?? 0);
	}

	/** The oldest stretch of the log that can be forgotten as a whole; undefined while there is none. */
	get oldest(): Stretch | undefined {
		const [run] = this.#runs;
		return run && !this.#merge?.runs.includes(run) ? run.header : undefined;
	}

	/** Forgets that stretch; `fingerprint` is that of its last event, by which the log is known again after a start. */
	forgetOldest(fingerprint: [high: number, low: number]): void {
		const [run, ...others] = this.#runs;
		if (!run) return;
		this.#forgotten = { event: run.header.lastEvent, fingerprint };
		writeWhole(join(this.#options.folder, forgottenName), JSON.stringify(this.#forgotten));
		this.#runs = others;
		run.delete();
		this.#fitMemory();
	}

	/** How many files a lookup may have to ask. */
	get runs(): number {
		return this.#runs.length;
	}

	/** Calls `visit` with each event of this fingerprint, until it answers true; answers whether it did. */
	some(high: number, low: number, visit: (event: number) => boolean): boolean {
		if (this.#recent.some(high, low, visit)) return true;
		for (const run of this.#runs) if (run.some(high, low, visit)) return true;
		return false;
	}

	add(high: number, low: number, event: number): void {
		this.#recent.add(high, low, event);
	}

	/** Takes back what was added for a commit that failed: else an honest retry would be called a duplicate. */
	remove(high: number, low: number, event: number): void {
		this.#recent.remove(high, low, event);
	}

	/**
	 * Between two commits: moves a full table to a file, and goes on with a merge for about `entries` entries.
	 * `lastEvent` is the row id of the last event that is committed. Answers whether a merge is left to go on with.
	 */
	tidy(lastEvent: number, entries: number): boolean {
		try {
			if (this.#recent.size >= this.#spillAt) this.#spill({ firstEvent: this.coveredTo + 1, lastEvent });
			this.#goOnMerging(entries);
		} catch (error) {
			this.#merge?.abandon();
			this.#merge = undefined;
			this.#spillAt = Math.max(this.#spillAt, this.#recent.size + (this.#options.recentMax ?? recentMax) / 4);
			this.#options.onTrouble(error);
		}
		return this.#merge !== undefined;
	}

	/** Writes the table to a file, so that the next start finds there all events up to `lastEvent`, the last of the log. */
	writeRecent(lastEvent: number): void {
		if (this.#recent.size > 0) this.#spill({ firstEvent: this.coveredTo + 1, lastEvent });
	}

	close(): void {
		this.#merge?.abandon();
		for (const run of this.#runs) run.close();
		this.#runs = [];
	}

	#spill(stretch: Stretch): void {
		this.#options.onSpill?.();
		const path = pathOf(this.#options.folder, stretch);
		const writer = new RunWriter(path, { ...stretch, entries: this.#recent.size });
		try {
			writer.append(sortEntries(this.#recent.entries()));
			writer.finish();
		} catch (error) {
			writer.abandon();
			throw error;
		}
		this.#take(path, []);
		this.#recent.clear();
		this.#spillAt = this.#options.recentMax ?? recentMax;
	}

	#goOnMerging(entries: number): void {
		if (!this.#merge) {
			this.#merge = this.#nextMerge();
			if (this.#merge) this.#fitMemory();
		}
		if (!this.#merge?.step(entries)) return;
		const { path, runs } = this.#merge;
		this.#merge = undefined;
		this.#take(path, runs);
		for (const run of runs) run.delete();
	}

	/** The newest stretch of runs of one size that is long enough. */
	#nextMerge(): Merge | undefined {
		for (let end = this.#runs.length; end >= mergedAtOnce; end -= 1) {
			const runs = this.#runs.slice(end - mergedAtOnce, end);
			const sizes = new Set(runs.map((run) => this.#sizeClass(run)));
			const [first, last] = [runs[0], runs.at(-1)];
			if (sizes.size > 1 || !first || !last) continue;
			const stretch = { firstEvent: first.header.firstEvent, lastEvent: last.header.lastEvent };
			return new Merge(runs, pathOf(this.#options.folder, stretch));
		}
		return undefined;
	}

	/** 0 for runs that come from memory, one more for each merge. */
	#sizeClass({ header }: Run): number {
		return Math.round(Math.log(header.entries / (this.#options.recentMax ?? recentMax)) / Math.log(mergedAtOnce));
	}

	#take(path: string, inPlaceOf: readonly Run[]): void {
		const run = Run.open(path);
		if (!run) throw new Error(`The fingerprint file '${path}' is not what was written; the disk may be failing.`);
		this.#runs = [...this.#runs.filter((one) => !inPlaceOf.includes(one)), run].sort(
			(one, other) => one.header.firstEvent - other.header.firstEvent,
		);
		this.#fitMemory();
	}

	/** Leaves the filters of the oldest runs in their files where all would take more than is set. */
	#fitMemory(): void {
		const { memoryBytesMax = memoryBytesDefault } = this.#options;
		let left = memoryBytesMax - tableBytes(this.#options.recentMax ?? recentMax) - (this.#merge?.memoryBytes ?? 0);
		for (const run of this.#runs) left -= run.memoryBytesAlways;
		for (const run of this.#runs.toReversed()) {
			const fits = run.filterBytes <= left;
			run.keepFilter(fits);
			if (fits) left -= run.filterBytes;
		}
	}
}

/** Up to which event the set knows nothing any more, and that event's fingerprint, the high half and the low half. */
const Forgotten = Type.Object({
	event: Type.Integer({ minimum: 0 }),
	fingerprint: Type.Tuple([Type.Integer(), Type.Integer()]),
});
type Forgotten = Static<typeof Forgotten>;

const forgottenName = "forgotten.json";
/** The stretches of the log that the runs lack though they cover them (log/unknown-events.ts). */
export const unknownName = "unknown.json";
const nothingForgotten: Forgotten = { event: 0, fingerprint: [0, 0] };

function readForgotten({ folder, isLast }: FingerprintSetOptions): Forgotten {
	try {
		const read: unknown = JSON.parse(readFileSync(join(folder, forgottenName), "utf8"));
		return Value.Check(Forgotten, read) && isLast(read.event, read.fingerprint) ? read : nothingForgotten;
	} catch {
		// Missing, or not whole: then all that the log holds is known.
		return nothingForgotten;
	}
}

/** Of a table with so many entries, at most half full. */
const tableBytes = (entries: number): number => 2 ** Math.ceil(Math.log2(entries * 2 + 2)) * entryWords * 4;

const suffix = ".run";
const pathOf = (folder: string, { firstEvent, lastEvent }: Stretch): string =>
	join(folder, `${firstEvent}-${lastEvent}${suffix}`);

/**
 * The runs that cover the log from its first event on without a gap, the longest first where a crash left a merged run
 * beside its parts. All else is deleted: it is made again from the log.
 */
function openRuns(options: FingerprintSetOptions, forgottenTo: number): Run[] {
	const { folder, isOurs, trustedTo = Number.POSITIVE_INFINITY } = options;
	const found: Run[] = [];
	for (const name of readdirSync(folder)) {
		if (name === forgottenName || name === unknownName) continue;
		const path = join(folder, name);
		const run = name.endsWith(suffix) ? Run.open(path) : undefined;
		if (run) found.push(run);
		else unlinkSync(path);
	}
	found.sort(
		({ header: one }, { header: other }) => one.firstEvent - other.firstEvent || other.lastEvent - one.lastEvent,
	);
	const runs: Run[] = [];
	let covered = forgottenTo;
	for (const run of found) {
		const { firstEvent, lastEvent } = run.header;
		if (firstEvent === covered + 1 && lastEvent <= trustedTo && isSound(run, isOurs)) {
			runs.push(run);
			covered = lastEvent;
		} else run.delete();
	}
	return runs;
}

function isSound(run: Run, isOurs: FingerprintSetOptions["isOurs"]): boolean {
	try {
		return isOurs(run);
	} catch (error) {
		if (error instanceof DamagedRun) return false;
		throw error;
	}
}
