import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Instant } from "../kernel/clock";
import type { MetricName } from "../kernel/metrics/definitions";
import type { Figure } from "../kernel/metrics/meter";
import { writeWholeAsync } from "../kernel/storage/disk";
import { Points } from "./history";

const At = Type.Unsafe<Instant>(Type.Integer({ minimum: 0 }));

/** The figures of the monitor that the status page shows: each is the highest or the sum of its series. */
const recordedFigures = {
	tollgate_due_oldest_seconds: "max",
	tollgate_events_uncounted: "max",
	tollgate_subscription_problems: "max",
	tollgate_tasks: "sum",
	tollgate_tasks_oldest_seconds: "max",
	tollgate_webhook_events_waiting: "max",
	tollgate_webhooks_failing: "max",
	tollgate_invoices_overdue: "max",
	tollgate_archive_late_seconds: "max",
	tollgate_archive_files_waiting: "max",
} as const satisfies Partial<Record<MetricName, "max" | "sum">>;

/** The record of the monitor in the data folder: it survives a restart. */
const StatusRecord = Type.Object({
	/** The time of the figures. */
	at: At,
	figures: Type.Record(Type.String({ maxLength: 100 }), Type.Number()),
	points: Points,
});
export type StatusRecord = Static<typeof StatusRecord>;

const recordPath = (folder: string): string => join(folder, "status.json");

/** Returns undefined if there is none, or a damaged one. */
export async function readRecord(folder: string): Promise<StatusRecord | undefined> {
	try {
		const read: unknown = JSON.parse(await readFile(recordPath(folder), "utf8"));
		return Value.Check(StatusRecord, read) ? read : undefined;
	} catch {
		return undefined;
	}
}

export const writeRecord = (folder: string, record: StatusRecord): Promise<void> =>
	writeWholeAsync(recordPath(folder), JSON.stringify(record));

/** Returns the figures that a record keeps. */
export function figuresToRecord(figures: readonly Figure[]): Record<string, number> {
	const kept: Record<string, number> = Object.fromEntries(Object.keys(recordedFigures).map((name) => [name, 0]));
	for (const { name, value } of figures) {
		const kind = recordedFigures[name as keyof typeof recordedFigures];
		if (kind) kept[name] = kind === "sum" ? (kept[name] ?? 0) + value : Math.max(kept[name] ?? 0, value);
	}
	return kept;
}
