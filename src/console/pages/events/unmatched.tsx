import type { UnmatchedName } from "../../../areas/usage/events/schema";
import { formatNumber } from "../../kit/format";
import { useList } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card } from "../../kit/page";
import { ListTable } from "../../kit/table";
import { t } from "../../messages/events";

export function UnmatchedNames() {
	const list = useList<UnmatchedName>("/events/unmatched");
	return (
		<Card isFlush title={t.unmatched} text={t.unmatchedText}>
			<ListTable
				label={t.unmatched}
				list={list}
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
		</Card>
	);
}
