import runbooks from "../../docs/runbooks.md" with { type: "text" };
import type { MetricName } from "../kernel/metrics/definitions";

/** A condition that an operator looks at. It has the name, the threshold and the runbook of its alert (ops/prometheus/alerts.yaml). */
interface Rule {
	readonly alert: string;
	readonly metric: MetricName;
	/** Whether the alert compares the time since the metric, in seconds. */
	readonly isAge?: true;
	readonly below?: number;
	readonly above?: number;
}

/** Conditions of one moment. Alerts about rates need a monitoring system. */
export const statusRules: readonly Rule[] = [
	{ alert: "TollgateDiskAlmostFull", metric: "tollgate_disk_free_bytes", below: 2e9 },
	{ alert: "TollgateUsageLate", metric: "tollgate_events_uncounted", above: 10_000 },
	{ alert: "TollgateArchiveLate", metric: "tollgate_archive_late_seconds", above: 172_800 },
	{ alert: "TollgateBucketLate", metric: "tollgate_archive_files_waiting", above: 7 },
	{ alert: "TollgateRenewalsLate", metric: "tollgate_due_oldest_seconds", above: 300 },
	{ alert: "TollgateBillingProblems", metric: "tollgate_subscription_problems", above: 0 },
	{ alert: "TollgateWebhooksFail", metric: "tollgate_webhooks_failing", above: 0 },
	{ alert: "TollgateTasksWait", metric: "tollgate_tasks_oldest_seconds", above: 3600 },
	{ alert: "TollgateBackupsLate", metric: "tollgate_backup_last_timestamp_seconds", isAge: true, above: 93_600 },
	{ alert: "TollgateBackupsFail", metric: "tollgate_backup_failures", above: 2 },
	{ alert: "TollgateBackupUnsound", metric: "tollgate_backup_last_check_findings", above: 0 },
	{
		alert: "TollgateBackupNotChecked",
		metric: "tollgate_backup_last_check_timestamp_seconds",
		isAge: true,
		above: 864_000,
	},
	{ alert: "TollgateCheckUnsound", metric: "tollgate_check_last_findings", above: 0 },
];

export interface Condition {
	readonly alert: string;
	/** `UNKNOWN`: nothing has measured it. */
	readonly state: "GOOD" | "BAD" | "UNKNOWN";
	/** The value that the alert compares: bytes, seconds or a number. */
	readonly value: number | null;
	readonly limit: number;
	readonly summary: string;
	/** The steps of the runbook. */
	readonly remedy: readonly string[];
}

/** Compares figures with the thresholds of the alerts, at a time in seconds. */
export const conditionsOf = (figures: ReadonlyMap<string, number>, nowSeconds: number): Condition[] =>
	statusRules.map(({ alert, metric, isAge, below, above }) => {
		const figure = figures.get(metric);
		const value = figure === undefined ? null : isAge ? Math.max(0, nowSeconds - figure) : figure;
		const isBad = value !== null && (below === undefined ? value > (above ?? 0) : value < below);
		const { summary, steps } = runbookOf(alert);
		return {
			...{ alert, state: value === null ? ("UNKNOWN" as const) : isBad ? ("BAD" as const) : ("GOOD" as const) },
			...{ value, limit: below ?? above ?? 0, summary, remedy: steps },
		};
	});

/** Reads the section of an alert: its first sentence, and its steps as plain text. */
export function runbookOf(alert: string): { readonly summary: string; readonly steps: readonly string[] } {
	const section = runbooks.split(`\n### ${alert}\n`)[1]?.split("\n#")[0] ?? "";
	const lines = section.split("\n").filter((line) => line.trim() !== "");
	return {
		summary: plain(lines.find((line) => !line.startsWith("- ")) ?? ""),
		steps: lines.filter((line) => line.startsWith("- ")).map((line) => plain(line.slice(2))),
	};
}

/** Links become their texts, and code loses its marks. */
const plain = (text: string): string =>
	text
		.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
		.replaceAll("`", "")
		.replace(/ This alert is critical\.$/, "");
