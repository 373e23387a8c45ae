import { useState } from "react";
import { useLocation } from "wouter";
import type { Customer } from "../../../areas/customers/schema";
import { send } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton } from "../../kit/dialog";
import { useOne } from "../../kit/list";
import { Page, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Badge } from "../../kit/status";
import { Tabs } from "../../kit/tabs";
import { t } from "../../messages/customers";
import { t as subscriptions } from "../../messages/subscriptions";
import { may } from "../../session";
import { Sell } from "../subscriptions/sell";
import { CustomerDialog } from "./edit";
import { Entitlements } from "./entitlements";
import type { OfCustomer } from "./of";
import { CustomerContracts, CustomerCredits, CustomerInvoices, CustomerSubscriptions, Overview } from "./tabs";
import { Timeline } from "./timeline";
import { Usage } from "./usage";

/** Below the customer's address. */
const parts = {
	"": { name: t.overview, show: Overview },
	subscriptions: { name: t.subscriptions, show: CustomerSubscriptions },
	entitlements: { name: t.entitlements, show: Entitlements },
	usage: { name: t.usage, show: Usage },
	credits: { name: t.credits, show: CustomerCredits },
	invoices: { name: t.invoices, show: CustomerInvoices },
	contracts: { name: t.contracts, show: CustomerContracts },
	timeline: { name: t.timeline, show: Timeline },
} as const;

const isPart = (tab: string): tab is keyof typeof parts => Object.hasOwn(parts, tab);

export function CustomerPage({ id, tab }: { readonly id: string; readonly tab: string }) {
	const path = `/customers/${encodeURIComponent(id)}`;
	const { data: customer, error, refetch } = useOne<Customer>(path);
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!customer) return <Skeleton lines={8} />;
	const { show: Part } = parts[isPart(tab) ? tab : ""];
	return (
		<Page
			title={customer.name ?? customer.id}
			beside={
				<>
					<Id of={customer.id} />
					{customer.archivedAt && <Badge>{t.archived}</Badge>}
				</>
			}
			parent={{ name: t.title, path: "/customers" }}
			curl={path}
			actions={customer.archivedAt ? undefined : <Actions customer={customer} path={path} />}
		>
			<Tabs
				label={customer.name ?? customer.id}
				tabs={Object.entries(parts).map(([at, { name }]) => ({ name, path: at === "" ? path : `${path}/${at}` }))}
			/>
			<Part key={tab} customer={customer} />
		</Page>
	);
}

function Actions({ customer, path }: OfCustomer & { readonly path: string }) {
	const [open, setOpen] = useState<"edit" | "sell">();
	const [, navigate] = useLocation();
	const close = () => setOpen(undefined);
	const name = customer.name ?? customer.id;
	return (
		<>
			{may("CUSTOMER:WRITE") && (
				<>
					<ConfirmButton
						label={t.archive}
						title={t.archiveTitle({ name })}
						says={t.archiveSays}
						isDanger
						perform={() => send("POST", `${path}/archive`)}
						onDone={() => navigate("/customers")}
					/>
					<button type="button" onClick={() => setOpen("edit")}>
						{t.edit}
					</button>
					<CustomerDialog customer={customer} isOpen={open === "edit"} onClose={close} />
				</>
			)}
			{may("SUBSCRIPTION:WRITE") && (
				<>
					<button type="button" className="solid" onClick={() => setOpen("sell")}>
						{subscriptions.sell}
					</button>
					<Sell customerId={customer.id} isOpen={open === "sell"} onClose={close} />
				</>
			)}
		</>
	);
}
