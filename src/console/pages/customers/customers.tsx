import { type Customer, CustomerProvision, CustomerUpdate } from "../../../areas/customers/schema";
import { pathTo } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation, DialogButton } from "../../kit/dialog";
import { FormButton, FormDialog } from "../../kit/forms/form-dialog";
import type { FieldSpec } from "../../kit/forms/form-fields";
import { ListAndPages, ListScreen } from "../../kit/list-card";
import { Loaded, Page } from "../../kit/page";
import { createdColumn, idColumn } from "../../kit/table";
import { Tabs } from "../../kit/tabs";
import { Badge } from "../../kit/values";
import { t as budgets } from "../../messages/budgets";
import { t } from "../../messages/customers";
import { t as subscriptions } from "../../messages/subscriptions";
import { may } from "../../session";
import { Wallets } from "../credits/wallets";
import { Sell } from "../subscriptions/sell";
import { Budgets } from "./budgets";
import { Entitlements } from "./entitlements";
import { CustomerContracts, CustomerInvoices, CustomerSubscriptions, type OfCustomer } from "./lists";
import { Overview } from "./overview";
import { Timeline } from "./timeline";
import { Usage } from "./usage";

const Customers = () => (
	<ListAndPages
		path="/customers"
		list={<CustomerList />}
		page={(id, part) => <CustomerPage id={id} part={isPart(part) ? part : ""} />}
	/>
);
export default Customers;

const profileFields: readonly FieldSpec[] = ["name", "email", ["billingCurrency", "language"], "timezone"];

const CustomerList = () => (
	<ListScreen<Customer>
		path="/customers"
		texts={t}
		filters={[{ name: "search", label: t.search }]}
		columns={[
			{ head: t.customer, cell: ({ id, name }) => name ?? id },
			{ ...idColumn, isWide: false },
			{ head: t.email, isWide: true, cell: ({ email }) => email ?? "–" },
			{ head: t.currency, isWide: true, cell: ({ billingCurrency }) => billingCurrency?.toUpperCase() ?? "–" },
			createdColumn,
		]}
		add={{
			label: t.newCustomer,
			scope: "CUSTOMER:WRITE",
			dialog: (opening) => (
				<FormDialog
					{...opening}
					title={t.newCustomer}
					to={["POST", "/customers"]}
					schema={CustomerProvision}
					texts={t}
					fields={["id", ...profileFields]}
					leadsTo={({ id }: Customer) => pathTo("/customers", id)}
					onDone={({ id, name }: Customer) => t.created({ name: name ?? id })}
				/>
			),
		}}
	/>
);

/** The tabs, below the customer's address. */
const parts = {
	"": { name: t.overview, show: Overview },
	subscriptions: { name: t.subscriptions, show: CustomerSubscriptions },
	entitlements: { name: t.entitlements, show: Entitlements },
	usage: { name: t.usage, show: Usage },
	credits: { name: t.credits, show: ({ customer }: OfCustomer) => <Wallets customerId={customer.id} /> },
	budgets: { name: budgets.budgets, show: Budgets },
	invoices: { name: t.invoices, show: CustomerInvoices },
	contracts: { name: t.contracts, show: CustomerContracts },
	timeline: { name: t.timeline, show: Timeline },
} as const;

type Part = keyof typeof parts;

const isPart = (part: string): part is Part => Object.hasOwn(parts, part);

function CustomerPage({ id, part }: { readonly id: string; readonly part: Part }) {
	const path = pathTo("/customers", id);
	const { show: Shown } = parts[part];
	return (
		<Loaded<Customer> path={path} lines={8}>
			{(customer) => (
				<Page
					title={customer.name ?? id}
					badge={
						<>
							<Id of={id} />
							{customer.archivedAt && <Badge>{t.archived}</Badge>}
						</>
					}
					parent={{ name: t.title, path: "/customers" }}
					curl={path}
					actions={!customer.archivedAt && <Actions customer={customer} />}
				>
					<Tabs
						label={customer.name ?? id}
						tabs={Object.entries(parts).map(([at, { name }]) => ({ name, path: at === "" ? path : `${path}/${at}` }))}
					/>
					<Shown key={part} customer={customer} />
				</Page>
			)}
		</Loaded>
	);
}

function Actions({ customer }: OfCustomer) {
	const path = pathTo("/customers", customer.id);
	const name = { name: customer.name ?? customer.id };
	return (
		<>
			{may("CUSTOMER:WRITE") && (
				<>
					<ConfirmButton
						{...confirmation(t, "archive", name)}
						isDanger
						perform={["POST", `${path}/archive`]}
						leadsTo="/customers"
					/>
					<FormButton
						label={t.edit}
						title={t.editTitle(name)}
						to={["PATCH", path]}
						schema={CustomerUpdate}
						texts={t}
						edited={customer}
						fields={profileFields}
						onDone={() => t.saved}
					/>
				</>
			)}
			{may("SUBSCRIPTION:WRITE") && (
				<DialogButton
					label={subscriptions.sell}
					isMain
					dialog={(opening) => <Sell customerId={customer.id} {...opening} />}
				/>
			)}
		</>
	);
}
