import { type Decimal, exact } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { assertOpen } from "../payments/rules";
import type { InvoiceRow } from "../table";
import type { ReceiptRow } from "../table.receipts";

/** Our bound: the number of allocations, reversals and refunds of one receipt, which one response shows. */
export const rowsOfReceiptMax = 1000;

/** Throws InvalidArgumentError for a receipt that has as many rows as a response shows. */
export function assertRoom(receipt: Pick<ReceiptRow, "id">, rows: number): void {
	if (rows >= rowsOfReceiptMax)
		throw fail(
			"InvalidArgumentError",
			`The receipt '${receipt.id}' has ${rows} allocations and refunds; at most ${rowsOfReceiptMax}. Record other money as another receipt.`,
		);
}

/** Throws BillingInvoiceStatusError unless the invoice is OPEN, and InvalidArgumentError for more than its amount due. */
export function assertTakes(
	invoice: Pick<InvoiceRow, "number" | "state" | "total" | "balanceApplied" | "amountPaid">,
	{ amount, due }: { readonly amount: Decimal; readonly due: Decimal },
): void {
	assertOpen(invoice);
	if (exact(amount).gt(due))
		throw fail(
			"InvalidArgumentError",
			`At most ${due} of the invoice ${invoice.number} is due; got ${amount}. 'excess' says where the rest of the receipt goes.`,
		);
}
