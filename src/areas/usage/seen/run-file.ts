import { closeSync, fsyncSync, openSync, readSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { Bloom, bloomWords } from "./bloom";
import { entryWords } from "./recent-table";

/**
 * A sorted run: the fingerprints of a stretch of the log that no longer fit the table in memory, in a file that never
 * changes. Its layout, in 32-bit words: header, entries by fingerprint, the high half of each page's first entry, the
 * Bloom filter. It can always be made again from `event_commits`, so it is a cache: what looks wrong is thrown away.
 */
const magic = 0x746c_7331;
const headerWords = 16;
const entryBytes = entryWords * 4;

/** Entries that are read at once: 4 KiB. */
const pageEntries = 256;

/** The stretch of the log that a run covers, both ends included. */
export interface Stretch {
	readonly firstEvent: number;
	readonly lastEvent: number;
}

export interface RunHeader extends Stretch {
	readonly entries: number;
}

export class Run {
	readonly #page = new Uint32Array(pageEntries * entryWords);

	private constructor(
		readonly path: string,
		readonly header: RunHeader,
		readonly fd: number,
		private readonly pageStarts: Uint32Array,
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
		const pages = Math.ceil(header.entries / pageEntries);
		return new Run(path, header, fd, tail.subarray(0, pages), new Bloom(tail.subarray(pages)));
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

	/** Reads entries from the given one on, as many as fit; answers how many. */
	readEntries(from: number, into: Uint32Array): number {
		const entries = Math.min(into.length / entryWords, this.header.entries - from);
		if (!readWords(this.fd, into.subarray(0, entries * entryWords), headerWords * 4 + from * entryBytes))
			throw new Error(`The fingerprint file '${this.path}' has lost its end; delete it and start again.`);
		return entries;
	}

	close(): void {
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
	readonly #bloom: Bloom;
	#written = 0;
	#finished = false;

	constructor(
		private readonly path: string,
		private readonly header: RunHeader,
	) {
		this.#fd = openSync(`${path}.part`, "w", 0o600);
		const pages = Math.ceil(header.entries / pageEntries);
		this.#tail = new Uint32Array(tailWords(header.entries));
		this.#bloom = new Bloom(this.#tail.subarray(pages));
	}

	append(words: Uint32Array): void {
		for (let at = 0; at < words.length; at += entryWords) {
			const entry = this.#written + at / entryWords;
			if (entry % pageEntries === 0) this.#tail[entry / pageEntries] = words[at] ?? 0;
			this.#bloom.add(words[at] ?? 0, words[at + 1] ?? 0);
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
		renameSync(`${this.path}.part`, this.path);
		const folder = openSync(dirname(this.path), "r");
		fsyncSync(folder);
		closeSync(folder);
	}

	/** Leaves nothing behind; after `finish` there is nothing to leave. */
	abandon(): void {
		if (this.#finished) return;
		closeSync(this.#fd);
		unlinkSync(`${this.path}.part`);
	}
}

const checkAt = headerWords - 1;
const tailWords = (entries: number): number => Math.ceil(entries / pageEntries) + bloomWords(entries);

/** Over the header and the tail: what is trusted without being looked at. Entries are confirmed against the log anyway. */
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
