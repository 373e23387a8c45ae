import { useState } from "react";
import { Route, Switch } from "wouter";
import type { LoggedEvent, UnmatchedName } from "../../../areas/usage/events/schema";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { formatNumber } from "../../kit/format";
import { ListCard } from "../../kit/list-card";
import { Facts, Page } from "../../kit/page";
import { Tabs } from "../../kit/tabs";
import { Ago, Badge, Badges, When } from "../../kit/values";
import { t } from "../../messages/events";
import { may } from "../../session";

const Events = () => (
	<Page title={t.title} text={t.text} curl="/events">
		<Tabs
			label={t.title}
			tabs={[
				{ name: t.live, path: "/events" },
				{ name: t.unmatched, path: "/events/unmatched" },
			]}
		/>
		<Switch>
			<Route path="/events" component={EventTail} />
			<Route path="/events/unmatched" component={UnmatchedNames} />
		</Switch>
	</Page>
);
export default Events;

/** The interval at which new events appear. */
const followedMs = 2_000;

function EventTail() {
	const [isFollowing, setFollowing] = useState(true);
	return (
		<ListCard<LoggedEvent>
			label={t.title}
			path="/events"
			filters={[
				{ name: "customerId", label: t.customerId },
				{ name: "eventName", label: t.eventName },
				{ name: "idempotencyKey", label: t.key },
			]}
			moreFilters={
				<label className="choice">
					<input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.target.checked)} />
					{t.follow}
				</label>
			}
			everyMs={() => isFollowing && followedMs}
			empty={{ title: t.emptyTitle, text: t.emptyText }}
			details={{
				title: ({ eventName }) => eventName,
				show: (event, close) => <Details event={event} onClose={close} />,
			}}
			columns={[
				{ head: t.event, cell: ({ eventName }) => <code>{eventName}</code> },
				{ head: t.customer, cell: ({ customerId }) => customerId },
				{ head: t.countedBy, cell: (event) => <CountedBy event={event} /> },
				{ head: t.key, isWide: true, cell: ({ idempotencyKey }) => <code className="quiet">{idempotencyKey}</code> },
				{ head: t.at, isWide: true, cell: ({ timestamp }) => <Ago at={timestamp} /> },
			]}
		/>
	);
}

interface OfEvent {
	readonly event: LoggedEvent;
}

function CountedBy({ event: { meters, canceledAt } }: OfEvent) {
	if (canceledAt) return <Badge>{t.taken}</Badge>;
	if (meters.length === 0) return <Badge tone="warn">{t.noMeter}</Badge>;
	return (
		<Badges>
			{meters.map(({ featureId, isCounted }) => (
				<Badge key={featureId} tone={isCounted ? "good" : "bad"}>
					{featureId}
				</Badge>
			))}
		</Badges>
	);
}

/** The content of an event, and the meters that counted it. */
const Details = ({ event, onClose }: OfEvent & { readonly onClose: () => void }) => (
	<>
		<Facts
			of={{
				[t.customer]: <Id of={event.customerId} />,
				[t.resource]: event.resourceId ?? "–",
				[t.at]: <When at={event.timestamp} />,
				[t.key]: <Id of={event.idempotencyKey} />,
			}}
		/>
		<h3>{t.meters}</h3>
		{event.meters.length === 0 && <p className="note warn">{t.noMeter}</p>}
		<ul className="lines">
			{event.meters.map(({ featureId, isCounted, message }) => (
				<li key={featureId}>
					<code>{featureId}</code>
					<Badge tone={isCounted ? "good" : "bad"}>{isCounted ? t.counted : t.notCounted}</Badge>
					{message && <p className="quiet small">{message}</p>}
				</li>
			))}
		</ul>
		<h3>{t.dimensions}</h3>
		{Object.keys(event.dimensions).length === 0 ? (
			<p className="quiet">{t.none}</p>
		) : (
			<pre>{JSON.stringify(event.dimensions, null, 2)}</pre>
		)}
		{!event.canceledAt && may("USAGE:WRITE") && (
			<footer>
				<ConfirmButton
					{...confirmation(t, "cancelEvent")}
					isDanger
					perform={["POST", "/events/cancel", { events: [{ id: event.id }] }]}
					onDone={onClose}
				/>
			</footer>
		)}
	</>
);

const UnmatchedNames = () => (
	<ListCard<UnmatchedName>
		title={t.unmatched}
		text={t.unmatchedText}
		path="/events/unmatched"
		rowKey={({ eventName }) => eventName}
		href={({ eventName }) => `/events?eventName=${encodeURIComponent(eventName)}`}
		empty={{ title: t.unmatchedEmptyTitle, text: t.unmatchedEmptyText }}
		columns={[
			{ head: t.eventName, cell: ({ eventName }) => <code>{eventName}</code> },
			{ head: t.count, isFigure: true, cell: ({ events }) => formatNumber(events) },
			{ head: t.first, isWide: true, cell: ({ firstAt }) => <Ago at={firstAt} /> },
			{ head: t.last, cell: ({ lastAt }) => <Ago at={lastAt} /> },
		]}
	/>
);
