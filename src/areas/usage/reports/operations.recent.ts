import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { Period } from "../../../kernel/period";
import type { Transaction, Work } from "../../../kernel/work";
import { type UsageReportRow, usageReports } from "./table";

const newest = (tx: Transaction) =>
	tx
		.select()
		.from(usageReports)
		.where(
			and(
				eq(usageReports.seriesId, sql.placeholder("seriesId")),
				gte(usageReports.at, sql.placeholder("start")),
				lt(usageReports.at, sql.placeholder("end")),
			),
		)
		.orderBy(desc(usageReports.at))
		.limit(sql.placeholder("rows"))
		.prepare();

/** Returns the newest reports with a time within the period, at most `eventsMax`. */
export const newestReports = (
	work: Work,
	series: { readonly id: number },
	{ start, end }: Period,
	rows: number,
): UsageReportRow[] => work.prepared(newest).all({ seriesId: series.id, start, end, rows });
