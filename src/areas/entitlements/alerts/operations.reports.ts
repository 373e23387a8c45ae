import type { Work } from "../../../kernel/work";
import { markReportedUsage } from "../../subscriptions/spend-thresholds/operations.mark";
import { type Reported, recordReport as record } from "../../usage/reports/operations";
import type { UsageReportRow } from "../../usage/reports/table";
import { emitMeasurementEvent } from "./events.usage";
import { recordReached } from "./operations";

/** Records a report of usage, emits its event, compares the usage with alerts, and marks it for spend thresholds, in the same transaction. */
export function recordReport(work: Work, reported: Reported): UsageReportRow {
	const report = record(work, reported);
	emitMeasurementEvent(work, reported, report);
	markReportedUsage(work, reported.customerId, reported.at);
	recordReached(work, reported.customerId, reported.resourceRef);
	return report;
}
