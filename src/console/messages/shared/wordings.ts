import { inLanguage } from "../language";
import { english, reworded } from "./wordings.english";

const t = inLanguage({
	en: english,
	de: {
		unusedTime: "Nicht genutzte Zeit: {of}",
		notChargedHere: "Nicht hier berechnet: {of}",
		minimumSpend: "Mindestumsatz",
		coveredByMinimum: "Durch den Mindestumsatz gedeckt",
		alreadyCredited: "Bereits gutgeschrieben durch {of}",
		cashDiscount: "Skonto",
		alreadyCreditedLater: "Bereits gutgeschrieben durch die nächste Rechnung",
	},
});

/** The description of an invoice's line in the person's language. */
export const lineText = (description: string): string => reworded(description, t);
