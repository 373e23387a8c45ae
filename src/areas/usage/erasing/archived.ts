import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Clock, type Instant, wallClock } from "../../../kernel/clock";
import { syncToDisk } from "../../../kernel/storage/disk";
import { onceHere } from "../../../kernel/storage/failures";
import type { Database } from "../../../kernel/work";
import { deleteOrphans, readFrame, writeArchive, writeManifest } from "../archive/files";
import { filesOf } from "../archive/files-of-log";
import type { ArchivedBlock, ArchiveOrder, StoredFile } from "../archive/messages";
import { storageOf } from "../archive/operations.storage";
import { archiveFolder, rewrittenName } from "../archive/rules";
import type { LogRow } from "../blocks/event-block";
import { type Erased, eraseBlock } from "./erased-block";

/** Our choice: blocks for which the other file stands at once, a few milliseconds of the log's writer. */
const sliceBlocksMax = 128;

/** Our choice: who has just read in the log where a block is has read it by then. */
const readersMs = 500;

type Pointer = Omit<ArchivedBlock, "lastAt">;

export interface RewritingOptions {
	/** The data folder. */
	readonly folder: string;
	/** A connection that has events.db attached, or open, and only reads it. */
	readonly events: Database["$client"];
	/** Asks the log's writer; resolves when it is on disk. */
	readonly order: (order: ArchiveOrder) => Promise<void>;
	/** How long an object of the storage stays after another has taken its place. */
	readonly replacedKeptMs: number;
	/** The machine's. */
	readonly clock?: Clock;
}

/**
 * Writes files of the archive anew, in which events of a customer lie that is erased. The new file is whole and on disk before
 * any block points to it, and the former goes when none does any more: at any moment every event is in one place, and what a
 * kill has cut off is done again, which changes nothing that was done.
 */
export class ArchiveRewriting {
	readonly #options: RewritingOptions;

	constructor(options: RewritingOptions) {
		this.#options = options;
	}

	/** What kills have left: files that no block points to, and files that hold blocks which have not left the log. */
	async tidy(erased: Erased): Promise<void> {
		const { folder, events } = this.#options;
		deleteOrphans(folder, new Set(filesOf(events).map(({ name }) => name)));
		const used = new Set(
			events
				.query<{ name: string }, []>(
					"SELECT name FROM event_archives WHERE id IN (SELECT DISTINCT archive FROM event_archived_blocks)",
				)
				.all()
				.map(({ name }) => name),
		);
		for (const file of filesOf(events)) if (!used.has(file.name)) await this.#drop(file);
		for (const file of filesOf(events, "NOT is_whole")) await this.#rewrite(file, erased);
	}

	/** Answers how many events have changed. */
	async eraseFile(archive: number, erased: Erased): Promise<number> {
		const [file] = filesOf(this.#options.events, `id = ${archive}`);
		return file ? await this.#rewrite(file, erased) : 0;
	}

	async #rewrite(file: StoredFile, erased: Erased): Promise<number> {
		const { folder, order } = this.#options;
		let changed = 0;
		const rows = this.#rowsOf(file, (row) => {
			const done = eraseBlock(row, erased);
			changed += done?.changed ?? 0;
			return done?.row ?? row;
		});
		const written = await writeArchive(folder, file.day, rows, pause, rewrittenName);
		// Nothing was in it that has to go.
		if (written.file.name === file.name) return 0;
		for (let from = 0; from < written.blocks.length; from += sliceBlocksMax) {
			const isLast = from + sliceBlocksMax >= written.blocks.length;
			const blocks = written.blocks.slice(from, from + sliceBlocksMax);
			await order({ kind: "rewritten", from: file.name, file: written.file, blocks, isLast });
		}
		await Bun.sleep(readersMs);
		await this.#drop(file);
		return changed;
	}

	/** The blocks for which a file stands, changed. */
	async *#rowsOf(file: StoredFile, change: (row: LogRow) => LogRow): AsyncGenerator<LogRow> {
		const { folder } = this.#options;
		const pointers = this.#pointersOf(file);
		const frames = [...new Map([...pointers.values()].map((one) => [one.offset, one])).values()];
		for (const { offset, bytes } of frames.sort((one, other) => one.offset - other.offset))
			for (const row of await onceHere(() => readFrame(folder, file, offset, bytes)))
				if (pointers.get(row.firstEvent)?.offset === offset) yield change(row);
	}

	#pointersOf({ name }: StoredFile): Map<number, Pointer> {
		const rows = this.#options.events
			.query<Pointer, [string]>(
				`SELECT first_event AS firstEvent, offset, bytes FROM event_archived_blocks
				WHERE archive = (SELECT id FROM event_archives WHERE name = ?)`,
			)
			.all(name);
		return new Map(rows.map((row) => [row.firstEvent, row]));
	}

	/**
	 * A file that stands for nothing any more: it goes here, with what was fetched of it. Its object stays for a while, since
	 * backups that were made before need it for the events of other customers (decision 0022); the uploader deletes it.
	 */
	async #drop({ storedIn, ...file }: StoredFile): Promise<void> {
		const { folder, events, order, replacedKeptMs, clock = wallClock } = this.#options;
		storageOf(folder)?.fetched.drop({ ...file, storedIn }, 0, file.bytes);
		const path = join(archiveFolder(folder), file.name);
		if (existsSync(path)) {
			rmSync(path);
			syncToDisk(archiveFolder(folder));
		}
		const replacedAt = clock.now();
		const deleteAt = (replacedAt + replacedKeptMs) as Instant;
		await order({
			...{ kind: "dropped", file },
			...(storedIn !== null && { replaced: { storedIn, replacedAt, deleteAt } }),
		});
		writeManifest(folder, filesOf(events, "is_whole"));
	}
}

/** Lets others on this thread work. */
const pause = (): Promise<void> => Bun.sleep(1);
