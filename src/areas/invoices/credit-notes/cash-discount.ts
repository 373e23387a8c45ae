import type { Big } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { linesByInvoice } from "../operations";
import type { CreditNoteRow, InvoiceRow } from "../table";
import { issueCreditNote, linesByCreditNote } from "./operations";
import { cashDiscountLines } from "./rules.cash-discount";

/** Credits the cash discount that a payment uses, so that tax, balances and books show what the customer owes in the end. */
export function creditCashDiscount(
	work: Work,
	invoice: InvoiceRow,
	notes: readonly CreditNoteRow[],
	amount: Big,
): CreditNoteRow {
	const charged = linesByInvoice(work, [invoice]).get(invoice.id) ?? [];
	const credited = [...linesByCreditNote(work, notes).values()].flat();
	const { customerId, customer, subscriptionId, contractId, currency, taxPercentage } = invoice;
	return issueCreditNote(work, {
		...{ customerId, customer, subscriptionId, contractId, currency, taxPercentage },
		invoiceId: invoice.id,
		reasonCode: "CASH_DISCOUNT",
		lines: cashDiscountLines({ charged, credited, amount, currency }),
	});
}
