import type { Subscription } from "../../../areas/subscriptions/schema";
import { formatDate } from "../../kit/format";
import { Badge, Status } from "../../kit/status";
import type { Column, Listed } from "../../kit/table";
import { t } from "../../messages/subscriptions";

const columns = (isOfAll: boolean): readonly Column<Subscription>[] => [
	{ head: t.subscription, cell: ({ id }) => id },
	...(isOfAll ? [{ head: t.customer, cell: ({ customerId }: Subscription) => customerId }] : []),
	{ head: t.plan, cell: ({ planId }) => planId },
	{
		head: t.status,
		cell: ({ status, problem }) => (
			<span className="badges">
				<Status of={status} />
				{problem && <Badge tone="bad">{t.withProblem}</Badge>}
			</span>
		),
	},
	{ head: t.started, isWide: true, cell: ({ startDate }) => formatDate(startDate) },
	{ head: t.renews, isWide: true, cell: (one) => formatDate(one.currentBillingPeriodEnd) },
	{ head: t.ends, isWide: true, cell: (one) => formatDate(one.effectiveEndDate ?? one.endDate) },
];

/** Of one customer, or of all. */
export const subscriptionTable = (isOfAll: boolean): Listed<Subscription> => ({
	label: t.title,
	rowKey: ({ id }) => id,
	href: ({ id }) => `/subscriptions/${encodeURIComponent(id)}`,
	empty: { title: t.emptyTitle, text: t.emptyText },
	columns: columns(isOfAll),
});
