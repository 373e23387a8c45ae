import type { Contract } from "../../../areas/contracts/schema.shown";
import type { Customer } from "../../../areas/customers/schema";
import type { InvoiceInBooks } from "../../../areas/invoices/lists/schema";
import type { Subscription } from "../../../areas/subscriptions/schema";
import { pathTo } from "../../api";
import { DialogButton } from "../../kit/dialog";
import { ListCard, type ListCardProps } from "../../kit/list-card";
import { t as contracts } from "../../messages/contracts";
import { t } from "../../messages/customers";
import { t as invoices } from "../../messages/invoices";
import { t as subscriptions } from "../../messages/subscriptions";
import { may } from "../../session";
import { contractColumns, contractHref } from "../contracts/contracts";
import { NewContract } from "../contracts/new-contract";
import { invoiceColumns, invoiceHref } from "../invoices/invoices";
import { subscriptionColumns } from "../subscriptions/subscriptions";

export interface OfCustomer {
	readonly customer: Customer;
}

type CardOptions<Row> = OfCustomer & Partial<Pick<ListCardProps<Row>, "title" | "actions" | "limit" | "isFirstPage">>;

export const CustomerSubscriptions = ({ customer, ...options }: CardOptions<Subscription>) => (
	<ListCard<Subscription>
		label={t.subscriptions}
		path="/subscriptions"
		fixed={{ customerId: customer.id }}
		href={({ id }) => pathTo("/subscriptions", id)}
		columns={subscriptionColumns(false)}
		empty={{ title: subscriptions.emptyTitle, text: subscriptions.emptyText }}
		{...options}
	/>
);

export const CustomerInvoices = ({ customer, ...options }: CardOptions<InvoiceInBooks>) => (
	<ListCard<InvoiceInBooks>
		label={t.invoices}
		path="/invoices"
		fixed={{ customerId: customer.id, orderBy: "issueDate", orderDir: "DESC" }}
		rowKey={({ invoiceId }) => invoiceId}
		href={invoiceHref}
		columns={invoiceColumns(false)}
		empty={{ title: invoices.emptyTitle, text: invoices.emptyText }}
		{...options}
	/>
);

export function CustomerContracts({ customer }: OfCustomer) {
	const mayAdd = may("CONTRACT:WRITE") && !customer.archivedAt;
	return (
		<ListCard<Contract>
			title={t.contracts}
			path="/contracts"
			fixed={{ customerExternalId: customer.id }}
			rowKey={({ contractId }) => contractId}
			href={contractHref}
			columns={contractColumns(false)}
			empty={{ title: contracts.emptyTitle, text: contracts.emptyText }}
			actions={
				mayAdd && (
					<DialogButton
						label={contracts.newContract}
						isMain
						dialog={(opening) => <NewContract customerId={customer.id} {...opening} />}
					/>
				)
			}
		/>
	);
}
