import { Link } from "wouter";
import type { CustomerBalance } from "../../../areas/invoices/balance/schema";
import { pathTo } from "../../api";
import { Id } from "../../kit/copy";
import { useOne } from "../../kit/list";
import { Card, Facts } from "../../kit/page";
import { Money, To, When } from "../../kit/values";
import { t } from "../../messages/customers";
import { InvoicingCard } from "./invoicing";
import { CustomerInvoices, CustomerSubscriptions, type OfCustomer } from "./lists";
import { ParentCard } from "./parent";
import { PaymentMethods } from "./payment-methods";
import { TimelineCard } from "./timeline";

type Balance = (typeof CustomerBalance)["static"];

/** The latest few, which people look at every day. */
const shownMax = 5;

export function Overview({ customer }: OfCustomer) {
	const path = pathTo("/customers", customer.id);
	const all = (part: string) => <Link href={`${path}/${part}`}>{t.showAll}</Link>;
	const latest = { limit: shownMax, isFirstPage: true };
	return (
		<>
			<Profile customer={customer} />
			<InvoicingCard customer={customer} />
			<PaymentMethods customer={customer} />
			<ParentCard customer={customer} />
			<CustomerSubscriptions customer={customer} {...latest} title={t.subscriptions} actions={all("subscriptions")} />
			<CustomerInvoices customer={customer} {...latest} title={t.latestInvoices} actions={all("invoices")} />
			<TimelineCard customer={customer} limit={shownMax} actions={all("timeline")} />
		</>
	);
}

function Profile({ customer }: OfCustomer) {
	const { defaultPaymentMethod: payment, couponId } = customer;
	const { data: balance } = useOne<Balance>(`${pathTo("/customers", customer.id)}/balance`);
	const integrations = customer.integrations.map(({ vendorIdentifier, syncedEntityId }) => [
		vendorIdentifier,
		syncedEntityId ? <Id key="id" of={syncedEntityId} /> : "–",
	]);
	return (
		<Card title={t.profile}>
			<Facts
				of={{
					[t.email]: customer.email ?? "–",
					[t.balance]: balance?.length
						? balance.map((one) => <Money key={one.currency} of={one} />)
						: t.nothingInCredit,
					[t.currency]: customer.billingCurrency?.toUpperCase() ?? "–",
					[t.paymentMethod]: payment
						? `${payment.type}${payment.cardLast4Digits ? ` ·· ${payment.cardLast4Digits}` : ""}`
						: "–",
					[t.coupon]: couponId && <To list="/coupons" id={couponId} />,
					[t.language]: customer.language ?? "–",
					[t.timezone]: customer.timezone ?? "–",
					[t.createdAt]: <When at={customer.createdAt} />,
					...Object.fromEntries(integrations),
				}}
				metadata={customer.metadata}
			/>
		</Card>
	);
}
