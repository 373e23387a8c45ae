import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { customType } from "drizzle-orm/sqlite-core";
import { dictionary1, dictionary2 } from "./packed-text.dictionary";

// A packed text is a blob: the number of its dictionary, then a frame of zstd.

const dictionaries: ReadonlyMap<number, Buffer> = new Map([
	[1, Buffer.from(dictionary1)],
	[2, Buffer.from(dictionary2)],
]);

/** Dictionaries by the texts that they are typical of. */
const ofLogs = 1;
const ofPrices = 2;

/** Compressing a shorter event, list of an entry's subjects, or personal data of a change does not save enough. */
export const packedEventMin = 160;
export const packedSubjectsMin = 160;
export const packedPersonalMin = 100;

/**
 * Compressing a shorter audit entry does not save enough. Nearly all bytes of the log are in longer ones, and operators
 * can read the others in the file.
 */
export const packedEntryMin = 1024;

/** Returns a text of at least `minLength` characters compressed, or the text itself where that is shorter. About 12 µs for an event. */
export function packText(text: string, minLength: number, dictionaryNumber = ofLogs): string | Uint8Array {
	if (text.length < minLength) return text;
	const bytes = Buffer.from(text);
	const frame = zstdCompressSync(bytes, { dictionary: dictionaries.get(dictionaryNumber) });
	return frame.length + 1 < bytes.length ? Buffer.concat([Uint8Array.of(dictionaryNumber), frame]) : text;
}

/** Reads what `packText` has made; a text that was never packed stays as it is. */
export function unpackText(value: string | Uint8Array): string {
	if (typeof value === "string") return value;
	const dictionary = dictionaries.get(value[0] ?? 0);
	if (!dictionary)
		throw new Error(`A packed text names the dictionary ${value[0]}, which this version of Tollgate does not have.`);
	return zstdDecompressSync(value.subarray(1), { dictionary }).toString();
}

/** Remembers what was made of recent texts: some megabytes at most. A longer text is made each time. */
class RecentTexts<Made> {
	readonly #made = new Map<string, Made>();

	of(text: string, make: () => Made): Made {
		if (text.length > recentLengthMax) return make();
		const known = this.#made.get(text);
		if (known !== undefined) return known;
		if (this.#made.size >= recentMax) this.#made.clear();
		const made = make();
		this.#made.set(text, made);
		return made;
	}
}

const recentMax = 500;
const recentLengthMax = 4096;

/** Compressing a shorter value does not save enough. */
const packedPricesMin = 160;

/** A column of JSON with prices that is compressed in the file. Rows that an earlier release wrote stay texts. */
export const packedPrices = <Value>(name: string) =>
	customType<{ data: Value; driverData: string | Uint8Array }>({
		dataType: () => "text",
		toDriver: (value) => packPrices(JSON.stringify(value)),
		fromDriver: (stored) => JSON.parse(typeof stored === "string" ? stored : unpackPrices(stored)),
	})(name);

// Compressing takes longer than inserting the row. Bills in a row repeat few prices: those of a plan.
const packedOf = new RecentTexts<string | Uint8Array>();
const unpackedOf = new RecentTexts<string>();

const packPrices = (text: string) => packedOf.of(text, () => packText(text, packedPricesMin, ofPrices));
const unpackPrices = (stored: Uint8Array) =>
	unpackedOf.of(Buffer.from(stored.buffer, stored.byteOffset, stored.length).toString("latin1"), () =>
		unpackText(stored),
	);

/** Values that a reader remembers, about 5 MB. */
const rememberedMax = 50_000;

/**
 * Returns a function that reads a stored value of `packedPrices`, and throws if it cannot. Rows repeat few values, so it
 * remembers the hashes of those that it has read.
 */
export function packedPricesReader(): (stored: string | Uint8Array | null) => void {
	const read = new Set<bigint>();
	return (stored) => {
		if (stored === null) return;
		const hash = Bun.hash.xxHash64(stored);
		if (read.has(hash)) return;
		JSON.parse(unpackText(stored));
		if (read.size < rememberedMax) read.add(hash);
	};
}

/** A column of long texts that are compressed in the file. SQL sees the blob, so conditions cannot look into it. */
export const packedText = (minLength: number) =>
	customType<{ data: string; driverData: string | Uint8Array }>({
		dataType: () => "text",
		toDriver: (text) => packText(text, minLength),
		fromDriver: unpackText,
	})();
