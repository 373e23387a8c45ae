import { type Decimal, exact, sum } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { assertIssued } from "../rules";
import type { InvoiceRow } from "../table";
import type { ReceiptRow } from "../table.receipts";
import type { ReceiptSource } from "./schema";

/** Our bound: the number of invoices that one receipt pays in one call. A statement entry names fewer. */
export const allocationsMax = 100;

/** Returns the id within which a reference is unique. */
export const scopeOf = ({
	source,
	customerId,
}: {
	readonly source: ReceiptSource;
	readonly customerId: string;
}): string => (source.kind === "MANUAL" ? customerId : source.id);

/** Checks that a repeated reference means the same money. Throws InvalidArgumentError. */
export function assertSameReceipt(
	known: ReceiptRow,
	{ amount, currency, customerId }: Pick<ReceiptRow, "amount" | "currency" | "customerId">,
): void {
	if (!exact(known.amount).eq(amount) || known.currency !== currency || known.customerId !== customerId)
		throw fail(
			"InvalidArgumentError",
			`The reference '${known.reference}' is already recorded, with ${known.amount} ${known.currency}; other money needs another reference.`,
		);
}

/** Throws InvalidArgumentError for an invoice that is named twice, too many invoices, and more than the amount to allocate. */
export function assertAllocatable(
	allocations: ReadonlyArray<{ readonly invoiceId: string; readonly amount: Decimal }>,
	amount: Decimal,
): void {
	if (allocations.length > allocationsMax)
		throw fail("InvalidArgumentError", `'allocations' has ${allocations.length} entries; at most ${allocationsMax}.`);
	const named = new Set(allocations.map(({ invoiceId }) => invoiceId));
	if (named.size < allocations.length)
		throw fail("InvalidArgumentError", "'allocations' names an invoice twice; add the two amounts.");
	const allocated = sum(allocations.map((one) => exact(one.amount)));
	if (allocated.gt(amount))
		throw fail(
			"InvalidArgumentError",
			`'allocations' sum to ${allocated.toFixed()}; only ${amount} can be allocated. Lower the amounts.`,
		);
}

/** Throws unless the invoice is issued, and of the payer's customer, currency and legal entity. */
export function assertPayableBy(
	payer: Pick<ReceiptRow, "customerId" | "currency" | "legalEntityId">,
	invoice: InvoiceRow,
): void {
	const { id, number, currency } = invoice;
	if (invoice.customerId !== payer.customerId)
		throw fail("InvoiceNotFound", `The customer of the receipt has no invoice '${id}' in this environment.`);
	assertIssued(invoice);
	if (currency !== payer.currency)
		throw fail(
			"InvalidArgumentError",
			`The invoice ${number} is in ${currency}, the receipt in ${payer.currency}; a receipt pays invoices of its own currency.`,
		);
	if (invoice.legalEntityId !== payer.legalEntityId)
		throw fail(
			"InvalidArgumentError",
			`Another legal entity issued the invoice ${number}; a receipt pays invoices of the legal entity that received it.`,
		);
}
