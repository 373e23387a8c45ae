import type { Database as SqliteFile } from "bun:sqlite";
import { unreachable } from "../../../kernel/errors";
import type { ArchiveOrder, ArchiveSlice, DroppedFile, ErasedSlice, RewrittenSlice, StoredSlice } from "./messages";

/**
 * Moves blocks from the log to a file of the archive, and from there to the storage, and rewrites them, inside the
 * transaction of the log's writer.
 */
export class MovedBlocks {
	readonly #addFile;
	readonly #idOf;
	readonly #point;
	readonly #delete;
	readonly #finish;
	readonly #storeIdentities;
	readonly #store;
	readonly #rewriteBlock;
	readonly #rewriteRow;
	readonly #standFor;
	readonly #drop;
	readonly #addReplaced;
	readonly #forgetReplaced;

	constructor(events: SqliteFile) {
		this.#addFile = events.prepare<unknown, [string, number, number, string]>(
			"INSERT INTO event_archives (name, day, bytes, sha256, is_whole) VALUES (?, ?, ?, ?, 0) ON CONFLICT DO NOTHING",
		);
		this.#idOf = events.prepare<{ id: number }, [string, string]>(
			"SELECT id FROM event_archives WHERE name = ? AND sha256 = ?",
		);
		// A block that has moved already stays where it is.
		this.#point = events.prepare<unknown, [number, number, number, number, number]>(
			`INSERT INTO event_archived_blocks (first_event, events, last_at, archive, offset, bytes, last_fingerprint)
			SELECT first_event, events, ?, ?, ?, ?, substr(fingerprints, -8) FROM event_blocks WHERE first_event = ?`,
		);
		this.#delete = events.prepare<unknown, [number]>("DELETE FROM event_blocks WHERE first_event = ?");
		this.#finish = events.prepare<unknown, [number]>("UPDATE event_archives SET is_whole = 1 WHERE id = ?");
		this.#storeIdentities = events.prepare<unknown, [number, Uint8Array, Uint8Array]>(
			`INSERT INTO event_stored_identities (first_event, fingerprints, checks) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
		);
		this.#store = events.prepare<unknown, [string, string, string]>(
			"UPDATE event_archives SET stored_in = ? WHERE name = ? AND sha256 = ? AND is_whole",
		);
		this.#rewriteBlock = events.prepare<unknown, [string, string, number]>(
			"UPDATE event_blocks SET facts = ?, keys = ? WHERE first_event = ?",
		);
		this.#rewriteRow = events.prepare<unknown, [string | null, string, number]>(
			"UPDATE events SET dimensions = ?, idempotency_key = ? WHERE id = ?",
		);
		this.#standFor = events.prepare<unknown, [number, number, number, number, string]>(
			`UPDATE event_archived_blocks SET archive = ?, offset = ?, bytes = ?
			WHERE first_event = ? AND archive = (SELECT id FROM event_archives WHERE name = ?)`,
		);
		this.#drop = events.prepare<unknown, [string, string]>("DELETE FROM event_archives WHERE name = ? AND sha256 = ?");
		this.#addReplaced = events.prepare<unknown, [string, number, number, string, string, number, number]>(
			`INSERT INTO event_replaced_objects (name, day, bytes, sha256, stored_in, replaced_at, delete_at)
			VALUES (?, ?, ?, ?, ?, ?, ?)`,
		);
		this.#forgetReplaced = events.prepare<unknown, [string, string, string | null]>(
			"DELETE FROM event_replaced_objects WHERE name = ? AND sha256 = ? AND stored_in = ?",
		);
	}

	write(order: ArchiveOrder): void {
		switch (order.kind) {
			case "archived":
				this.#move(order);
				break;
			case "stored":
				this.#moveToStorage(order);
				break;
			case "erased":
				this.#erase(order);
				break;
			case "rewritten":
				this.#repoint(order);
				break;
			case "dropped":
				this.#dropFile(order);
				break;
			case "deleted":
				this.#forgetReplaced.run(order.file.name, order.file.sha256, order.file.storedIn);
				break;
			default:
				unreachable(order);
		}
	}

	#dropFile({ file: { name, day, bytes, sha256 }, replaced }: DroppedFile): void {
		this.#drop.run(name, sha256);
		if (!replaced) return;
		const { storedIn, replacedAt, deleteAt } = replaced;
		// A restored folder may replace the same object a second time: only the last time counts.
		this.#forgetReplaced.run(name, sha256, storedIn);
		this.#addReplaced.run(name, day, bytes, sha256, storedIn, replacedAt, deleteAt);
	}

	#erase({ blocks, rows }: ErasedSlice): void {
		for (const { firstEvent, facts, keys } of blocks) this.#rewriteBlock.run(facts, keys, firstEvent);
		for (const { id, dimensions, idempotencyKey } of rows) this.#rewriteRow.run(dimensions, idempotencyKey, id);
	}

	#repoint({ from, file: { name, day, bytes, sha256 }, blocks, isLast }: RewrittenSlice): void {
		this.#addFile.run(name, day, bytes, sha256);
		const id = this.#idOf.get(name, sha256)?.id;
		if (id === undefined) throw new Error(`Another file of the archive has the name '${name}'.`);
		for (const { firstEvent, offset, bytes: frameBytes } of blocks)
			this.#standFor.run(id, offset, frameBytes, firstEvent, from);
		if (isLast) this.#finish.run(id);
	}

	#moveToStorage({ file, storedIn, identities, isLast }: StoredSlice): void {
		for (const { firstEvent, fingerprints, checks } of identities)
			this.#storeIdentities.run(firstEvent, fingerprints, checks);
		if (isLast) this.#store.run(storedIn, file.name, file.sha256);
	}

	#move({ file: { name, day, bytes, sha256 }, blocks, isLast }: ArchiveSlice): void {
		this.#addFile.run(name, day, bytes, sha256);
		const id = this.#idOf.get(name, sha256)?.id;
		if (id === undefined) throw new Error(`Another file of the archive has the name '${name}'.`);
		for (const { firstEvent, lastAt, offset, bytes: frameBytes } of blocks) {
			this.#point.run(lastAt, id, offset, frameBytes, firstEvent);
			this.#delete.run(firstEvent);
		}
		if (isLast) this.#finish.run(id);
	}
}
