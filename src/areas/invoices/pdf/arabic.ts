/**
 * The joining forms of the Arabic letters, as Unicode's presentation forms: isolated, final, initial, medial. A letter with
 * two forms joins only to the one before it. (Source: the Unicode character database.)
 */
const forms: ReadonlyMap<number, readonly number[]> = new Map([
	[0x0621, [0xfe80]],
	...consecutive([0x0622, 0x0623, 0x0624, 0x0625], 0xfe81, 2),
	...consecutive([0x0626], 0xfe89, 4),
	...consecutive([0x0627], 0xfe8d, 2),
	...consecutive([0x0628], 0xfe8f, 4),
	...consecutive([0x0629], 0xfe93, 2),
	...consecutive([0x062a, 0x062b, 0x062c, 0x062d, 0x062e], 0xfe95, 4),
	...consecutive([0x062f, 0x0630, 0x0631, 0x0632], 0xfea9, 2),
	...consecutive([0x0633, 0x0634, 0x0635, 0x0636, 0x0637, 0x0638, 0x0639, 0x063a], 0xfeb1, 4),
	...consecutive([0x0641, 0x0642, 0x0643, 0x0644, 0x0645, 0x0646, 0x0647], 0xfed1, 4),
	...consecutive([0x0648, 0x0649], 0xfeed, 2),
	...consecutive([0x064a], 0xfef1, 4),
	...consecutive([0x0671], 0xfb50, 2),
	...consecutive(
		[0x067b, 0x067e, 0x0680, 0x067a, 0x067f, 0x0679, 0x06a4, 0x06a6, 0x0684, 0x0683, 0x0686, 0x0687],
		0xfb52,
		4,
	),
	...consecutive([0x068d, 0x068c, 0x068e, 0x0688, 0x0698, 0x0691], 0xfb82, 2),
	...consecutive([0x06a9, 0x06af, 0x06b3, 0x06b1], 0xfb8e, 4),
	...consecutive([0x06ba], 0xfb9e, 2),
	...consecutive([0x06bb], 0xfba0, 4),
	...consecutive([0x06c0], 0xfba4, 2),
	...consecutive([0x06c1, 0x06be], 0xfba6, 4),
	...consecutive([0x06d2, 0x06d3], 0xfbae, 2),
	...consecutive([0x06ad], 0xfbd3, 4),
	...consecutive([0x06c7, 0x06c6, 0x06c8], 0xfbd7, 2),
	...consecutive([0x06cb, 0x06c5, 0x06c9], 0xfbde, 2),
	...consecutive([0x06d0], 0xfbe4, 4),
	...consecutive([0x06cc], 0xfbfc, 4),
]);

/** Letters whose forms follow one another in the block of presentation forms. */
function consecutive(letters: readonly number[], first: number, count: number): Array<[number, number[]]> {
	return letters.map((letter, at) => [letter, Array.from({ length: count }, (_, form) => first + at * count + form)]);
}

/** Lam and an alef are always written as one: the isolated form; the final one follows it. */
const lam = 0x0644;
const lamAlef: ReadonlyMap<number, number> = new Map([
	[0x0622, 0xfef5],
	[0x0623, 0xfef7],
	[0x0625, 0xfef9],
	[0x0627, 0xfefb],
]);

const tatweel = 0x0640;

/** Vowel marks stand on a letter and do not break the join between its neighbours. */
const isArabicMark = (code: number): boolean =>
	(code >= 0x064b && code <= 0x065f) ||
	code === 0x0670 ||
	(code >= 0x06d6 && code <= 0x06ed && code !== 0x06dd && code !== 0x06de);

const joinsForward = (code: number): boolean => code === tatweel || (forms.get(code)?.length ?? 0) === 4;
const joinsBackward = (code: number): boolean => code === tatweel || (forms.get(code)?.length ?? 0) >= 2;

/** Code points in reading order, each Arabic letter in the form that its neighbours ask for. */
export function shapeArabic(codes: readonly number[]): number[] {
	if (!codes.some((code) => forms.has(code))) return [...codes];
	const shaped: number[] = [];
	let previous: number | undefined;
	for (let at = 0; at < codes.length; at += 1) {
		const code = codes[at] ?? 0;
		if (isArabicMark(code)) {
			shaped.push(code);
			continue;
		}
		const joinedBefore = previous !== undefined && joinsForward(previous) && joinsBackward(code);
		const ligature = code === lam ? lamAlef.get(codes[at + 1] ?? 0) : undefined;
		if (ligature !== undefined) {
			shaped.push(ligature + (joinedBefore ? 1 : 0));
			at += 1;
			previous = codes[at];
			continue;
		}
		const next = codes.slice(at + 1).find((following) => !isArabicMark(following));
		const joinedAfter = next !== undefined && joinsForward(code) && joinsBackward(next);
		shaped.push(formOf(code, joinedBefore, joinedAfter));
		previous = code;
	}
	return shaped;
}

const formOf = (code: number, joinedBefore: boolean, joinedAfter: boolean): number =>
	forms.get(code)?.[(joinedBefore ? 1 : 0) + (joinedAfter ? 2 : 0)] ?? code;
