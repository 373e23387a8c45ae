import { inLanguage } from "../language";

export const t = inLanguage({
	search: ["Search", "Suchen"],
	searchOrJump: ["Search or jump to…", "Suchen oder öffnen…"],
	searchHint: ["A name, an ID, a number or a screen", "Name, ID, Nummer oder Seite"],
	nothingFound: ["No results for “{text}”", "Keine Ergebnisse für „{text}“"],
	screens: ["Screens", "Seiten"],
});
