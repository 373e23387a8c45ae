import type { Work } from "../../../kernel/work";
import { type Reported, recordReport as record } from "../../usage/reports/operations";
import type { UsageReportRow } from "../../usage/reports/table";
import { emitMeasurementEvent } from "./events.usage";
import { recordReached } from "./operations";

/** Records a report of usage, emits its event, and compares the usage with thresholds, in the same transaction. */
export function recordReport(work: Work, reported: Reported): UsageReportRow {
	const report = record(work, reported);
	emitMeasurementEvent(work, reported, report);
	recordReached(work, reported.customerId, reported.resourceRef);
	return report;
}
