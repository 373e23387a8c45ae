/**
 * The English descriptions of lines that have no name from the catalogue. The API returns them. Documents translate them by the same
 * keys (invoices/document/labels). `{of}` is replaced.
 */
export const wordings = {
	unusedTime: "Unused time: {of}",
	reversed: "Reversed: {of}",
	restOfTerm: "Rest of the term: {of}",
	notChargedHere: "Not charged here: {of}",
	minimumSpend: "Minimum spend",
	coveredByMinimum: "Covered by the minimum spend",
	commitment: "Commitment",
	coveredByCommitment: "Covered by the commitment",
	aboveCommitment: "Above the commitment",
	minimumAmount: "Minimum: {of}",
	maximumAmount: "Maximum: {of}",
	boundedAmount: "Minimum and maximum: {of}",
	groups: "All groups: {of}",
	freeUnits: "With free units: {of}",
	alreadyCredited: "Already credited by {of}",
	cashDiscount: "Cash discount",
	alreadyCreditedLater: "Already credited by the next invoice",
} as const;

type WordingCode = keyof typeof wordings;

/** How a description is built: codes, the outermost first, around a name of the catalogue or a number. */
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

/** Wraps a description in another one. */
export const wordedAround = (code: WordingCode, { description, wording }: Described) =>
	worded(wording ? { ...wording, codes: [code, ...wording.codes] } : { codes: [code], of: description });

/** Replaces the outermost part of a description. */
export const wordedInstead = (code: WordingCode, { description, wording }: Described) =>
	wording ? worded({ ...wording, codes: [code, ...wording.codes.slice(1)] }) : { description };
