import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { SingleBar } from "cli-progress";
import { fail } from "../kernel/errors";

/** Well within the limits of one request (10000 events, 8 MiB). */
const linesMax = 5_000;
const charactersMax = 2 * 1024 * 1024;

/** A server restarts within this time. */
const triesMax = 8;
const pauseMs = 500;
const pauseMsMax = 10_000;

/** The statuses after which a retry may succeed: too many requests, a restart, a proxy without its server. */
const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

export interface EventsImport {
	readonly file: string;
	/** The size of the file. */
	readonly bytes: number;
	/** The address of the server. */
	readonly url: string;
	readonly key: string;
	readonly print: (text: string) => void;
}

/** Lines of the file that are sent in one request. */
interface Batch {
	readonly firstLine: number;
	readonly lines: readonly string[];
}

/**
 * Sends a file in parts, each completely or not at all. Returns the number of events. A repeated event counts once, so a file that was sent
 * in part can be sent again. A refusal names the line of the file.
 */
export async function importEvents(order: EventsImport): Promise<number> {
	const progress = progressOf(order);
	let events = 0;
	try {
		for await (const batch of batchesOf(order.file)) {
			const filled = batch.lines.filter((line) => line.trim() !== "").length;
			if (filled > 0) await sendBatch(order, batch);
			events += filled;
			progress.passed(batch, events);
		}
	} finally {
		progress.end();
	}
	return events;
}

async function* batchesOf(file: string): AsyncGenerator<Batch> {
	let firstLine = 1;
	let lines: string[] = [];
	let characters = 0;
	for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
		if (lines.length > 0 && (lines.length === linesMax || characters + line.length > charactersMax)) {
			yield { firstLine, lines };
			firstLine += lines.length;
			lines = [];
			characters = 0;
		}
		lines.push(line);
		characters += line.length;
	}
	if (lines.length > 0) yield { firstLine, lines };
}

async function sendBatch({ url, key }: EventsImport, batch: Batch): Promise<void> {
	for (let attempt = 1; ; attempt += 1) {
		const answer = await fetch(`${url}/api/v1/events`, {
			method: "POST",
			headers: { "x-api-key": key, "content-type": "application/x-ndjson" },
			body: batch.lines.join("\n"),
		}).catch((error: unknown) => error);
		if (answer instanceof Response && answer.ok) return;
		const isPassing = !(answer instanceof Response) || passing.has(answer.status);
		if (!isPassing || attempt === triesMax) throw await refusalOf(url, answer, batch);
		const seconds = answer instanceof Response ? Number(answer.headers.get("retry-after")) : 0;
		await Bun.sleep(seconds > 0 ? seconds * 1000 : Math.min(pauseMsMax, pauseMs * 2 ** (attempt - 1)));
	}
}

async function refusalOf(url: string, answer: unknown, { firstLine, lines }: Batch): Promise<Error> {
	const before =
		firstLine > 1
			? `The lines before ${firstLine} were accepted; correct it and send the file again`
			: "Nothing was accepted";
	if (!(answer instanceof Response)) return fail("BadUserInput", `The server at ${url} does not answer. ${before}.`);
	const body: unknown = await answer.json().catch(() => undefined);
	const said =
		typeof body === "object" && body !== null && "message" in body ? String(body.message) : `status ${answer.status}`;
	// The server counts the lines of one request, and the events that name unknown customers from 0.
	const message = said
		.replace(/^body, line (\d+)/, (_, line: string) => `line ${firstLine + Number(line) - 1}`)
		.replace(/events\[(\d+)\]/g, (_, index: string) => `line ${lineOfEvent(lines, Number(index)) + firstLine}`);
	return fail("BadUserInput", `${message} ${before}.`);
}

/** Whether a line has an event: empty lines have none. */
function lineOfEvent(lines: readonly string[], index: number): number {
	const filled = [...lines.entries()].filter(([, line]) => line.trim() !== "");
	return filled[index]?.[0] ?? index;
}

interface Progress {
	passed(batch: Batch, events: number): void;
	end(): void;
}

/** Shows the progress: a bar on a terminal, a line for each tenth in a log. */
function progressOf({ bytes, print }: EventsImport): Progress {
	let sent = 0;
	const bar = process.stderr.isTTY
		? new SingleBar({ format: "{bar} {percentage} % | {events} events | {eta_formatted} left", hideCursor: true })
		: undefined;
	bar?.start(Math.max(1, bytes), 0, { events: 0 });
	let tenth = 0;
	return {
		passed: ({ lines }, events) => {
			for (const line of lines) sent += Buffer.byteLength(line) + 1;
			const done = Math.min(sent, bytes);
			bar?.update(done, { events });
			const now = Math.floor((done * 10) / Math.max(1, bytes));
			if (!bar && now > tenth && now < 10) print(`${now * 10} %, ${events} events`);
			tenth = now;
		},
		end: () => bar?.stop(),
	};
}
