import type { Work } from "../../../kernel/work";
import { type Reported, recordReport as record } from "../../usage/reports/operations";
import type { UsageReportRow } from "../../usage/reports/table";
import { measurementTold } from "./events.usage";
import { recordReached } from "./operations";

/** As usage keeps a report; tells of it where that is asked for, and holds what it comes to against the thresholds, in the same transaction. */
export function recordReport(work: Work, reported: Reported): UsageReportRow {
	const report = record(work, reported);
	measurementTold(work, reported, report);
	recordReached(work, reported.customerId, reported.resourceRef);
	return report;
}
