import { mkdirSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { writeWhole } from "../../../kernel/storage/disk";
import { Merge } from "./merge";
import { entryWords, RecentTable } from "./recent-table";
import { DamagedRun, Run, RunWriter, type Stretch } from "./run-file";
import { sortEntries } from "./sort";

/** Fingerprints in the table before they go to a file: at most 16 MiB of memory. */
const recentMax = 2 ** 18;

/** Filters for about two hundred million events. */
export const memoryBytesDefault = 256 * 1024 * 1024;

/** Neighboring runs of one size that are merged into one: 100 million events have about ten files. */
const mergedAtOnce = 4;

export interface FingerprintSetOptions {
	/** Holds only the sorted runs. May be deleted while Tollgate is stopped: Tollgate writes it again. */
	readonly folder: string;
	/** Whether a run belongs to this log, and not, for example, to the one before a backup was restored. */
	readonly isOurs: (run: Run) => boolean;
	/**
	 * Whether a block of this log ends with this event and fingerprint, so that a record of dropped stretches belongs
	 * to this log.
	 */
	readonly isLast: (event: number, fingerprint: readonly [high: number, low: number]) => boolean;
	/**
	 * The runs hold all events up to this one and may lack later ones, so runs that reach further are written again.
	 */
	readonly trustedTo?: number;
	/** Called before a run is written. */
	readonly onSpill?: () => void;
	/** Called when a run could not be written, or is damaged: the set continues in memory and retries later. */
	readonly onTrouble: (error: unknown) => void;
	readonly recentMax?: number;
	/**
	 * The memory limit of the set, in bytes. If the filters need more, those of the oldest runs stay in their files.
	 * The table of the newest events, the work of a merge and 0.03 bytes for each event are always in memory.
	 */
	readonly memoryBytesMax?: number;
}

/**
 * Finds events of the log by fingerprint: the newest in a table in memory, older ones in sorted files with Bloom
 * filters. It takes at most 1.3 bytes of memory for each event, within the limit. A hit is a suspicion, which the
 * caller confirms against the log. Without a hit, the event was never there.
 */
export class FingerprintSet {
	readonly #options: FingerprintSetOptions;
	readonly #recent = new RecentTable();
	/** In the order of the log; each run begins where the one before it ends. */
	#runs: Run[];
	#merge: Merge | undefined;
	#forgotten: Dropped;
	#spillAt: number;

	constructor(options: FingerprintSetOptions) {
		this.#options = options;
		this.#spillAt = options.recentMax ?? recentMax;
		mkdirSync(options.folder, { recursive: true, mode: 0o700 });
		this.#forgotten = readDropped(options);
		this.#runs = openRuns(options, this.#forgotten.event);
		this.#fitMemory();
	}

	/** Row id of the last event in the files; later events must be added again after a start. */
	get coveredTo(): number {
		return this.#runs.at(-1)?.header.lastEvent ?? this.#forgotten.event;
	}

	/** The last event of the stretches that were dropped from the set. */
	get droppedTo(): number {
		return this.#forgotten.event;
	}

	/** Whether it holds every event of the log, so that an event without a hit is new. */
	get isWhole(): boolean {
		return this.#forgotten.event === 0;
	}

	/** Its memory in bytes. */
	get memoryBytes(): number {
		const inFiles = this.#runs.reduce((sum, run) => sum + run.memoryBytes, 0);
		return this.#recent.memoryBytes + inFiles + (this.#merge?.memoryBytes ?? 0);
	}

	/** The oldest stretch of the log that can be dropped as a whole; undefined if there is none. */
	get oldest(): Stretch | undefined {
		const [run] = this.#runs;
		return run && !this.#merge?.runs.includes(run) ? run.header : undefined;
	}

	/** Drops that stretch; `fingerprint` is that of its last event, which identifies the log after a start. */
	dropOldest(fingerprint: [high: number, low: number]): void {
		const [run, ...others] = this.#runs;
		if (!run) return;
		this.#forgotten = { event: run.header.lastEvent, fingerprint };
		writeWhole(join(this.#options.folder, droppedName), JSON.stringify(this.#forgotten));
		this.#runs = others;
		run.delete();
		this.#fitMemory();
	}

	/** The number of files that a lookup may read. */
	get runs(): number {
		return this.#runs.length;
	}

	/** Calls `visit` with each event of this fingerprint until it returns true; returns whether it did. */
	some(high: number, low: number, visit: (event: number) => boolean): boolean {
		if (this.#recent.some(high, low, visit)) return true;
		for (const run of this.#runs) if (run.some(high, low, visit)) return true;
		return false;
	}

	add(high: number, low: number, event: number): void {
		this.#recent.add(high, low, event);
	}

	/** Removes an event whose commit failed: otherwise an honest retry would count as a duplicate. */
	remove(high: number, low: number, event: number): void {
		this.#recent.remove(high, low, event);
	}

	/**
	 * Moves a full table to a file, and continues a merge for about `entries` entries; called between two commits.
	 * `lastEvent` is the row id of the last committed event. Returns whether a merge is left.
	 */
	tidy(lastEvent: number, entries: number): boolean {
		try {
			if (this.#recent.size >= this.#spillAt) this.#spill({ firstEvent: this.coveredTo + 1, lastEvent });
			this.#continueMerging(entries);
		} catch (error) {
			this.#merge?.abandon();
			this.#merge = undefined;
			this.#spillAt = Math.max(this.#spillAt, this.#recent.size + (this.#options.recentMax ?? recentMax) / 4);
			this.#options.onTrouble(error);
		}
		return this.#merge !== undefined;
	}

	/**
	 * Writes the table to a file, so that the next start finds all events up to `lastEvent`, the last of the log,
	 * there.
	 */
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

	#continueMerging(entries: number): void {
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

	/** Returns a merge of the newest runs of one size, if there are enough. */
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

	/** Returns 0 for runs that come from memory, and one more for each merge. */
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

	/** Leaves the filters of the oldest runs in their files if all filters exceed the memory limit. */
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

/** The last event of the dropped stretches, and the high and low half of its fingerprint. */
const Dropped = Type.Object({
	event: Type.Integer({ minimum: 0 }),
	fingerprint: Type.Tuple([Type.Integer(), Type.Integer()]),
});
type Dropped = Static<typeof Dropped>;

const droppedName = "forgotten.json";
/** The stretches of the log that the runs lack although they cover them (log/unknown-events.ts). */
export const unknownName = "unknown.json";
const nothingDropped: Dropped = { event: 0, fingerprint: [0, 0] };

function readDropped({ folder, isLast }: FingerprintSetOptions): Dropped {
	try {
		const read: unknown = JSON.parse(readFileSync(join(folder, droppedName), "utf8"));
		return Value.Check(Dropped, read) && isLast(read.event, read.fingerprint) ? read : nothingDropped;
	} catch {
		// Missing or incomplete: no stretch was dropped.
		return nothingDropped;
	}
}

/** Returns the bytes of a table for this many entries, at most half full. */
const tableBytes = (entries: number): number => 2 ** Math.ceil(Math.log2(entries * 2 + 2)) * entryWords * 4;

const suffix = ".run";
const pathOf = (folder: string, { firstEvent, lastEvent }: Stretch): string =>
	join(folder, `${firstEvent}-${lastEvent}${suffix}`);

/**
 * Opens the runs that cover the log from its first event on without a gap; the longest first, if a crash left a merged
 * run alongside its parts. Deletes all other files, which are written again from the log.
 */
function openRuns(options: FingerprintSetOptions, droppedTo: number): Run[] {
	const { folder, isOurs, trustedTo = Number.POSITIVE_INFINITY } = options;
	const found: Run[] = [];
	for (const name of readdirSync(folder)) {
		if (name === droppedName || name === unknownName) continue;
		const path = join(folder, name);
		const run = name.endsWith(suffix) ? Run.open(path) : undefined;
		if (run) found.push(run);
		else unlinkSync(path);
	}
	found.sort(
		({ header: one }, { header: other }) => one.firstEvent - other.firstEvent || other.lastEvent - one.lastEvent,
	);
	const runs: Run[] = [];
	let covered = droppedTo;
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
