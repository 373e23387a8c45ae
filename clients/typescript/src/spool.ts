import { appendFile, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { components } from "./api";

/** As `POST /api/v1/events` takes it. */
export type SentEvent = components["schemas"]["UsageEvent"];

/**
 * Without an `idempotencyKey` one is made here: an event counts once by it, however often it is sent. Without a `timestamp`
 * its time is that of the report, not of the sending.
 */
export type UsageEvent = Omit<SentEvent, "idempotencyKey"> & Partial<SentEvent>;

export interface SpoolOptions {
	/** Where events wait, each in a line of a file. One for each process. */
	readonly folder: string;
	/** Answers null when they are taken, else why they never will be. Rejects when they may be later. */
	readonly send: (events: SentEvent[]) => Promise<string | null>;
	/** 1000 when left out. */
	readonly flushEveryMs?: number;
	/** What may wait on disk, 256 MiB when left out; beyond it `add` rejects. */
	readonly bytesMax?: number;
	/** Told of events that the server will never take; they are kept in `refused.ndjson` too. */
	readonly onRefused?: (event: SentEvent, message: string) => void;
}

/** The interface's bound of one call. */
const eventsAtOnce = 1000;

/**
 * Events wait in files until the server has them. What `add` has resolved for is on disk and survives a kill; it is sent at
 * least once, and counted once by its key.
 */
export class EventSpool {
	readonly #options: SpoolOptions;
	readonly #ready: Promise<void>;
	readonly #timer: ReturnType<typeof setInterval>;
	/** What comes to the file with the next flush of the disk, and that flush; it follows the one before it. */
	#lines: string[] = [];
	#nextWrite: Promise<void> | undefined;
	#lastWrite: Promise<void> = Promise.resolve();
	#sending: Promise<void> | undefined;
	/** The file to which lines are added, which is not sent; a new one when there is none. */
	#path: string | undefined;
	/** What waits on disk, and what is about to. */
	#bytes = 0;

	constructor(options: SpoolOptions) {
		this.#options = options;
		this.#ready = this.#open();
		// Whoever waits for nothing else may end: what is left is sent after the next start.
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
			throw new Error(`${this.#bytes} bytes of events wait in '${folder}'; the server has not taken any.`);
		this.#bytes += bytes;
		this.#lines.push(line);
		this.#nextWrite ??= this.#lastWrite.catch(() => {}).then(() => this.#write());
		this.#lastWrite = this.#nextWrite;
		await this.#nextWrite;
	}

	/** Sends what waits; rejects when the server cannot be reached, and nothing is lost by it. */
	flush(): Promise<void> {
		this.#sending ??= this.#send().finally(() => {
			this.#sending = undefined;
		});
		return this.#sending;
	}

	/** Sends what waits, and ends. What cannot be sent stays for the next start. */
	async close(): Promise<void> {
		clearInterval(this.#timer);
		await this.#lastWrite.catch(() => {});
		await this.#sending?.catch(() => {});
		await this.flush().catch(() => {});
	}

	/** What an earlier process has left is sent with the rest. */
	async #open(): Promise<void> {
		await mkdir(this.#options.folder, { recursive: true });
		for (const path of await this.#paths()) this.#bytes += (await stat(path)).size;
	}

	/** Names sort by time. */
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
			// It may end within a line, to which nothing is to be added.
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
			for (let at = 0; at < events.length; at += eventsAtOnce) await this.#offer(events.slice(at, at + eventsAtOnce));
			await rm(path);
			this.#bytes -= Buffer.byteLength(text);
		}
	}

	/** A batch is taken whole or not at all: of one that is refused, the halves are offered, down to the event. */
	async #offer(events: SentEvent[]): Promise<void> {
		const message = await this.#options.send(events);
		if (message === null) return;
		const half = Math.ceil(events.length / 2);
		const [event] = events;
		if (event && half === events.length) {
			await appendFile(join(this.#options.folder, "refused.ndjson"), `${JSON.stringify({ message, event })}\n`);
			return this.#options.onRefused?.(event, message);
		}
		await this.#offer(events.slice(0, half));
		await this.#offer(events.slice(half));
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

/** A line that a kill has cut short was never promised to anybody. */
function parsed(line: string): SentEvent[] {
	try {
		return line === "" ? [] : [JSON.parse(line)];
	} catch {
		return [];
	}
}
