import { useState } from "react";
import { Route, Switch, useLocation } from "wouter";
import type { Customer } from "../../../areas/customers/schema";
import { Filters, Search } from "../../kit/filters";
import { useList } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card, Page } from "../../kit/page";
import { ListTable } from "../../kit/table";
import { t as common } from "../../messages/common";
import { t } from "../../messages/customers";
import { may } from "../../session";
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

function CustomerList() {
	const list = useList<Customer>("/customers", { filters: ["search"] });
	const [isOpen, setOpen] = useState(false);
	const [, navigate] = useLocation();
	return (
		<Page
			title={t.title}
			text={t.text}
			curl={list.path}
			actions={
				may("CUSTOMER:WRITE") && (
					<button type="button" className="solid" onClick={() => setOpen(true)}>
						{t.newCustomer}
					</button>
				)
			}
		>
			<Card isFlush>
				<Filters>
					<Search list={list} name="search" label={t.search} />
				</Filters>
				<ListTable
					label={t.title}
					list={list}
					rowKey={({ id }) => id}
					href={({ id }) => `/customers/${encodeURIComponent(id)}`}
					empty={{ title: t.emptyTitle, text: t.emptyText }}
					columns={[
						{ head: t.customer, cell: ({ id, name }) => name ?? id },
						{ head: common.id, cell: ({ id }) => <code className="quiet">{id}</code> },
						{ head: t.email, isWide: true, cell: ({ email }) => email ?? "–" },
						{ head: t.currency, isWide: true, cell: ({ billingCurrency }) => billingCurrency?.toUpperCase() ?? "–" },
						{ head: t.since, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
					]}
				/>
			</Card>
			<CustomerDialog
				isOpen={isOpen}
				onClose={() => setOpen(false)}
				onDone={({ id }) => navigate(`/customers/${encodeURIComponent(id)}`)}
			/>
		</Page>
	);
}
