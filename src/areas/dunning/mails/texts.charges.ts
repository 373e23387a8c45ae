import type { MailLanguage, ReminderKind } from "../policies/schema.values";

/** A text with placeholders. */
export interface MailText {
	readonly subject: string;
	readonly text: string;
}

export const body = (...parts: readonly string[]): string => `${parts.join("\n\n")}\n`;

/** The texts about charges, by tone. */
export type ChargeTexts = Readonly<
	Record<Extract<ReminderKind, "CHARGE_FAILED" | "METHOD_NEEDED" | "AUTHENTICATION_NEEDED">, MailText>
>;

export const chargeTexts: Readonly<Record<MailLanguage, ChargeTexts>> = {
	en: {
		CHARGE_FAILED: {
			subject: "We could not charge {invoices}",
			text: body(
				...["Dear {customer},", "your bank declined the payment of these invoices:", "{invoices}", "Total: {total}"],
				...[
					"We will try again on the day above. You need not do anything if your payment method works then.",
					"{link}",
				],
				"{seller}",
			),
		},
		METHOD_NEEDED: {
			subject: "Please update your payment method: {invoices}",
			text: body(
				...["Dear {customer},", "we cannot charge these invoices with your payment method:", "{invoices}"],
				...[
					"Total: {total}",
					"Please save another payment method. We charge it as soon as you have saved it.",
					"{link}",
				],
				"{seller}",
			),
		},
		AUTHENTICATION_NEEDED: {
			subject: "Please confirm the payment of {invoices}",
			text: body(
				...["Dear {customer},", "your bank asks you to confirm the payment of these invoices:", "{invoices}"],
				...["Total: {total}", "Please confirm the payment within seven days.", "{link}", "{seller}"],
			),
		},
	},
	de: {
		CHARGE_FAILED: {
			subject: "Wir konnten {invoices} nicht einziehen",
			text: body(
				...["Guten Tag {customer},", "Ihre Bank hat die Zahlung dieser Rechnungen abgelehnt:", "{invoices}"],
				...["Summe: {total}", "Wir versuchen es am oben genannten Tag noch einmal."],
				...["Sie müssen nichts tun, wenn Ihr Zahlungsmittel dann funktioniert.", "{link}", "{seller}"],
			),
		},
		METHOD_NEEDED: {
			subject: "Bitte hinterlegen Sie ein neues Zahlungsmittel: {invoices}",
			text: body(
				...["Guten Tag {customer},", "diese Rechnungen können wir mit Ihrem Zahlungsmittel nicht einziehen:"],
				...["{invoices}", "Summe: {total}"],
				...["Bitte hinterlegen Sie ein anderes Zahlungsmittel. Wir belasten es, sobald es gespeichert ist."],
				...["{link}", "{seller}"],
			),
		},
		AUTHENTICATION_NEEDED: {
			subject: "Bitte bestätigen Sie die Zahlung von {invoices}",
			text: body(
				...["Guten Tag {customer},", "Ihre Bank bittet Sie, die Zahlung dieser Rechnungen zu bestätigen:"],
				...["{invoices}", "Summe: {total}", "Bitte bestätigen Sie die Zahlung innerhalb von sieben Tagen."],
				...["{link}", "{seller}"],
			),
		},
	},
	fr: {
		CHARGE_FAILED: {
			subject: "Le paiement de {invoices} a échoué",
			text: body(
				...["Bonjour {customer},", "votre banque a refusé le paiement de ces factures :", "{invoices}"],
				...["Total : {total}", "Nous réessaierons à la date indiquée ci-dessus."],
				...["Vous n'avez rien à faire si votre moyen de paiement fonctionne ce jour-là.", "{link}", "{seller}"],
			),
		},
		METHOD_NEEDED: {
			subject: "Veuillez mettre à jour votre moyen de paiement : {invoices}",
			text: body(
				...["Bonjour {customer},", "nous ne pouvons pas encaisser ces factures avec votre moyen de paiement :"],
				...["{invoices}", "Total : {total}"],
				"Merci d'enregistrer un autre moyen de paiement. Nous le débiterons dès qu'il sera enregistré.",
				...["{link}", "{seller}"],
			),
		},
		AUTHENTICATION_NEEDED: {
			subject: "Veuillez confirmer le paiement de {invoices}",
			text: body(
				...["Bonjour {customer},", "votre banque vous demande de confirmer le paiement de ces factures :"],
				...[
					"{invoices}",
					"Total : {total}",
					"Merci de confirmer le paiement dans les sept jours.",
					"{link}",
					"{seller}",
				],
			),
		},
	},
	es: {
		CHARGE_FAILED: {
			subject: "No hemos podido cobrar {invoices}",
			text: body(
				...["Hola, {customer}:", "su banco ha rechazado el pago de estas facturas:", "{invoices}", "Total: {total}"],
				...["Lo intentaremos de nuevo el día indicado arriba."],
				...["No tiene que hacer nada si su medio de pago funciona ese día.", "{link}", "{seller}"],
			),
		},
		METHOD_NEEDED: {
			subject: "Actualice su medio de pago: {invoices}",
			text: body(
				...["Hola, {customer}:", "no podemos cobrar estas facturas con su medio de pago:", "{invoices}"],
				...[
					"Total: {total}",
					"Guarde otro medio de pago. Lo cobraremos en cuanto esté guardado.",
					"{link}",
					"{seller}",
				],
			),
		},
		AUTHENTICATION_NEEDED: {
			subject: "Confirme el pago de {invoices}",
			text: body(
				...["Hola, {customer}:", "su banco le pide que confirme el pago de estas facturas:", "{invoices}"],
				...["Total: {total}", "Confirme el pago en un plazo de siete días.", "{link}", "{seller}"],
			),
		},
	},
};
