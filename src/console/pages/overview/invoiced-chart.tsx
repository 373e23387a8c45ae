import type { Static } from "@sinclair/typebox";
import { lazy, Suspense, useCallback, useMemo } from "react";
import type { InvoiceTotals } from "../../../areas/invoices/totals/schema";
import { withQuery } from "../../api";
import { formatMoneyShort, formatMonth } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Empty, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { t } from "../../messages/overview";

const Chart = lazy(() => import("../../kit/chart"));

/** In one currency: the one in which most was invoiced. */
export function InvoicedChart() {
	const { data, error } = useOne<Static<typeof InvoiceTotals>[]>(withQuery("/invoices/totals", { interval: "MONTH" }));
	const currency = useMemo(() => mostUsed(data ?? []), [data]);
	const rows = useMemo(() => (data ?? []).filter((row) => row.currency === currency), [data, currency]);
	const days = useMemo(() => rows.map(({ from }) => from), [rows]);
	const series = useMemo(
		() => [{ name: currency.toUpperCase(), values: rows.map(({ total }) => total) }],
		[rows, currency],
	);
	const format = useCallback((value: number) => formatMoneyShort(value, currency), [currency]);
	if (error) return <Problem error={error} />;
	if (!data) return <Skeleton />;
	if (rows.length === 0) return <Empty title={t.noInvoices} text={t.noInvoicesText} />;
	return (
		<Suspense fallback={<Skeleton />}>
			<Chart
				label={`${t.invoiced}: ${rows.map(({ from, total }) => `${formatMonth(from)} ${format(total)}`).join(", ")}`}
				days={days}
				series={series}
				format={format}
				formatDay={formatMonth}
			/>
		</Suspense>
	);
}

function mostUsed(rows: readonly Static<typeof InvoiceTotals>[]): string {
	const counts = new Map<string, number>();
	for (const { currency, invoices } of rows) counts.set(currency, (counts.get(currency) ?? 0) + invoices);
	return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? "usd";
}
