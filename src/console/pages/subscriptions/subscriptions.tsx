import type { Subscription } from "../../../areas/subscriptions/schema";
import { ListAndPages, ListScreen } from "../../kit/list-screen";
import { statusOptions } from "../../kit/status";
import { t } from "../../messages/subscriptions";
import { Sell } from "./sell";
import { SubscriptionPage } from "./subscription";
import { subscriptionTable } from "./table";

const Subscriptions = () => (
	<ListAndPages
		path="/subscriptions"
		list={<SubscriptionList />}
		page={(id) => <SubscriptionPage key={id} id={id} />}
	/>
);
export default Subscriptions;

const statuses: readonly Subscription["status"][] = [
	"ACTIVE",
	"IN_TRIAL",
	"NOT_STARTED",
	"PAYMENT_PENDING",
	"CANCELED",
	"EXPIRED",
];

const SubscriptionList = () => (
	<ListScreen<Subscription>
		path="/subscriptions"
		text={t.text}
		filters={[
			{ name: "search", label: t.search },
			{ name: "status", label: t.status, options: statusOptions(statuses) },
			{ name: "hasProblem", label: t.withProblem, options: [{ value: "true", label: t.onlyProblems }] },
			{
				name: "trialEndsWithinDays",
				label: t.trialEndsWithin,
				options: ["7", "14", "30"].map((value) => ({ value, label: t.daysCount({ count: value }) })),
			},
		]}
		add={{ name: t.sell, scope: "SUBSCRIPTION:WRITE", dialog: (state) => <Sell {...state} /> }}
		table={subscriptionTable(true)}
	/>
);
