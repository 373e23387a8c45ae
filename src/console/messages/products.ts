import { texts } from "./shared/words";

export const t = texts({
	title: ["Products", "Produkte"],
	text: [
		"Products group plans and addons. A customer has one plan of each product.",
		"Produkte fassen Pläne und Add-ons zusammen. Ein Kunde hat je Produkt einen Plan.",
	],
	emptyTitle: ["No products yet", "Noch keine Produkte"],
	emptyText: [
		"Create a product first, then its plans and addons.",
		"Lege zuerst ein Produkt an, dann seine Pläne und Add-ons.",
	],
	newProduct: ["New product", "Neues Produkt"],
	multipleSubscriptions: [
		"Customers may have several subscriptions to this product",
		"Kunden dürfen mehrere Abonnements dieses Produkts haben",
	],
	several: ["Subscriptions per customer", "Abonnements je Kunde"],
	one: ["One", "Eines"],
	many: ["Several", "Mehrere"],
	archiveSays: [
		"Its plans and addons can no longer be sold. The API refuses this while any of them is on sale.",
		"Seine Pläne und Add-ons lassen sich nicht mehr verkaufen. Die API lehnt das ab, solange noch etwas davon im Verkauf ist.",
	],
	unarchive: ["Restore", "Wiederherstellen"],
	unarchiveTitle: ["Restore {name}?", "{name} wiederherstellen?"],
	unarchiveSays: [
		"You can create and sell its plans and addons again.",
		"Du kannst wieder Pläne und Add-ons anlegen und verkaufen.",
	],
	starts: ["Customers start with", "Kunden beginnen mit"],
	PLAN_SELECTION: ["The plan they choose", "dem gewählten Plan"],
	TRIAL_PERIOD: ["A trial", "einer Testphase"],
	FREE_PLAN: ["A free plan", "einem kostenlosen Plan"],
	ends: ["After the subscription ends", "Nach dem Ende des Abonnements"],
	DOWNGRADE_TO_FREE: ["Downgrade to a free plan", "Wechsel zu einem kostenlosen Plan"],
	CANCEL_SUBSCRIPTION: ["No subscription", "Kein Abonnement"],
	cancellation: ["Cancellations take effect", "Kündigungen gelten"],
	END_OF_BILLING_PERIOD: ["At the end of the billing period", "zum Ende des Abrechnungszeitraums"],
	IMMEDIATE: ["Immediately", "sofort"],
	SPECIFIC_DATE: ["On a chosen date", "zu einem gewählten Datum"],
	missing: ["Product “{id}” was not found", "Produkt „{id}“ wurde nicht gefunden"],
	missingText: ["It may be in another environment.", "Vielleicht ist es in einer anderen Umgebung."],
});
