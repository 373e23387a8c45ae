import { type Clock, wallClock } from "../../../kernel/clock";
import { openFile } from "../../../kernel/storage/db";
import type { Database } from "../../../kernel/work";
import { type LogRow, lastAtOf } from "../blocks/event-block";
import { atOnce, type Exclusively } from "./exclusive";
import { deleteOrphans, readFrames, type WrittenArchive, writeArchive, writeManifest } from "./files";
import { filesOf } from "./files-of-log";
import type { ArchivedBlock, ArchiveSlice, StoredFile } from "./messages";
import { dayMs } from "./rules";

/** Our choice: a million events, some tens of MiB; a day with more of them has several files. */
const fileBlocksMax = 8192;

/** Our choice: what leaves the log in one transaction, a few milliseconds of its writer's time. */
const sliceBlocksMax = 32;

/** Our choice: blocks that are looked at at once. */
const lookedAtOnce = 256;

/**
 * Our choice: where so many blocks in a row are too young, so is what follows them, but for reports of a long past; they are
 * looked at when those before them have gone.
 */
const youngBlocksMax = 65_536;

/** Our choice: how often it is looked for what has become old. */
const lookEveryMs = 3_600_000;

/** Our choice: a slice is followed by a rest of twice the time that it took, in which the log's writer is for its senders. */
const restsPerSlice = 2;

export interface ArchiverOptions {
	/** The data folder. */
	readonly folder: string;
	/** Events that are older by their own time are archived, in whole blocks and by whole days. */
	readonly keepDays: number;
	readonly clock?: Clock;
	/** Asks the log's writer; resolves when it is on disk. */
	readonly move: (slice: ArchiveSlice) => Promise<void>;
	readonly isStopping: () => boolean;
	/** Who else changes files of the archive waits meanwhile. */
	readonly exclusively?: Exclusively;
	/** Tests make the files small. */
	readonly fileBlocks?: number;
}

type LookedAt = Pick<LogRow, "firstEvent" | "events" | "firstAt" | "later">;

/**
 * Moves what has become old from the log to files by day. A file is whole and on disk before the first of its blocks leaves
 * the log, and each leaves it in the transaction that says where it is now: so at any moment every event is in one place,
 * and what a kill has left is gone on with.
 */
export class Archiver {
	readonly #options: ArchiverOptions;
	readonly #db: Database["$client"];
	readonly #look;
	readonly #block;

	constructor(options: ArchiverOptions) {
		this.#options = options;
		this.#db = openFile(options.folder, "events").$client;
		this.#db.run("PRAGMA query_only = ON");
		this.#look = this.#db.prepare<LookedAt, [number, number]>(
			`SELECT first_event AS firstEvent, events, first_at AS firstAt, later FROM event_blocks
			WHERE first_event > ? ORDER BY first_event LIMIT ?`,
		);
		this.#block = this.#db.prepare<LogRow, [number]>(
			`SELECT first_event AS firstEvent, events, first_at AS firstAt, later, customers, facts, keys, fingerprints
			FROM event_blocks WHERE first_event = ?`,
		);
	}

	/** Archives what has become old; answers after how many milliseconds to look again. */
	async run(): Promise<number> {
		const { folder, exclusively = atOnce } = this.#options;
		await exclusively(async () => {
			deleteOrphans(folder, new Set(this.#files("1").map(({ name }) => name)));
			for (const file of this.#files("NOT is_whole")) await this.#goOn(file);
		});
		// After a restore it is not there yet.
		this.#writeManifest();
		for (;;) {
			const hasMoved = await exclusively(async () => {
				const old = await this.#findOld();
				if (!old || this.#options.isStopping()) return false;
				await this.#move(await writeArchive(folder, old.day, this.#rowsOf(old.blocks), pause));
				return true;
			});
			if (!hasMoved) return lookEveryMs;
		}
	}

	close(): void {
		this.#db.close();
	}

	#files(where: string): StoredFile[] {
		return filesOf(this.#db, where);
	}

	/** The blocks of the first day that has any, as many as a file takes. */
	async #findOld(): Promise<{ readonly day: number; readonly blocks: readonly number[] } | undefined> {
		const { keepDays, clock = wallClock, fileBlocks = fileBlocksMax } = this.#options;
		const youngFrom = (Math.floor(clock.now() / dayMs) - keepDays) * dayMs;
		const byDay = new Map<number, number[]>();
		let young = 0;
		for (let after = 0; young < youngBlocksMax; ) {
			const rows = this.#look.all(after, lookedAtOnce);
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
			if (rows.length < lookedAtOnce || this.#options.isStopping()) break;
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

	/** A kill has cut off the moving of this file's blocks. Those that have moved are moved again, which changes nothing. */
	async #goOn(file: StoredFile): Promise<void> {
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

/** Lets others on this thread work. */
const pause = (): Promise<void> => Bun.sleep(1);
