import { type Static, Type } from "@sinclair/typebox";
import { toIso } from "../../kernel/clock";
import { type Decimal, toWire } from "../../kernel/decimal";
import { literals, nullable } from "../../kernel/schema";
import { issuedStateOf } from "./rules";
import { issuedStates } from "./schema";
import type { InvoiceRow } from "./table";

/** The newest invoice, as its subscription or contract shows it. */
export const LatestInvoice = Type.Object({
	billingId: Type.String(),
	status: literals(...issuedStates),
	requiresAction: Type.Boolean(),
	amountDue: nullable(Type.Number()),
	billingReason: nullable(Type.String()),
	currency: nullable(Type.String()),
	pdfUrl: nullable(Type.String()),
	total: nullable(Type.Number()),
	createdAt: Type.String(),
});
export type LatestInvoice = Static<typeof LatestInvoice>;

export const viewLatestInvoice = (invoice: InvoiceRow, amountDue: Decimal): LatestInvoice => ({
	billingId: invoice.id,
	status: issuedStateOf(invoice),
	requiresAction: false,
	amountDue: toWire(amountDue),
	billingReason: invoice.billingReason,
	currency: invoice.currency,
	// A document has no durable URL; the PDF endpoints serve it.
	pdfUrl: null,
	total: toWire(invoice.total),
	createdAt: toIso(invoice.createdAt),
});
