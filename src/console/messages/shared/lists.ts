import { inLanguage } from "../language";

export const t = inLanguage({
	en: {
		all: "All",
		next: "Next",
		previous: "Previous",
		nothingMatches: "Nothing matches what is chosen above.",
		showAll: "Show all",
	},
	de: {
		all: "Alle",
		next: "Weiter",
		previous: "Zurück",
		nothingMatches: "Nichts passt zu dem, was oben gewählt ist.",
		showAll: "Alle zeigen",
	},
});
