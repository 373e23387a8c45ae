import { texts } from "./shared/words";

export const t = texts({
	billingDay: ["Billing day", "Abrechnungstag"],
	dayOfMonth: ["Day of the month", "Tag des Monats"],
	CUSTOMER: ["As the customer", "Wie der Kunde"],
	SUBSCRIPTION_START: ["Start of the subscription", "Beginn des Abonnements"],
	START_OF_THE_MONTH: ["First day of the month", "Erster des Monats"],
	CALENDAR: ["Calendar: months, quarters, years", "Kalender: Monate, Quartale, Jahre"],
	DAY: ["A day of the month", "Ein Tag des Monats"],
	DATE: ["A date", "Ein Datum"],
});
