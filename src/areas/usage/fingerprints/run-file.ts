import { closeSync, fsyncSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { renameWhole } from "../../../kernel/disk";
import { Bloom, bloomWords } from "./bloom";
import { entryWords } from "./recent-table";

/**
 * A sorted run: the fingerprints of a stretch of the log that no longer fit the table in memory, in a file that never
 * changes. Its layout, in 32-bit words: header, entries by fingerprint, the high half of each page's first entry, a
 * checksum of each page, the Bloom filter. It can always be made again from `event_commits`, so it is a cache: what looks
 * wrong is thrown away. The header and the tail are checked when it is opened, each page whenever it is read.
 */
const magic = 0x746c_7332;
const headerWords = 16;
const entryBytes = entryWords * 4;

/** Entries that are read at once: 4 KiB. */
const pageEntries = 256;
const pageWords = pageEntries * entryWords;

/** A file of fingerprints is not what was written. Thrown away, it is made again by the next opening of the log. */
export class DamagedRun extends Error {
	constructor(readonly run: Run) {
		super(`The fingerprint file '${run.path}' is damaged; it is made again from events.db.`);
	}
}

/** The stretch of the log that a run covers, both ends included. */
export interface Stretch {
	readonly firstEvent: number;
	readonly lastEvent: number;
}

export interface RunHeader extends Stretch {
	readonly entries: number;
}

export class Run {
	readonly #page = new Uint32Array(pageWords);
	#isClosed = false;

	private constructor(
		readonly path: string,
		readonly header: RunHeader,
		readonly fd: number,
		private readonly pageStarts: Uint32Array,
		private readonly pageChecks: Uint32Array,
		private readonly bloom: Bloom,
	) {}

	/** The run in this file; undefined when the file is none, or is damaged. */
	static open(path: string): Run | undefined {
		const fd = openSync(path, "r");
		const words = new Uint32Array(headerWords);
		const header = readWords(fd, words, 0) ? parseHeader(words) : undefined;
		const tail = header && new Uint32Array(tailWords(header.entries));
		if (
			!header ||
			!tail ||
			!readWords(fd, tail, headerWords * 4 + header.entries * entryBytes) ||
			checkOf(words, tail) !== words[checkAt]
		) {
			closeSync(fd);
			return undefined;
		}
		const { pageStarts, pageChecks, bloom } = partsOf(tail, header.entries);
		return new Run(path, header, fd, pageStarts, pageChecks, new Bloom(bloom));
	}

	/** Calls `visit` with each event of this fingerprint until it answers true; answers whether it did. */
	some(high: number, low: number, visit: (event: number) => boolean): boolean {
		if (!this.bloom.mayHold(high, low)) return false;
		for (
			let page = this.#firstPage(high);
			page < this.pageStarts.length && (this.pageStarts[page] ?? 0) <= high;
			page += 1
		) {
			const entries = this.readEntries(page * pageEntries, this.#page);
			for (let at = 0; at < entries * entryWords; at += entryWords) {
				if (this.#page[at] !== high || this.#page[at + 1] !== low) continue;
				if (visit((this.#page[at + 2] ?? 0) * 2 ** 32 + (this.#page[at + 3] ?? 0))) return true;
			}
		}
		return false;
	}

	/** Reads entries from the given one on, with which a page begins, as many as fit; answers how many. */
	readEntries(from: number, into: Uint32Array): number {
		const entries = Math.min(into.length / entryWords, this.header.entries - from);
		const words = into.subarray(0, entries * entryWords);
		if (!readWords(this.fd, words, headerWords * 4 + from * entryBytes)) throw new DamagedRun(this);
		const firstPage = from / pageEntries;
		for (let at = 0, page = firstPage; at < words.length; at += pageWords, page += 1)
			if (checkOfPage(words.subarray(at, at + pageWords)) !== this.pageChecks[page]) throw new DamagedRun(this);
		return entries;
	}

	close(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		closeSync(this.fd);
	}

	delete(): void {
		this.close();
		unlinkSync(this.path);
	}

	/** The last page that begins below `high`: equal fingerprints may begin at its end. */
	#firstPage(high: number): number {
		let [below, from] = [0, this.pageStarts.length];
		while (below + 1 < from) {
			const middle = (below + from) >> 1;
			if ((this.pageStarts[middle] ?? 0) < high) below = middle;
			else from = middle;
		}
		return below;
	}
}

/** Writes a run, entry after entry in order. Under its own name it appears only when it is whole and on disk. */
export class RunWriter {
	readonly #fd: number;
	readonly #tail: Uint32Array;
	readonly #parts: Tail;
	readonly #bloom: Bloom;
	#written = 0;
	#finished = false;

	constructor(
		private readonly path: string,
		private readonly header: RunHeader,
	) {
		this.#fd = openSync(`${path}.part`, "w", 0o600);
		this.#tail = new Uint32Array(tailWords(header.entries));
		this.#parts = partsOf(this.#tail, header.entries);
		this.#bloom = new Bloom(this.#parts.bloom);
	}

	/** Whole pages; only the last may be shorter. */
	append(words: Uint32Array): void {
		const { pageStarts, pageChecks } = this.#parts;
		for (let at = 0; at < words.length; at += entryWords) this.#bloom.add(words[at] ?? 0, words[at + 1] ?? 0);
		for (let at = 0, page = this.#written / pageEntries; at < words.length; at += pageWords, page += 1) {
			pageStarts[page] = words[at] ?? 0;
			pageChecks[page] = checkOfPage(words.subarray(at, at + pageWords));
		}
		writeAll(this.#fd, words, headerWords * 4 + this.#written * entryBytes);
		this.#written += words.length / entryWords;
	}

	finish(): void {
		const words = new Uint32Array(headerWords);
		const { entries, firstEvent, lastEvent } = this.header;
		words.set([
			magic,
			entries,
			Math.floor(firstEvent / 2 ** 32),
			firstEvent >>> 0,
			Math.floor(lastEvent / 2 ** 32),
			lastEvent >>> 0,
		]);
		words[checkAt] = checkOf(words, this.#tail);
		writeAll(this.#fd, this.#tail, headerWords * 4 + entries * entryBytes);
		writeAll(this.#fd, words, 0);
		fsyncSync(this.#fd);
		closeSync(this.#fd);
		this.#finished = true;
		renameWhole(`${this.path}.part`, this.path);
	}

	/** Leaves nothing behind; after `finish` there is nothing to leave. */
	abandon(): void {
		if (this.#finished) return;
		closeSync(this.#fd);
		unlinkSync(`${this.path}.part`);
	}
}

const checkAt = headerWords - 1;
const pagesOf = (entries: number): number => Math.ceil(entries / pageEntries);
const tailWords = (entries: number): number => 2 * pagesOf(entries) + bloomWords(entries);

/** What follows the entries. */
interface Tail {
	readonly pageStarts: Uint32Array;
	readonly pageChecks: Uint32Array;
	readonly bloom: Uint32Array;
}

function partsOf(tail: Uint32Array, entries: number): Tail {
	const pages = pagesOf(entries);
	return {
		pageStarts: tail.subarray(0, pages),
		pageChecks: tail.subarray(pages, 2 * pages),
		bloom: tail.subarray(2 * pages),
	};
}

const checkOfPage = (words: Uint32Array): number => Number(Bun.hash.wyhash(words) & 0xffff_ffffn);

/** Over the header and the tail. */
function checkOf(header: Uint32Array, tail: Uint32Array): number {
	const seed = Bun.hash.wyhash(header.slice(0, checkAt));
	return Number(Bun.hash.wyhash(tail, seed) & 0xffff_ffffn);
}

function parseHeader(words: Uint32Array): RunHeader | undefined {
	const [mark, entries = 0, firstHigh = 0, firstLow = 0, lastHigh = 0, lastLow = 0] = words;
	if (mark !== magic) return undefined;
	return { entries, firstEvent: firstHigh * 2 ** 32 + firstLow, lastEvent: lastHigh * 2 ** 32 + lastLow };
}

/** Whether all of it was there. */
function readWords(fd: number, words: Uint32Array, position: number): boolean {
	const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
	let read = 0;
	while (read < bytes.length) {
		const more = readSync(fd, bytes, read, bytes.length - read, position + read);
		if (more === 0) return false;
		read += more;
	}
	return true;
}

function writeAll(fd: number, words: Uint32Array, position: number): void {
	const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
	let written = 0;
	while (written < bytes.length) written += writeSync(fd, bytes, written, bytes.length - written, position + written);
}
