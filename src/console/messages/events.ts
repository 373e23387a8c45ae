import { texts } from "./shared/words";

export const t = texts({
	title: ["Events", "Ereignisse"],
	text: [
		"Reported usage events and the meters that count them.",
		"Gemeldete Nutzungsereignisse und die Zähler, die sie erfassen.",
	],
	live: ["Live", "Live"],
	unmatched: ["Unmatched names", "Nicht zugeordnete Namen"],
	follow: ["Follow live", "Live verfolgen"],
	customerId: ["Customer ID", "Kunden-ID"],
	eventName: ["Event name", "Ereignisname"],
	key: ["Idempotency key", "Idempotenzschlüssel"],
	at: ["Time", "Zeitpunkt"],
	countedBy: ["Counted by", "Erfasst von"],
	noMeter: ["No meter counts this name", "Kein Zähler erfasst diesen Namen"],
	taken: ["Canceled", "Storniert"],
	emptyTitle: ["No events", "Keine Ereignisse"],
	emptyText: [
		"Report usage with POST /api/v1/events. It appears here within a second.",
		"Melde Nutzung mit POST /api/v1/events. Sie erscheint hier innerhalb einer Sekunde.",
	],
	dimensions: ["Dimensions", "Dimensionen"],
	meters: ["Meters", "Zähler"],
	counted: ["Counted", "Erfasst"],
	notCounted: ["Not counted", "Nicht erfasst"],
	cancelEvent: ["Cancel event", "Ereignis stornieren"],
	cancelEventTitle: ["Cancel this event?", "Dieses Ereignis stornieren?"],
	cancelEventSays: [
		"Tollgate subtracts the event from every meter that counted it. The log keeps it, marked as canceled.",
		"Tollgate zieht das Ereignis von allen Zählern ab, die es erfasst haben. Im Protokoll bleibt es als storniert erhalten.",
	],
	unmatchedText: [
		"Event names that no meter of this environment counts. Often a name is misspelled in an event or in a meter.",
		"Ereignisnamen, die kein Zähler dieser Umgebung erfasst. Oft ist ein Name im Ereignis oder im Zähler falsch geschrieben.",
	],
	unmatchedEmptyTitle: ["All event names match a meter", "Alle Ereignisnamen sind einem Zähler zugeordnet"],
	unmatchedEmptyText: [
		"Events that no meter counts would be listed here.",
		"Ereignisse, die kein Zähler erfasst, stünden hier.",
	],
	count: ["Events", "Ereignisse"],
	first: ["First seen", "Zuerst gesehen"],
	last: ["Last seen", "Zuletzt gesehen"],
});
