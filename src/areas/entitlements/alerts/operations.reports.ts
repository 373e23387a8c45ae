import type { Work } from "../../../kernel/work";
import { type Reported, recordReport as record } from "../../usage/reports/operations";
import type { UsageReportRow } from "../../usage/reports/table";
import { recordReached } from "./operations";

/** As usage keeps a report, and holds what it comes to against the thresholds, in the same transaction. */
export function recordReport(work: Work, reported: Reported): UsageReportRow {
	const report = record(work, reported);
	recordReached(work, reported.customerId, reported.resourceRef);
	return report;
}
