import { type Clock, wallClock } from "../../../kernel/clock";
import { openFile } from "../../../kernel/storage/db";
import type { Database } from "../../../kernel/work";
import { type LogRow, lastAtOf } from "../blocks/event-block";
import { atOnce, type Exclusively } from "./exclusive";
import { deleteOrphans, readFrames, type WrittenArchive, writeArchive, writeManifest } from "./files";
import { filesOf } from "./files-of-log";
import type { ArchivedBlock, ArchiveSlice, StoredFile } from "./messages";
import { dayMs } from "./rules";

/** A million events, some tens of MiB. A day with more events has several files. */
const fileBlocksMax = 8192;

/** Blocks that leave the log in one transaction, a few milliseconds of its writer's time. */
const sliceBlocksMax = 32;

/** Blocks that are read at once. */
const blocksAtOnce = 256;

/**
 * After this many young blocks in a row, all later blocks count as young. Reports of a distant past among them are
 * found when the blocks before them have moved.
 */
const youngBlocksMax = 65_536;

/** The interval between searches for old blocks. */
const searchEveryMs = 3_600_000;

/** After each slice, a pause of twice its duration leaves the log's writer to its senders. */
const restsPerSlice = 2;

export interface ArchiverOptions {
	/** The data folder. */
	readonly folder: string;
	/** Events that are older by their own time are archived, in whole blocks and whole days. */
	readonly keepDays: number;
	readonly clock?: Clock;
	/** Sends an order to the log's writer; resolves when it is on disk. */
	readonly move: (slice: ArchiveSlice) => Promise<void>;
	readonly isStopping: () => boolean;
	/** Excludes other changes to files of the archive meanwhile. */
	readonly exclusively?: Exclusively;
	/** Tests make the files small. */
	readonly fileBlocks?: number;
}

type CandidateBlock = Pick<LogRow, "firstEvent" | "events" | "firstAt" | "later">;

/**
 * Moves old events from the log to files by day. A file is whole and on disk before the first of its blocks leaves the
 * log. Each block leaves the log in the transaction that records its new place. So every event is in exactly one place
 * at any moment, and an interrupted move resumes.
 */
export class Archiver {
	readonly #options: ArchiverOptions;
	readonly #db: Database["$client"];
	readonly #selectBlocks;
	readonly #block;

	constructor(options: ArchiverOptions) {
		this.#options = options;
		this.#db = openFile(options.folder, "events").$client;
		this.#db.run("PRAGMA query_only = ON");
		this.#selectBlocks = this.#db.prepare<CandidateBlock, [number, number]>(
			`SELECT first_event AS firstEvent, events, first_at AS firstAt, later FROM event_blocks
			WHERE first_event > ? ORDER BY first_event LIMIT ?`,
		);
		this.#block = this.#db.prepare<LogRow, [number]>(
			`SELECT first_event AS firstEvent, events, first_at AS firstAt, later, customers, facts, keys, fingerprints
			FROM event_blocks WHERE first_event = ?`,
		);
	}

	/** Archives old events; returns the milliseconds until the next search. */
	async run(): Promise<number> {
		const { folder, exclusively = atOnce } = this.#options;
		await exclusively(async () => {
			deleteOrphans(folder, new Set(this.#files("1").map(({ name }) => name)));
			for (const file of this.#files("NOT is_whole")) await this.#resume(file);
		});
		// After a restore, the manifest is missing.
		this.#writeManifest();
		for (;;) {
			const hasMoved = await exclusively(async () => {
				const old = await this.#findOld();
				if (!old || this.#options.isStopping()) return false;
				await this.#move(await writeArchive(folder, old.day, this.#rowsOf(old.blocks), pause));
				return true;
			});
			if (!hasMoved) return searchEveryMs;
		}
	}

	close(): void {
		this.#db.close();
	}

	#files(where: string): StoredFile[] {
		return filesOf(this.#db, where);
	}

	/** Returns the blocks of the first day that has any, at most as many as a file takes. */
	async #findOld(): Promise<{ readonly day: number; readonly blocks: readonly number[] } | undefined> {
		const { keepDays, clock = wallClock, fileBlocks = fileBlocksMax } = this.#options;
		const youngFrom = (Math.floor(clock.now() / dayMs) - keepDays) * dayMs;
		const byDay = new Map<number, number[]>();
		let young = 0;
		for (let after = 0; young < youngBlocksMax; ) {
			const rows = this.#selectBlocks.all(after, blocksAtOnce);
			for (const row of rows) {
				after = row.firstEvent;
				const lastAt = lastAtOf(row);
				young = lastAt >= youngFrom ? young + 1 : 0;
				if (young > 0) continue;
				const day = Math.floor(lastAt / dayMs);
				const ofDay = byDay.get(day) ?? [];
				byDay.set(day, ofDay);
				if (ofDay.length < fileBlocks) ofDay.push(row.firstEvent);
			}
			if (rows.length < blocksAtOnce || this.#options.isStopping()) break;
			await pause();
		}
		const day = Math.min(...byDay.keys());
		return byDay.size === 0 ? undefined : { day, blocks: byDay.get(day) ?? [] };
	}

	*#rowsOf(blocks: readonly number[]): Generator<LogRow> {
		for (const firstEvent of blocks) {
			const row = this.#block.get(firstEvent);
			if (row) yield row;
		}
	}

	/** Resumes the move of a file's blocks after a kill. Moving a block again changes nothing. */
	async #resume(file: StoredFile): Promise<void> {
		const blocks: ArchivedBlock[] = [];
		for (const { rows, offset, bytes } of readFrames(this.#options.folder, file)) {
			for (const row of rows) blocks.push({ firstEvent: row.firstEvent, lastAt: lastAtOf(row), offset, bytes });
			await pause();
		}
		await this.#move({ file, blocks });
	}

	async #move({ file, blocks }: WrittenArchive): Promise<void> {
		for (let from = 0; from < blocks.length; from += sliceBlocksMax) {
			if (this.#options.isStopping()) return;
			const beganAtMs = performance.now();
			const slice = blocks.slice(from, from + sliceBlocksMax);
			await this.#options.move({
				kind: "archived",
				file,
				blocks: slice,
				isLast: from + sliceBlocksMax >= blocks.length,
			});
			await Bun.sleep((performance.now() - beganAtMs) * restsPerSlice);
		}
		this.#writeManifest();
	}

	#writeManifest(): void {
		const files = this.#files("is_whole");
		if (files.length > 0) writeManifest(this.#options.folder, files);
	}
}

/** Lets other work on this thread run. */
const pause = (): Promise<void> => Bun.sleep(1);
