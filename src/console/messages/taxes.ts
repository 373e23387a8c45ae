import { texts } from "./shared/words";

export const t = texts({
	title: ["Taxes", "Steuern"],
	text: [
		"Rates with names, which prices include or invoices add.",
		"Steuersätze mit Namen, die in Preisen enthalten sind oder hinzukommen.",
	],
	emptyTitle: ["No taxes yet", "Noch keine Steuern"],
	emptyText: [
		"Assign taxes to the environment, customers, plans, prices or subscriptions.",
		"Weise Steuern der Umgebung, Kunden, Plänen, Preisen oder Abonnements zu.",
	],
	own: ["These taxes", "Diese Steuern"],
	chosen: ["Chosen taxes", "Gewählte Steuern"],
	chosenHint: ["Without a choice, no tax applies.", "Ohne Auswahl gilt keine Steuer."],
	noTax: ["No tax", "Keine Steuer"],
	none: ["No tax", "Keine Steuer"],
	asPackage: ["As the plan or addon", "Wie der Plan oder das Add-on"],
	asCustomer: ["As the customer or the environment", "Wie der Kunde oder die Umgebung"],
	asEnvironment: ["As the environment", "Wie die Umgebung"],
	asPrice: ["As the prices, or the levels above", "Wie die Preise oder die Ebenen darüber"],
	edit: ["Edit taxes", "Steuern bearbeiten"],
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
