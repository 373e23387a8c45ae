import { inflateSync } from "node:zlib";
import { fail } from "../../kernel/errors";
import { type LogoType, logoBytesMax } from "./schema";

/** Our choice (docs/interface/invoices.md#limits), on each side: enough for a sharp print across a page. */
const pixelsMax = 1200;

export interface Logo {
	readonly contentType: LogoType;
	readonly width: number;
	readonly height: number;
	readonly bytes: Buffer;
}

/**
 * A picture that a PDF can show: what is taken here is never refused when an invoice is drawn. InvalidArgumentError names
 * what is wrong.
 */
export function readLogo(contentBase64: string): Logo {
	if (!/^[A-Za-z0-9+/]*={0,2}$/.test(contentBase64) || contentBase64.length % 4 !== 0)
		throw refused("'contentBase64' is no base64");
	const bytes = Buffer.from(contentBase64, "base64");
	if (bytes.length > logoBytesMax) throw refused(`it has ${bytes.length} bytes, at most ${logoBytesMax} are taken`);
	if (bytes.subarray(0, 8).equals(pngSignature)) return { contentType: "image/png", ...readPng(bytes), bytes };
	if (bytes[0] === 0xff && bytes[1] === 0xd8) return { contentType: "image/jpeg", ...readJpeg(bytes), bytes };
	throw refused("it is neither a PNG nor a JPEG");
}

const refused = (reason: string) => fail("InvalidArgumentError", `The logo cannot be taken: ${reason}.`);

interface Size {
	readonly width: number;
	readonly height: number;
}

function assertSize({ width, height }: Size): void {
	if (width < 1 || height < 1 || width > pixelsMax || height > pixelsMax)
		throw refused(`it is ${width} by ${height} pixels, at most ${pixelsMax} on each side are taken`);
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** How many values a pixel has, by the colour type of a PNG. */
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function readPng(bytes: Buffer): Size {
	const chunks = pngChunks(bytes);
	const [head] = chunks;
	if (head?.type !== "IHDR" || head.data.length !== 13 || chunks.at(-1)?.type !== "IEND")
		throw refused("the PNG is cut off");
	const size = { width: head.data.readUInt32BE(0), height: head.data.readUInt32BE(4) };
	assertSize(size);
	const channels = channelsOf[head.data.readUInt8(9)];
	if (channels === undefined || head.data.readUInt8(8) !== 8 || head.data.readUInt8(12) !== 0)
		throw refused("save the PNG with 8 bits for each channel and without interlacing");
	if (head.data.readUInt8(9) === 3 && !chunks.some(({ type }) => type === "PLTE"))
		throw refused("the PNG has no palette");
	const rowLength = 1 + size.width * channels;
	const rows = inflated(
		Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data)),
		rowLength * size.height,
	);
	for (let at = 0; at < rows.length; at += rowLength) if ((rows[at] ?? 0) > 4) throw refused("the PNG is damaged");
	return size;
}

function inflated(compressed: Buffer, length: number): Buffer {
	let rows: Buffer;
	try {
		rows = inflateSync(compressed, { maxOutputLength: length });
	} catch {
		throw refused("the PNG is damaged");
	}
	if (rows.length !== length) throw refused("the PNG is damaged");
	return rows;
}

interface Chunk {
	readonly type: string;
	readonly data: Buffer;
}

function pngChunks(bytes: Buffer): Chunk[] {
	const chunks: Chunk[] = [];
	let at = pngSignature.length;
	while (at + 12 <= bytes.length) {
		const length = bytes.readUInt32BE(at);
		const end = at + 8 + length;
		if (end + 4 > bytes.length || Bun.hash.crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end))
			throw refused("the PNG is damaged");
		chunks.push({ type: bytes.toString("latin1", at + 4, at + 8), data: bytes.subarray(at + 8, end) });
		at = end + 4;
	}
	return chunks;
}

/** The marker that begins the frame: baseline or progressive. */
const isFrame = (marker: number): boolean => marker === 0xc0 || marker === 0xc1 || marker === 0xc2;

function readJpeg(bytes: Buffer): Size {
	let at = 2;
	while (at + 9 < bytes.length && bytes[at] === 0xff) {
		const marker = bytes.readUInt8(at + 1);
		if (isFrame(marker)) {
			const size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
			assertSize(size);
			const channels = bytes.readUInt8(at + 9);
			if (channels !== 1 && channels !== 3) throw refused("save the JPEG in RGB or in shades of grey");
			return size;
		}
		at += 2 + bytes.readUInt16BE(at + 2);
	}
	throw refused("the JPEG has no picture that can be read");
}
