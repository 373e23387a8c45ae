import { inLanguage } from "./language";

export const t = inLanguage({
	en: {
		tab: "Who gets what",
		text: "Each plan's own grants, the draft's where there is one. What is changed here is saved in drafts and sold once these are published.",
		feature: "Feature",
		draft: "Draft",
		cell: "{feature} in {plan}",
		hint: "A number, or ∞ for no limit; left empty, it is not granted.",
		notANumber: "{cell}: give a number of 0 or more, ∞, or nothing.",
		changed: "{count} changes in {plans} plans",
		save: "Save as drafts",
		saved: "Saved in {plans} drafts. Publish them when they are right.",
		undo: "Undo",
		empty: "No plans here",
		emptyText: "A plan shows here once it is made.",
	},
	de: {
		tab: "Wer was bekommt",
		text: "Was jeder Plan selbst gewährt, im Entwurf, wo es einen gibt. Änderungen stehen danach in Entwürfen und gelten, sobald diese veröffentlicht sind.",
		feature: "Funktion",
		draft: "Entwurf",
		cell: "{feature} in {plan}",
		hint: "Eine Zahl, oder ∞ für unbegrenzt; leer heißt nicht gewährt.",
		notANumber: "{cell}: Bitte eine Zahl ab 0, ∞ oder nichts.",
		changed: "{count} Änderungen in {plans} Plänen",
		save: "Als Entwürfe speichern",
		saved: "In {plans} Entwürfen gespeichert. Veröffentliche sie, wenn sie stimmen.",
		undo: "Zurücknehmen",
		empty: "Hier sind keine Pläne",
		emptyText: "Ein Plan steht hier, sobald er angelegt ist.",
	},
});
