import { inLanguage } from "./language";

export const t = inLanguage({
	Overview: ["Overview", "Übersicht"],
	Customers: ["Customers", "Kunden"],
	Subscriptions: ["Subscriptions", "Abonnements"],
	Contracts: ["Contracts", "Verträge"],
	Invoices: ["Invoices", "Rechnungen"],
	Credits: ["Credits", "Credits"],
	Products: ["Products", "Produkte"],
	Plans: ["Plans", "Pläne"],
	Addons: ["Addons", "Add-ons"],
	Features: ["Features", "Funktionen"],
	Coupons: ["Coupons", "Gutscheine"],
	Taxes: ["Taxes", "Steuern"],
	Events: ["Events", "Ereignisse"],
	Webhooks: ["Webhooks", "Webhooks"],
	Tasks: ["Tasks", "Aufgaben"],
	AuditLog: ["Audit log", "Audit-Log"],
	Settings: ["Settings", "Einstellungen"],
	sales: ["Sales", "Vertrieb"],
	catalogue: ["Catalogue", "Katalog"],
	operations: ["Operations", "Betrieb"],
});
