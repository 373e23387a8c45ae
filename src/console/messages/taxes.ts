import { texts } from "./shared/words";

export const t = texts({
	title: ["Taxes", "Steuern"],
	text: [
		"Rates with names, which prices include or invoices add.",
		"Steuersätze mit Namen, die in Preisen enthalten sind oder hinzukommen.",
	],
	emptyTitle: ["No taxes yet", "Noch keine Steuern"],
	emptyText: [
		"Assign a tax to the environment, a customer, a plan, a price or a subscription with the API.",
		"Weise eine Steuer per API der Umgebung, einem Kunden, Plan, Preis oder Abonnement zu.",
	],
	newTax: ["New tax", "Neue Steuer"],
	percentage: ["Percentage", "Prozentsatz"],
	kind: ["Prices", "Preise"],
	isInclusive: ["Prices include the tax", "Preise enthalten die Steuer"],
	inclusive: ["Prices include the tax", "Preise enthalten die Steuer"],
	exclusive: ["The tax is added to prices", "Die Steuer kommt zu Preisen hinzu"],
	code: ["Code", "Kennzeichen"],
	idHint: [
		"The API addresses the tax by this ID. It cannot be changed later.",
		"Die API findet die Steuer unter dieser ID. Sie lässt sich später nicht ändern.",
	],
	archiveSays: [
		"The tax can no longer be assigned. It applies where it is assigned.",
		"Die Steuer lässt sich nicht mehr zuweisen. Wo sie zugewiesen ist, gilt sie weiter.",
	],
});
