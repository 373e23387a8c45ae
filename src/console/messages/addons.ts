import { inLanguage } from "./language";

export const t = inLanguage({
	en: {
		title: "Addons",
		text: "What customers buy on top of a plan.",
		one: "Addon",
		emptyTitle: "No addons here",
		emptyText: "An addon is made as a draft; it can be sold once it has a price and is published.",
		create: "New addon",
		idHint: "It does not change any more.",
		created: "{name} is there, as a draft.",
	},
	de: {
		title: "Zusätze",
		text: "Was Kunden zu einem Plan dazukaufen.",
		one: "Zusatz",
		emptyTitle: "Hier sind keine Zusätze",
		emptyText: "Ein Zusatz entsteht als Entwurf; verkauft wird er, sobald er einen Preis hat und veröffentlicht ist.",
		create: "Neuer Zusatz",
		idHint: "Sie ändert sich nicht mehr.",
		created: "{name} ist da, als Entwurf.",
	},
});
