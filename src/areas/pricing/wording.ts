/**
 * What lines are called that are ours rather than the catalogue's, in English: so they are shown on the wire. Documents have them
 * in other languages, by the same names (invoices/document/labels). `{of}` is filled in.
 */
export const wordings = {
	unusedTime: "Unused time: {of}",
	notChargedHere: "Not charged here: {of}",
	minimumSpend: "Minimum spend",
	coveredByMinimum: "Covered by the minimum spend",
	alreadyCredited: "Already credited by {of}",
	cashDiscount: "Cash discount",
	alreadyCreditedLater: "Already credited by the next invoice",
} as const;

type WordingCode = keyof typeof wordings;

/** How a description is put together: codes, the outermost first, around a name of the catalogue or a number. */
export interface Wording {
	readonly codes: readonly WordingCode[];
	readonly of?: string;
}

export const textOf = ({ codes, of = "" }: Wording, words: Readonly<Record<WordingCode, string>> = wordings): string =>
	codes.reduceRight<string>((inner, code) => words[code].replace("{of}", () => inner), of);

interface Described {
	readonly description: string;
	readonly wording?: Wording | null;
}

export const worded = (wording: Wording) => ({ description: textOf(wording), wording });

/** Another description around one. */
export const wordedAround = (code: WordingCode, { description, wording }: Described) =>
	worded(wording ? { ...wording, codes: [code, ...wording.codes] } : { codes: [code], of: description });

/** Another description in the place of the outermost one. */
export const wordedInstead = (code: WordingCode, { description, wording }: Described) =>
	wording ? worded({ ...wording, codes: [code, ...wording.codes.slice(1)] }) : { description };
