import { mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A usage event, as `POST /api/v1/events` takes it. */
export interface UsageEvent {
	readonly eventName: string;
	readonly customerId: string;
	readonly resourceId?: string | null;
	/** Made here when left out: an event counts once by it, however often it is sent. */
	readonly idempotencyKey?: string;
	readonly dimensions?: Readonly<Record<string, string | number | boolean>>;
	/** Now, when left out: the time of the report, not of the sending. */
	readonly timestamp?: string;
}

export interface SpoolOptions {
	/** Where events wait, each in a line of a file. One for each process. */
	readonly folder: string;
	/** Answers null when they are taken, else why they never will be. Rejects when they may be later. */
	readonly send: (events: readonly object[]) => Promise<string | null>;
	readonly flushEveryMs?: number;
	/** What may wait on disk; beyond it `add` rejects. */
	readonly bytesMax?: number;
	/** Told of events that the server will never take; they are kept in `refused.ndjson` too. */
	readonly onRefused?: (event: object, message: string) => void;
}

/** The interface's bound of one call. */
const eventsAtOnce = 1000;

/**
 * Events wait in files until the server has them. What `add` has resolved for is on disk and survives a kill; it is sent at
 * least once, and counted once by its key.
 */
export class EventSpool {
	readonly #options: Required<Omit<SpoolOptions, "onRefused">> & Pick<SpoolOptions, "onRefused">;
	readonly #ready: Promise<void>;
	#waiting: Array<{ readonly line: string; readonly resolve: () => void; readonly reject: (error: unknown) => void }> =
		[];
	#writing: Promise<void> | undefined;
	#sending: Promise<void> | undefined;
	#file = "";
	#inFile = 0;
	#files = 0;
	#bytes = 0;
	readonly #timer: ReturnType<typeof setInterval>;

	constructor(options: SpoolOptions) {
		this.#options = { flushEveryMs: 1000, bytesMax: 256 * 1024 * 1024, ...options };
		this.#ready = this.#open();
		// Whoever waits for nothing else may end: what is left is sent after the next start.
		this.#timer = setInterval(() => void this.flush().catch(() => {}), this.#options.flushEveryMs);
		this.#timer.unref();
	}

	/** Resolves when the event is on disk. */
	async add(event: UsageEvent): Promise<void> {
		await this.#ready;
		const { idempotencyKey = crypto.randomUUID(), timestamp = new Date().toISOString() } = event;
		const line = `${JSON.stringify({ ...event, idempotencyKey, timestamp })}\n`;
		if (this.#bytes + line.length > this.#options.bytesMax)
			throw new Error(
				`${this.#bytes} bytes of events wait in '${this.#options.folder}'; the server has not taken any.`,
			);
		this.#bytes += line.length;
		await new Promise<void>((resolve, reject) => {
			this.#waiting.push({ line, resolve, reject });
			this.#writing ??= this.#write();
		});
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
		await this.#writing;
		await this.flush().catch(() => {});
	}

	/** What an earlier process has left is sent with the rest. */
	async #open(): Promise<void> {
		const { folder } = this.#options;
		await mkdir(folder, { recursive: true });
		for (const name of await this.#names()) this.#bytes += (await stat(join(folder, name))).size;
	}

	async #names(): Promise<string[]> {
		const names = await readdir(this.#options.folder);
		return names.filter((name) => /^events-.*\.ndjson$/.test(name)).sort();
	}

	/** All that waits, with one flush of the disk. */
	async #write(): Promise<void> {
		while (this.#waiting.length > 0) {
			const batch = this.#waiting.splice(0, eventsAtOnce);
			try {
				if (this.#file === "" || this.#inFile + batch.length > eventsAtOnce) this.#next();
				this.#inFile += batch.length;
				const file = await open(join(this.#options.folder, this.#file), "a");
				try {
					await file.appendFile(batch.map(({ line }) => line).join(""));
					await file.datasync();
				} finally {
					await file.close();
				}
				for (const { resolve } of batch) resolve();
			} catch (error) {
				for (const { reject } of batch) reject(error);
			}
		}
		this.#writing = undefined;
	}

	/** Names sort by time; no two processes choose the same one. */
	#next(): void {
		this.#files += 1;
		const order = `${Date.now()}`.padStart(15, "0");
		this.#file = `events-${order}-${`${this.#files}`.padStart(8, "0")}-${crypto.randomUUID()}.ndjson`;
		this.#inFile = 0;
	}

	async #send(): Promise<void> {
		await this.#ready;
		await this.#writing;
		// What is added from now on comes to another file.
		this.#file = "";
		for (const name of await this.#names()) {
			if (name === this.#file) continue;
			const path = join(this.#options.folder, name);
			const text = await readFile(path, "utf8");
			const events = text.split("\n").flatMap(parsed);
			for (let at = 0; at < events.length; at += eventsAtOnce) await this.#offer(events.slice(at, at + eventsAtOnce));
			await rm(path, { force: true });
			this.#bytes -= Buffer.byteLength(text);
		}
	}

	/** A batch is taken whole or not at all: of one that is refused, the halves are offered, down to the event. */
	async #offer(events: readonly object[]): Promise<void> {
		const [first] = events;
		if (!first) return;
		const refusal = await this.#options.send(events);
		if (refusal === null) return;
		if (events.length === 1) return this.#setAside(first, refusal);
		const half = Math.ceil(events.length / 2);
		await this.#offer(events.slice(0, half));
		await this.#offer(events.slice(half));
	}

	async #setAside(event: object, message: string): Promise<void> {
		await writeFile(join(this.#options.folder, "refused.ndjson"), `${JSON.stringify({ message, event })}\n`, {
			flag: "a",
		});
		this.#options.onRefused?.(event, message);
	}
}

/** A line that a kill has cut short was never promised to anybody. */
function parsed(line: string): object[] {
	try {
		const event: unknown = JSON.parse(line);
		return typeof event === "object" && event !== null ? [event] : [];
	} catch {
		return [];
	}
}
