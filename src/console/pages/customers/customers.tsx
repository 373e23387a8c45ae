import { Route, Switch, useLocation } from "wouter";
import type { Customer } from "../../../areas/customers/schema";
import { ListScreen } from "../../kit/list-screen";
import { Ago } from "../../kit/money";
import { t } from "../../messages/customers";
import { CustomerPage } from "./customer";
import { CustomerDialog } from "./edit";

export default function Customers() {
	return (
		<Switch>
			<Route path="/customers">
				<CustomerList />
			</Route>
			<Route path="/customers/:id/:tab?">
				{({ id, tab }) => <CustomerPage key={id} id={decodeURIComponent(id)} tab={tab ?? ""} />}
			</Route>
		</Switch>
	);
}

const pathOf = ({ id }: Pick<Customer, "id">): string => `/customers/${encodeURIComponent(id)}`;

function CustomerList() {
	const [, navigate] = useLocation();
	return (
		<ListScreen<Customer>
			path="/customers"
			text={t.text}
			filters={[{ name: "search", label: t.search }]}
			add={{
				name: t.newCustomer,
				scope: "CUSTOMER:WRITE",
				dialog: (state) => <CustomerDialog {...state} onDone={(customer) => navigate(pathOf(customer))} />,
			}}
			table={{
				label: t.title,
				rowKey: ({ id }) => id,
				href: pathOf,
				empty: { title: t.emptyTitle, text: t.emptyText },
				columns: [
					{ head: t.customer, cell: ({ id, name }) => name ?? id },
					{ head: t.id, cell: ({ id }) => <code className="quiet">{id}</code> },
					{ head: t.email, isWide: true, cell: ({ email }) => email ?? "–" },
					{ head: t.currency, isWide: true, cell: ({ billingCurrency }) => billingCurrency?.toUpperCase() ?? "–" },
					{ head: t.since, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
				],
			}}
		/>
	);
}
