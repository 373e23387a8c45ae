import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../kernel/errors";
import { fileMode } from "../kernel/storage/disk";
import { isDiskFull } from "../kernel/storage/failures";

const mebibyte = 1024 * 1024;

export interface DiskOptions {
	readonly folder: string;
	/** With less free space the disk counts as full. */
	readonly freeBytesMin?: number;
	/** A monotonic clock. */
	readonly clockMs?: () => number;
}

/** The size of a file's write-ahead log before it is checkpointed (kernel/storage/db.ts). */
const freeBytesMinDefault = 16 * mebibyte;

/** The bytes of a test write, more than the free part of a file's last block. */
const probe = new Uint8Array(64 * 1024);

/** The disk is tested at most once a second. */
const rememberedMs = 1000;

/** Tests whether the data folder can be written. It tests on each request, so it recovers as soon as there is space. */
export class Disk {
	readonly folder: string;
	readonly #freeBytesMin: number;
	readonly #clockMs: () => number;
	#looked: Promise<string | undefined> = Promise.resolve(undefined);
	#lookedAtMs = Number.NEGATIVE_INFINITY;

	constructor({ folder, freeBytesMin = freeBytesMinDefault, clockMs = () => performance.now() }: DiskOptions) {
		this.#clockMs = clockMs;
		this.folder = folder;
		this.#freeBytesMin = freeBytesMin;
	}

	/** Returns the reason why nothing can be written, and the remedy; undefined if the folder can be written. */
	trouble(): Promise<string | undefined> {
		const nowMs = this.#clockMs();
		if (nowMs - this.#lookedAtMs >= rememberedMs) {
			this.#lookedAtMs = nowMs;
			this.#looked = this.#look();
		}
		return this.#looked;
	}

	async #look(): Promise<string | undefined> {
		const file = join(this.folder, ".disk-probe");
		try {
			const { bavail, bsize } = await statfs(this.folder);
			const freeBytes = bavail * bsize;
			if (freeBytes < this.#freeBytesMin)
				return `The disk of the data folder is full: ${inMebibytes(freeBytes)} are left, and ${inMebibytes(this.#freeBytesMin)} are needed. Make room; the server goes on by itself.`;
			await writeFile(file, probe, { mode: fileMode });
			return undefined;
		} catch (error) {
			const code = codeOf(error) || String(error);
			return isDiskFull(error)
				? `The disk of the data folder is full (${code}). Make room; the server goes on by itself.`
				: `The data folder cannot be written (${code}). Give the server's user the right to write it, or repair the disk.`;
		} finally {
			// The next test overwrites a file that cannot be removed.
			await rm(file, { force: true }).catch(() => undefined);
		}
	}
}

const inMebibytes = (bytes: number): string => `${Math.floor(bytes / mebibyte)} MiB`;
