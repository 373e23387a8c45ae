import { randomBytes } from "node:crypto";
import { Command, InvalidArgumentError, Option } from "commander";
import { eventTypeNames } from "../areas/outbox/event-types";
import { signedHeaders } from "../areas/webhooks/rules.secrets";
import type { Instant } from "../kernel/clock";
import { DomainError, fail } from "../kernel/errors";
import type { CliContext } from "./context";

/** The wait of a long poll, and the time of a receiver, which is that of a webhook endpoint. */
const waitSeconds = 25;
const receiverMs = 30_000;
/** The first and the longest pause before an unreachable server is called again. */
const pauseMs = 500;
const pauseMsMax = 10_000;

interface ListenOptions {
	readonly forward?: string;
	readonly print?: boolean;
	readonly types?: readonly string[];
	readonly apiKey?: string;
	readonly url?: string;
	readonly after?: number;
	readonly secret?: string;
}

export function listenCommand({ config, print }: CliContext): Command {
	return new Command("listen")
		.description("Follow what happens on a running server, and send it to an address of this machine; Ctrl-C ends it.")
		.option("--forward <url>", "post each event there, signed as a webhook is", readUrl)
		.option("--print", "print each event as JSON, on a line of its own")
		.option("--types <a,b>", "events of these types only", readTypes)
		.addOption(new Option("--api-key <secret>", "an API key that may read webhooks (WEBHOOK:READ)").env("API_KEY"))
		.option("--url <url>", "where the server is; by TOLLGATE_HOST and TOLLGATE_PORT when left out", readUrl)
		.option("--after <sequence>", "begin after this event; left out: with what comes from now on", readSequence)
		.option("--secret <whsec_…>", "sign by this secret; left out: by a new one, which is printed", readSecret)
		.action(async ({ apiKey, url, print: isPrinted = false, ...options }: ListenOptions) => {
			if (apiKey === undefined) throw new InvalidArgumentError("Name a key: --api-key, or API_KEY in the environment.");
			if (options.forward === undefined && !isPrinted)
				throw new InvalidArgumentError("Say what to do with events: --forward <url>, --print, or both.");
			const { host, port } = config();
			const stopping = new AbortController();
			for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
			const here = `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;
			await listen({ ...options, apiKey, url: url ?? here, isPrinted, print, stopping: stopping.signal });
		});
}

function readUrl(text: string): string {
	const url = URL.parse(text);
	if (!url || !/^https?:$/.test(url.protocol))
		throw new InvalidArgumentError("An address such as http://localhost:3000/hook.");
	return text;
}

function readTypes(text: string): string[] {
	const types = text.split(",").map((type) => type.trim());
	const unknown = types.find((type) => !(eventTypeNames as readonly string[]).includes(type));
	if (unknown !== undefined)
		throw new InvalidArgumentError(`There is no type '${unknown}'; GET /api/v1/webhooks/event-types lists them.`);
	return types;
}

function readSequence(text: string): number {
	if (!/^\d{1,15}$/.test(text))
		throw new InvalidArgumentError("The sequence of an event, or 0 for the first that is kept.");
	return Number(text);
}

function readSecret(text: string): string {
	if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(text))
		throw new InvalidArgumentError("'whsec_' and at least 24 bytes in Base64.");
	return text;
}

export interface Listening {
	/** The address of the server. */
	readonly url: string;
	readonly apiKey: string;
	/** The address to which events are sent, if any. */
	readonly forward?: string;
	/** Whether to print events completely. */
	readonly isPrinted: boolean;
	readonly types?: readonly string[];
	readonly after?: number;
	readonly secret?: string;
	readonly print: (text: string) => void;
	readonly stopping: AbortSignal;
}

interface Event {
	readonly type: string;
	readonly messageId: string;
	readonly sequence: number;
}

interface Page {
	readonly data: readonly Event[];
	readonly next: number;
}

/**
 * Reads the feed until it is stopped, one event at a time. It waits for an unreachable server and continues after the last event. DomainError
 * if the key may not read.
 */
export async function listen(listening: Listening): Promise<void> {
	const { forward, types, stopping, print, isPrinted } = listening;
	const secret = listening.secret ?? `whsec_${randomBytes(24).toString("base64")}`;
	if (forward !== undefined) print(`Signed by ${secret}, forwarded to ${forward}`);
	let { after } = listening;
	let pause = pauseMs;
	while (!stopping.aborted) {
		const page = await readPage(listening, after);
		if (!page) {
			if (stopping.aborted) return;
			print("The server does not answer; it is asked again.");
			await pauseFor(pause, stopping);
			pause = Math.min(pause * 2, pauseMsMax);
			continue;
		}
		pause = pauseMs;
		for (const event of page.data) {
			if (stopping.aborted) return;
			after = event.sequence;
			if (types !== undefined && !types.includes(event.type)) continue;
			const text = JSON.stringify(event);
			if (isPrinted) print(text);
			if (forward !== undefined) print(`${after}  ${event.type}  ${await send(forward, secret, event, text)}`);
		}
		after = page.next;
	}
}

/** Reads a page; undefined if the server does not answer. The first call, without a position, returns the end of the feed at once. */
async function readPage({ url, apiKey, stopping }: Listening, after: number | undefined): Promise<Page | undefined> {
	const place = after === undefined ? "from=end" : `after=${after}&wait=${waitSeconds}`;
	try {
		const answer = await fetch(`${url}/api/v1/events-out?${place}`, {
			headers: { "x-api-key": apiKey },
			signal: AbortSignal.any([stopping, AbortSignal.timeout(receiverMs + waitSeconds * 1000)]),
		});
		if (answer.ok) return (await answer.json()) as Page;
		const { message = answer.statusText } = (await answer.json().catch(() => ({}))) as { message?: string };
		if (answer.status < 500 && answer.status !== 429) throw fail("BadUserInput", `The server refuses: ${message}`);
	} catch (error) {
		if (error instanceof DomainError) throw error;
	}
	return undefined;
}

/** Forwards an event. Never rejects: its line shows a failure. Nothing is sent again: the next start may begin `--after` an earlier event. */
async function send(forward: string, secret: string, { messageId }: Event, body: string): Promise<string> {
	const begun = performance.now();
	try {
		const { status } = await fetch(forward, {
			method: "POST",
			body,
			redirect: "manual",
			signal: AbortSignal.timeout(receiverMs),
			headers: {
				"content-type": "application/json",
				"user-agent": "Tollgate-Webhooks",
				...signedHeaders([secret], messageId, Date.now() as Instant, body),
			},
		});
		return `${status} in ${Math.round(performance.now() - begun)} ms`;
	} catch (error) {
		return `not delivered: ${error instanceof Error ? error.message : String(error)}`;
	}
}

const pauseFor = (ms: number, stopping: AbortSignal): Promise<unknown> => {
	const stopped = Promise.withResolvers<void>();
	stopping.addEventListener("abort", () => stopped.resolve(), { once: true });
	return Promise.race([Bun.sleep(ms), stopped.promise]);
};
