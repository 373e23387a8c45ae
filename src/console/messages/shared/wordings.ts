import { language } from "../language";
import { english, reworded } from "./wordings.english";

const german = {
	unusedTime: "Nicht genutzte Zeit: {of}",
	reversed: "Storniert: {of}",
	restOfTerm: "Rest der Laufzeit: {of}",
	notChargedHere: "Nicht hier berechnet: {of}",
	minimumSpend: "Mindestumsatz",
	coveredByMinimum: "Durch den Mindestumsatz gedeckt",
	commitment: "Zugesagter Umsatz",
	coveredByCommitment: "Durch den zugesagten Umsatz gedeckt",
	aboveCommitment: "Über dem zugesagten Umsatz",
	minimumAmount: "Mindestbetrag: {of}",
	maximumAmount: "Höchstbetrag: {of}",
	boundedAmount: "Mindest- und Höchstbetrag: {of}",
	groups: "Alle Gruppen: {of}",
	freeUnits: "Mit Freieinheiten: {of}",
	alreadyCredited: "Bereits gutgeschrieben durch {of}",
	cashDiscount: "Skonto",
	alreadyCreditedLater: "Bereits gutgeschrieben durch die nächste Rechnung",
};

/** Returns the description of an invoice line in the language of the page. */
export const lineText = (description: string): string => reworded(description, language === "de" ? german : english);
