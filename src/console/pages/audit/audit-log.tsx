import type { AuditEntry } from "../../../areas/audit/schema";
import { Id } from "../../kit/copy";
import { formatNumber } from "../../kit/format";
import { ListScreen } from "../../kit/list-card";
import { Card, Facts } from "../../kit/page";
import { Table } from "../../kit/table";
import { Ago, Badge, When } from "../../kit/values";
import { t } from "../../messages/audit";

const AuditLog = () => (
	<ListScreen<AuditEntry>
		path="/audit-log"
		texts={t}
		filters={[
			{ name: "entityId", label: t.entityId },
			{ name: "actorId", label: t.actorId },
			{ name: "operation", label: t.operation },
		]}
		details={{ title: ({ operation }) => operation, show: (entry) => <Details entry={entry} /> }}
		columns={[
			{ head: t.operation, cell: ({ operation }) => <code>{operation}</code> },
			{ head: t.entity, cell: ({ entityType, entityRef, entityId }) => `${entityType} ${entityRef ?? entityId}` },
			{ head: t.actor, isWide: true, cell: (entry) => nameOf(entry) },
			{ head: t.changes, isFigure: true, isWide: true, cell: ({ changesCount }) => formatNumber(changesCount) },
			{ head: t.at, isWide: true, cell: ({ at }) => <Ago at={at} /> },
		]}
	/>
);
export default AuditLog;

const nameOf = ({ actor: { type, id, name } }: AuditEntry): string => name ?? (id === "" ? type : id);

const text = (value: string | number | boolean | null): string => (value === null ? "–" : String(value));

function Details({ entry }: { readonly entry: AuditEntry }) {
	const { actor, changes, changesCount, requestId, address } = entry;
	return (
		<>
			<Facts
				of={{
					[t.actor]: `${nameOf(entry)} (${actor.type})`,
					[t.entity]: entry.entityType,
					[t.entityId]: <Id of={entry.entityRef ?? entry.entityId} />,
					[t.at]: <When at={entry.at} />,
					[t.recordedAt]: <When at={entry.recordedAt} />,
					[t.address]: address ?? "–",
					[t.requestId]: requestId ? <Id of={requestId} /> : "–",
					[t.hash]: <Id of={entry.hash} />,
				}}
			/>
			{changes.length < changesCount && (
				<p className="note">{t.changesShown({ shown: changes.length, count: changesCount })}</p>
			)}
			{changes.map((change) => (
				<Card
					key={`${change.entityType} ${change.entityId}`}
					isFlush
					title={`${change.entityType} ${change.entityRef ?? change.entityId}`}
					actions={<Badge>{t[change.action]}</Badge>}
				>
					{change.isErased && <p className="note warn">{t.erased}</p>}
					<Table
						label={change.entityType}
						rows={Object.entries(change.fields)}
						rowKey={([name]) => name}
						columns={[
							{ head: t.field, cell: ([name]) => name },
							{ head: t.before, cell: ([, { before }]) => <span className="quiet">{text(before)}</span> },
							{ head: t.after, cell: ([, { after }]) => text(after) },
						]}
					/>
				</Card>
			))}
		</>
	);
}
