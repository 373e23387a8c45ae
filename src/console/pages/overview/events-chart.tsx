import type { Static } from "@sinclair/typebox";
import { lazy, Suspense, useMemo } from "react";
import type { EventDay } from "../../../areas/usage/events/schema";
import { formatCompact, formatDayShort } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Empty, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { t } from "../../messages/overview";

const Chart = lazy(() => import("../../kit/chart"));

export function EventsChart() {
	const { data, error } = useOne<Static<typeof EventDay>[]>("/events/by-day");
	const days = useMemo(() => (data ?? []).map(({ day }) => day), [data]);
	const series = useMemo(() => [{ name: t.events, values: (data ?? []).map(({ events }) => events) }], [data]);
	if (error) return <Problem error={error} />;
	if (!data) return <Skeleton />;
	if (data.every(({ events }) => events === 0)) return <Empty title={t.noEvents} text={t.noEventsText} />;
	return (
		<Suspense fallback={<Skeleton />}>
			<Chart
				label={`${t.events}: ${data.map(({ day, events }) => `${formatDayShort(day)} ${formatCompact(events)}`).join(", ")}`}
				days={days}
				series={series}
				format={formatCompact}
				formatDay={formatDayShort}
			/>
		</Suspense>
	);
}
