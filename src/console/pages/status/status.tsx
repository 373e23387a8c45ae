import type { SystemStatus } from "../../../metrics/schema";
import { formatDateTime, formatNumber } from "../../kit/format";
import { Card, Empty, Facts, Loaded, Page } from "../../kit/page";
import { Table } from "../../kit/table";
import { Badge, When } from "../../kit/values";
import { figureName, t } from "../../messages/status";

type State = (typeof SystemStatus)["static"];
type Condition = State["conditions"][number];
type Sum = NonNullable<State["lastHour"]>;

const path = "/system-status";

/** The server records its figures each minute. */
const everyMs = 30_000;

const Status = () => (
	<Loaded<State> path={path} everyMs={() => everyMs}>
		{(state) => <StatusPage state={state} />}
	</Loaded>
);
export default Status;

function StatusPage({ state }: { readonly state: State }) {
	const bad = state.conditions.filter((condition) => condition.state === "BAD");
	const troubles = bad.length + (state.missing.length > 0 || state.message !== null ? 1 : 0);
	const badge =
		troubles === 0 ? (
			<Badge tone="good">{t.allGood}</Badge>
		) : (
			<Badge tone="bad">{t.someBad({ count: troubles })}</Badge>
		);
	return (
		<Page title={t.title} text={t.text} badge={badge} curl={path}>
			{bad.length > 0 && (
				<Card title={t.attention} text={t.attentionText}>
					{bad.map((condition) => (
						<Remedy key={condition.alert} of={condition} />
					))}
				</Card>
			)}
			<Requests of={state} />
			<Card title={t.conditions} isFlush>
				<Table<Condition>
					label={t.conditions}
					rows={state.conditions}
					rowKey={({ alert }) => alert}
					columns={[
						{ head: t.condition, cell: ({ alert }) => figureName(alert) },
						{ head: t.status, cell: (condition) => <ConditionBadge of={condition} /> },
						{ head: t.value, isFigure: true, cell: ({ alert, value }) => valueText(alert, value) },
						{ head: t.limit, isFigure: true, isWide: true, cell: ({ alert, limit }) => valueText(alert, limit) },
					]}
				/>
			</Card>
			<Card title={t.server}>
				<Facts
					of={{
						[t.version]: state.version,
						[t.ready]:
							state.missing.length === 0 && state.message === null
								? t.isReady
								: t.isNotReady({ missing: [...state.missing, state.message].filter(Boolean).join(", ") }),
						...Object.fromEntries(state.figures.map(({ name, value }) => [figureName(name), valueText(name, value)])),
						[t.measuredAt]: <When at={state.measuredAt} />,
					}}
				/>
			</Card>
		</Page>
	);
}

const Remedy = ({ of: { alert, summary, remedy } }: { readonly of: Condition }) => (
	<section>
		<h3>{figureName(alert)}</h3>
		<p>{summary}</p>
		<ul>
			{remedy.map((line) => (
				<li key={line}>{line}</li>
			))}
		</ul>
	</section>
);

const tones = { GOOD: "good", BAD: "bad", UNKNOWN: "quiet" } as const;

const ConditionBadge = ({ of: { state } }: { readonly of: Condition }) => (
	<Badge tone={tones[state]}>{figureName(state)}</Badge>
);

const Requests = ({ of: { lastHour, lastDay, measuredSince } }: { readonly of: State }) => {
	if (!lastHour || !lastDay)
		return (
			<Card>
				<Empty title={t.notMeasured} text={t.notMeasuredText} />
			</Card>
		);
	return (
		<Card title={t.requests} text={t.countedSince({ since: formatDateTime(measuredSince) })} isFlush>
			<Table<readonly [string, Sum]>
				label={t.requests}
				rows={[
					[t.lastHour, lastHour],
					[t.lastDay, lastDay],
				]}
				rowKey={([name]) => name}
				columns={[
					{ head: t.period, cell: ([name]) => name },
					{ head: t.requests, isFigure: true, cell: ([, sum]) => formatNumber(sum.requests) },
					{ head: t.failed, isFigure: true, cell: ([, sum]) => formatNumber(sum.failed) },
					{ head: t.rejected, isFigure: true, isWide: true, cell: ([, sum]) => formatNumber(sum.rejected) },
					{ head: t.median, isFigure: true, isWide: true, cell: ([, sum]) => msText(sum.medianMs) },
					{ head: t.p99, isFigure: true, cell: ([, sum]) => msText(sum.p99Ms) },
				]}
			/>
		</Card>
	);
};

const msText = (ms: number | null): string => (ms === null ? "–" : t.ms({ ms: formatNumber(ms) }));

const secondsPer = [
	["d", 86_400],
	["h", 3600],
	["min", 60],
	["s", 1],
] as const;

/** Figures are bytes, seconds or numbers; `limit` and `value` of a condition have the unit of its figure. */
function valueText(name: string, value: number | null): string {
	if (value === null) return "–";
	if (/Disk|bytes/.test(name)) return t.gibibytes({ number: formatNumber(Number((value / 1e9).toFixed(1))) });
	if (!/seconds|ArchiveLate|RenewalsLate|TasksWait|BackupsLate|NotChecked/.test(name)) return formatNumber(value);
	const [unit, seconds] = secondsPer.find(([, each]) => value >= each) ?? ["s", 1];
	return `${formatNumber(Math.floor(value / seconds))} ${unit}`;
}
