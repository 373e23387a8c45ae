import { nameIn } from "./language";
import { texts } from "./shared/words";

export const t = texts({
	title: ["Tasks", "Aufgaben"],
	text: [
		"Background work: imports, migrations, simulations and PDF rendering.",
		"Hintergrundarbeit: Importe, Umstellungen, Simulationen und PDF-Erstellung.",
	],
	task: ["Task", "Aufgabe"],
	progress: ["Progress", "Fortschritt"],
	parts: ["Completed parts", "Erledigte Teile"],
	failed: ["Failed", "Fehlgeschlagen"],
	begun: ["Started", "Gestartet"],
	ended: ["Ended", "Beendet"],
	done: ["{done} of {total}", "{done} von {total}"],
	emptyTitle: ["No tasks yet", "Noch keine Aufgaben"],
	emptyText: [
		"Imports and migrations of subscriptions, simulations and PDFs appear here.",
		"Importe und Umstellungen von Abonnements, Simulationen und PDFs erscheinen hier.",
	],
	errors: ["Errors", "Fehler"],
	errorsText: ["Showing the first {shown} of {count}.", "Die ersten {shown} von {count} werden angezeigt."],
	item: ["Item", "Eintrag"],
	why: ["Reason", "Grund"],
	RENDER_INVOICE: ["Render an invoice", "Rechnung als PDF erstellen"],
	IMPORT_SUBSCRIPTIONS: ["Import subscriptions", "Abonnements importieren"],
	MIGRATE_SUBSCRIPTIONS: ["Migrate subscriptions", "Abonnements umstellen"],
	SIMULATE_PLAN: ["Simulate a plan", "Plan simulieren"],
	ERASE_CUSTOMER: ["Erase a customer", "Kundendaten löschen"],
	ERASE_PDFS: ["Erase a customer: PDFs", "Kundendaten löschen: PDFs"],
	ERASE_DELIVERIES: ["Erase a customer: webhook responses", "Kundendaten löschen: Webhook-Antworten"],
	ERASE_EVENTS: ["Erase a customer: usage events", "Kundendaten löschen: Nutzungsereignisse"],
	REBUILD_USAGE: ["Recalculate usage", "Nutzung neu berechnen"],
});

export const taskName = (word: string): string => nameIn(t, word);
