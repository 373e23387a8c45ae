import { texts } from "./shared/words";

export const t = texts({
	title: ["Coupons", "Gutscheine"],
	text: [
		"Named discounts: amount, duration and the customers who have them.",
		"Benannte Rabatte: Höhe, Dauer und die Kunden, die sie haben.",
	],
	duration: ["Duration", "Dauer"],
	forever: ["Unlimited", "Unbegrenzt"],
	months: ["{count} months", "{count} Monate"],
	emptyTitle: ["No coupons yet", "Noch keine Gutscheine"],
	emptyText: [
		"A coupon takes a percentage or an amount off the charges of a customer or a subscription.",
		"Ein Gutschein zieht einen Prozentsatz oder Betrag von den Kosten eines Kunden oder Abonnements ab.",
	],
	newCoupon: ["New coupon", "Neuer Gutschein"],
	kind: ["Type of discount", "Art des Rabatts"],
	percentage: ["Percentage", "Prozentsatz"],
	fixed: ["Fixed amount", "Fester Betrag"],
	percentOff: ["Percent off", "Rabatt in Prozent"],
	amountOff: ["Amount off", "Rabattbetrag"],
	durationInMonths: ["Months", "Monate"],
	idHint: [
		"The API addresses the coupon by this ID. It cannot be changed later.",
		"Die API findet den Gutschein unter dieser ID. Sie lässt sich später nicht ändern.",
	],
	archiveSays: [
		"The coupon can no longer be applied. Customers who have it keep it until it expires.",
		"Der Gutschein lässt sich nicht mehr einlösen. Kunden, die ihn haben, behalten ihn, bis er abläuft.",
	],
	who: ["Customers with this coupon", "Kunden mit diesem Gutschein"],
	whoText: [
		"Customers with this coupon assigned. Coupons of a single subscription are shown on that subscription.",
		"Kunden, denen der Gutschein zugewiesen ist. Gutscheine einzelner Abonnements stehen beim Abonnement.",
	],
	nobody: ["No customer has this coupon", "Kein Kunde hat diesen Gutschein"],
	nobodyText: [
		"Assign it with the API (`couponId` of a customer), or choose it when you sell a plan.",
		"Weise ihn per API zu (`couponId` eines Kunden) oder wähle ihn beim Verkauf eines Plans.",
	],
	durationInMonthsHint: ["Leave empty for no limit.", "Leer lassen für unbegrenzte Dauer."],
});
