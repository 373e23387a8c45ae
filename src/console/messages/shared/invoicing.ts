import { inLanguage } from "../language";

export const t = inLanguage({
	ISSUER_ADDRESS_MISSING: [
		"The issuer needs a full address. Invoices show street, city and country.",
		"Die Anschrift des Rechnungsstellers ist unvollständig. Rechnungen brauchen Straße, Ort und Land.",
	],
	ISSUER_TAX_ID_MISSING: [
		"The issuer has no tax ID. Invoices need one.",
		"Der Rechnungssteller hat keine Steuernummer. Rechnungen brauchen eine.",
	],
	incomplete: ["Incomplete", "Unvollständig"],
	taxIds: ["Tax IDs", "Steuernummern"],
	addTaxId: ["Add tax ID", "Steuernummer hinzufügen"],
	taxIdType: ["Type", "Typ"],
	taxIdValue: ["Number", "Nummer"],
	cashDiscount: ["Cash discount", "Skonto"],
	cashDiscountHint: [
		"0 % overrides the cash discount of the legal entity.",
		"0 % hebt das Skonto des Unternehmens auf.",
	],
	cashDiscountTerms: ["{percentage} within {days} days", "{percentage} innerhalb von {days} Tagen"],
	cashDiscountUntil: ["{amount} ({percentage}) until {date}", "{amount} ({percentage}) bis {date}"],
	cashDiscountDays: ["Cash discount period", "Skontofrist"],
	days: ["days", "Tage"],
	invoicing: ["Invoicing", "Rechnungsstellung"],
	editInvoicing: ["Edit invoicing", "Rechnungsstellung bearbeiten"],
	legalEntityId: ["Issuer", "Rechnungssteller"],
	legalEntityIdNone: ["Set by the plan, or the default", "Vorgabe des Plans, sonst der Standard"],
	taxExemption: ["Tax exemption", "Steuerbefreiung"],
	taxExemptionNone: ["None", "Keine"],
	REVERSE_CHARGE: ["Reverse charge", "Steuerschuldnerschaft des Empfängers"],
	EXEMPT: ["Exempt", "Steuerfrei"],
	taxExemptionProvision: ["Legal provision", "Rechtsgrundlage"],
	taxExemptionProvisionHint: [
		"Printed on documents after the exemption, such as “§ 4 Nr. 11 UStG”.",
		"Steht auf Dokumenten hinter der Befreiung, etwa „§ 4 Nr. 11 UStG“.",
	],
	saved: ["Saved.", "Gespeichert."],
});
