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

/** The interval between searches for files in the folder. The archiver also reports each new file. */
const searchEveryMs = 3_600_000;

export interface UploaderOptions {
	/** The data folder. */
	readonly folder: string;
	readonly storage: ObjectStorage;
	/** Sends an order to the log's writer; resolves when it is on disk. */
	readonly order: (order: StoredSlice | DeletedObject) => Promise<void>;
	readonly isStopping: () => boolean;
	/** Excludes other changes to files of the archive meanwhile. */
	readonly exclusively?: Exclusively;
	/** Called when one file cannot be moved, while others can. */
	readonly onTrouble: (error: unknown) => void;
	/** Called when a replaced object cannot be deleted. The next search retries it. */
	readonly onUndeleted: (error: unknown) => void;
	/** The machine's clock. */
	readonly clock?: Clock;
}

interface Named {
	readonly environment_id: string;
	readonly customer_ref: string;
}

/**
 * Moves files of the archive to the storage: it writes an object and reads it back; the log stores the identities of
 * its events and, with the last of them, the new place of the file; then the file in the folder is deleted. Each step
 * can be repeated. An interrupted move resumes with its first step that is not done, and does not send a whole object
 * again.
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
		// Most of the time, no call waits for the stop.
		this.#stopped.promise.catch(() => {});
	}

	/** Moves the files in the folder; returns the milliseconds until the next search. Throws FileOutOfReach. */
	async run(): Promise<number> {
		const { storage, isStopping, onTrouble, exclusively = atOnce } = this.#options;
		// A wrong setting shows at the start, not when the first file is old.
		await this.#unlessStopped(storage.assertUsable());
		// Objects of a storage other than the present one are unknown.
		this.#delete(this.#files("stored_in IS NOT NULL").filter(({ storedIn }) => storedIn === storage.location));
		for (const file of this.#files("is_whole AND stored_in IS NULL")) {
			if (isStopping()) break;
			await exclusively(async () => {
				// Another file may have replaced it.
				if (!this.#files("is_whole AND stored_in IS NULL").some(({ name }) => name === file.name)) return;
				const damage = await damageOf(this.#options.folder, file);
				if (damage === undefined) await this.#putAway(file);
				else onTrouble(new FileUnreadable(damage));
			});
		}
		await this.#deleteReplaced();
		return searchEveryMs;
	}

	/** Deletes the objects that an erasure has replaced, when no backup needs them any more. */
	async #deleteReplaced(): Promise<void> {
		const { storage, isStopping, order, onUndeleted, clock = wallClock } = this.#options;
		for (const file of this.#due.all(storage.location, clock.now())) {
			if (isStopping()) return;
			const failure = await this.#unlessStopped(storage.remove(file));
			if (failure) onUndeleted(failure);
			else await order({ kind: "deleted", file });
		}
	}

	/** Fails the requests to the storage that are under way: a stop does not wait for them. */
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
		await this.#storeIdentities(file);
		if (!isStopping()) this.#delete([file]);
	}

	async #storeIdentities(file: StoredFile): Promise<void> {
		const { folder, storage, order, isStopping } = this.#options;
		const { name, day, bytes, sha256 } = file;
		for (const { rows, offset, bytes: frameBytes } of readFrames(folder, file)) {
			if (isStopping()) return;
			const identities = rows.map((row) => identitiesOf(row, (customer) => this.#nameOf(customer)));
			const isLast = offset + frameBytes >= bytes;
			await order({
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
