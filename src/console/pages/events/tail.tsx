import { useState } from "react";
import type { LoggedEvent } from "../../../areas/usage/events/schema";
import { Filters, Search } from "../../kit/filters";
import { useList } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card } from "../../kit/page";
import { Badge } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t } from "../../messages/events";
import { EventDrawer } from "./event";

/** Our choice: what is reported shows while one looks. */
const followedMs = 2_000;

export function EventTail() {
	const [isFollowing, setFollowing] = useState(true);
	const [chosen, setChosen] = useState<LoggedEvent>();
	const list = useList<LoggedEvent>("/events", {
		filters: ["customerId", "eventName", "idempotencyKey"],
		everyMs: () => isFollowing && followedMs,
	});
	return (
		<Card isFlush>
			<Filters>
				<Search list={list} name="customerId" label={t.customerId} />
				<Search list={list} name="eventName" label={t.eventName} />
				<Search list={list} name="idempotencyKey" label={t.key} />
				<label className="choice">
					<input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.target.checked)} />
					{t.follow}
				</label>
			</Filters>
			<ListTable
				label={t.title}
				list={list}
				rowKey={({ id }) => id}
				onOpen={setChosen}
				empty={{ title: t.emptyTitle, text: t.emptyText }}
				columns={[
					{ head: t.event, cell: ({ eventName }) => <code>{eventName}</code> },
					{ head: t.customer, cell: ({ customerId }) => customerId },
					{ head: t.countedBy, cell: (event) => <CountedBy event={event} /> },
					{ head: t.key, isWide: true, cell: ({ idempotencyKey }) => <code className="quiet">{idempotencyKey}</code> },
					{ head: t.at, isWide: true, cell: ({ timestamp }) => <Ago at={timestamp} /> },
				]}
			/>
			<EventDrawer event={chosen} onClose={() => setChosen(undefined)} />
		</Card>
	);
}

function CountedBy({ event: { meters, canceledAt } }: { readonly event: LoggedEvent }) {
	if (canceledAt) return <Badge>{t.taken}</Badge>;
	if (meters.length === 0) return <Badge tone="warn">{t.noMeter}</Badge>;
	return (
		<span className="badges">
			{meters.map(({ featureId, isCounted }) => (
				<Badge key={featureId} tone={isCounted ? "good" : "bad"}>
					{featureId}
				</Badge>
			))}
		</span>
	);
}
