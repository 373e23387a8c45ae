import { inLanguage } from "./language";

export const t = inLanguage({
	en: {
		title: "Tasks",
		text: "What goes on in the background: imports, migrations, simulations, drawings of invoices.",
		task: "Task",
		progress: "Progress",
		parts: "Parts done",
		failed: "Failed",
		begun: "Begun",
		ended: "Ended",
		done: "{done} of {total}",
		emptyTitle: "Nothing has run in the background yet",
		emptyText:
			"Import subscriptions, move them to a new version of a plan, or have an invoice drawn as a PDF: it shows here.",
		errors: "What failed",
		errorsText: "The first {shown} of {count}.",
		item: "Item",
		why: "Why",
		RENDER_INVOICE: "Draw an invoice",
		IMPORT_SUBSCRIPTIONS: "Import subscriptions",
		MIGRATE_SUBSCRIPTIONS: "Move subscriptions to a version",
		SIMULATE_PLAN: "Simulate a plan",
		ERASE_CUSTOMER: "Erase a customer",
		REBUILD_USAGE: "Count usage anew",
	},
	de: {
		title: "Aufgaben",
		text: "Was im Hintergrund läuft: Importe, Umstellungen, Simulationen, gezeichnete Rechnungen.",
		task: "Aufgabe",
		progress: "Fortschritt",
		parts: "Davon erledigt",
		failed: "Gescheitert",
		begun: "Begonnen",
		ended: "Beendet",
		done: "{done} von {total}",
		emptyTitle: "Im Hintergrund ist noch nichts gelaufen",
		emptyText:
			"Importiere Abonnements, stelle sie auf eine neue Version um oder lass eine Rechnung als PDF zeichnen: hier erscheint es.",
		errors: "Was gescheitert ist",
		errorsText: "Die ersten {shown} von {count}.",
		item: "Eintrag",
		why: "Warum",
		RENDER_INVOICE: "Rechnung zeichnen",
		IMPORT_SUBSCRIPTIONS: "Abonnements importieren",
		MIGRATE_SUBSCRIPTIONS: "Abonnements auf eine Version umstellen",
		SIMULATE_PLAN: "Plan simulieren",
		ERASE_CUSTOMER: "Kundendaten löschen",
		REBUILD_USAGE: "Verbrauch neu zählen",
	},
});

export const taskName = (type: string): string => (t as Readonly<Record<string, string>>)[type] ?? type;
