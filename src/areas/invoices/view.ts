import { toIso, toIsoOrNull } from "../../kernel/clock";
import { toWire, toWireOrNull } from "../../kernel/decimal";
import { warningsOfIssuer } from "../legal-entities/rules";
import type { LineBasis } from "../pricing/basis";
import type { LineDiscount } from "../pricing/discounts";
import { unitsFreedBy } from "../pricing/free-units";
import type { LineTax } from "../pricing/tax";
import type { CreditNote } from "./credit-notes/schema";
import { creditorReferenceOf } from "./document/rules.creditor-reference";
import type {
	CustomerInvoice,
	InvoicePdf,
	LineItem,
	LineItemDiscount,
	LineItemFreeUnits,
	LineItemTax,
	lineOfCharge,
	ShownInvoice,
} from "./schema";
import { viewTaxInOtherCurrency } from "./schema.tax-conversion";
import type { CreditNoteLineRow, CreditNoteRow, InvoiceLineRow, InvoiceRow, LineRow } from "./table";

/**
 * Returns an invoice as the API shows it. An invoice has no external id, so its id takes that place. Source:
 * docs/interface/invoices.md#pdfs.
 */
export const viewInvoice = (
	invoice: InvoiceRow,
	lines: readonly InvoiceLineRow[],
	customerRefId: string,
): CustomerInvoice => ({
	invoiceId: invoice.id,
	invoiceExternalId: invoice.id,
	invoiceNumber: invoice.number || null,
	customerExternalId: customerRefId,
	contractExternalId: invoice.contractRefId,
	state: invoice.state,
	currency: invoice.currency,
	issueDate: invoice.state === "DRAFT" ? null : toIso(invoice.issuedAt),
	dueDate: invoice.state === "DRAFT" ? null : toIso(invoice.dueAt),
	paidDate: toIsoOrNull(invoice.paidAt),
	subtotal: toWire(invoice.subTotal),
	discount: toWire(invoice.discount),
	tax: toWire(invoice.tax),
	total: toWire(invoice.total),
	lineItems: lines.map(viewLine),
});

/** Adds the fields that only our own routes show. */
export const viewShownInvoice = (
	invoice: InvoiceRow,
	lines: readonly InvoiceLineRow[],
	customerRefId: string,
): ShownInvoice => ({
	...viewInvoice(invoice, lines, customerRefId),
	cashDiscount: viewCashDiscount(invoice),
	creditorReference: creditorReferenceOf(invoice),
	warnings: warningsOfIssuer(invoice.issuer),
});

const viewCashDiscount = ({ cashDiscount }: Pick<InvoiceRow, "cashDiscount">): ShownInvoice["cashDiscount"] =>
	cashDiscount && {
		percentage: toWire(cashDiscount.percentage),
		amount: toWire(cashDiscount.amount),
		untilDate: toIso(cashDiscount.until),
	};

const viewLine = (line: LineRow): LineItem => ({
	description: line.description,
	quantity: toWireOrNull(line.quantity),
	unitPrice: toWireOrNull(line.unitPrice),
	amount: toWire(line.amount),
	productExternalId: line.productRefId,
	...viewLineOfCharge(line),
	...(line.taxes && { taxes: viewTaxes(line.taxes) }),
	...(line.discounts && { discounts: viewDiscounts(line.discounts) }),
});

/** Returns the subscription and the charge of a line, and the part of its usage. */
export function viewLineOfCharge({
	basis,
	customerRefId,
	subscriptionRefId,
}: Pick<LineRow, "basis" | "customerRefId" | "subscriptionRefId">): Pick<LineItem, keyof typeof lineOfCharge> {
	const { chargeKey, segment } = basis ?? {};
	const freeUnits = viewFreeUnitsOfLine(basis);
	return {
		...(customerRefId !== null && { customerId: customerRefId }),
		...(subscriptionRefId !== null && { subscriptionId: subscriptionRefId }),
		...(chargeKey !== undefined && { chargeKey }),
		...(segment && segment.variantId !== null && { variantId: segment.variantId }),
		...(segment && Object.keys(segment.dimensions).length > 0 && { dimensions: { ...segment.dimensions } }),
		...(freeUnits.length > 0 && { freeUnits }),
	};
}

export const viewFreeUnitsOfLine = (basis: LineBasis | null): LineItemFreeUnits[] =>
	unitsFreedBy(basis?.freeUnits).map(({ couponId, quantity }) => ({ couponId, quantity: toWire(quantity) }));

export const viewDiscounts = (discounts: readonly LineDiscount[]): LineItemDiscount[] =>
	discounts.map(({ couponId, amount }) => ({ couponId, amount: toWire(amount) }));

export const viewTaxes = (taxes: readonly LineTax[]): LineItemTax[] =>
	taxes.map(({ taxId, percentage, isInclusive, amount }) => ({
		taxId,
		percentage: toWire(percentage),
		isInclusive,
		amount: toWire(amount),
	}));

export const viewCreditNote = (
	note: CreditNoteRow,
	lines: readonly CreditNoteLineRow[],
	customerRefId: string,
): CreditNote => ({
	creditNoteId: note.id,
	creditNoteNumber: note.number,
	customerExternalId: customerRefId,
	invoiceId: note.invoiceId,
	invoiceNumber: note.invoiceNumber,
	reasonCode: note.reasonCode,
	state: note.voidedAt === null ? "ISSUED" : "VOIDED",
	issueDate: toIso(note.issuedAt),
	voidedDate: toIsoOrNull(note.voidedAt),
	balanceAmount: toWire(note.toBalance),
	currency: note.currency,
	subtotal: toWire(note.subTotal),
	discount: toWire(note.discount),
	tax: toWire(note.tax),
	...viewTaxInOtherCurrency(note),
	total: toWire(note.total),
	lineItems: lines.map(viewLine),
});

const fileName = ({ number }: { readonly number: string }): string => `${number || "Draft"}.pdf`;

/** Returns the PDF response. `customerRef` is the id in the caller's path, either of the two. */
export const viewPdf = (invoice: InvoiceRow, customerRef: string, bytes: Buffer | undefined): InvoicePdf => ({
	invoiceId: invoice.id,
	externalId: customerRef,
	status: bytes ? "READY" : "PENDING",
	fileName: bytes ? fileName(invoice) : null,
	contentType: bytes ? "application/pdf" : null,
	contentBase64: bytes?.toString("base64") ?? null,
});
