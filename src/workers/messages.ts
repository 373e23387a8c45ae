import type { StorageSettings } from "../areas/usage/archive/rules.storage";
import type { BackupSettings } from "../folder/backups/settings";
import type { ApiSettings } from "../http/api-settings";
import type { Instant } from "../kernel/clock";
import type { Figure } from "../kernel/metrics/meter";
import type { ReplaceableFile } from "../kernel/storage/damage";
import type { WorkerName } from "../kernel/work";
import type { Inspected, InspectionOrder } from "./inspection";
import type { LinkedTo, Port } from "./links";

/** The settings that every thread receives when it starts. */
export interface WorkerSettings {
	readonly folder: string;
	/** Shared memory: the level of the log (http/log-level.ts). */
	readonly logLevel: SharedArrayBuffer;
	/** After how many days usage events move to the archive; undefined: never. */
	readonly eventsKeepDays: number | undefined;
	/** For how many days repeated events are recognized (undefined: forever), and the memory for it. */
	readonly eventsKnownDays: number | undefined;
	readonly eventsKnownBytesMax: number;
	/** How long backups are kept, and with them the objects of the storage that an erasure has replaced. */
	readonly backupsKeptMs: number;
	/** After how many days events of the feed and their deliveries are removed. */
	readonly webhooksKeepDays: number;
	/** After how many days entries of the audit log are removed; undefined: never. */
	readonly auditKeepDays: number | undefined;
	/** Where files of old events move to; undefined: nowhere. */
	readonly storage: StorageSettings | undefined;
	/** The schedule of backups; undefined: none is made. */
	readonly backups: BackupSettings | undefined;
	readonly pdfLifetimeMs: number;
	readonly pdfBytesMax: number;
	/** Shared memory: the number of commits of each file (kernel/storage/epochs.ts), and the heartbeats (heartbeat.ts). */
	readonly epochs: SharedArrayBuffer;
	readonly heartbeats: SharedArrayBuffer;
	/** The thread's own place among the heartbeats. */
	readonly heartbeat: number;
	readonly http: HttpSettings;
	readonly api: ApiSettings;
	/** The port that serves metrics on the loopback interface; undefined if no thread counts anything. */
	readonly metricsPort: number | undefined;
}

/** The settings of the HTTP threads. */
export interface HttpSettings {
	readonly host: string;
	/** Addresses and networks, as configured. */
	readonly trustedProxies: readonly string[];
	/** The total size of the bodies that one thread reads at a time. */
	readonly bodyBytesMax: number;
	/** Shared memory for the call limit of the edge (limits.ts). */
	readonly edgeCalls: SharedArrayBuffer;
	/** The number of HTTP threads, including the main thread. */
	readonly threads: number;
	/** Requests that take longer, in milliseconds, are logged; 0 logs none. */
	readonly slowMs: number;
}

/**
 * A message from the main thread. `wake` means "look for work": the table is the queue. `connect` gives one end of a link to the called
 * thread, `link` the other end to the caller; `unlink` reports that the called thread has died. `listen` and `close` are for HTTP threads.
 * `measure` asks for what the thread has counted, and `collected` tells the monitor what all threads have.
 * `inspect` makes the thread profile itself, or describe its memory.
 */
export type ToWorker =
	| { readonly kind: "start"; readonly settings: WorkerSettings }
	| { readonly kind: "wake"; readonly worker?: WorkerName }
	| { readonly kind: "stop" }
	| { readonly kind: "connect"; readonly port: Port }
	| { readonly kind: "link"; readonly to: LinkedTo; readonly port: Port }
	| { readonly kind: "unlink"; readonly to: LinkedTo }
	| { readonly kind: "state"; readonly notReady: readonly string[] }
	| { readonly kind: "listen"; readonly port: number }
	| { readonly kind: "close" }
	| { readonly kind: "measure" }
	| { readonly kind: "collected"; readonly figures: readonly Figure[] }
	| { readonly kind: "inspect"; readonly order: InspectionOrder };

/**
 * A message from a thread. `idle`: no work is left or scheduled. `unconfirmed`: the disk did not confirm a commit, so the process must
 * end. `suspect`: the thread met damage that may be in these files. `collect`: the monitor asks for the figures of all threads.
 */
export type FromWorker =
	| { readonly kind: "ready" }
	| { readonly kind: "idle" }
	| { readonly kind: "stopped" }
	| { readonly kind: "closed" }
	| { readonly kind: "wake"; readonly worker: WorkerName }
	| { readonly kind: "due"; readonly at: Instant | undefined }
	| { readonly kind: "unconfirmed"; readonly cause: string }
	| { readonly kind: "suspect"; readonly files: readonly ReplaceableFile[] }
	| { readonly kind: "measured"; readonly figures: readonly Figure[] }
	| { readonly kind: "inspected"; readonly inspected: Inspected }
	| { readonly kind: "collect" };
