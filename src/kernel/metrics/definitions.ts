/** The upper bounds of durations, in seconds. */
const durations = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

const sizes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const;

interface Definition {
	readonly type: "counter" | "gauge" | "histogram";
	/** The sentence that monitoring systems show. */
	readonly help: string;
	readonly labels: readonly string[];
	/** The upper bounds of a histogram. */
	readonly bounds?: readonly number[];
}

/** All metrics, by name. Durations are in seconds, sizes in bytes. */
export const definitions = {
	tollgate_http_request_duration_seconds: {
		type: "histogram",
		help: "Time from the arrival of a request to its response, by route template, method and class of status.",
		labels: ["method", "route", "status"],
		bounds: durations,
	},
	tollgate_http_requests_in_progress: {
		type: "gauge",
		help: "Requests without a complete response, streams among them.",
		labels: ["thread"],
	},
	tollgate_http_rejections_total: {
		type: "counter",
		help: "Requests that were rejected, by error code.",
		labels: ["code"],
	},
	tollgate_event_loop_delay_seconds: {
		type: "histogram",
		help: "Delay of a thread's timer, measured at each of its heartbeats.",
		labels: ["thread"],
		bounds: durations,
	},
	tollgate_thread_cpu_seconds_total: {
		type: "counter",
		help: "CPU time of a thread since it started.",
		labels: ["thread"],
	},
	tollgate_thread_up: {
		type: "gauge",
		help: "1 if the thread has reported its figures within 200 ms, otherwise 0. Threads that run on demand appear while they run.",
		labels: ["thread"],
	},
	tollgate_thread_deaths_total: {
		type: "counter",
		help: "Deaths of a thread. Tollgate has started another one after each.",
		labels: ["thread"],
	},
	tollgate_thread_stalls_total: {
		type: "counter",
		help: "Times that a thread has made no progress for more than a second.",
		labels: ["thread"],
	},
	tollgate_process_memory_bytes: {
		type: "gauge",
		help: "Resident memory of the process.",
		labels: [],
	},
	tollgate_process_cpu_seconds_total: {
		type: "counter",
		help: "CPU time of the process.",
		labels: [],
	},
	tollgate_process_start_time_seconds: {
		type: "gauge",
		help: "Start of the process, in seconds since 1970.",
		labels: [],
	},
	tollgate_process_descriptors: {
		type: "gauge",
		help: "Open files and connections of the process. Files are some tens.",
		labels: [],
	},
	tollgate_process_descriptors_max: {
		type: "gauge",
		help: "Files and connections that the process may have open.",
		labels: [],
	},
	tollgate_build_info: {
		type: "gauge",
		help: "Always 1; the label is the version of the executable.",
		labels: ["version"],
	},
	tollgate_file_bytes: {
		type: "gauge",
		help: "Size of each database file and of its write-ahead log.",
		labels: ["file"],
	},
	tollgate_disk_free_bytes: {
		type: "gauge",
		help: "Free space of the file system of the data folder.",
		labels: [],
	},
	tollgate_backup_last_timestamp_seconds: {
		type: "gauge",
		help: "Time of the last scheduled backup, in seconds since 1970.",
		labels: [],
	},
	tollgate_backup_last_duration_seconds: {
		type: "gauge",
		help: "Time that the last scheduled backup took until it was verified at its destination.",
		labels: [],
	},
	tollgate_backup_last_bytes: {
		type: "gauge",
		help: "Size of the last scheduled backup, compressed and sealed.",
		labels: [],
	},
	tollgate_backup_last_check_timestamp_seconds: {
		type: "gauge",
		help: "Time of the last restore of a scheduled backup into a scratch folder, in seconds since 1970.",
		labels: [],
	},
	tollgate_backup_last_check_findings: {
		type: "gauge",
		help: "Findings in the last restored backup; 0 if it was sound.",
		labels: [],
	},
	tollgate_backup_failures: {
		type: "gauge",
		help: "Failures of scheduled backups, or of their checks, since the last success.",
		labels: [],
	},
	tollgate_check_last_timestamp_seconds: {
		type: "gauge",
		help: "Time of the last `tollgate check` of the data folder, in seconds since 1970.",
		labels: [],
	},
	tollgate_check_last_findings: {
		type: "gauge",
		help: "Findings of the last `tollgate check`; 0 if the folder was sound.",
		labels: [],
	},
	tollgate_checkpoint_duration_seconds: {
		type: "histogram",
		help: "Duration of the checkpoints of a file's write-ahead log.",
		labels: ["file"],
		bounds: durations,
	},
	tollgate_commit_duration_seconds: {
		type: "histogram",
		help: "Duration of the commits that writes share, until they are on disk.",
		labels: ["file"],
		bounds: durations,
	},
	tollgate_commit_writes: {
		type: "histogram",
		help: "Number of writes, or of requests with events, that shared a commit.",
		labels: ["file"],
		bounds: sizes,
	},
	tollgate_event_requests_total: {
		type: "counter",
		help: "Requests with usage events, by outcome.",
		labels: ["outcome"],
	},
	tollgate_events_accepted_total: {
		type: "counter",
		help: "Usage events that were new and are on disk.",
		labels: [],
	},
	tollgate_events_uncounted: {
		type: "gauge",
		help: "Usage events on disk that are not in the totals yet.",
		labels: [],
	},
	tollgate_archive_late_seconds: {
		type: "gauge",
		help: "Time by which the first block of the event log is older than TOLLGATE_EVENTS_KEEP_DAYS allows; 0 if it is not. Blocks move each hour.",
		labels: [],
	},
	tollgate_archive_files_waiting: {
		type: "gauge",
		help: "Files of old events that are in the data folder and not in the bucket.",
		labels: [],
	},
	tollgate_archive_bytes_waiting: {
		type: "gauge",
		help: "Bytes of the files of old events that are in the data folder and not in the bucket.",
		labels: [],
	},
	tollgate_tasks: {
		type: "gauge",
		help: "Tasks that wait or run, by type: PDFs, mails, imports, migrations, simulations, erasures, rebuilds.",
		labels: ["type", "status"],
	},
	tollgate_tasks_oldest_seconds: {
		type: "gauge",
		help: "Age of the oldest task that waits or runs, by type.",
		labels: ["type"],
	},
	tollgate_webhooks: {
		type: "gauge",
		help: "Webhook endpoints, by status.",
		labels: ["status"],
	},
	tollgate_webhooks_failing: {
		type: "gauge",
		help: "Active webhook endpoints whose last delivery failed.",
		labels: [],
	},
	tollgate_webhook_events_waiting: {
		type: "gauge",
		help: "Events after the position of the active endpoint that is furthest behind.",
		labels: [],
	},
	tollgate_due_oldest_seconds: {
		type: "gauge",
		help: "Time since the first due step, such as a renewal, became due; 0 if none is late. Environments with a test clock do not count.",
		labels: [],
	},
	tollgate_subscriptions: {
		type: "gauge",
		help: "Subscriptions, by status.",
		labels: ["status"],
	},
	tollgate_subscription_problems: {
		type: "gauge",
		help: "Subscriptions whose last due step failed; `problem` in the response explains each.",
		labels: [],
	},
	tollgate_invoices: {
		type: "gauge",
		help: "Invoices, by state.",
		labels: ["state"],
	},
	tollgate_invoices_overdue: {
		type: "gauge",
		help: "Open invoices after their due date, in environments on the machine's clock.",
		labels: [],
	},
} as const satisfies Readonly<Record<string, Definition>>;

export type MetricName = keyof typeof definitions;

type Label<Name extends MetricName> = (typeof definitions)[Name]["labels"][number];

/** The labels of a metric, each with a text. The main thread adds the name of the thread where it is missing. */
export type LabelsOf<Name extends MetricName> = Readonly<
	Record<Exclude<Label<Name>, "thread">, string> & Partial<Record<Extract<Label<Name>, "thread">, string>>
>;

export const definitionOf = (name: MetricName): Definition => definitions[name];
