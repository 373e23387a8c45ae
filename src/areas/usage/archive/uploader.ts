import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Clock, wallClock } from "../../../kernel/clock";
import { openFile } from "../../../kernel/storage/db";
import { syncToDisk } from "../../../kernel/storage/disk";
import { FileUnreadable } from "../../../kernel/storage/failures";
import type { Database } from "../../../kernel/work";
import { atOnce, type Exclusively } from "./exclusive";
import { damageOf, readFrames, writeManifest } from "./files";
import { filesOf } from "./files-of-log";
import { identitiesOf } from "./identity-check";
import type { DeletedObject, StoredFile, StoredSlice } from "./messages";
import type { ObjectStorage } from "./object-storage";
import { archiveFolder } from "./rules";

/** Our choice: how often it is looked for what is here; the archiver tells of what it has written. */
const lookEveryMs = 3_600_000;

export interface UploaderOptions {
	/** The data folder. */
	readonly folder: string;
	readonly storage: ObjectStorage;
	/** Asks the log's writer; resolves when it is on disk. */
	readonly keep: (order: StoredSlice | DeletedObject) => Promise<void>;
	readonly isStopping: () => boolean;
	/** Who else changes files of the archive waits meanwhile. */
	readonly exclusively?: Exclusively;
	/** A file cannot be put away, while others can. */
	readonly onTrouble: (error: unknown) => void;
	/** A replaced object cannot be deleted; it is tried again at the next look. */
	readonly onUndeleted: (error: unknown) => void;
	/** The machine's. */
	readonly clock?: Clock;
}

interface Named {
	readonly environment_id: string;
	readonly customer_ref: string;
}

/**
 * Moves files of the archive to the storage. An object is written and read back, then the log keeps by what its events are
 * known, and says with the last of that where the file is; then the file here goes. Each of these can be done twice, and what
 * a kill has cut off is begun again at its first step that is not done: an object that is there and whole is not sent again.
 */
export class Uploader {
	readonly #options: UploaderOptions;
	readonly #db: Database["$client"];
	readonly #name;
	readonly #due;
	readonly #stopped = Promise.withResolvers<never>();

	constructor(options: UploaderOptions) {
		this.#options = options;
		this.#db = openFile(options.folder, "events").$client;
		this.#db.run("PRAGMA query_only = ON");
		this.#name = this.#db.prepare<Named, [number]>(
			"SELECT environment_id, customer_ref FROM event_customers WHERE id = ?",
		);
		this.#due = this.#db.prepare<StoredFile, [string, number]>(
			`SELECT name, day, bytes, sha256, stored_in AS storedIn FROM event_replaced_objects
			WHERE stored_in = ? AND delete_at <= ? ORDER BY id`,
		);
		// Most of the time nobody waits.
		this.#stopped.promise.catch(() => {});
	}

	/** Puts away what is here; answers after how many milliseconds to look again. FileOutOfReach. */
	async run(): Promise<number> {
		const { storage, isStopping, onTrouble, exclusively = atOnce } = this.#options;
		// A wrong setting shows at the start, and not when the first file has become old.
		await this.#unlessStopped(storage.assertUsable());
		// Of another storage than is set nothing is known.
		this.#delete(this.#files("stored_in IS NOT NULL").filter(({ storedIn }) => storedIn === storage.location));
		for (const file of this.#files("is_whole AND stored_in IS NULL")) {
			if (isStopping()) break;
			await exclusively(async () => {
				// Another may have taken its place.
				if (!this.#files("is_whole AND stored_in IS NULL").some(({ name }) => name === file.name)) return;
				const damage = await damageOf(this.#options.folder, file);
				if (damage === undefined) await this.#putAway(file);
				else onTrouble(new FileUnreadable(damage));
			});
		}
		await this.#deleteReplaced();
		return lookEveryMs;
	}

	/** Deletes the objects for which an erasure has written others, and which no backup needs any more. */
	async #deleteReplaced(): Promise<void> {
		const { storage, isStopping, keep, onUndeleted, clock = wallClock } = this.#options;
		for (const file of this.#due.all(storage.location, clock.now())) {
			if (isStopping()) return;
			const failure = await this.#unlessStopped(storage.remove(file));
			if (failure) onUndeleted(failure);
			else await keep({ kind: "deleted", file });
		}
	}

	/** What waits for the storage ends, by an error: a stop does not wait for that. */
	stop(): void {
		this.#stopped.reject(new Error("uploading was stopped"));
	}

	close(): void {
		this.#db.close();
	}

	#unlessStopped<T>(answer: Promise<T>): Promise<T> {
		return Promise.race([answer, this.#stopped.promise]);
	}

	async #putAway(file: StoredFile): Promise<void> {
		const { folder, storage, isStopping } = this.#options;
		if ((await this.#unlessStopped(storage.difference(file))) !== undefined) {
			await this.#unlessStopped(storage.put(file, join(archiveFolder(folder), file.name)));
			const difference = await this.#unlessStopped(storage.difference(file));
			if (difference !== undefined)
				throw new FileUnreadable(`${storage.addressOf(file)} ${difference}, right after it was written.`);
		}
		await this.#keepIdentities(file);
		if (!isStopping()) this.#delete([file]);
	}

	async #keepIdentities(file: StoredFile): Promise<void> {
		const { folder, storage, keep, isStopping } = this.#options;
		const { name, day, bytes, sha256 } = file;
		for (const { rows, offset, bytes: frameBytes } of readFrames(folder, file)) {
			if (isStopping()) return;
			const identities = rows.map((row) => identitiesOf(row, (customer) => this.#nameOf(customer)));
			const isLast = offset + frameBytes >= bytes;
			await keep({
				kind: "stored",
				file: { name, day, bytes, sha256 },
				storedIn: storage.location,
				identities,
				isLast,
			});
		}
	}

	#delete(files: readonly StoredFile[]): void {
		const { folder } = this.#options;
		const here = files.map(({ name }) => join(archiveFolder(folder), name)).filter((path) => existsSync(path));
		for (const path of here) rmSync(path);
		if (here.length === 0) return;
		syncToDisk(archiveFolder(folder));
		writeManifest(folder, this.#files("is_whole"));
	}

	#nameOf(customer: number): Named {
		return this.#name.get(customer) ?? { environment_id: "", customer_ref: "" };
	}

	#files(where: string): StoredFile[] {
		return filesOf(this.#db, where);
	}
}
