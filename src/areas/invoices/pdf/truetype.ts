import { assert } from "../../../kernel/errors";

interface TableAt {
	readonly offset: number;
	readonly length: number;
}

/** A contiguous run of characters with glyphs, as the font's character map lists them. */
interface Segment {
	readonly first: number;
	readonly last: number;
	glyph(code: number): number;
}

/**
 * A TrueType font file (glyf outlines), read where it lies: opening costs its directory and its character map, and a glyph
 * is looked at only when it is used. The fonts are our own files, so a malformed one is a bug.
 */
export class TrueTypeFont {
	readonly unitsPerEm: number;
	readonly #view: DataView;
	readonly #bytes: Uint8Array;
	readonly #tables = new Map<string, TableAt>();
	readonly #segments: readonly Segment[];
	readonly #longOffsets: boolean;
	readonly #metricsCount: number;
	readonly #glyphCount: number;

	constructor(bytes: Uint8Array) {
		// A Buffer's slices share its memory; a plain array's are copies.
		this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		const tableCount = this.#view.getUint16(4);
		for (let at = 12; at < 12 + tableCount * 16; at += 16)
			this.#tables.set(String.fromCharCode(...bytes.subarray(at, at + 4)), {
				offset: this.#view.getUint32(at + 8),
				length: this.#view.getUint32(at + 12),
			});
		const head = this.#table("head").offset;
		this.unitsPerEm = this.#view.getUint16(head + 18);
		this.#longOffsets = this.#view.getInt16(head + 50) === 1;
		this.#metricsCount = this.#view.getUint16(this.#table("hhea").offset + 34);
		this.#glyphCount = this.#view.getUint16(this.#table("maxp").offset + 4);
		this.#segments = this.#readCharacterMap();
	}

	/** The glyph of a code point; 0 when the font has none. */
	glyphOf(code: number): number {
		let low = 0;
		let high = this.#segments.length - 1;
		while (low <= high) {
			const middle = (low + high) >> 1;
			const segment = this.#segments[middle];
			assert(segment, "the search stays inside the character map");
			if (code > segment.last) low = middle + 1;
			else if (code < segment.first) high = middle - 1;
			else return segment.glyph(code);
		}
		return 0;
	}

	/** In font units. */
	advanceOf(glyph: number): number {
		return this.#view.getUint16(this.#table("hmtx").offset + Math.min(glyph, this.#metricsCount - 1) * 4);
	}

	/** In font units. */
	leftBearingOf(glyph: number): number {
		const { offset } = this.#table("hmtx");
		return glyph < this.#metricsCount
			? this.#view.getInt16(offset + glyph * 4 + 2)
			: this.#view.getInt16(offset + this.#metricsCount * 4 + (glyph - this.#metricsCount) * 2);
	}

	/** The outline as it is stored; empty for a space. */
	outlineOf(glyph: number): Uint8Array {
		assert(glyph < this.#glyphCount, "the glyph is one of the font's");
		const loca = this.#table("loca").offset;
		const offset = (index: number): number =>
			this.#longOffsets ? this.#view.getUint32(loca + index * 4) : this.#view.getUint16(loca + index * 2) * 2;
		const { offset: glyf } = this.#table("glyf");
		return this.#bytes.subarray(glyf + offset(glyph), glyf + offset(glyph + 1));
	}

	/** A table as it is stored. */
	copyOf(tag: "head" | "hhea" | "maxp"): Uint8Array {
		const { offset, length } = this.#table(tag);
		return this.#bytes.slice(offset, offset + length);
	}

	#table(tag: string): TableAt {
		const table = this.#tables.get(tag);
		assert(table, `the font has a table '${tag}'`);
		return table;
	}

	#readCharacterMap(): Segment[] {
		const { offset: cmap } = this.#table("cmap");
		const count = this.#view.getUint16(cmap + 2);
		const subtables = Array.from({ length: count }, (_, at) => cmap + this.#view.getUint32(cmap + 4 + at * 8 + 4));
		const formatOf = (at: number): number => this.#view.getUint16(at);
		const full = subtables.find((at) => formatOf(at) === 12);
		if (full !== undefined) return this.#readGroups(full);
		const basic = subtables.find((at) => formatOf(at) === 4);
		assert(basic !== undefined, "the font has a Unicode character map");
		return this.#readSegments(basic);
	}

	/** Format 12: groups of consecutive code points, beyond the basic plane too. */
	#readGroups(at: number): Segment[] {
		return Array.from({ length: this.#view.getUint32(at + 12) }, (_, index) => {
			const group = at + 16 + index * 12;
			const first = this.#view.getUint32(group);
			const glyph = this.#view.getUint32(group + 8);
			return { first, last: this.#view.getUint32(group + 4), glyph: (code: number) => glyph + code - first };
		});
	}

	/** Format 4: segments of the basic plane. */
	#readSegments(at: number): Segment[] {
		const bytes = this.#view.getUint16(at + 6);
		return Array.from({ length: bytes / 2 }, (_, index) => {
			const end = at + 14 + index * 2;
			const start = end + bytes + 2;
			const first = this.#view.getUint16(start);
			const delta = this.#view.getUint16(start + bytes);
			const rangeAt = start + bytes * 2;
			const range = this.#view.getUint16(rangeAt);
			return {
				first,
				last: this.#view.getUint16(end),
				glyph: (code: number) => {
					if (range === 0) return (code + delta) & 0xffff;
					const glyph = this.#view.getUint16(rangeAt + range + (code - first) * 2);
					return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
				},
			};
		});
	}
}
