import { texts } from "./shared/words";

export const t = texts({
	tab: ["Entitlements by plan", "Berechtigungen je Plan"],
	text: [
		"The entitlements of each plan, or of its draft. Changes are saved as drafts and take effect when you publish them.",
		"Die Berechtigungen jedes Plans oder seines Entwurfs. Änderungen werden als Entwürfe gespeichert und gelten ab der Veröffentlichung.",
	],
	cell: ["{feature} in {plan}", "{feature} in {plan}"],
	hint: [
		"Enter a number, or ∞ for no limit. Leave empty to grant nothing.",
		"Gib eine Zahl ein oder ∞ für unbegrenzt. Leer bedeutet: nicht enthalten.",
	],
	notANumber: ["{cell}: enter a number of 0 or more, ∞, or nothing.", "{cell}: Gib eine Zahl ab 0, ∞ oder nichts ein."],
	changed: ["{count} changes in {plans} plans", "{count} Änderungen in {plans} Plänen"],
	save: ["Save as drafts", "Als Entwürfe speichern"],
	saved: [
		"Saved in {plans} drafts. Publish them when you are done.",
		"In {plans} Entwürfen gespeichert. Veröffentliche sie, wenn du fertig bist.",
	],
	undo: ["Discard changes", "Änderungen verwerfen"],
	empty: ["No plans yet", "Noch keine Pläne"],
	emptyText: [
		"Create a plan to see its entitlements here.",
		"Lege einen Plan an, um seine Berechtigungen hier zu sehen.",
	],
});
