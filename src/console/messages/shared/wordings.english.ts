/** The API's English names of lines that have no name from the catalogue (`areas/pricing/wording.ts`). */
export const english = {
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

const codes = Object.keys(english) as (keyof typeof english)[];

/** Replaces the API's own words in the description of an invoice line. Names from the catalogue stay. */
export function reworded(description: string, words: Readonly<Record<keyof typeof english, string>>): string {
	const whole = codes.find((code) => english[code] === description);
	if (whole) return words[whole];
	for (const code of codes) {
		const [before = "", after] = english[code].split("{of}");
		if (after !== undefined && description.startsWith(before))
			return words[code].replace("{of}", () => reworded(description.slice(before.length), words));
	}
	return description;
}
