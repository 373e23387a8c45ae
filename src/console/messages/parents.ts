import { texts } from "./shared/words";

export const t = texts({
	title: ["Parent company and payment", "Muttergesellschaft und Zahlung"],
	edit: ["Edit parent and payment", "Mutter und Zahlung bearbeiten"],
	none: ["None", "Keine"],
	parentCustomerId: ["Parent", "Mutter"],
	parentCustomerIdHint: [
		"The ID of the customer that this one belongs to. Empty: none.",
		"Die ID des Kunden, zu dem dieser gehört. Leer: keiner.",
	],
	billsTo: ["Pays its subscriptions", "Bezahlt die Abonnements"],
	billsToHint: [
		"A subscription that names a payer is paid by that one.",
		"Ein Abonnement, das einen Zahler nennt, bezahlt dieser.",
	],
	SELF: ["The customer itself", "Der Kunde selbst"],
	PARENT: ["The parent", "Die Mutter"],
	invoiceGrouping: ["Invoices of subscriptions", "Rechnungen der Abonnements"],
	invoiceGroupingHint: [
		"One invoice for all subscriptions that this customer pays and that fall due together.",
		"Eine Rechnung für alle Abonnements, die dieser Kunde bezahlt und die zugleich fällig sind.",
	],
	SEPARATE: ["One for each subscription", "Eine für jedes Abonnement"],
	CONSOLIDATED: ["One for all that fall due together", "Eine für alle, die zugleich fällig sind"],
	editUsage: ["Usage of subsidiaries", "Nutzung der Töchter"],
	includesChildUsage: ["Counts the usage of subsidiaries", "Zählt die Nutzung der Töchter"],
	includesChildUsageHint: ["Tiers apply to the whole.", "Staffeln gelten für das Ganze."],
	included: ["Yes", "Ja"],
	children: ["Subsidiaries", "Tochtergesellschaften"],
});
