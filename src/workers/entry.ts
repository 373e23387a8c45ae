import { useStorage } from "../areas/usage/archive/operations.storage";
import { type Log, openLog } from "../http/log";
import { SharedLogLevel } from "../http/log-level";
import type { Figure, Meter } from "../kernel/metrics/meter";
import { onSuspected, type ReplaceableFile, replaceableFiles } from "../kernel/storage/damage";
import { isDamage, isFailedSync } from "../kernel/storage/failures";
import type { WorkerName } from "../kernel/work";
import { Heartbeats } from "./heartbeat";
import type { Inspected, InspectionOrder } from "./inspection";
import type { Link, LinkedTo, Port } from "./links";
import type { FromWorker, ToWorker, WorkerSettings } from "./messages";
import { meterThread } from "./thread-meter";

declare const self: Worker;

/** The body of a thread: its reactions to messages. Calls follow each other; each may take long. */
export interface WorkerBody {
	/** Looks for work and does it. Returns after how many milliseconds to look again; undefined if nothing waits. */
	wake(): Promise<number | undefined> | number | undefined;
	/** Looks for work of one of the thread's jobs. Does not wait for `wake`. */
	wakeJob?(worker: WorkerName): void;
	/** Serves a call by a link; `answer` is the same for all calls of a link. Does not wait for `wake`. */
	request?(request: unknown, answer: (answer: unknown) => void): void;
	/** Receives the calls of a link itself. */
	connect?(port: Port): void;
	/** The thread's own links to other threads. */
	readonly links?: Partial<Record<LinkedTo, Link>>;
	/** Receives the names of the parts of the service that are not up. */
	state?(notReady: readonly string[]): void;
	/** Serves at this port. `close` resolves once all started requests are answered. */
	listen?(port: number): void;
	close?(): Promise<void>;
	/** Receives the figures of all threads. */
	collected?(figures: readonly Figure[]): void;
	/** Finishes work in progress and closes the files. */
	stop(): Promise<void> | void;
}

export const tell = (message: FromWorker): void => self.postMessage(message);

/** Ends the process through the main thread: a thread that exits ends only itself. */
export const tellUnconfirmed = (cause: unknown): void => tell({ kind: "unconfirmed", cause: String(cause) });

const tellSuspected = (files: readonly ReplaceableFile[]): void => tell({ kind: "suspect", files });

/** Whether the thread is stopping: it finishes work in progress and starts nothing new. */
let stopping = false;
export const isStopping = (): boolean => stopping;

/** Runs a thread: "start" opens it, "wake" makes it look for work, "stop" ends it. After an uncaught error the pool starts another. */
export function runWorker(
	name: string,
	open: (settings: WorkerSettings, log: Log, meter: Meter | undefined) => WorkerBody | Promise<WorkerBody>,
): void {
	let body: WorkerBody | undefined;
	let meter: Meter | undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;
	// Steps run one at a time. A wake that arrives during another runs after it; several become one.
	let queue: Promise<void> = Promise.resolve();
	let wakePending = false;
	/** Runs a step. A failure ends the thread; an unconfirmed write ends the process. */
	const next = (step: () => Promise<void>): void => {
		queue = queue.then(step).catch((error) => {
			if (isFailedSync(error)) tellUnconfirmed(error);
			// The failed statement may have read any of the open files.
			if (isDamage(error)) tellSuspected(replaceableFiles);
			throw error;
		});
	};
	/** Runs a step at once, or after the files are open. */
	const whenOpen = (step: (opened: WorkerBody) => void): void => {
		if (body) step(body);
		else queue = queue.then(() => body && step(body));
	};

	const wake = (): void => {
		if (wakePending) return;
		wakePending = true;
		next(async () => {
			wakePending = false;
			clearTimeout(timer);
			const againMs = await body?.wake();
			if (againMs !== undefined) timer = setTimeout(wake, againMs);
			else if (!wakePending) tell({ kind: "idle" });
		});
	};

	self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
		switch (data.kind) {
			case "start": {
				const measured = data.settings.metricsPort === undefined ? undefined : meterThread();
				meter = measured?.meter;
				new Heartbeats(data.settings.heartbeats).beat(data.settings.heartbeat, measured?.onBeat);
				onSuspected(tellSuspected);
				useStorage(data.settings.folder, data.settings.storage);
				next(async () => {
					const log = openLog(new SharedLogLevel(data.settings.logLevel)).child({ worker: name });
					body = await open(data.settings, log, meter);
					tell({ kind: "ready" });
				});
				return;
			}
			case "wake": {
				const { worker } = data;
				return worker === undefined ? wake() : whenOpen((opened) => opened.wakeJob?.(worker));
			}
			case "connect":
				return whenOpen((opened) => connect(opened, data.port));
			case "link":
				return whenOpen(({ links }) => links?.[data.to]?.connect(data.port));
			case "unlink":
				return whenOpen(({ links }) => links?.[data.to]?.disconnect());
			case "state":
				return whenOpen((opened) => opened.state?.(data.notReady));
			case "listen":
				return whenOpen((opened) => opened.listen?.(data.port));
			case "close":
				return whenOpen((opened) => void opened.close?.().then(() => tell({ kind: "closed" })));
			case "measure":
				return tell({ kind: "measured", figures: meter?.figures() ?? [] });
			case "inspect":
				return void inspectHere(data.order);
			case "collected":
				return whenOpen((opened) => opened.collected?.(data.figures));
			case "stop":
				stopping = true;
				clearTimeout(timer);
				next(async () => {
					// The step before may have set the timer. After the stop, a wake finds no open files.
					clearTimeout(timer);
					await body?.stop();
					body = undefined;
					tell({ kind: "stopped" });
				});
		}
	};
}

/** Profiles this thread or describes its memory. Loads the modules for it when it is asked to. */
async function inspectHere(order: InspectionOrder): Promise<void> {
	const { inspect } = await import("./inspection");
	const inspected = await inspect(order);
	self.postMessage({ kind: "inspected", inspected } satisfies FromWorker, transferable(inspected));
}

const transferable = (inspected: Inspected): ArrayBuffer[] =>
	inspected.kind === "snapshot" ? [inspected.snapshot] : [];

function connect(body: WorkerBody, port: Port): void {
	if (body.connect) body.connect(port);
	else {
		const answer = (message: unknown): void => port.postMessage(message);
		port.onmessage = ({ data }) => body.request?.(data, answer);
	}
}
