import { useStorage } from "../areas/usage/archive/operations.storage";
import { type Log, openLog } from "../http/log";
import { onSuspected, type ReplaceableFile, replaceableFiles } from "../kernel/storage/damage";
import { isDamage, isFailedSync } from "../kernel/storage/failures";
import type { WorkerName } from "../kernel/work";
import { Heartbeats } from "./heartbeat";
import type { Link, LinkedTo, Port } from "./links";
import type { FromWorker, ToWorker, WorkerSettings } from "./messages";

declare const self: Worker;

/** What a thread does with what it is told. Every method may take its time; they are called one after the other. */
export interface WorkerBody {
	/** Look for work, and do it. Answers after how many milliseconds to look again; undefined when nothing waits. */
	wake(): Promise<number | undefined> | number | undefined;
	/** Look for this one's work: for a thread that has several. Not queued behind `wake`. */
	wakeJob?(worker: WorkerName): void;
	/** A call by a link, of the thread's own kind; `answer` is the same for all calls of a link. Not queued behind `wake`. */
	request?(request: unknown, answer: (answer: unknown) => void): void;
	/** Takes the calls of a link itself. */
	connect?(port: Port): void;
	/** Its own ways to other threads. */
	readonly links?: Partial<Record<LinkedTo, Link>>;
	/** The parts of the service that are not up now. */
	state?(notReady: readonly string[]): void;
	/** Serve at this port; and close it once what has begun is answered. */
	listen?(port: number): void;
	close?(): Promise<void>;
	/** Finish what is begun, close the files. */
	stop(): Promise<void> | void;
}

export const tell = (message: FromWorker): void => self.postMessage(message);

/** Ends the process by way of the main thread: a thread that exits ends only itself. */
export const tellUnconfirmed = (cause: unknown): void => tell({ kind: "unconfirmed", cause: String(cause) });

const tellSuspected = (files: readonly ReplaceableFile[]): void => tell({ kind: "suspect", files });

/** Whether this thread has been told to stop: what is begun is finished, nothing more is taken up. */
let stopping = false;
export const isStopping = (): boolean => stopping;

/** The life of a thread: opened by "start", woken, stopped. An uncaught error ends it, and the pool starts another. */
export function runWorker(
	name: string,
	open: (settings: WorkerSettings, log: Log) => WorkerBody | Promise<WorkerBody>,
): void {
	let body: WorkerBody | undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;
	// One after the other: a wake that comes during another starts when that one has ended, and several are one.
	let queue: Promise<void> = Promise.resolve();
	let wakePending = false;
	/** What fails here ends the thread; what the disk did not confirm ends the process. */
	const next = (step: () => Promise<void>): void => {
		queue = queue.then(step).catch((error) => {
			if (isFailedSync(error)) tellUnconfirmed(error);
			// Its statement may have read any of the files that it has open.
			if (isDamage(error)) tellSuspected(replaceableFiles);
			throw error;
		});
	};
	/** At once, unless the files are still being opened. */
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
			case "start":
				new Heartbeats(data.settings.heartbeats).beat(data.settings.heartbeat);
				onSuspected(tellSuspected);
				useStorage(data.settings.folder, data.settings.storage);
				next(async () => {
					body = await open(data.settings, openLog(data.settings.logLevel).child({ worker: name }));
					tell({ kind: "ready" });
				});
				return;
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
			case "stop":
				stopping = true;
				clearTimeout(timer);
				next(async () => {
					await body?.stop();
					tell({ kind: "stopped" });
				});
		}
	};
}

function connect(body: WorkerBody, port: Port): void {
	if (body.connect) body.connect(port);
	else {
		const answer = (told: unknown): void => port.postMessage(told);
		port.onmessage = ({ data }) => body.request?.(data, answer);
	}
}
