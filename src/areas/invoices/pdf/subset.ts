import type { TrueTypeFont } from "./truetype";

/** The characters of a subset are the first code points of the private use area, one for each glyph, in order of use. */
export const subsetFirstCode = 0xe000;

/** As many as the private use area has. */
export const subsetGlyphsMax = 6400;

const componentHasMore = 0x0020;
const componentHasWords = 0x0001;
const componentScaleBytes = [
	[0x0008, 2],
	[0x0040, 4],
	[0x0080, 8],
] as const;

/**
 * A small TrueType font with just these glyphs, so that the PDF library parses and embeds kilobytes, not megabytes. Glyph
 * `glyphs[i]` answers to the character `subsetFirstCode + i`. Same glyphs, same bytes.
 */
export function buildSubset(font: TrueTypeFont, name: string, glyphs: readonly number[]): Uint8Array {
	const order = withComponents(font, glyphs);
	const newIds = new Map(order.map((glyph, at) => [glyph, at]));
	const outlines = order.map((glyph) => renumbered(font.outlineOf(glyph), newIds));
	const head = font.copyOf("head");
	new DataView(head.buffer).setInt16(50, 1); // Long offsets.
	const hhea = font.copyOf("hhea");
	new DataView(hhea.buffer).setUint16(34, order.length);
	const maxp = font.copyOf("maxp");
	new DataView(maxp.buffer).setUint16(4, order.length);
	return assemble({
		cmap: characterMap(glyphs.length),
		glyf: padded(outlines),
		head,
		hhea,
		hmtx: bytesOf(order.length * 4, (view) =>
			order.forEach((glyph, at) => {
				view.setUint16(at * 4, font.advanceOf(glyph));
				view.setInt16(at * 4 + 2, font.leftBearingOf(glyph));
			}),
		),
		loca: offsetsOf(outlines),
		maxp,
		name: nameTable(name),
		post: bytesOf(32, (view) => view.setUint32(0, 0x00030000)),
	});
}

/** Glyph 0 first, then the wanted ones in their order, then what they are composed of. */
function withComponents(font: TrueTypeFont, glyphs: readonly number[]): number[] {
	const order = new Set([0, ...glyphs]);
	// A set that grows while it is walked is walked to its end.
	for (const glyph of order) for (const { id } of componentsOf(font.outlineOf(glyph))) order.add(id);
	return [...order];
}

interface Component {
	/** Where the glyph id stands in the outline. */
	readonly at: number;
	readonly id: number;
}

function componentsOf(outline: Uint8Array): Component[] {
	const view = new DataView(outline.buffer, outline.byteOffset, outline.byteLength);
	if (outline.length === 0 || view.getInt16(0) >= 0) return [];
	const components: Component[] = [];
	let at = 10;
	for (;;) {
		const flags = view.getUint16(at);
		components.push({ at: at + 2, id: view.getUint16(at + 2) });
		if (!(flags & componentHasMore)) return components;
		at += 4 + (flags & componentHasWords ? 4 : 2);
		at += componentScaleBytes.find(([flag]) => flags & flag)?.[1] ?? 0;
	}
}

function renumbered(outline: Uint8Array, newIds: ReadonlyMap<number, number>): Uint8Array {
	const components = componentsOf(outline);
	if (components.length === 0) return outline;
	const copy = outline.slice();
	const view = new DataView(copy.buffer);
	for (const { at, id } of components) view.setUint16(at, newIds.get(id) ?? 0);
	return copy;
}

function bytesOf(length: number, fill: (view: DataView) => void): Uint8Array {
	const bytes = new Uint8Array(length);
	fill(new DataView(bytes.buffer));
	return bytes;
}

const paddedLength = ({ length }: Uint8Array): number => (length + 3) & ~3;

function padded(parts: readonly Uint8Array[]): Uint8Array {
	const whole = new Uint8Array(parts.reduce((length, part) => length + paddedLength(part), 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += paddedLength(part);
	}
	return whole;
}

const offsetsOf = (outlines: readonly Uint8Array[]): Uint8Array =>
	bytesOf((outlines.length + 1) * 4, (view) => {
		let offset = 0;
		outlines.forEach((outline, at) => {
			view.setUint32(at * 4, offset);
			offset += paddedLength(outline);
		});
		view.setUint32(outlines.length * 4, offset);
	});

/** Format 4: one segment for the subset's characters, and the closing one. */
const characterMap = (glyphCount: number): Uint8Array =>
	bytesOf(12 + 32, (view) => {
		const words = [
			// Version, one table, for Unicode's basic plane, at offset 12.
			[0, 1, 3, 1, 0, 12],
			// Format, length, language, twice the segments, then the search hints.
			[4, 32, 0, 4, 4, 1, 0],
			// Ends, padding, starts, deltas, ranges.
			[subsetFirstCode + glyphCount - 1, 0xffff, 0, subsetFirstCode, 0xffff, (1 - subsetFirstCode) & 0xffff, 1, 0, 0],
		].flat();
		for (const [at, word] of words.entries()) view.setUint16(at * 2, word);
	});

/** The PostScript name alone. */
const nameTable = (name: string): Uint8Array =>
	bytesOf(18 + name.length, (view) => {
		for (const [at, word] of [0, 1, 18, 1, 0, 0, 6, name.length, 0].entries()) view.setUint16(at * 2, word);
		for (let at = 0; at < name.length; at += 1) view.setUint8(18 + at, name.charCodeAt(at));
	});

/** The file: directory, then the tables, each on a boundary of four bytes. */
function assemble(tables: Readonly<Record<string, Uint8Array>>): Uint8Array {
	const entries = Object.entries(tables);
	const headerLength = 12 + entries.length * 16;
	const header = bytesOf(headerLength, (view) => {
		const power = 2 ** Math.floor(Math.log2(entries.length));
		view.setUint32(0, 0x00010000);
		view.setUint16(4, entries.length);
		view.setUint16(6, power * 16);
		view.setUint16(8, Math.log2(power));
		view.setUint16(10, (entries.length - power) * 16);
		let offset = headerLength;
		entries.forEach(([tag, table], index) => {
			const at = 12 + index * 16;
			for (let letter = 0; letter < 4; letter += 1) view.setUint8(at + letter, tag.charCodeAt(letter));
			view.setUint32(at + 8, offset);
			view.setUint32(at + 12, table.length);
			offset += paddedLength(table);
		});
	});
	return padded([header, ...entries.map(([, table]) => table)]);
}
