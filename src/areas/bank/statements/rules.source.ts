import { isUtf8 } from "node:buffer";
import { fail, shorten } from "../../../kernel/errors";
import { refuse, type StatementFormat } from "./rules.statement";

/** The encodings of statements. ISO-8859-1 is read as Windows-1252, of which it is a part. */
export const encodings = ["UTF-8", "WINDOWS-1252", "ISO-8859-15"] as const;
export type Encoding = (typeof encodings)[number];

const labels: Readonly<Record<Encoding, "utf-8" | "windows-1252" | "iso-8859-15">> = {
	"UTF-8": "utf-8",
	"WINDOWS-1252": "windows-1252",
	"ISO-8859-15": "iso-8859-15",
};

const declared: Readonly<Record<string, Encoding>> = {
	"UTF-8": "UTF-8",
	UTF8: "UTF-8",
	"US-ASCII": "UTF-8",
	"ISO-8859-1": "WINDOWS-1252",
	"ISO-8859-15": "ISO-8859-15",
	"WINDOWS-1252": "WINDOWS-1252",
};

/** The bytes at the start of a file in which its format and its encoding show. */
const headBytes = 2048;

/**
 * Returns the format of a file by its first bytes: XML is CAMT, a field `:20:` or a SWIFT block is MT940, anything else CSV. Throws
 * BadUserInput for UTF-16 and for an empty file.
 */
export function formatOf(file: Uint8Array): StatementFormat {
	const head = headOf(file);
	if (/^<[?!A-Za-z]/.test(head)) return "CAMT";
	if (/^\{1:/.test(head) || /(^|\n):20:/.test(head)) return "MT940";
	return "CSV";
}

/**
 * Returns the encoding of a file: as its XML declaration says. Other files are UTF-8 if all bytes are valid, otherwise Windows-1252. Throws
 * BadUserInput for an encoding that Tollgate does not read, and for bytes that are not valid in it.
 */
export function encodingOf(file: Uint8Array, format: StatementFormat): Encoding {
	const head = headOf(file);
	if (format !== "CAMT") return isUtf8(file) ? "UTF-8" : "WINDOWS-1252";
	const stated = /^<\?xml[^>]*?encoding\s*=\s*["']([^"']{1,40})["']/.exec(head)?.[1] ?? "UTF-8";
	const encoding = declared[stated.toUpperCase()];
	if (!encoding)
		throw refuse(
			1,
			`Tollgate does not read the encoding '${shorten(stated)}'; use ${Object.keys(declared).join(", ")}.`,
		);
	if (encoding === "UTF-8" && !isUtf8(file))
		throw refuse(
			lineOfInvalid(file),
			"the file says that it is UTF-8, and has other bytes. Download it again, and do not edit it.",
		);
	return encoding;
}

function headOf(file: Uint8Array): string {
	if (file.length === 0) throw fail("BadUserInput", "The file is empty.");
	const isUtf16 = (file[0] === 0xff && file[1] === 0xfe) || (file[0] === 0xfe && file[1] === 0xff);
	if (isUtf16 || file.subarray(0, headBytes).includes(0))
		throw refuse(1, "the file is UTF-16 or binary. Send it in UTF-8, not compressed.");
	return Buffer.from(file.buffer, file.byteOffset, Math.min(file.length, headBytes))
		.toString("latin1")
		.replace(/^\u00ef\u00bb\u00bf/, "")
		.trimStart();
}

/** Returns the line of the first bytes that are not UTF-8, by halving. */
function lineOfInvalid(file: Uint8Array): number {
	let valid = 0;
	let invalid = file.length;
	while (invalid - valid > 1) {
		const middle = (valid + invalid) >> 1;
		if (isUtf8(wholeCharacters(file, middle))) valid = middle;
		else invalid = middle;
	}
	let line = 1;
	for (let at = file.indexOf(10); at >= 0 && at < valid; at = file.indexOf(10, at + 1)) line += 1;
	return line;
}

/** Returns the bytes before `end`, without a last character that is not whole. */
function wholeCharacters(file: Uint8Array, end: number): Uint8Array {
	let from = end;
	for (let back = 1; back <= 3 && back <= end; back += 1) {
		const byte = file[end - back] ?? 0;
		if (byte < 0x80) break;
		const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
		if (length === 1) continue;
		if (length > back) from = end - back;
		break;
	}
	return file.subarray(0, from);
}

/** Decodes the parts of a file, in order. Throws BadUserInput for invalid bytes. */
export function* decoded(parts: Iterable<Uint8Array>, encoding: Encoding): Generator<string> {
	const decoder = new TextDecoder(labels[encoding], { fatal: true });
	try {
		for (const part of parts) yield decoder.decode(part, { stream: true });
		yield decoder.decode();
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
		throw fail(
			"BadUserInput",
			`The file has bytes that are not ${encoding}. State its encoding, or download it again.`,
		);
	}
}

/** Our bound: the characters of a line of MT940 or CSV. */
const lineMax = 100_000;

/** A line without its end, and its number from 1. */
export interface Line {
	readonly at: number;
	readonly text: string;
}

/** Splits text into lines, which end with LF or CRLF. Throws BadUserInput for a line of more than 100,000 characters. */
export function* linesOf(texts: Iterable<string>): Generator<Line> {
	let at = 1;
	let rest = "";
	for (const text of texts) {
		const pieces = (rest + text).split("\n");
		rest = pieces.pop() ?? "";
		for (const piece of pieces) {
			yield { at, text: piece.endsWith("\r") ? piece.slice(0, -1) : piece };
			at += 1;
		}
		if (rest.length > lineMax) throw refuse(at, `the line has more than ${lineMax} characters.`);
	}
	if (rest !== "") yield { at, text: rest.endsWith("\r") ? rest.slice(0, -1) : rest };
}
