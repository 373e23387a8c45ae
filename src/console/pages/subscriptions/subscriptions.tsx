import { useState } from "react";
import { Route, Switch } from "wouter";
import type { Subscription } from "../../../areas/subscriptions/schema";
import { Choice, Filters, Search } from "../../kit/filters";
import { useList } from "../../kit/list";
import { Card, Page } from "../../kit/page";
import { statusText } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t as fields } from "../../messages/fields";
import { fill } from "../../messages/language";
import { t } from "../../messages/subscriptions";
import { may } from "../../session";
import { Sell } from "./sell";
import { SubscriptionPage } from "./subscription";
import { subscriptionTable } from "./table";

export default function Subscriptions() {
	return (
		<Switch>
			<Route path="/subscriptions">
				<SubscriptionList />
			</Route>
			<Route path="/subscriptions/:id">{({ id }) => <SubscriptionPage key={id} id={decodeURIComponent(id)} />}</Route>
		</Switch>
	);
}

const statuses: readonly Subscription["status"][] = [
	"ACTIVE",
	"IN_TRIAL",
	"NOT_STARTED",
	"PAYMENT_PENDING",
	"CANCELED",
	"EXPIRED",
];

function SubscriptionList() {
	const list = useList<Subscription>("/subscriptions", {
		filters: ["search", "status", "hasProblem", "trialEndsWithinDays"],
	});
	const [isOpen, setOpen] = useState(false);
	return (
		<Page
			title={t.title}
			text={t.text}
			curl={list.path}
			actions={
				may("SUBSCRIPTION:WRITE") && (
					<button type="button" className="solid" onClick={() => setOpen(true)}>
						{t.sell}
					</button>
				)
			}
		>
			<Card isFlush>
				<Filters>
					<Search list={list} name="search" label={t.search} />
					<Choice
						list={list}
						name="status"
						label={fields.status}
						options={statuses.map((value) => ({ value, label: statusText(value) }))}
					/>
					<Choice
						list={list}
						name="hasProblem"
						label={t.withProblem}
						options={[{ value: "true", label: t.onlyProblems }]}
					/>
					<Choice
						list={list}
						name="trialEndsWithinDays"
						label={t.trialEndsWithin}
						options={["7", "14", "30"].map((value) => ({ value, label: fill(fields.daysCount, { count: value }) }))}
					/>
				</Filters>
				<ListTable {...subscriptionTable(true)} list={list} />
			</Card>
			<Sell isOpen={isOpen} onClose={() => setOpen(false)} />
		</Page>
	);
}
