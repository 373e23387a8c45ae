import { useState } from "react";
import { Link } from "wouter";
import type { Contract } from "../../../areas/contracts/schema";
import type { CustomerBalance } from "../../../areas/invoices/balance/schema";
import type { InvoiceInBooks } from "../../../areas/invoices/lists/schema";
import type { Subscription } from "../../../areas/subscriptions/schema";
import { Id } from "../../kit/copy";
import { useList, useOne } from "../../kit/list";
import { Money, When } from "../../kit/money";
import { Card, Facts } from "../../kit/page";
import { ListTable } from "../../kit/table";
import { t as contracts } from "../../messages/contracts";
import { t } from "../../messages/customers";
import { may } from "../../session";
import { NewContract } from "../contracts/new-contract";
import { contractTable } from "../contracts/table";
import { Wallets } from "../credits/wallets";
import { invoiceTable } from "../invoices/table";
import { subscriptionTable } from "../subscriptions/table";
import { InvoicingCard } from "./invoicing";
import type { OfCustomer } from "./of";
import { TimelineCard } from "./timeline";

type Balance = (typeof CustomerBalance)["static"];

/** Our choice: what is looked at every day, at a glance. */
const shownMax = 5;

export function Overview({ customer }: OfCustomer) {
	const { data: balance } = useOne<Balance>(`/customers/${encodeURIComponent(customer.id)}/balance`);
	const subscriptions = useList<Subscription>("/subscriptions", {
		fixed: { customerId: customer.id },
		limit: shownMax,
	});
	const invoices = useList<InvoiceInBooks>("/invoices", {
		fixed: { customerId: customer.id, orderBy: "issueDate", orderDir: "DESC" },
		limit: shownMax,
	});
	const to = (tab: string) => `/customers/${encodeURIComponent(customer.id)}/${tab}`;
	const paid = customer.defaultPaymentMethod;
	return (
		<>
			<Card title={t.profile}>
				<Facts
					of={[
						[t.email, customer.email ?? "–"],
						[
							t.balance,
							balance?.length ? balance.map((one) => <Money key={one.currency} of={one} />) : t.nothingInCredit,
						],
						[t.currency, customer.billingCurrency?.toUpperCase() ?? "–"],
						[t.paymentMethod, paid ? `${paid.type}${paid.cardLast4Digits ? ` ·· ${paid.cardLast4Digits}` : ""}` : "–"],
						...(customer.couponId
							? [
									[
										t.coupon,
										<Link key="coupon" href={`/coupons/${customer.couponId}`}>
											{customer.couponId}
										</Link>,
									] as const,
								]
							: []),
						[t.language, customer.language ?? "–"],
						[t.timezone, customer.timezone ?? "–"],
						[t.since, <When key="since" at={customer.createdAt} />],
						...Object.entries(customer.metadata).map(([name, value]) => [name, value] as const),
						...customer.integrations.map(
							({ vendorIdentifier, syncedEntityId }) =>
								[vendorIdentifier, syncedEntityId ? <Id key="id" of={syncedEntityId} /> : "–"] as const,
						),
					]}
				/>
			</Card>
			<InvoicingCard customer={customer} />
			<Card isFlush title={t.subscriptions} actions={<Link href={to("subscriptions")}>{t.showAll}</Link>}>
				<ListTable list={{ ...subscriptions, next: undefined, previous: undefined }} {...subscriptionTable(false)} />
			</Card>
			<Card isFlush title={t.latestInvoices} actions={<Link href={to("invoices")}>{t.showAll}</Link>}>
				<ListTable list={{ ...invoices, next: undefined, previous: undefined }} {...invoiceTable(false)} />
			</Card>
			<TimelineCard customer={customer} limit={shownMax} actions={<Link href={to("timeline")}>{t.showAll}</Link>} />
		</>
	);
}

export function CustomerSubscriptions({ customer }: OfCustomer) {
	const list = useList<Subscription>("/subscriptions", { fixed: { customerId: customer.id } });
	return (
		<Card isFlush>
			<ListTable list={list} {...subscriptionTable(false)} />
		</Card>
	);
}

export function CustomerInvoices({ customer }: OfCustomer) {
	const list = useList<InvoiceInBooks>("/invoices", {
		fixed: { customerId: customer.id, orderBy: "issueDate", orderDir: "DESC" },
	});
	return (
		<Card isFlush>
			<ListTable list={list} {...invoiceTable(false)} />
		</Card>
	);
}

export function CustomerContracts({ customer }: OfCustomer) {
	const list = useList<Contract>("/contracts", { fixed: { customerExternalId: customer.id } });
	const [isOpen, setOpen] = useState(false);
	const add = may("CONTRACT:WRITE") && !customer.archivedAt && (
		<button type="button" className="solid" onClick={() => setOpen(true)}>
			{contracts.newContract}
		</button>
	);
	return (
		<Card isFlush title={t.contracts} actions={add}>
			<ListTable list={list} {...contractTable(false)} />
			<NewContract customerId={customer.id} isOpen={isOpen} onClose={() => setOpen(false)} />
		</Card>
	);
}

export const CustomerCredits = ({ customer }: OfCustomer) => <Wallets customerId={customer.id} />;
