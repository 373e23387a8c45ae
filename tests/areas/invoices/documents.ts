import { documentOf, type PrintedDocument } from "../../../src/areas/invoices/document/document";
import type { NewInvoice } from "../../../src/areas/invoices/new-documents";
import { linesByInvoice } from "../../../src/areas/invoices/operations";
import { markPaid } from "../../../src/areas/invoices/payments/operations";
import type { InvoiceIssuer } from "../../../src/areas/invoices/schema.party";
import { decimal, instant, line, tieredLine } from "./samples";
import { invoiceWorld } from "./support";

/** Issues an invoice in a new world, and returns the document that is printed of it. */
export function documentFrom(changes: Partial<NewInvoice>, paidAt?: string, issuer?: InvoiceIssuer): PrintedDocument {
	const world = invoiceWorld(undefined, issuer);
	const issued = world.issue(changes);
	const invoice = paidAt
		? world.transactions.write(world.actor, (work) => markPaid(work, issued.id, instant(paidAt)))
		: issued;
	const lines = world.transactions.read(world.actor, (work) => linesByInvoice(work, [invoice]).get(invoice.id) ?? []);
	return documentOf(invoice, lines, []);
}

export const long = {
	lines: Array.from({ length: 120 }, (_, at) => line({ description: `Line ${at + 1}`, amount: decimal(at) })),
};

export const rich: Partial<NewInvoice> = {
	currency: "eur",
	taxPercentage: decimal(19),
	discountLabel: "WELCOME",
	discountPercent: decimal(10),
	poNumber: "PO-17",
	customFields: { "Cost center": "R&D (4711)" },
	notes: "Payable within 30 days.\nThank you.",
	lines: [
		line({ unit: "seats", amount: decimal(490), quantity: decimal(10), discount: decimal(49), tax: decimal("83.79") }),
		tieredLine(),
		line({
			kind: "Other",
			description: "Unused time",
			quantity: null,
			unitPrice: null,
			amount: decimal("-12.34"),
			taxPercentage: decimal(7),
		}),
	],
};

export const usd = (amount: number): string => amount.toLocaleString("en-US", { style: "currency", currency: "usd" });
