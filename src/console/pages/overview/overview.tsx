import { lazy, type ReactNode, Suspense, useMemo } from "react";
import type { InvoiceTotals } from "../../../areas/invoices/totals/schema";
import type { EventDay } from "../../../areas/usage/events/schema";
import { withQuery } from "../../api";
import { formatCompact, formatDayShort, formatMoneyShort, formatMonth } from "../../kit/format";
import { Card, Empty, Loaded, Page, Skeleton } from "../../kit/page";
import { t } from "../../messages/overview";
import { may } from "../../session";
import { Attention } from "./attention";

const Chart = lazy(() => import("../../kit/chart"));

const totalsPath = withQuery("/invoices/totals", { interval: "MONTH" });

const Overview = () => (
	<Page title={t.title} text={t.text} curl={totalsPath}>
		<Attention />
		<div className="grid">
			{may("INVOICE:READ") && (
				<Card title={t.invoiced} text={t.invoicedText}>
					<Loaded<InvoiceTotal[]> path={totalsPath} lines={3}>
						{(totals) => <InvoicedChart totals={totals} />}
					</Loaded>
				</Card>
			)}
			{may("USAGE:READ") && (
				<Card title={t.usage} text={t.usageText}>
					<Loaded<UsageDay[]> path="/events/by-day" lines={3}>
						{(days) => <EventsChart days={days} />}
					</Loaded>
				</Card>
			)}
		</div>
	</Page>
);
export default Overview;

type InvoiceTotal = (typeof InvoiceTotals)["static"];
type UsageDay = (typeof EventDay)["static"];

interface Bar {
	readonly day: string;
	readonly value: number;
}

interface BarChartProps {
	readonly name: string;
	readonly bars: readonly Bar[];
	readonly format: (value: number) => string;
	readonly formatDay: (day: string) => string;
	readonly empty: ReactNode;
}

function BarChart({ name, bars, format, formatDay, empty }: BarChartProps) {
	const days = useMemo(() => bars.map(({ day }) => day), [bars]);
	const series = useMemo(() => [{ name, values: bars.map(({ value }) => value) }], [name, bars]);
	if (bars.every(({ value }) => value === 0)) return empty;
	const label = bars.map(({ day, value }) => `${formatDay(day)} ${format(value)}`).join(", ");
	return (
		<Suspense fallback={<Skeleton />}>
			<Chart label={`${name}: ${label}`} {...{ days, series, format, formatDay }} />
		</Suspense>
	);
}

function EventsChart({ days }: { readonly days: readonly UsageDay[] }) {
	const bars = useMemo(() => days.map(({ day, events }) => ({ day, value: events })), [days]);
	const empty = <Empty title={t.noEvents} text={t.noEventsText} />;
	return <BarChart name={t.events} bars={bars} format={formatCompact} formatDay={formatDayShort} empty={empty} />;
}

/** Shows the currency with the most invoices. */
function InvoicedChart({ totals }: { readonly totals: readonly InvoiceTotal[] }) {
	const { bars, format } = useMemo(() => {
		const currency = mostUsed(totals);
		return {
			bars: totals.filter((one) => one.currency === currency).map(({ from, total }) => ({ day: from, value: total })),
			format: (value: number) => formatMoneyShort(value, currency),
		};
	}, [totals]);
	const empty = <Empty title={t.noInvoices} text={t.noInvoicesText} />;
	return <BarChart name={t.invoiced} bars={bars} format={format} formatDay={formatMonth} empty={empty} />;
}

function mostUsed(totals: readonly InvoiceTotal[]): string {
	const counts = new Map<string, number>();
	for (const { currency, invoices } of totals) counts.set(currency, (counts.get(currency) ?? 0) + invoices);
	return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? "usd";
}
