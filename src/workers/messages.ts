import type { LogLevel } from "../http/log";

/** What every thread is told when it starts. */
export interface WorkerSettings {
	readonly folder: string;
	readonly logLevel: LogLevel;
	readonly pdfLifetimeMs: number;
	readonly pdfBytesMax: number;
}

/** From the main thread. `wake` says only "look": the table is the queue. `request` is a thread's own business. */
export type ToWorker =
	| { readonly kind: "start"; readonly settings: WorkerSettings }
	| { readonly kind: "wake" }
	| { readonly kind: "stop" }
	| { readonly kind: "request"; readonly request: unknown };

/**
 * From a thread. `idle`: there is nothing left to do, and nothing that waits for its time. `unconfirmed`: the disk did not
 * confirm a commit, and the process has to end.
 */
export type FromWorker =
	| { readonly kind: "ready" }
	| { readonly kind: "idle" }
	| { readonly kind: "stopped" }
	| { readonly kind: "unconfirmed"; readonly cause: string }
	| { readonly kind: "answer"; readonly answer: unknown };
