import type { CreditNoteRow, InvoiceRow, LineRow } from "./table";
import type { AllocationRow, CustomerBalanceEntryRow, ReceiptRow } from "./table.receipts";

/**
 * The columns under the seal, in a fixed order. A seal shows that Tollgate wrote a row: a manual change does not update the seal.
 * Columns that an erasure changes are excluded.
 *
 * A column of a later release goes into `addedToInvoice`, never into the lists above it. The seal covers it, by its name, once it has
 * a value. A row in which it is null keeps the seal of the earlier release.
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

/** Added columns, in the order of releases. `customer` is excluded, because an erasure changes it. */
const addedToInvoice = ["cashDiscount"] as const satisfies ReadonlyArray<keyof InvoiceRow>;

const ofCreditNote = [
	...ofDocument,
	...(["invoiceId", "invoiceNumber", "reducesDue", "isByHand", "voidedAt", "reasonCode", "toBalance"] as const),
] satisfies ReadonlyArray<keyof CreditNoteRow>;

/** `unallocated`, `refunded` and `disputed` change; `tollgate check` compares them with the rows that they sum. */
const ofReceipt = [
	...(["id", "environmentId", "customerId", "legalEntityId", "numberCount", "kind", "currency", "reason"] as const),
	...(["amount", "method", "receivedAt", "createdAt"] as const),
] satisfies ReadonlyArray<keyof ReceiptRow>;

const addedToReceipt = ["source"] as const satisfies ReadonlyArray<keyof ReceiptRow>;

const ofAllocation = [
	...(["id", "environmentId", "receiptId", "invoiceId", "kind", "amount", "balancePart"] as const),
	...(["reversesId", "reason", "createdAt"] as const),
] satisfies ReadonlyArray<keyof AllocationRow>;

const addedToAllocation = ["returnId"] as const satisfies ReadonlyArray<keyof AllocationRow>;

const ofBalanceEntry = [
	...(["id", "environmentId", "customerId", "currency", "sequence", "kind", "amount", "balance"] as const),
	...(["invoiceId", "creditNoteId", "paymentId", "createdAt"] as const),
] satisfies ReadonlyArray<keyof CustomerBalanceEntryRow>;

/** Returns the first 128 bits of SHA-256 of the values, in hex. */
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
export const sealOfReceipt = sealed<ReceiptRow, (typeof ofReceipt)[number], (typeof addedToReceipt)[number]>(
	ofReceipt,
	addedToReceipt,
);
export const sealOfAllocation = sealed<
	AllocationRow,
	(typeof ofAllocation)[number],
	(typeof addedToAllocation)[number]
>(ofAllocation, addedToAllocation);
export const sealOfBalanceEntry = sealed<CustomerBalanceEntryRow, (typeof ofBalanceEntry)[number]>(ofBalanceEntry);

/** Returns the seal of a document's lines. Only credit notes have `invoiceLine`. */
export const sealOfLines = (lines: ReadonlyArray<LineRow & { readonly invoiceLine?: number | null }>): string =>
	hashOf(
		lines.map((line) => [
			...ofLine.map((name) => line[name]),
			line.invoiceLine ?? null,
			...(line.taxes ? [["taxes", line.taxes]] : []),
			...(line.discounts ? [["discounts", line.discounts]] : []),
			...(line.customerRefId !== null ? [["customerRefId", line.customerRefId]] : []),
			...(line.subscriptionRefId !== null ? [["subscriptionRefId", line.subscriptionRefId]] : []),
		]),
	);
