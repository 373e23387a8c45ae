import { Elysia } from "elysia";
import { recheck } from "../../http/authentication/recheck";
import type { Peers } from "../../http/client-address";
import { identity } from "../../http/identity";
import type { Reader } from "../../http/responses/slow-readers";
import { streamHeaders } from "../../http/responses/streams";
import { fail } from "../../kernel/errors";
import { answer } from "../../kernel/schema";
import type { Actor } from "../../kernel/work";
import type { Services } from "../../server/context";
import { feedOperations as operations } from "./openapi";
import { endOfFeed, type FeedPage, readFeed } from "./operations.feed";
import { Feed, FeedQuery, FeedStreamQuery, feedRowsDefault } from "./schema";

const permit = "WEBHOOK:READ";

/** A waiting reader receives an event within `lookEveryMs`. The heartbeat is shorter than the idle timeout of proxies. */
const lookEveryMs = 100;
const keepAliveMs = 10_000;
/** Events that are sent at once. A reader that does not take them is disconnected. */
const streamedMax = 100;
const queueBytesMax = 4 * 1024 * 1024;

/** Routes that let a client read events without an endpoint of its own. */
export const feedRoutes = (services: Services) => {
	const { transactions } = services;
	const pageOf = (actor: Actor, after: number, limit: number) =>
		transactions.read(actor, (work) => readFeed(work, after, limit));
	return new Elysia({ prefix: "/api/v1", tags: ["Webhooks"], normalize: false })
		.use(identity(services))
		.get(
			"/events-out",
			async ({ request, server, actor, query }) => {
				if (query.from !== undefined && query.after !== undefined)
					throw fail("BadUserInput", "query: give either 'after' or 'from', not both.");
				const start = query.from === "end" ? transactions.read(actor, endOfFeed) : Number(query.after ?? 0);
				const [after, limit] = [start, Number(query.limit ?? feedRowsDefault)];
				const waitMs = Number(query.wait ?? 0) * 1000;
				const readPage = () => pageOf(actor, after, limit);
				const first = readPage();
				const mayWait = first.events.length === 0 && waitMs > 0;
				const page = mayWait ? await waitForPage(services, { request, server, actor }, readPage, waitMs) : first;
				const text = `{"data":[${page.events.map((event) => event.text).join()}],"next":${page.next}}`;
				return services.unread.respond(text, {
					headers: { "content-type": "application/json;charset=utf-8" },
				});
			},
			{ detail: operations.read, permit: { scope: permit, takesLong: true }, query: FeedQuery, response: answer(Feed) },
		)
		.get(
			"/stream/events-out",
			({ request, server, actor, query }) => {
				const after = startOf(request.headers, query.after);
				const assertMayRead = recheck(services, request, server, { scope: permit });
				const mayRead = (): boolean => {
					try {
						assertMayRead();
						return true;
					} catch {
						// The reason does not matter here: the client's next call reports it.
						return false;
					}
				};
				const isOnce = query.once === "true";
				const body = streamOf(services, { actor, after, isOnce }, (from) => pageOf(actor, from, streamedMax), mayRead);
				return new Response(body, { headers: streamHeaders("text/event-stream") });
			},
			{ detail: operations.stream, permit, query: FeedStreamQuery },
		);
};

interface Waiting {
	readonly request: Request;
	readonly server: Peers | null;
	readonly actor: Actor;
}

/**
 * Waits until a page has events. The call counts as an open stream. It ends early if the caller disconnects or the
 * server stops. Throws the error of a new call if the key is no longer allowed to read.
 */
async function waitForPage(
	services: Services,
	{ request, server, actor }: Waiting,
	readPage: () => FeedPage,
	waitMs: number,
): Promise<FeedPage> {
	const assertMayRead = recheck(services, request, server, { scope: permit });
	const { signal } = request;
	let isEnded = false;
	const leave = services.streams.add(actor, () => {
		isEnded = true;
	});
	try {
		const untilMs = performance.now() + waitMs;
		for (;;) {
			await Bun.sleep(lookEveryMs);
			assertMayRead();
			const page = readPage();
			if (page.events.length > 0 || performance.now() >= untilMs || isEnded || signal.aborted) return page;
		}
	} finally {
		leave();
	}
}

/** Returns the position where a broken stream continues. Browsers send the id of the last event automatically. */
function startOf(headers: Headers, after: string | undefined): number {
	const last = headers.get("last-event-id");
	if (last === null || last === "") return Number(after ?? 0);
	if (!/^\d{1,15}$/.test(last)) throw fail("BadUserInput", "header/Last-Event-ID: must be the id of an event.");
	return Number(last);
}

/** Returns a stream of events. It ends when the server stops, the key loses its permission, or the client stops reading. */
function streamOf(
	{ streams }: Services,
	{ actor, after: start, isOnce }: { readonly actor: Actor; readonly after: number; readonly isOnce: boolean },
	pageAfter: (position: number) => FeedPage,
	mayRead: () => boolean,
): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	let after = start;
	let saidMs = performance.now();
	let reader: Reader | undefined;
	let end = (): void => {};
	let isOver = false;
	let stop = (): void => {};
	return new ReadableStream<Uint8Array>(
		{
			start: (controller) => {
				const leave = streams.add(actor, () => end());
				const { readers } = streams;
				reader = {
					getBufferedAmount: () => queueBytesMax - (controller.desiredSize ?? queueBytesMax),
					// The stream ends without an error event, because the client would have to read the queued events first.
					terminate: () => {
						stop();
						controller.error(new Error("The events were not read in time."));
					},
				};
				const looking = setInterval(() => look(), lookEveryMs);
				stop = () => {
					end = stop = () => {};
					isOver = true;
					clearInterval(looking);
					leave();
					if (reader) readers.remove(reader);
				};
				end = () => {
					stop();
					controller.close();
				};
				const say = (text: string): void => {
					if (isOver) return;
					saidMs = performance.now();
					controller.enqueue(encoder.encode(text));
					if (reader) readers.sent(reader);
				};
				const look = (): void => {
					// Events that the client does not take stay in the outbox, and the stream reads them again.
					if ((controller.desiredSize ?? 0) <= 0) return;
					if (!mayRead()) {
						end();
						return;
					}
					const { events, next } = pageAfter(after);
					for (const { position, type, text } of events) say(`id: ${position}\nevent: ${type}\ndata: ${text}\n\n`);
					after = next;
					if (isOnce && events.length === 0) {
						end();
						return;
					}
					if (performance.now() - saidMs >= keepAliveMs) say(": keep-alive\n\n");
				};
				say("retry: 2000\n\n");
				look();
			},
			pull: () => void (reader && streams.readers.drained(reader)),
			cancel: () => stop(),
		},
		{ highWaterMark: queueBytesMax, size: (chunk) => chunk?.byteLength ?? 0 },
	);
}
