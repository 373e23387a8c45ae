import { texts } from "./shared/words";

export const t = texts({
	title: ["Cost of the last period at the new prices", "Kosten des letzten Zeitraums zu den neuen Preisen"],
	text: [
		"Calculates the last billing period of each subscription to this plan again, with its real usage and the prices of this draft. Nothing is changed.",
		"Berechnet den letzten Abrechnungszeitraum aller Abonnements dieses Plans mit der echten Nutzung und den Preisen dieses Entwurfs neu. Es wird nichts geändert.",
	],
	start: ["Calculate", "Berechnen"],
	again: ["Calculate again", "Neu berechnen"],
	optional: [
		"The calculation runs in the background. You can publish now or wait for it.",
		"Die Berechnung läuft im Hintergrund. Du kannst sofort veröffentlichen oder darauf warten.",
	],
	waiting: ["Starting…", "Wird gestartet…"],
	progress: ["Progress", "Fortschritt"],
	stopped: [
		"The calculation did not finish. Try again.",
		"Die Berechnung wurde nicht fertig. Versuche es noch einmal.",
	],
	nobody: [
		"No subscription to this plan has completed a billing period yet.",
		"Noch kein Abonnement dieses Plans hat einen ganzen Abrechnungszeitraum hinter sich.",
	],
	was: ["Before", "Bisher"],
	wouldBe: ["After", "Neu"],
	difference: ["Difference", "Unterschied"],
	groups: ["By group", "Nach Gruppen"],
	group: ["Group", "Gruppe"],
	more: ["Pay more", "Zahlen mehr"],
	less: ["Pay less", "Zahlen weniger"],
	same: ["Pay the same", "Zahlen gleich viel"],
	customers: ["Largest differences", "Größte Unterschiede"],
	shown: [
		"{shown} of {count} customers, largest differences first.",
		"{shown} von {count} Kunden, größte Unterschiede zuerst.",
	],
	failures: ["Subscriptions that cannot be calculated", "Nicht berechenbare Abonnements"],
	failuresText: [
		"The totals do not include these subscriptions: {count}.",
		"Die Summen enthalten diese Abonnements nicht: {count}.",
	],
	why: ["Reason", "Grund"],
});
