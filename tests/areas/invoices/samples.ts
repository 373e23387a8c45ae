import type { NewInvoice, NewInvoiceLine } from "../../../src/areas/invoices/new-documents";
import type { InvoiceParty } from "../../../src/areas/invoices/schema.party";
import type { Instant } from "../../../src/kernel/clock";
import { type Decimal, toDecimal } from "../../../src/kernel/decimal";

export const instant = (text: string): Instant => Date.parse(text) as Instant;
/** As the default legal entity numbers its documents. */
export const invoiceNumber = (count: number): string => `INV-${String(count).padStart(6, "0")}`;
export const creditNoteNumber = (count: number): string => `CN-${String(count).padStart(6, "0")}`;

export const decimal = (value: number | string): Decimal => toDecimal(value);

export const acme: InvoiceParty = {
	name: "Acme Cloud GmbH",
	email: "billing@acme.example",
	address: { line1: "Invalidenstraße 112", postalCode: "10115", city: "Berlin", country: "Germany" },
	taxIds: [{ type: "eu_vat", value: "DE136695976" }],
};

export const globex: InvoiceParty = {
	name: "Globex Corporation",
	email: "accounts@globex.example",
	address: {
		line1: "742 Evergreen Terrace",
		line2: "Suite 5",
		city: "Springfield",
		state: "OR",
		postalCode: "97403",
		country: "US",
	},
	taxIds: [{ type: "us_ein", value: "12-3456789" }],
};

export const january = { start: instant("2026-01-01T00:00:00Z"), end: instant("2026-02-01T00:00:00Z") };

export const line = (line: Partial<NewInvoiceLine> = {}): NewInvoiceLine => ({
	kind: "BaseCharge",
	description: "Growth plan",
	quantity: decimal(1),
	unitPrice: decimal("49"),
	amount: decimal("49"),
	...line,
});

export const input = (input: Partial<NewInvoice> = {}): NewInvoice => ({
	customerId: "customer",
	customer: globex,
	billingReason: "BILLING_CYCLE",
	currency: "usd",
	issuedAt: instant("2026-02-01T00:00:00Z"),
	dueAt: instant("2026-03-03T00:00:00Z"),
	period: january,
	lines: [line()],
	...input,
});

/** A line of graduated prices, as the rating hands it over. */
export const tieredLine = (): NewInvoiceLine =>
	line({
		kind: "PayAsYouGoCharge",
		description: "API calls",
		quantity: decimal(125_000),
		unitPrice: null,
		tiers: [
			{ from: "0", to: "10000", quantity: "10000", unitPrice: "0", flatPrice: null, amount: "0" },
			{ from: "10000", to: "100000", quantity: "90000", unitPrice: "0.00125", flatPrice: null, amount: "112.5" },
			{ from: "100000", to: null, quantity: "25000", unitPrice: "0.0009", flatPrice: "10", amount: "32.5" },
		],
		amount: decimal("145"),
	});

/** Every script that a face is carried for, and one character that none has. */
export const manyScripts: InvoiceParty = {
	name: "株式会社サンプル 삼성전자 شركة الأمل (2026) Łukasz Ćwikliński",
	email: "контакт@пример.example",
	address: {
		line1: "ул. Большая Дмитровка, 7",
		line2: "רחוב הרצל 12, תל אביב",
		city: "Αθήνα",
		country: "ประเทศไทย 🎉 नमस्ते ភាសាខ្មែរ",
	},
	taxIds: [],
};
