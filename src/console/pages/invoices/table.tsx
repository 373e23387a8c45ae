import type { InvoiceInBooks } from "../../../areas/invoices/lists/schema";
import { formatDate } from "../../kit/format";
import { Money } from "../../kit/money";
import { Status } from "../../kit/status";
import type { Column, Listed } from "../../kit/table";
import { t } from "../../messages/invoices";

/** In its currency. */
export const of = ({ currency }: Pick<InvoiceInBooks, "currency">, amount: number | null) =>
	amount === null ? null : { amount, currency: currency ?? "usd" };

export const InvoiceStatus = ({ of: { state, isOverdue } }: { readonly of: InvoiceInBooks }) => (
	<Status of={isOverdue ? "OVERDUE" : state} />
);

const columns = (isOfAll: boolean): readonly Column<InvoiceInBooks>[] => [
	{ head: t.number, cell: ({ invoiceNumber }) => <span className="figure">{invoiceNumber ?? t.draft}</span> },
	...(isOfAll
		? [
				{
					head: t.customer,
					cell: ({ customerName, customerExternalId }: InvoiceInBooks) => customerName ?? customerExternalId,
				},
			]
		: []),
	{ head: t.status, cell: (invoice) => <InvoiceStatus of={invoice} /> },
	{ head: t.issued, isWide: true, cell: ({ issueDate }) => formatDate(issueDate) },
	{ head: t.due, isWide: true, cell: ({ dueDate }) => formatDate(dueDate) },
	{ head: t.open, isFigure: true, isWide: true, cell: (invoice) => <Money of={of(invoice, invoice.amountDue)} /> },
	{ head: t.total, isFigure: true, cell: (invoice) => <Money of={of(invoice, invoice.total)} /> },
];

/** Of one customer, or of all. */
export const invoiceTable = (isOfAll: boolean): Listed<InvoiceInBooks> => ({
	label: t.title,
	rowKey: ({ invoiceId }) => invoiceId,
	href: ({ invoiceId }) => `/invoices/${encodeURIComponent(invoiceId)}`,
	empty: { title: t.emptyTitle, text: t.emptyText },
	columns: columns(isOfAll),
});
