import { texts } from "./shared/words";

export const t = texts({
	title: ["Clock", "Uhr"],
	frozen: ["Test clock", "Testuhr"],
	running: ["Real time", "Echtzeit"],
	due: ["Next due", "Als Nächstes fällig"],
	turn: ["Advance the clock", "Uhr vorstellen"],
	text: [
		"Time passes in this environment only: subscriptions renew, invoices are issued, trials and credits expire. The clock cannot go back.",
		"Die Zeit vergeht nur in dieser Umgebung: Abonnements verlängern sich, Rechnungen werden ausgestellt, Testphasen und Credits laufen ab. Zurückstellen lässt sich die Uhr nicht.",
	],
	how: ["Advance by", "Vorstellen um"],
	next: ["Until the next due step", "Bis zum nächsten fälligen Schritt"],
	P1D: ["1 day", "1 Tag"],
	P1W: ["1 week", "1 Woche"],
	P1M: ["1 month", "1 Monat"],
	P1Y: ["1 year", "1 Jahr"],
	release: ["Return to real time", "Zurück zur Echtzeit"],
	releaseTitle: ["Return to real time?", "Zurück zur Echtzeit?"],
	releaseSays: [
		"The environment follows the real time again and carries out the steps that are due by then. This is possible only once the real time has reached the test clock.",
		"Die Umgebung folgt wieder der echten Zeit und führt aus, was bis dahin fällig ist. Das ist erst möglich, wenn die echte Zeit die Testuhr eingeholt hat.",
	],
	turned: ["The clock shows {now}. Steps carried out: {steps}.", "Die Uhr zeigt {now}. Ausgeführte Schritte: {steps}."],
	failures: ["Some steps failed:", "Einige Schritte sind fehlgeschlagen:"],
	turning: ["Advancing the clock…", "Die Uhr wird vorgestellt…"],
});
