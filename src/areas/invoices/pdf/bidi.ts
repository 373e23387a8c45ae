import bidiFactory from "bidi-js";

export type Direction = "ltr" | "rtl";

/** Neighboring characters of a line that share a face and run in one direction. */
export interface DirectedRun<Face> {
	readonly face: Face;
	/** In reading order. */
	readonly codes: readonly number[];
	readonly direction: Direction;
}

const bidi = bidiFactory();

/** The library knows the basic plane only; these stand for a letter beyond it and for any other character beyond it. */
const standIns = { letter: "A", other: "☃" } as const;

const standIn = (code: number): string => {
	const character = String.fromCodePoint(code);
	if (code <= 0xffff) return character;
	return /\p{L}/u.test(character) ? standIns.letter : standIns.other;
};

/**
 * Splits a line into runs in the order of the page, left to right, by the Unicode bidirectional algorithm (UAX 9). `faces` has the
 * face of each character.
 */
export function visualRuns<Face>(codes: readonly number[], faces: readonly Face[]): DirectedRun<Face>[] {
	const line = codes.map(standIn).join("");
	const { levels, paragraphs } = bidi.getEmbeddingLevels(line);
	const runs: Array<DirectedRun<Face> & { readonly codes: number[] }> = [];
	const runAt = faces.map((face, at) => {
		let run = runs.at(-1);
		if (!run || face !== run.face || levels[at] !== levels[at - 1]) {
			run = { face, codes: [], direction: (levels[at] ?? 0) % 2 === 1 ? "rtl" : "ltr" };
			runs.push(run);
		}
		run.codes.push(codes[at] ?? 0);
		return run;
	});
	const ordered = bidi.getReorderedIndices(line, { levels, paragraphs }).flatMap((at) => runAt[at] ?? []);
	return [...new Set(ordered)];
}

/** The code points of a right-to-left run in the order of the page, with brackets mirrored. */
export const reversed = (codes: readonly number[]): number[] =>
	codes.map((code) => bidi.getMirroredCharacter(String.fromCodePoint(code))?.codePointAt(0) ?? code).reverse();
