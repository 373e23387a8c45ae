import { type Decimal, toDecimal } from "../../../kernel/decimal";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import { dueOf, reducedBy } from "../credit-notes/rules";
import { creditNotesOfInvoices } from "../credit-notes/store";
import { getInvoicedCustomer, linesByInvoice } from "../operations";
import { isOverdue } from "../rules";
import type { InvoiceLineRow, InvoiceRow } from "../table";
import { pageInvoices } from "./page";
import type { AllInvoicesQuery } from "./schema";

/** An invoice with its current payments and credits. */
export interface BookedInvoice {
	readonly id: string;
	readonly invoice: InvoiceRow;
	readonly customerRefId: string;
	readonly lines: readonly InvoiceLineRow[];
	/** The sum of credit notes issued before the payment. */
	readonly credited: Decimal;
	readonly due: Decimal;
	readonly isOverdue: boolean;
}

/** Lists the invoices of all customers, or of one (by its id or its billing id). Throws CustomerNotFound. */
export function listInvoices(work: Work, { customerId, ...query }: AllInvoicesQuery): Page<BookedInvoice> {
	const customer = customerId === undefined ? undefined : getInvoicedCustomer(work, customerId);
	const page = pageInvoices(work, query, customer?.id);
	const customers = customersByIds(
		work,
		page.rows.map((row) => row.customerId),
	);
	const lines = linesByInvoice(work, page.rows);
	const notes = Map.groupBy(
		creditNotesOfInvoices(
			work,
			page.rows.map(({ id }) => id),
		),
		({ invoiceId }) => invoiceId,
	);
	const rows = page.rows.map((invoice): BookedInvoice => {
		const own = notes.get(invoice.id) ?? [];
		return {
			id: invoice.id,
			invoice,
			customerRefId: customers.get(invoice.customerId)?.refId ?? "",
			lines: lines.get(invoice.id) ?? [],
			credited: toDecimal(reducedBy(own)),
			due: toDecimal(dueOf(invoice, own)),
			isOverdue: isOverdue(invoice, work.now),
		};
	});
	return { ...page, rows };
}
