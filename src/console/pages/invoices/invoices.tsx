import type { InvoiceInBooks } from "../../../areas/invoices/lists/schema";
import { pathTo } from "../../api";
import { formatDate } from "../../kit/format";
import { ListAndPages, ListScreen } from "../../kit/list-card";
import type { Column } from "../../kit/table";
import { Money, Status, statusOptions } from "../../kit/values";
import { t } from "../../messages/invoices";
import { amountIn } from "./amounts";
import { InvoicePage } from "./invoice";

const Invoices = () => <ListAndPages path="/invoices" list={<InvoiceList />} page={(id) => <InvoicePage id={id} />} />;
export default Invoices;

/** The columns of the invoices of all customers, or of one. */
export const invoiceColumns = (isOfAll: boolean): readonly Column<InvoiceInBooks>[] => [
	{ head: t.number, cell: ({ invoiceNumber }) => <span className="figure">{invoiceNumber ?? t.draft}</span> },
	...(isOfAll
		? [
				{
					head: t.customer,
					cell: ({ customerName, customerExternalId }: InvoiceInBooks) => customerName ?? customerExternalId,
				},
			]
		: []),
	{ head: t.status, cell: (invoice) => <Status of={invoice.isOverdue ? "OVERDUE" : invoice.state} kind="INVOICE" /> },
	{ head: t.issued, isWide: true, cell: ({ issueDate }) => formatDate(issueDate) },
	{ head: t.due, isWide: true, cell: ({ dueDate }) => formatDate(dueDate) },
	{
		head: t.open,
		isFigure: true,
		isWide: true,
		cell: (invoice) => <Money of={amountIn(invoice, invoice.amountDue)} />,
	},
	{ head: t.total, isFigure: true, cell: (invoice) => <Money of={amountIn(invoice, invoice.total)} /> },
];

export const invoiceHref = ({ invoiceId }: InvoiceInBooks): string => pathTo("/invoices", invoiceId);

const InvoiceList = () => (
	<ListScreen<InvoiceInBooks>
		path="/invoices"
		texts={t}
		fixed={{ orderBy: "issueDate", orderDir: "DESC" }}
		filters={[
			{ name: "search", label: t.search },
			{ name: "stateIn", label: t.status, options: statusOptions(["DRAFT", "OPEN", "PAID", "CANCELED"], "INVOICE") },
			{ name: "overdue", label: t.onlyOverdue, options: [{ value: "true", label: t.overdueOnly }] },
		]}
		rowKey={({ invoiceId }) => invoiceId}
		href={invoiceHref}
		columns={invoiceColumns(true)}
	/>
);
