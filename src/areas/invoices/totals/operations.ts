import type { Static } from "@sinclair/typebox";
import { and, asc, eq, gte, lt } from "drizzle-orm";
import { type Instant, instantOf, toIso } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { invoiceDays } from "../table";
import { type InvoiceTotals, type InvoiceTotalsQuery, totalsDaysMax } from "./schema";

const dayMs = 86_400_000;

/** The range in days if the caller gives no start. */
const daysDefault = 365;

/**
 * Returns the totals issued in each interval and currency, excluding canceled invoices, by whole days in UTC. Intervals without
 * invoices are left out. Throws BadUserInput for more than `totalsDaysMax` days.
 */
export function invoiceTotals(work: Work, query: InvoiceTotalsQuery): Static<typeof InvoiceTotals>[] {
	const to = query.to === undefined ? work.now + dayMs : instantOf(query.to);
	const from = query.from === undefined ? to - daysDefault * dayMs : instantOf(query.from);
	const [first, end] = [Math.floor(from / dayMs), Math.ceil(to / dayMs)];
	if (end <= first || end - first > totalsDaysMax)
		throw fail("BadUserInput", `query/from: must lie before 'to', and at most ${totalsDaysMax} days before it.`);
	const rows = work.tx
		.select()
		.from(invoiceDays)
		.where(
			and(
				eq(invoiceDays.environmentId, work.actor.environmentId),
				gte(invoiceDays.day, first),
				lt(invoiceDays.day, end),
			),
		)
		.orderBy(asc(invoiceDays.day), asc(invoiceDays.currency))
		.all();
	const totals = new Map<string, { from: string; currency: string; invoices: number; hundredths: number }>();
	for (const { day, currency, invoices, totalHundredths } of rows) {
		const iso = toIso((day * dayMs) as Instant).slice(0, 10);
		const begins = query.interval === "MONTH" ? `${iso.slice(0, 7)}-01` : iso;
		const key = `${begins} ${currency}`;
		const sum = totals.get(key) ?? { from: begins, currency, invoices: 0, hundredths: 0 };
		sum.invoices += invoices;
		sum.hundredths += totalHundredths;
		totals.set(key, sum);
	}
	return [...totals.entries()]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([, sum]) => sum)
		.filter(({ invoices }) => invoices > 0)
		.map(({ hundredths, ...sum }) => ({ ...sum, total: hundredths / 100 }));
}
