import { inLanguage } from "../language";

export const t = inLanguage({
	en: {
		unreachable: "The server does not answer. Is it running?",
		nothingHere: "Nothing is here",
		nothingHereText: "There is no screen at this address.",
	},
	de: {
		unreachable: "Der Server antwortet nicht. Läuft er?",
		nothingHere: "Hier ist nichts",
		nothingHereText: "Unter dieser Adresse gibt es keine Seite.",
	},
});
