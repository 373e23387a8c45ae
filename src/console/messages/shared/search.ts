import { inLanguage } from "../language";

export const t = inLanguage({
	en: {
		search: "Search",
		searchOrJump: "Search or jump to…",
		searchHint: "A name, an id, a number, or a screen",
		nothingFound: "Nothing found for “{text}”",
		screens: "Screens",
	},
	de: {
		search: "Suchen",
		searchOrJump: "Suchen oder springen…",
		searchHint: "Ein Name, eine Kennung, eine Nummer oder eine Seite",
		nothingFound: "Nichts gefunden für „{text}“",
		screens: "Seiten",
	},
});
