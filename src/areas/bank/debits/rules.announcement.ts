/** The languages of the mail that announces a debit: those of reminders. */
export const announcementLanguages = ["en", "de", "fr", "es"] as const;
export type AnnouncementLanguage = (typeof announcementLanguages)[number];

export interface Announced {
	readonly seller: string;
	readonly customer: string;
	/** The number of the invoice. */
	readonly number: string;
	/** In the form of the language. */
	readonly amount: string;
	readonly day: string;
	readonly iban: string;
	readonly mandate: string;
	readonly creditorId: string;
}

type Words = Readonly<Record<"subject" | "greeting" | "body" | "mandate" | "creditor", string>>;

const words: Readonly<Record<AnnouncementLanguage, Words>> = {
	en: {
		subject: "Direct debit of {amount} on {day}",
		greeting: "Dear {customer},",
		body: "{seller} will collect {amount} for the invoice {number} by SEPA direct debit from your account {iban} on {day}. Please make sure that the account covers the amount.",
		mandate: "Mandate reference",
		creditor: "Creditor identifier",
	},
	de: {
		subject: "Lastschrift über {amount} am {day}",
		greeting: "Guten Tag {customer},",
		body: "{seller} zieht {amount} für die Rechnung {number} am {day} per SEPA-Lastschrift von Ihrem Konto {iban} ein. Bitte sorgen Sie für Deckung.",
		mandate: "Mandatsreferenz",
		creditor: "Gläubiger-Identifikationsnummer",
	},
	fr: {
		subject: "Prélèvement de {amount} le {day}",
		greeting: "Bonjour {customer},",
		body: "{seller} prélèvera {amount} pour la facture {number} par prélèvement SEPA sur votre compte {iban} le {day}. Veuillez vous assurer que le compte est suffisamment approvisionné.",
		mandate: "Référence du mandat",
		creditor: "Identifiant du créancier",
	},
	es: {
		subject: "Adeudo de {amount} el {day}",
		greeting: "Hola, {customer}:",
		body: "{seller} cobrará {amount} de la factura {number} mediante adeudo SEPA en su cuenta {iban} el {day}. Asegúrese de que la cuenta tenga saldo suficiente.",
		mandate: "Referencia del mandato",
		creditor: "Identificador del acreedor",
	},
};

/** Returns an IBAN of which four digits at each end show: a mail is read by others too. */
const masked = (iban: string): string => `${iban.slice(0, 4)} … ${iban.slice(-4)}`;

/** Names are chosen by callers: they begin no line of a mail. */
const inOneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 200);

/** Returns the subject and the text of the mail that announces a debit (the pre-notification of the scheme), in plain text. */
export function announcementText(language: AnnouncementLanguage, announced: Announced) {
	const { subject, greeting, body, mandate, creditor } = words[language];
	const values: Readonly<Record<string, string>> = {
		...announced,
		...{ seller: inOneLine(announced.seller), customer: inOneLine(announced.customer), iban: masked(announced.iban) },
	};
	// All placeholders at once, so that a value is never read as one.
	const filled = (text: string) => text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
	return {
		subject: filled(subject),
		text: [
			...[filled(greeting), "", filled(body), ""],
			...[`${mandate}: ${announced.mandate}`, `${creditor}: ${announced.creditorId}`, ""],
		].join("\n"),
	};
}
