import { instantOf } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import { cutPage, type Page, pageRequestOf, unknownCursor } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { getCustomer } from "../../customers/operations";
import { getFeature } from "../../features/operations";
import { reportReader } from "./operations";
import type { ReportedUsage, ReportedUsageQuery } from "./schema";
import { selectReports } from "./store.list";
import type { UsageReportRow } from "./table";
import { viewReport } from "./view";

/**
 * Lists the reports of a feature for a customer, or for one of its resources, the latest time of use first. A feature
 * that counts events has none. Throws CustomerNotFound, FeatureNotFound, BadUserInput.
 */
export function listReports(
	work: Work,
	{ customerRef, featureRef }: Readonly<Record<"customerRef" | "featureRef", string>>,
	query: ReportedUsageQuery,
): Page<ReportedUsage> {
	const customerId = getCustomer(work, customerRef).id;
	const featureId = getFeature(work, featureRef).id;
	const resourceRef = query.resourceId ?? "";
	const page = pageReports(work, { customerId, featureId, resourceRef }, query);
	return { ...page, rows: page.rows.map((row) => viewReport(row, { customerRef, featureRef, resourceRef })) };
}

function pageReports(
	work: Work,
	of: Readonly<Record<"customerId" | "featureId" | "resourceRef", string>>,
	query: ReportedUsageQuery,
): Page<UsageReportRow> {
	const { cursor, isBackward, rowsMax } = pageRequestOf(query);
	const from = query.from === undefined ? undefined : instantOf(query.from);
	const to = query.to === undefined ? undefined : instantOf(query.to);
	if (from !== undefined && to !== undefined && from >= to)
		throw fail("BadUserInput", "query/from: must lie before 'to'.");
	const series = reportReader(work).find(of);
	const { idempotencyKey } = query;
	const found = series && selectReports(work, series, { from, to, idempotencyKey, cursor, isBackward, rowsMax });
	if (cursor !== undefined && !found) throw unknownCursor(cursor);
	return cutPage(query, found ?? []);
}
