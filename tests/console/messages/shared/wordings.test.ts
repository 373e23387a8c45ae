import { expect, test } from "bun:test";
import { textOf, wordings } from "../../../../src/areas/pricing/wording";
import { english, reworded } from "../../../../src/console/messages/shared/wordings.english";

const german = {
	unusedTime: "Nicht genutzt: {of}",
	reversed: "Storniert: {of}",
	restOfTerm: "Rest: {of}",
	notChargedHere: "Anderswo: {of}",
	minimumSpend: "Mindestumsatz",
	coveredByMinimum: "Gedeckt",
	commitment: "Zusage",
	coveredByCommitment: "Von der Zusage gedeckt",
	aboveCommitment: "Über der Zusage",
	minimumAmount: "Mindestens: {of}",
	maximumAmount: "Höchstens: {of}",
	boundedAmount: "Begrenzt: {of}",
	groups: "Alle Gruppen: {of}",
	freeUnits: "Umsonst: {of}",
	alreadyCredited: "Gutgeschrieben durch {of}",
	cashDiscount: "Skonto",
	alreadyCreditedLater: "Später gutgeschrieben",
};

test("translates the API's own line descriptions, but no names of the catalogue", () => {
	expect<object>(english).toEqual(wordings);
	for (const wording of [
		{ codes: ["unusedTime"], of: "Seats (Pro)" },
		{ codes: ["notChargedHere", "unusedTime"], of: "$& {of}" },
		{ codes: ["unusedTime", "minimumSpend"] },
		{ codes: ["coveredByMinimum"] },
		{ codes: ["minimumAmount"], of: "Calls (Pro)" },
		{ codes: ["freeUnits"], of: "Calls (Pro): 300" },
		{ codes: ["alreadyCreditedLater"] },
		{ codes: [], of: "Pro" },
	] as const) {
		expect(reworded(textOf(wording), german)).toBe(textOf(wording, german));
		expect(reworded(textOf(wording), english)).toBe(textOf(wording));
	}
});
