import { and, eq, getTableColumns, gte, lt, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import type { PageRequest } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { type UsageReportRow, type UsageReportSeriesRow, usageReports } from "./table";

/** Reports of one time are in the order of their arrival, which is that of the table's row ids. */
const rowid = sql<number>`${usageReports}.rowid`;

export interface ReportsAsked extends PageRequest {
	readonly from: Instant | undefined;
	readonly to: Instant | undefined;
	readonly idempotencyKey: string | undefined;
}

/**
 * Returns reports of a series by the time they count at, the latest first, from a cursor on; `backward` reverses the
 * order. Undefined if the cursor is no report of this series.
 */
export function selectReports(
	{ tx }: Work,
	{ id: seriesId }: UsageReportSeriesRow,
	{ from, to, idempotencyKey, cursor, isBackward, rowsMax }: ReportsAsked,
): UsageReportRow[] | undefined {
	const ofSeries = eq(usageReports.seriesId, seriesId);
	const place =
		cursor === undefined
			? undefined
			: tx
					.select({ at: usageReports.at, row: rowid })
					.from(usageReports)
					.where(and(eq(usageReports.id, cursor), ofSeries))
					.get();
	if (cursor !== undefined && !place) return undefined;
	const beyond = sql.raw(isBackward ? ">" : "<");
	const order = sql.raw(isBackward ? "asc" : "desc");
	return tx
		.select(getTableColumns(usageReports))
		.from(usageReports)
		.where(
			and(
				ofSeries,
				from === undefined ? undefined : gte(usageReports.at, from),
				to === undefined ? undefined : lt(usageReports.at, to),
				idempotencyKey === undefined ? undefined : eq(usageReports.idempotencyKey, idempotencyKey),
				place && sql`(${usageReports.at}, ${rowid}) ${beyond} (${place.at}, ${place.row})`,
			),
		)
		.orderBy(sql`${usageReports.at} ${order}, ${rowid} ${order}`)
		.limit(rowsMax)
		.all();
}
