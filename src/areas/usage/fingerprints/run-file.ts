import { closeSync, fsyncSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { renameWhole } from "../../../kernel/storage/disk";
import { addToLine, bloomLines, bloomWords, lineMayHold, lineOf, lineWords } from "./bloom";
import { entryWords } from "./recent-table";

/**
 * A sorted run: the fingerprints of a stretch of the log that no longer fit the table in memory, in a file that never
 * changes. Its layout, in 32-bit words: header, entries by fingerprint, the high half of each page's first entry, a
 * checksum of each page, the Bloom filter. It is a cache, which can be written again from the log: a damaged file is
 * deleted. Opening it checks the header and the tail; reading a page checks the page.
 */
const magic = 0x746c_7333;
/** The magic number of an earlier version: the same layout, with one checksum over the tail as a whole. */
const formerMagic = 0x746c_7332;
const headerWords = 16;
const entryBytes = entryWords * 4;

/** Entries that are read at once: 4 KiB. */
const pageEntries = 256;
const pageWords = pageEntries * entryWords;

/** A damaged file of fingerprints. It is deleted, and the next opening of the log writes it again. */
export class DamagedRun extends Error {
	constructor(readonly run: Run) {
		super(`The fingerprint file '${run.path}' is damaged; it is made again from events.db.`);
	}
}

/** The stretch of the log that a run covers, including both ends. */
export interface Stretch {
	readonly firstEvent: number;
	readonly lastEvent: number;
}

export interface RunHeader extends Stretch {
	readonly entries: number;
}

/** The memory of a run without its filter, in bytes: for each page the first entry and the checksum. */
const bytesPerPage = 8;

export class Run {
	readonly #page = new Uint32Array(pageWords);
	readonly #line = new Uint32Array(lineWords);
	/** Undefined: lookups read one line of it from the file. */
	#filter: Uint32Array | undefined;
	#isClosed = false;

	private constructor(
		readonly path: string,
		readonly header: RunHeader,
		readonly fd: number,
		private readonly pageStarts: Uint32Array,
		private readonly pageChecks: Uint32Array,
	) {}

	/** Returns the run in this file; undefined if the file is missing or damaged. Its filter is not in memory yet. */
	static open(path: string): Run | undefined {
		const fd = openSync(path, "r");
		const words = new Uint32Array(headerWords);
		const header = readWords(fd, words, 0) ? parseHeader(words) : undefined;
		const pages = header && new Uint32Array(2 * pagesOf(header.entries));
		if (!header || !pages || !readWords(fd, pages, tailAt(header)) || !isWhole(fd, words, header, pages)) {
			closeSync(fd);
			return undefined;
		}
		const count = pagesOf(header.entries);
		return new Run(path, header, fd, pages.subarray(0, count), pages.subarray(count));
	}

	/** The memory of its filter in bytes. */
	get filterBytes(): number {
		return bloomWords(this.header.entries) * 4;
	}

	/** Its memory without the filter, in bytes. */
	get memoryBytesAlways(): number {
		return pagesOf(this.header.entries) * bytesPerPage + this.#page.byteLength;
	}

	/** Its present memory in bytes. */
	get memoryBytes(): number {
		return this.memoryBytesAlways + (this.#filter?.byteLength ?? 0);
	}

	/**
	 * Loads the filter into memory, or leaves it in the file: the results are the same, at the cost of a read for each
	 * lookup.
	 */
	keepFilter(inMemory: boolean): void {
		if (!inMemory) this.#filter = undefined;
		else if (!this.#filter) {
			const filter = new Uint32Array(bloomWords(this.header.entries));
			if (!readWords(this.fd, filter, filterAt(this.header))) throw new DamagedRun(this);
			this.#filter = filter;
		}
	}

	#mayHold(high: number, low: number): boolean {
		const line = lineOf(high, bloomLines(this.header.entries));
		if (this.#filter) return lineMayHold(this.#filter, line * lineWords, low);
		if (!readWords(this.fd, this.#line, filterAt(this.header) + line * lineWords * 4)) throw new DamagedRun(this);
		return lineMayHold(this.#line, 0, low);
	}

	/** Calls `visit` with each event of this fingerprint until it returns true; returns whether it did. */
	some(high: number, low: number, visit: (event: number) => boolean): boolean {
		if (!this.#mayHold(high, low)) return false;
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

	/** Reads entries, beginning with the first one of a page, as many as fit; returns their number. */
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

	/** Returns the last page that begins below `high`: equal fingerprints may begin at its end. */
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

/**
 * Writes a run, entry after entry in order. The file gets its name when it is whole and on disk. Only a piece of the
 * filter is in memory: entries in order fill its lines in order.
 */
export class RunWriter {
	readonly #fd: number;
	readonly #pages: Uint32Array;
	readonly #filter = new Uint32Array(filterPieceWords);
	/** Words of the filter in the file; those in memory follow. */
	#filterWritten = 0;
	#written = 0;
	#finished = false;

	constructor(
		private readonly path: string,
		private readonly header: RunHeader,
	) {
		this.#fd = openSync(`${path}.part`, "w+", 0o600);
		this.#pages = new Uint32Array(2 * pagesOf(header.entries));
	}

	/** Its memory in bytes. */
	get memoryBytes(): number {
		return this.#pages.byteLength + this.#filter.byteLength;
	}

	/** Appends whole pages; only the last one may be shorter. */
	append(words: Uint32Array): void {
		for (let at = 0; at < words.length; at += entryWords) this.#addToFilter(words[at] ?? 0, words[at + 1] ?? 0);
		const checksAt = pagesOf(this.header.entries);
		for (let at = 0, page = this.#written / pageEntries; at < words.length; at += pageWords, page += 1) {
			this.#pages[page] = words[at] ?? 0;
			this.#pages[checksAt + page] = checkOfPage(words.subarray(at, at + pageWords));
		}
		writeAll(this.#fd, words, headerWords * 4 + this.#written * entryBytes);
		this.#written += words.length / entryWords;
	}

	finish(): void {
		while (this.#filterWritten < bloomWords(this.header.entries)) this.#writeFilter();
		writeAll(this.#fd, this.#pages, tailAt(this.header));
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
		const check = checkOf(this.#fd, words, this.header, this.#pages);
		if (check === undefined)
			throw new Error(`The fingerprint file '${this.path}' cannot be read back; the disk may be failing.`);
		words[checkAt] = check;
		writeAll(this.#fd, words, 0);
		fsyncSync(this.#fd);
		closeSync(this.#fd);
		this.#finished = true;
		renameWhole(`${this.path}.part`, this.path);
	}

	#addToFilter(high: number, low: number): void {
		const begin = lineOf(high, bloomLines(this.header.entries)) * lineWords;
		while (begin >= this.#filterWritten + filterPieceWords) this.#writeFilter();
		addToLine(this.#filter, begin - this.#filterWritten, low);
	}

	#writeFilter(): void {
		const words = Math.min(filterPieceWords, bloomWords(this.header.entries) - this.#filterWritten);
		writeAll(this.#fd, this.#filter.subarray(0, words), filterAt(this.header) + this.#filterWritten * 4);
		this.#filterWritten += words;
		this.#filter.fill(0);
	}

	/** Deletes the unfinished file; has no effect after `finish`. */
	abandon(): void {
		if (this.#finished) return;
		closeSync(this.#fd);
		unlinkSync(`${this.path}.part`);
	}
}

const checkAt = headerWords - 1;
const pagesOf = (entries: number): number => Math.ceil(entries / pageEntries);

/** Returns the offset of the tail in bytes: the first entries of the pages, their checksums, and the filter. */
const tailAt = ({ entries }: RunHeader): number => headerWords * 4 + entries * entryBytes;
const filterAt = (header: RunHeader): number => tailAt(header) + 2 * pagesOf(header.entries) * 4;

/** The piece of a filter that is written or checked at once: 64 KiB. */
const filterPieceWords = 16_384;

const checkOfPage = (words: Uint32Array): number => Number(Bun.hash.wyhash(words) & 0xffff_ffffn);

/**
 * Returns the checksum over the header, the tables of the pages, and the filter in the file, piece by piece: the filter
 * may be larger than memory.
 */
function checkOf(fd: number, words: Uint32Array, header: RunHeader, pages: Uint32Array): number | undefined {
	let check = Bun.hash.wyhash(pages, Bun.hash.wyhash(words.slice(0, checkAt)));
	const filterWords = bloomWords(header.entries);
	for (let from = 0; from < filterWords; from += filterPieceWords) {
		const piece = new Uint32Array(Math.min(filterPieceWords, filterWords - from));
		if (!readWords(fd, piece, filterAt(header) + from * 4)) return undefined;
		check = Bun.hash.wyhash(piece, check);
	}
	return Number(check & 0xffff_ffffn);
}

function isWhole(fd: number, words: Uint32Array, header: RunHeader, pages: Uint32Array): boolean {
	if (words[0] !== formerMagic) return checkOf(fd, words, header, pages) === words[checkAt];
	const tail = new Uint32Array(pages.length + bloomWords(header.entries));
	const seed = Bun.hash.wyhash(words.slice(0, checkAt));
	return readWords(fd, tail, tailAt(header)) && Number(Bun.hash.wyhash(tail, seed) & 0xffff_ffffn) === words[checkAt];
}

function parseHeader(words: Uint32Array): RunHeader | undefined {
	const [mark, entries = 0, firstHigh = 0, firstLow = 0, lastHigh = 0, lastLow = 0] = words;
	if (mark !== magic && mark !== formerMagic) return undefined;
	return { entries, firstEvent: firstHigh * 2 ** 32 + firstLow, lastEvent: lastHigh * 2 ** 32 + lastLow };
}

/** Whether the file had all of the words. */
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
