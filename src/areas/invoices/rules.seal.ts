import type { CreditNoteRow, CustomerBalanceEntryRow, InvoicePaymentRow, InvoiceRow, LineRow } from "./table";

/**
 * Seals show that a row is what Tollgate wrote: a change by hand leaves the seal behind. They cover columns that an erasure
 * leaves as they are, in a fixed order.
 *
 * A column that a later release adds goes into `addedToInvoice`, never into the lists above it. The seal covers it, by its
 * name, as soon as it has a value. A row in which it is null has the seal that the earlier release wrote.
 */
const ofLine = [
	...(["position", "kind", "description", "quantity", "unit", "unitPrice", "tiers"] as const),
	...(["amount", "discount", "tax", "total", "taxPercentage", "periodStart", "periodEnd"] as const),
	...(["productRefId", "featureRefId", "addonRefId", "basis", "chargeId"] as const),
] satisfies ReadonlyArray<keyof LineRow>;

const ofDocument = [
	...(["id", "environmentId", "customerId", "subscriptionId", "contractId"] as const),
	...(["number", "legalEntityId", "numberYear", "numberCount", "sequence"] as const),
	...(["currency", "issuedAt", "periodStart", "periodEnd", "subTotal", "discount", "tax", "total"] as const),
	...(["taxPercentage", "taxConversion", "missingRateTo", "discountLabel", "discountPercent"] as const),
	...(["issuer", "createdAt", "linesSeal"] as const),
] satisfies ReadonlyArray<keyof InvoiceRow & keyof CreditNoteRow>;

const ofInvoice = [
	...ofDocument,
	...(["contractRefId", "state", "billingReason", "dueAt", "paidAt", "canceledAt"] as const),
	...(["balanceApplied", "amountPaid", "totalHundredths"] as const),
] satisfies ReadonlyArray<keyof InvoiceRow>;

/** In the order in which releases added them. Tollgate leaves `customer` out: an erasure changes it. */
const addedToInvoice = ["cashDiscount"] as const satisfies ReadonlyArray<keyof InvoiceRow>;

const ofCreditNote = [
	...ofDocument,
	...(["invoiceId", "invoiceNumber", "reducesDue", "isByHand", "voidedAt", "reasonCode", "toBalance"] as const),
] satisfies ReadonlyArray<keyof CreditNoteRow>;

const ofPayment = [
	...(["id", "environmentId", "invoiceId", "kind", "amount", "balancePart", "method", "paidAt", "createdAt"] as const),
] satisfies ReadonlyArray<keyof InvoicePaymentRow>;

const ofBalanceEntry = [
	...(["id", "environmentId", "customerId", "currency", "sequence", "kind", "amount", "balance"] as const),
	...(["invoiceId", "creditNoteId", "paymentId", "createdAt"] as const),
] satisfies ReadonlyArray<keyof CustomerBalanceEntryRow>;

/** The first 128 bits of SHA-256 of the values, in hex. */
function sealed<Row, Name extends keyof Row, Added extends keyof Row = never>(
	names: readonly Name[],
	added: readonly Added[] = [],
): (row: Pick<Row, Name | Added>) => string {
	return (row) =>
		hashOf([
			...names.map((name) => row[name]),
			...added.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]])),
		]);
}

const hashOf = (values: readonly unknown[]): string =>
	Bun.CryptoHasher.hash("sha256", JSON.stringify(values), "hex").slice(0, 32);

export const sealOfInvoice = sealed<InvoiceRow, (typeof ofInvoice)[number], (typeof addedToInvoice)[number]>(
	ofInvoice,
	addedToInvoice,
);
export const sealOfCreditNote = sealed<CreditNoteRow, (typeof ofCreditNote)[number]>(ofCreditNote);
export const sealOfPayment = sealed<InvoicePaymentRow, (typeof ofPayment)[number]>(ofPayment);
export const sealOfBalanceEntry = sealed<CustomerBalanceEntryRow, (typeof ofBalanceEntry)[number]>(ofBalanceEntry);

/** `invoiceLine` is a credit note's alone. */
export const sealOfLines = (lines: ReadonlyArray<LineRow & { readonly invoiceLine?: number | null }>): string =>
	hashOf(lines.map((line) => [...ofLine.map((name) => line[name]), line.invoiceLine ?? null]));
