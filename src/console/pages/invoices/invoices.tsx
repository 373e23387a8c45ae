import type { InvoiceInBooks } from "../../../areas/invoices/lists/schema";
import { ListAndPages, ListScreen } from "../../kit/list-screen";
import { statusOptions } from "../../kit/status";
import { t } from "../../messages/invoices";
import { InvoicePage } from "./invoice";
import { invoiceTable } from "./table";

const Invoices = () => (
	<ListAndPages path="/invoices" list={<InvoiceList />} page={(id) => <InvoicePage key={id} id={id} />} />
);
export default Invoices;

const InvoiceList = () => (
	<ListScreen<InvoiceInBooks>
		path="/invoices"
		text={t.text}
		fixed={{ orderBy: "issueDate", orderDir: "DESC" }}
		filters={[
			{ name: "search", label: t.search },
			{ name: "stateIn", label: t.status, options: statusOptions(["DRAFT", "OPEN", "PAID", "CANCELED"]) },
			{ name: "overdue", label: t.onlyOverdue, options: [{ value: "true", label: t.overdueOnly }] },
		]}
		table={invoiceTable(true)}
	/>
);
