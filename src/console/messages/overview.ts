import { texts } from "./shared/words";

export const t = texts({
	title: ["Overview", "Übersicht"],
	text: ["Invoices, usage and the items that need attention.", "Rechnungen, Nutzung und offene Punkte."],
	invoiced: ["Invoiced", "Rechnungsbeträge"],
	invoicedText: [
		"Totals of the invoices issued each month, including tax, without canceled invoices.",
		"Summen der in jedem Monat ausgestellten Rechnungen, inklusive Steuer, ohne stornierte.",
	],
	usageText: ["Events on each of the last 30 days.", "Ereignisse an jedem der letzten 30 Tage."],
	needs: ["Needs attention", "Offene Punkte"],
	fine: ["Nothing needs attention", "Alles in Ordnung"],
	fineText: [
		"No invoice is overdue, no step failed, no contract or trial ends soon, and all webhooks are reachable.",
		"Keine überfälligen Rechnungen, keine fehlgeschlagenen Schritte, keine bald endenden Verträge oder Testphasen; alle Webhooks sind erreichbar.",
	],
	overdue: ["Overdue invoices", "Überfällige Rechnungen"],
	failedSteps: ["Failed steps", "Fehlgeschlagene Schritte"],
	failedTasks: ["Failed tasks", "Fehlgeschlagene Aufgaben"],
	firstOverdue: ["{name}, due {date}", "{name}, fällig am {date}"],
	expiring: ["Contracts ending soon", "Bald endende Verträge"],
	trials: ["Trials ending soon", "Bald endende Testphasen"],
	webhooksFailing: ["Failing webhooks", "Fehlschlagende Webhooks"],
	webhooksOff: ["Disabled webhooks", "Deaktivierte Webhooks"],
	more: ["{count}+", "{count}+"],
	noInvoices: ["No invoices yet", "Noch keine Rechnungen"],
	noInvoicesText: [
		"Invoices of subscriptions and contracts appear here.",
		"Rechnungen aus Abonnements und Verträgen erscheinen hier.",
	],
	noEvents: ["No usage yet", "Noch keine Nutzung"],
	noEventsText: ["Reported events appear here.", "Gemeldete Ereignisse erscheinen hier."],
});
