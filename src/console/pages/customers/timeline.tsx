import type { ReactNode } from "react";
import type { CustomerEvent } from "../../../areas/customers/schema.timeline";
import { pathTo } from "../../api";
import { formatMoney, formatNumber } from "../../kit/format";
import { Icon, type IconName } from "../../kit/icons";
import { type List, useList } from "../../kit/list";
import { Card, Empty, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Pager } from "../../kit/table";
import { Status, To, When } from "../../kit/values";
import { eventName, t } from "../../messages/timeline";
import type { OfCustomer } from "./lists";

/** The events of a customer, newest first. */
export const Timeline = ({ customer }: OfCustomer) => <TimelineCard customer={customer} hasPages />;

interface TimelineCardProps extends OfCustomer {
	readonly limit?: number;
	readonly hasPages?: boolean;
	readonly actions?: ReactNode;
}

export function TimelineCard({ customer, limit = 25, hasPages = false, actions }: TimelineCardProps) {
	const list = useList<CustomerEvent>(`${pathTo("/customers", customer.id)}/timeline`, { limit });
	return (
		<Card isFlush title={t.title} text={t.text} actions={actions}>
			<Events list={list} />
			{hasPages && <Pager list={list} />}
		</Card>
	);
}

function Events({ list: { rows, error, retry } }: { readonly list: List<CustomerEvent> }) {
	if (error) return <Problem error={error} retry={retry} />;
	if (!rows) return <Skeleton lines={5} />;
	if (rows.length === 0) return <Empty title={t.emptyTitle} text={t.emptyText} />;
	return (
		<ol className="timeline">
			{[...rows].sort(newestFirst).map((event) => (
				<li key={event.messageId}>
					<span className="mark">
						<Icon name={iconOf(event.type)} size={14} />
					</span>
					<div>
						<p>
							<span className="strong">{eventName(event.type)}</span> <About of={event} />
						</p>
						<p className="small quiet">
							<When at={event.timestamp} /> · {actorName(event.actor.type)}
						</p>
					</div>
				</li>
			))}
		</ol>
	);
}

/** The API pages by the time of recording; the screen sorts by the time of the event. */
const newestFirst = (one: CustomerEvent, other: CustomerEvent): number =>
	Date.parse(other.timestamp) - Date.parse(one.timestamp) || other.sequence - one.sequence;

const icons: readonly (readonly [begins: string, icon: IconName])[] = [
	["invoice.", "invoices"],
	["subscription.", "subscriptions"],
	["credit", "credits"],
	["automatic_recharge.", "credits"],
	["contract.", "contracts"],
	["promotionalEntitlement.", "features"],
	["entitlement.", "features"],
];

const iconOf = (type: string): IconName => icons.find(([begins]) => type.startsWith(begins))?.[1] ?? "customers";

const actorName = (type: string): string =>
	({ USER: t.byUser, APP_SERVER: t.byServer, SCOPED_KEY: t.byServer, APP_PUBLIC: t.byPublic })[type] ?? t.byItself;

/** The subject of an event as its payload describes it: a link, a state, an amount. */
function About({ of: { type, payload } }: { readonly of: CustomerEvent }) {
	const { id, number, total, currency, status, amount, plan, name, creditNote } = payload as Readonly<
		Record<string, unknown>
	> & {
		readonly plan?: { readonly id: string };
		readonly creditNote?: { readonly total: number };
	};
	if (type.startsWith("invoice."))
		return (
			<>
				<To list="/invoices" id={String(id)}>
					{String(number)}
				</To>{" "}
				<span className="figure quiet">
					{formatMoney({ amount: Number(creditNote?.total ?? total), currency: String(currency) })}
				</span>
			</>
		);
	if (type.startsWith("subscription."))
		return (
			<>
				<To list="/subscriptions" id={String(id)}>
					{plan?.id ?? String(id)}
				</To>{" "}
				<Status of={String(status)} />
			</>
		);
	if (type.startsWith("contract."))
		return (
			<To list="/contracts" id={String(id)}>
				{String(name ?? id)}
			</To>
		);
	if (type.startsWith("credit_grant.")) return <span className="figure">{formatNumber(Number(amount))}</span>;
	return null;
}
