import type { MailLanguage, ReminderKind } from "../policies/schema.values";
import { body, type ChargeTexts, chargeTexts, type MailText } from "./texts.charges";

/** The words around amounts and accounts. */
export interface MailWords {
	readonly due: string;
	readonly account: string;
	readonly reference: string;
	/** The words before the day of the next charge. */
	readonly next: string;
}

type TransferKind = Exclude<ReminderKind, keyof ChargeTexts>;

/** Texts that ask for a transfer. */
const transferTexts: Readonly<Record<MailLanguage, Readonly<Record<TransferKind, MailText>>>> = {
	en: {
		BEFORE_DUE: {
			subject: "{invoices} will be due soon",
			text: body(
				...["Dear {customer},", "the following invoices will be due soon:", "{invoices}", "Total: {total}"],
				...["{payment}", "{seller}"],
			),
		},
		DUE: {
			subject: "{invoices} is due",
			text: body(
				...["Dear {customer},", "the following invoices are due:", "{invoices}", "Total: {total}", "{payment}"],
				...["If you have paid already, please disregard this mail.", "{seller}"],
			),
		},
		OVERDUE: {
			subject: "Reminder: {invoices} is overdue",
			text: body(
				...["Dear {customer},", "we have not received your payment of these invoices yet:", "{invoices}"],
				...["Total: {total}", "Please transfer the amount now.", "{payment}"],
				...["If you have paid in the meantime, please disregard this mail.", "{seller}"],
			),
		},
		FINAL: {
			subject: "Last reminder: {invoices} is overdue",
			text: body(
				...["Dear {customer},", "these invoices are still not paid, although we have reminded you:", "{invoices}"],
				...["Total: {total}", "This is our last reminder. Please transfer the amount now.", "{payment}"],
				...["If you have paid in the meantime, please disregard this mail.", "{seller}"],
			),
		},
	},
	de: {
		BEFORE_DUE: {
			subject: "{invoices} wird bald fällig",
			text: body(
				...["Guten Tag {customer},", "die folgenden Rechnungen werden bald fällig:", "{invoices}"],
				...["Summe: {total}", "{payment}", "{seller}"],
			),
		},
		DUE: {
			subject: "{invoices} ist fällig",
			text: body(
				...["Guten Tag {customer},", "die folgenden Rechnungen sind fällig:", "{invoices}", "Summe: {total}"],
				...[
					"{payment}",
					"Falls Sie bereits gezahlt haben, betrachten Sie diese E-Mail als gegenstandslos.",
					"{seller}",
				],
			),
		},
		OVERDUE: {
			subject: "Zahlungserinnerung: {invoices} ist überfällig",
			text: body(
				...["Guten Tag {customer},", "für die folgenden Rechnungen haben wir noch keine Zahlung erhalten:"],
				...["{invoices}", "Summe: {total}", "Bitte überweisen Sie den Betrag jetzt.", "{payment}"],
				...["Falls Sie inzwischen gezahlt haben, betrachten Sie diese E-Mail als gegenstandslos.", "{seller}"],
			),
		},
		FINAL: {
			subject: "Letzte Mahnung: {invoices} ist überfällig",
			text: body(
				...["Guten Tag {customer},", "die folgenden Rechnungen sind trotz unserer Erinnerungen nicht bezahlt:"],
				...["{invoices}", "Summe: {total}", "Dies ist unsere letzte Mahnung. Bitte überweisen Sie den Betrag jetzt."],
				...["{payment}", "Falls Sie inzwischen gezahlt haben, betrachten Sie diese E-Mail als gegenstandslos."],
				"{seller}",
			),
		},
	},
	fr: {
		BEFORE_DUE: {
			subject: "{invoices} arrive bientôt à échéance",
			text: body(
				...["Bonjour {customer},", "les factures suivantes arrivent bientôt à échéance :", "{invoices}"],
				...["Total : {total}", "{payment}", "{seller}"],
			),
		},
		DUE: {
			subject: "{invoices} est à échéance",
			text: body(
				...["Bonjour {customer},", "les factures suivantes sont à échéance :", "{invoices}", "Total : {total}"],
				...["{payment}", "Si vous avez déjà payé, veuillez ne pas tenir compte de ce message.", "{seller}"],
			),
		},
		OVERDUE: {
			subject: "Rappel : {invoices} est en retard",
			text: body(
				...["Bonjour {customer},", "nous n'avons pas encore reçu le paiement de ces factures :", "{invoices}"],
				...["Total : {total}", "Merci de virer le montant dès maintenant.", "{payment}"],
				...["Si vous avez payé entre-temps, veuillez ne pas tenir compte de ce message.", "{seller}"],
			),
		},
		FINAL: {
			subject: "Dernier rappel : {invoices} est en retard",
			text: body(
				...["Bonjour {customer},", "malgré nos rappels, ces factures ne sont pas payées :", "{invoices}"],
				...["Total : {total}", "Ceci est notre dernier rappel. Merci de virer le montant dès maintenant."],
				...["{payment}", "Si vous avez payé entre-temps, veuillez ne pas tenir compte de ce message.", "{seller}"],
			),
		},
	},
	es: {
		BEFORE_DUE: {
			subject: "{invoices} vence pronto",
			text: body(
				...["Hola, {customer}:", "las siguientes facturas vencen pronto:", "{invoices}", "Total: {total}"],
				...["{payment}", "{seller}"],
			),
		},
		DUE: {
			subject: "{invoices} vence hoy",
			text: body(
				...["Hola, {customer}:", "las siguientes facturas vencen hoy:", "{invoices}", "Total: {total}", "{payment}"],
				...["Si ya ha pagado, no tenga en cuenta este mensaje.", "{seller}"],
			),
		},
		OVERDUE: {
			subject: "Recordatorio: {invoices} está pendiente de pago",
			text: body(
				...["Hola, {customer}:", "todavía no hemos recibido el pago de estas facturas:", "{invoices}"],
				...["Total: {total}", "Le rogamos que transfiera el importe ahora.", "{payment}"],
				...["Si ha pagado mientras tanto, no tenga en cuenta este mensaje.", "{seller}"],
			),
		},
		FINAL: {
			subject: "Último recordatorio: {invoices} está pendiente de pago",
			text: body(
				...["Hola, {customer}:", "a pesar de nuestros recordatorios, estas facturas siguen sin pagar:", "{invoices}"],
				...["Total: {total}", "Este es nuestro último recordatorio. Le rogamos que transfiera el importe ahora."],
				...["{payment}", "Si ha pagado mientras tanto, no tenga en cuenta este mensaje.", "{seller}"],
			),
		},
	},
};

/** Returns Tollgate's own text. A policy replaces them one by one. */
export const defaultText = (language: MailLanguage, kind: ReminderKind): MailText =>
	({ ...transferTexts[language], ...chargeTexts[language] })[kind];

export const words: Readonly<Record<MailLanguage, MailWords>> = {
	en: { due: "due", account: "Account", reference: "Reference", next: "next attempt" },
	de: { due: "fällig", account: "Konto", reference: "Verwendungszweck", next: "nächster Versuch" },
	fr: { due: "échéance", account: "Compte", reference: "Référence", next: "prochain essai" },
	es: { due: "vencimiento", account: "Cuenta", reference: "Referencia", next: "próximo intento" },
};
