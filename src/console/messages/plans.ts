import { inLanguage } from "./language";

export const t = inLanguage({
	en: {
		title: "Plans",
		text: "What customers subscribe to: what it grants, what it costs, and each version of it.",
		one: "Plan",
		emptyTitle: "No plans here",
		emptyText: "A plan is made as a draft; it can be sold once it is published.",
		create: "New plan",
		idHint: "It does not change any more.",
		created: "{name} is there, as a draft.",
	},
	de: {
		title: "Pläne",
		text: "Was Kunden abonnieren: was es gewährt, was es kostet, und jede Version davon.",
		one: "Plan",
		emptyTitle: "Hier sind keine Pläne",
		emptyText: "Ein Plan entsteht als Entwurf; verkauft wird er, sobald er veröffentlicht ist.",
		create: "Neuer Plan",
		idHint: "Sie ändert sich nicht mehr.",
		created: "{name} ist da, als Entwurf.",
	},
});
