import { existsSync, rmSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import { codeOf } from "../../../kernel/errors";
import { fileMode, folderMode } from "../../../kernel/storage/disk";
import { FileNotHere, FileUnreadable } from "../../../kernel/storage/failures";
import type { StoredFile } from "./messages";
import type { ObjectStorage } from "./object-storage";
import { readPart } from "./read-part";
import { fetchedFolder, objectName, pieceBytes, piecesOf } from "./rules.storage";

/** Pieces that one thread fetches at once. */
const fetchesMax = 4;

/** Pieces that are fetched ahead for sequential readers. */
const readAhead = 3;

/**
 * Caches pieces of files in the storage, fetched on demand, within a limit of disk space. One for each thread. All
 * threads share the folder, where a piece is whole as soon as it has its name. Any file in it may be deleted at any
 * time.
 */
export class FetchedFiles {
	readonly #folder: string;
	readonly #storage: ObjectStorage;
	readonly #bytesMax: number;
	readonly #fetching = new Map<string, Promise<void>>();
	readonly #limit = pLimit(fetchesMax);

	/** `folder` is the data folder. */
	constructor(folder: string, storage: ObjectStorage, bytesMax: number) {
		this.#folder = fetchedFolder(folder);
		this.#storage = storage;
		this.#bytesMax = bytesMax;
	}

	/** Returns a part of a file. Throws `FileNotHere` if it has to be fetched first, and begins to fetch it. */
	read(file: StoredFile, offset: number, bytes: number): Uint8Array {
		const indexes = piecesOf(offset, bytes);
		const parts = indexes.map((index) => {
			const start = index * pieceBytes;
			const [from, to] = [Math.max(offset, start), Math.min(offset + bytes, start + pieceBytes)];
			return readPart(this.#path(file, index), from - start, to - from);
		});
		const missing = indexes.filter((_, at) => parts[at] === undefined);
		if (missing.length > 0) throw this.#notHere(file, missing);
		return Buffer.concat(parts.filter((part) => part !== undefined));
	}

	/** Deletes the pieces of a part that turned out to be damaged, so that they are fetched again. */
	drop(file: StoredFile, offset: number, bytes: number): void {
		for (const index of piecesOf(offset, bytes)) rmSync(this.#path(file, index), { force: true });
	}

	#notHere(file: StoredFile, missing: readonly number[]): FileNotHere {
		const arrivals = missing.map((index) => this.#fetch(file, index));
		this.#fetchAhead(file, missing);
		return new FileNotHere(
			"Old events that are asked for are being fetched from the S3 storage; repeat the call shortly, or ask for a shorter period.",
			Promise.all(arrivals).then(() => {}),
			{ cause: new Error(`${this.#storage.addressOf(file)} is being fetched`) },
		);
	}

	#fetchAhead(file: StoredFile, [first = 0, ...others]: readonly number[]): void {
		if (first === 0 || !existsSync(this.#path(file, first - 1))) return;
		const last = others.at(-1) ?? first;
		for (let index = last + 1; index <= last + readAhead && index * pieceBytes < file.bytes; index += 1)
			if (!existsSync(this.#path(file, index))) this.#fetch(file, index).catch(() => {});
	}

	#fetch(file: StoredFile, index: number): Promise<void> {
		const path = this.#path(file, index);
		const known = this.#fetching.get(path);
		if (known) return known;
		const from = index * pieceBytes;
		const to = Math.min(file.bytes, from + pieceBytes);
		const fetched = this.#limit(async () => this.#store(path, await this.#storage.part(file, from, to))).finally(() =>
			this.#fetching.delete(path),
		);
		this.#fetching.set(path, fetched);
		return fetched;
	}

	/** Stores a piece. FileUnreadable if the disk does not take it. */
	async #store(path: string, piece: Uint8Array): Promise<void> {
		try {
			await mkdir(this.#folder, { recursive: true, mode: folderMode });
			await this.#makeRoom(piece.length);
			// Two threads may fetch the same piece.
			const part = `${path}.${crypto.randomUUID()}.part`;
			await writeFile(part, piece, { mode: fileMode });
			await rename(part, path);
		} catch (cause) {
			throw new FileUnreadable(
				"Old events that are asked for were fetched from the S3 storage and could not be kept here: the operator finds the reason in the log.",
				{ cause },
			);
		}
	}

	/** Deletes the pieces that were fetched the longest ago. */
	async #makeRoom(bytes: number): Promise<void> {
		const pieces = await Promise.all((await readdir(this.#folder)).map((name) => lookAt(join(this.#folder, name))));
		const oldestFirst = pieces.filter((piece) => piece !== undefined).sort((one, other) => one.at - other.at);
		let used = oldestFirst.reduce((sum, piece) => sum + piece.bytes, bytes);
		for (const piece of oldestFirst) {
			if (used <= this.#bytesMax) return;
			await rm(piece.path, { force: true });
			used -= piece.bytes;
		}
	}

	/** Contains the object's name, so a piece of another log is never mistaken for this one's. */
	#path(file: StoredFile, index: number): string {
		return join(this.#folder, `${objectName(file)}.${index}`);
	}
}

/** Returns undefined if there is no such file: another thread may delete it at any time. */
async function lookAt(path: string): Promise<{ path: string; bytes: number; at: number } | undefined> {
	try {
		const { size, mtimeMs } = await stat(path);
		return { path, bytes: size, at: mtimeMs };
	} catch (error) {
		if (codeOf(error) === "ENOENT") return undefined;
		throw error;
	}
}
