import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { customType } from "drizzle-orm/sqlite-core";
import { dictionary1 } from "./packed-text.dictionary";

// A packed text is a blob: the number of its dictionary, then a frame of zstd.

const dictionaryNumber = 1;
const dictionary = Buffer.from(dictionary1);

/** Our choice: compressing a shorter event does not save enough. */
export const packedEventMin = 160;

/**
 * Our choice: compressing a shorter audit entry does not save enough. Nearly all bytes of the log are in longer ones, and operators
 * can read the others in the file.
 */
export const packedEntryMin = 1024;

/** Returns a text of at least `minLength` characters compressed, or the text itself where that is shorter. About 12 µs for an event. */
export function packText(text: string, minLength: number): string | Uint8Array {
	if (text.length < minLength) return text;
	const bytes = Buffer.from(text);
	const frame = zstdCompressSync(bytes, { dictionary });
	return frame.length + 1 < bytes.length ? Buffer.concat([Uint8Array.of(dictionaryNumber), frame]) : text;
}

/** Reads what `packText` has made; a text that was never packed stays as it is. */
export function unpackText(value: string | Uint8Array): string {
	if (typeof value === "string") return value;
	if (value[0] !== dictionaryNumber)
		throw new Error(`A packed text names the dictionary ${value[0]}, which this version of Tollgate does not have.`);
	return zstdDecompressSync(value.subarray(1), { dictionary }).toString();
}

/** A column of long texts that are compressed in the file. SQL sees the blob, so conditions cannot look into it. */
export const packedText = (minLength: number) =>
	customType<{ data: string; driverData: string | Uint8Array }>({
		dataType: () => "text",
		toDriver: (text) => packText(text, minLength),
		fromDriver: unpackText,
	})();
