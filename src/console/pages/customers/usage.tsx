import { useQueries } from "@tanstack/react-query";
import type { EffectiveFeatureEntitlement } from "../../../areas/entitlement-sources/schema";
import type { EntitlementsAnswer } from "../../../areas/entitlements/schema";
import type { UsageHistory } from "../../../areas/usage/schema";
import { pathTo, withQuery } from "../../api";
import { CopyAsCurl } from "../../kit/copy";
import { formatDate, formatNumber } from "../../kit/format";
import { queryOf, useOne } from "../../kit/list";
import { Card, Empty, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { useClock } from "../../kit/values";
import { t } from "../../messages/customers";
import type { OfCustomer } from "./lists";

const dayMs = 86_400_000;
const daysShown = 30;
const chartsMax = 24;

type Metered = EffectiveFeatureEntitlement & { readonly feature: NonNullable<EffectiveFeatureEntitlement["feature"]> };

/** The usage of each metered feature as a chart. */
export function Usage({ customer }: OfCustomer) {
	const path = `${pathTo("/customers", customer.id)}/entitlements`;
	const { data, error, refetch } = useOne<EntitlementsAnswer>(path);
	const { data: clock } = useClock();
	const metered = (data?.entitlements ?? [])
		.filter(
			(one): one is Metered => one.type === "FEATURE" && one.feature !== undefined && one.currentUsage !== undefined,
		)
		.slice(0, chartsMax);
	const until = clock ? Math.ceil(Date.parse(clock.now) / dayMs) * dayMs : 0;
	const paths = metered.map(({ feature }) =>
		withQuery(pathTo("/usage", customer.id, "history", feature.id), {
			startDate: new Date(until - daysShown * dayMs).toISOString(),
			endDate: new Date(until).toISOString(),
		}),
	);
	const histories = useQueries({
		queries: paths.map((each) => ({ ...queryOf<UsageHistory>(each), enabled: clock !== undefined })),
	});
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!data || !clock) return <Skeleton lines={6} />;
	if (metered.length === 0) return <Empty title={t.noUsage} text={t.noUsageText} />;
	return (
		<>
			<p className="quiet">{t.usageText}</p>
			<div className="grid">
				{metered.map((one, at) => (
					<Card
						key={one.feature.id}
						title={one.feature.displayName}
						text={`${formatNumber(one.currentUsage)}${one.usageLimit ? ` / ${formatNumber(one.usageLimit)}` : ""}`}
						actions={<CopyAsCurl path={paths[at] ?? path} />}
					>
						<Problem error={histories[at]?.error} />
						{histories[at]?.data ? (
							<Bars label={one.feature.displayName} points={histories[at].data.series[0]?.points ?? []} />
						) : (
							!histories[at]?.error && <Skeleton lines={3} />
						)}
					</Card>
				))}
			</div>
		</>
	);
}

type Point = UsageHistory["series"][number]["points"][number];

const width = 300;
const height = 96;

/** One bar for each day, with its value as the tooltip. */
function Bars({ label, points }: { readonly label: string; readonly points: readonly Point[] }) {
	const max = Math.max(1, ...points.map(({ value }) => value));
	const step = width / Math.max(points.length, 1);
	return (
		<>
			<svg className="bars" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
				{points.map(({ timestamp, value }, at) => {
					const tall = (value / max) * (height - 2);
					return (
						<rect
							key={timestamp}
							x={at * step + 1}
							y={height - tall}
							width={Math.max(step - 2, 1)}
							height={tall}
							rx={1.5}
						>
							<title>{`${formatDate(timestamp)}: ${formatNumber(value)}`}</title>
						</rect>
					);
				})}
			</svg>
			<p className="small quiet ends">
				<span>{formatDate(points[0]?.timestamp)}</span>
				<span>{formatDate(points.at(-1)?.timestamp)}</span>
			</p>
		</>
	);
}
