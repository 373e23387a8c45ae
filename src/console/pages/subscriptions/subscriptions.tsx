import type { Subscription } from "../../../areas/subscriptions/schema";
import { formatDate } from "../../kit/format";
import { ListAndPages, ListScreen } from "../../kit/list-card";
import type { Column } from "../../kit/table";
import { Badge, Badges, Status, statusOptions } from "../../kit/values";
import { t } from "../../messages/subscriptions";
import { Sell } from "./sell";
import { SubscriptionPage } from "./subscription";

const Subscriptions = () => (
	<ListAndPages path="/subscriptions" list={<SubscriptionList />} page={(id) => <SubscriptionPage id={id} />} />
);
export default Subscriptions;

/** The columns of the subscriptions of all customers, or of one. */
export const subscriptionColumns = (isOfAll: boolean): readonly Column<Subscription>[] => [
	{ head: t.subscription, cell: ({ id }) => id },
	...(isOfAll ? [{ head: t.customer, cell: ({ customerId }: Subscription) => customerId }] : []),
	{ head: t.plan, cell: ({ planId }) => planId },
	{
		head: t.status,
		cell: ({ status, problem }) => (
			<Badges>
				<Status of={status} />
				{problem && <Badge tone="bad">{t.withProblem}</Badge>}
			</Badges>
		),
	},
	{ head: t.started, isWide: true, cell: ({ startDate }) => formatDate(startDate) },
	{ head: t.renews, isWide: true, cell: (one) => formatDate(one.currentBillingPeriodEnd) },
	{ head: t.ends, isWide: true, cell: (one) => formatDate(one.effectiveEndDate ?? one.endDate) },
];

const statuses: readonly Subscription["status"][] = [
	"ACTIVE",
	"IN_TRIAL",
	"NOT_STARTED",
	"PAYMENT_PENDING",
	"PAUSED",
	"CANCELED",
	"EXPIRED",
];

const SubscriptionList = () => (
	<ListScreen<Subscription>
		path="/subscriptions"
		texts={t}
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
		columns={subscriptionColumns(true)}
		add={{ label: t.sell, scope: "SUBSCRIPTION:WRITE", dialog: (opening) => <Sell {...opening} /> }}
	/>
);
