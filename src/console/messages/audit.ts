import { texts } from "./shared/words";

export const t = texts({
	title: ["Audit log", "Audit-Log"],
	text: [
		"Who changed what and when. Each entry is chained to the previous one by a hash.",
		"Wer wann was geändert hat. Jeder Eintrag ist durch einen Hash mit dem vorherigen verkettet.",
	],
	operation: ["Operation", "Vorgang"],
	entity: ["Object", "Objekt"],
	entityId: ["Object ID", "Objekt-ID"],
	actor: ["Actor", "Akteur"],
	actorId: ["Actor ID", "Akteur-ID"],
	at: ["Time", "Zeitpunkt"],
	changesShown: ["Showing {shown} of {count} changes.", "{shown} von {count} Änderungen werden angezeigt."],
	address: ["IP address", "IP-Adresse"],
	recordedAt: ["Server time", "Serverzeit"],
	hash: ["Hash", "Hash"],
	field: ["Field", "Feld"],
	created: ["Created", "Angelegt"],
	updated: ["Changed", "Geändert"],
	deleted: ["Deleted", "Gelöscht"],
	erased: ["Personal data was erased.", "Personenbezogene Daten wurden gelöscht."],
	emptyTitle: ["No entries yet", "Noch keine Einträge"],
	emptyText: ["Every change in this environment appears here.", "Jede Änderung in dieser Umgebung erscheint hier."],
});
