import { appendFile, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { components } from "./api";

/** The body of `POST /api/v1/events`. */
export type SentEvent = components["schemas"]["UsageEvent"];

/**
 * The client adds a missing `idempotencyKey`, so that an event counts once even if it is sent again. It adds a missing
 * `timestamp` with the time of the report.
 */
export type UsageEvent = Omit<SentEvent, "idempotencyKey"> & Partial<SentEvent>;

export interface SpoolOptions {
	/** The folder of the waiting events. Each process needs its own. */
	readonly folder: string;
	/** Returns null if the server has stored the events, or why it rejects them permanently. Rejects on temporary errors. */
	readonly send: (events: SentEvent[]) => Promise<string | null>;
	/** Defaults to 1000. */
	readonly flushEveryMs?: number;
	/** The limit of waiting events on disk; beyond it `add` rejects. Defaults to 256 MiB. */
	readonly bytesMax?: number;
	/** Called for events that the server rejects permanently; they are also written to `refused.ndjson`. */
	readonly onRefused?: (event: SentEvent, message: string) => void;
}

/** The limit of the API for one call. */
const eventsAtOnce = 1000;

/**
 * Stores events in files until the server has them. An event is on disk when `add` resolves, and survives a crash. It is sent at
 * least once, and its key makes it count once.
 */
export class EventSpool {
	readonly #options: SpoolOptions;
	readonly #ready: Promise<void>;
	readonly #timer: ReturnType<typeof setInterval>;
	/** The lines of the next write, and that write, which waits for the previous one. */
	#lines: string[] = [];
	#nextWrite: Promise<void> | undefined;
	#lastWrite: Promise<void> = Promise.resolve();
	#sending: Promise<void> | undefined;
	/** The file that is being written, which is not sent yet. */
	#path: string | undefined;
	/** The size of all waiting events. */
	#bytes = 0;

	constructor(options: SpoolOptions) {
		this.#options = options;
		this.#ready = this.#open();
		// The timer does not keep the process alive; the next start sends remaining events.
		this.#timer = setInterval(() => void this.flush().catch(() => {}), options.flushEveryMs ?? 1000);
		this.#timer.unref();
	}

	/** Resolves when the event is on disk. */
	async add(event: UsageEvent): Promise<void> {
		await this.#ready;
		const { folder, bytesMax = 256 * 1024 * 1024 } = this.#options;
		const line = `${JSON.stringify({ idempotencyKey: crypto.randomUUID(), timestamp: new Date().toISOString(), ...event })}\n`;
		const bytes = Buffer.byteLength(line);
		if (this.#bytes + bytes > bytesMax)
			throw new Error(`${this.#bytes} bytes of events wait in '${folder}'; the server has stored none of them.`);
		this.#bytes += bytes;
		this.#lines.push(line);
		this.#nextWrite ??= this.#lastWrite.catch(() => {}).then(() => this.#write());
		this.#lastWrite = this.#nextWrite;
		await this.#nextWrite;
	}

	/** Sends the waiting events. Rejects when the server is unreachable, and loses nothing. */
	flush(): Promise<void> {
		this.#sending ??= this.#send().finally(() => {
			this.#sending = undefined;
		});
		return this.#sending;
	}

	/** Sends the waiting events and stops. Unsent events stay for the next start. */
	async close(): Promise<void> {
		clearInterval(this.#timer);
		await this.#lastWrite.catch(() => {});
		await this.#sending?.catch(() => {});
		await this.flush().catch(() => {});
	}

	/** Counts the files of an earlier process, which are sent with the rest. */
	async #open(): Promise<void> {
		await mkdir(this.#options.folder, { recursive: true });
		for (const path of await this.#paths()) this.#bytes += (await stat(path)).size;
	}

	/** Returns the files in order of time. */
	async #paths(): Promise<string[]> {
		const { folder } = this.#options;
		const names = (await readdir(folder)).filter((name) => /^events-.*\.ndjson$/.test(name));
		return names.sort().map((name) => join(folder, name));
	}

	async #write(): Promise<void> {
		this.#nextWrite = undefined;
		this.#path ??= join(this.#options.folder, `events-${Date.now()}-${crypto.randomUUID()}.ndjson`);
		const text = this.#lines.splice(0).join("");
		try {
			await appendDurably(this.#path, text);
		} catch (error) {
			// The file may end in an incomplete line, so it gets no more lines.
			this.#path = undefined;
			this.#bytes -= Buffer.byteLength(text);
			throw error;
		}
	}

	async #send(): Promise<void> {
		await this.#ready;
		this.#path = undefined;
		await this.#lastWrite.catch(() => {});
		for (const path of await this.#paths()) {
			if (path === this.#path) continue;
			const text = await readFile(path, "utf8");
			const events = text.split("\n").flatMap(parsed);
			for (let at = 0; at < events.length; at += eventsAtOnce)
				await this.#sendBatch(events.slice(at, at + eventsAtOnce));
			await rm(path);
			this.#bytes -= Buffer.byteLength(text);
		}
	}

	/** The server stores a batch completely or not at all. A rejected batch is split in halves, down to single events. */
	async #sendBatch(events: SentEvent[]): Promise<void> {
		const message = await this.#options.send(events);
		if (message === null) return;
		const half = Math.ceil(events.length / 2);
		const [event] = events;
		if (event && half === events.length) {
			await appendFile(join(this.#options.folder, "refused.ndjson"), `${JSON.stringify({ message, event })}\n`);
			return this.#options.onRefused?.(event, message);
		}
		await this.#sendBatch(events.slice(0, half));
		await this.#sendBatch(events.slice(half));
	}
}

async function appendDurably(path: string, text: string): Promise<void> {
	const file = await open(path, "a");
	try {
		await file.appendFile(text);
		await file.datasync();
	} finally {
		await file.close();
	}
}

/** Ignores an incomplete line: its `add` never resolved. */
function parsed(line: string): SentEvent[] {
	try {
		return line === "" ? [] : [JSON.parse(line)];
	} catch {
		return [];
	}
}
