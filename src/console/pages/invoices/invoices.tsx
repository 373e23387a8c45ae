import { Route, Switch } from "wouter";
import type { InvoiceInBooks } from "../../../areas/invoices/lists/schema";
import { Choice, Filters, Search } from "../../kit/filters";
import { useList } from "../../kit/list";
import { Card, Page } from "../../kit/page";
import { statusText } from "../../kit/status";
import { t as common } from "../../messages/common";
import { t } from "../../messages/invoices";
import { InvoicePage } from "./invoice";
import { InvoiceTable } from "./table";

export default function Invoices() {
	return (
		<Switch>
			<Route path="/invoices">
				<InvoiceList />
			</Route>
			<Route path="/invoices/:id">{({ id }) => <InvoicePage key={id} id={id} />}</Route>
		</Switch>
	);
}

const states: readonly InvoiceInBooks["state"][] = ["DRAFT", "OPEN", "PAID", "CANCELED"];

function InvoiceList() {
	const list = useList<InvoiceInBooks>("/invoices", {
		filters: ["search", "stateIn", "overdue"],
		fixed: { orderBy: "issueDate", orderDir: "DESC" },
	});
	return (
		<Page title={t.title} text={t.text} curl={list.path}>
			<Card isFlush>
				<Filters>
					<Search list={list} name="search" label={t.search} />
					<Choice
						list={list}
						name="stateIn"
						label={common.status}
						options={states.map((value) => ({ value, label: statusText(value) }))}
					/>
					<Choice
						list={list}
						name="overdue"
						label={t.onlyOverdue}
						options={[{ value: "true", label: t.overdueOnly }]}
					/>
				</Filters>
				<InvoiceTable list={list} isOfAll />
			</Card>
		</Page>
	);
}
