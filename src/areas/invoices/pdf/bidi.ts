import bidiFactory from "bidi-js";

const bidi = bidiFactory();

/** Beyond the basic plane, which the library does not know: what goes from left to right there, and what has no direction. */
const standIns = { letter: "A", other: "☃" } as const;

const standIn = (code: number): string => {
	const character = String.fromCodePoint(code);
	if (code <= 0xffff) return character;
	return /\p{L}/u.test(character) ? standIns.letter : standIns.other;
};

const isMark = (code: number): boolean => /\p{M}/u.test(String.fromCodePoint(code));

/**
 * Code points of one line in the order of the page, left to right: the Unicode bidirectional algorithm (UAX 9). Brackets are
 * mirrored where they run right to left, and a mark stays behind the letter that it stands on.
 */
export function visualOrder(codes: readonly number[]): number[] {
	const line = codes.map(standIn).join("");
	const { levels, paragraphs } = bidi.getEmbeddingLevels(line);
	const isRightToLeft = (at: number): boolean => (levels[at] ?? 0) % 2 === 1;
	const drawn: number[] = [];
	const marks: number[] = [];
	for (const at of bidi.getReorderedIndices(line, { levels, paragraphs })) {
		const code = codes[at] ?? 0;
		// A run from right to left is reversed, and with it a letter's marks come before the letter.
		if (isRightToLeft(at) && isMark(code)) {
			marks.unshift(code);
			continue;
		}
		drawn.push(isRightToLeft(at) ? mirrored(code) : code, ...marks.splice(0));
	}
	return [...drawn, ...marks];
}

const mirrored = (code: number): number =>
	bidi.getMirroredCharacter(String.fromCodePoint(code))?.codePointAt(0) ?? code;
