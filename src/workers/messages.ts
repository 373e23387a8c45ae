import type { StorageSettings } from "../areas/usage/archive/rules.storage";
import type { ApiSettings } from "../http/api-settings";
import type { LogLevel } from "../http/log";
import type { ReplaceableFile } from "../kernel/storage/damage";
import type { WorkerName } from "../kernel/work";
import type { LinkedTo, Port } from "./links";

/** What every thread is told when it starts. */
export interface WorkerSettings {
	readonly folder: string;
	readonly logLevel: LogLevel;
	/** After how many days usage events move to the archive; undefined: never. */
	readonly eventsKeepDays: number | undefined;
	/** For how many days events stay known, undefined: for ever; and what that may take of memory. */
	readonly eventsKnownDays: number | undefined;
	readonly eventsKnownBytesMax: number;
	/** How long backups are kept, and with them the objects of the storage that an erasure has replaced. */
	readonly backupsKeptMs: number;
	/** After how many days events for those outside, and what was sent of them, are removed. */
	readonly webhooksKeepDays: number;
	/** After how many days entries of the audit log are removed; undefined: never. */
	readonly auditKeepDays: number | undefined;
	/** Where files of old events move to; undefined: nowhere. */
	readonly storage: StorageSettings | undefined;
	readonly pdfLifetimeMs: number;
	readonly pdfBytesMax: number;
	/** Memory that all threads share: how often each file was committed (kernel/storage/epochs.ts), and who is alive (heartbeat.ts). */
	readonly epochs: SharedArrayBuffer;
	readonly heartbeats: SharedArrayBuffer;
	/** The thread's own place among the heartbeats. */
	readonly heartbeat: number;
	readonly http: HttpSettings;
	readonly api: ApiSettings;
}

/** What the threads that serve need to know. */
export interface HttpSettings {
	readonly host: string;
	/** As it was set: addresses and networks. */
	readonly trustedProxies: readonly string[];
	/** What the bodies that one thread reads may take together. */
	readonly bodyBytesMax: number;
	/** Where all of them count who reads the edge (limits.ts). */
	readonly edgeCalls: SharedArrayBuffer;
	/** How many threads serve, the main one included. */
	readonly threads: number;
}

/**
 * From the main thread. `wake` says only "look": the table is the queue. `connect` hands over one end of a link to who is
 * called, `link` the other to who calls; `unlink` tells that whom it called has died. `listen` and `close` are for the
 * threads that serve.
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
	| { readonly kind: "close" };

/**
 * From a thread. `idle`: there is nothing left to do, and nothing that waits for its time. `unconfirmed`: the disk did not
 * confirm a commit, and the process has to end. `suspect`: the thread has met damage that may be in these files.
 */
export type FromWorker =
	| { readonly kind: "ready" }
	| { readonly kind: "idle" }
	| { readonly kind: "stopped" }
	| { readonly kind: "closed" }
	| { readonly kind: "wake"; readonly worker: WorkerName }
	| { readonly kind: "unconfirmed"; readonly cause: string }
	| { readonly kind: "suspect"; readonly files: readonly ReplaceableFile[] };
