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

/** Blocks that move to the new file in one transaction, a few milliseconds of the log's writer. */
const sliceBlocksMax = 128;

/** A reader that has just looked up a block in the log has read it by then. */
const readersMs = 500;

type Pointer = Omit<ArchivedBlock, "lastAt">;

export interface RewritingOptions {
	/** The data folder. */
	readonly folder: string;
	/** A connection that has events.db attached or open, and only reads it. */
	readonly events: Database["$client"];
	/** Sends an order to the log's writer; resolves when it is on disk. */
	readonly order: (order: ArchiveOrder) => Promise<void>;
	/** The time that an object is retained in the storage after another has replaced it. */
	readonly replacedKeptMs: number;
	/** The machine's clock. */
	readonly clock?: Clock;
}

/**
 * Rewrites files of the archive that hold events of an erased customer. The new file is whole and on disk before any
 * block points to it. The former file is deleted when no block does any more. So every event is in exactly one place at
 * any moment, and an interrupted step can be repeated.
 */
export class ArchiveRewriting {
	readonly #options: RewritingOptions;

	constructor(options: RewritingOptions) {
		this.#options = options;
	}

	/** Deletes files that a kill left: those that no block points to, and those whose blocks have not left the log. */
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

	/** Returns how many events have changed. */
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
		// The file held nothing to erase.
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

	/** Yields the blocks of a file after a change. */
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
	 * Deletes a file without blocks, with its fetched pieces. Its object is retained for a while, because earlier
	 * backups need it for other customers' events (decision 0022); the uploader deletes it.
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

/** Lets other work on this thread run. */
const pause = (): Promise<void> => Bun.sleep(1);
