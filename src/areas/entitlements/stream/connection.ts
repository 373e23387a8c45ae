import type { Reader, SlowReaders } from "../../../http/responses/slow-readers";
import type { OpenStreams, StreamEnd } from "../../../http/responses/streams";
import type { Actor } from "../../../kernel/work";
import type { EntitlementUpdate } from "./watched";

/** The queue of a slow reader. When it is full, the connection ends; the client can open another. */
export const queueBytesMax = 1024 * 1024;

/** Shorter than the idle timeout of proxies and of this server. */
const keepAliveMs = 10_000;

/** The pause after which a client reconnects. */
const retryMs = 2_000;

const reasons: Readonly<Record<StreamEnd, string>> = {
	SERVER_CLOSING: "The server closes its connections; open another one, which starts with a snapshot.",
	SLOW_READER: "The events were not read in time; open another connection and read it without a pause.",
	ACCESS_ENDED: "The key has lost its access.",
	TOO_MANY_CUSTOMERS: "The environment has more customers than one connection follows; send up to 200 customer ids.",
	COMPLETE: "The snapshot is complete.",
	INTERNAL_ERROR: "The server failed; open another connection.",
};

/** One connection for server-sent events. It ends itself when the client does not read them. */
export class Connection implements Reader {
	readonly #readers: SlowReaders;
	readonly body: ReadableStream<Uint8Array>;
	readonly #encoder = new TextEncoder();
	readonly #onEnd: Array<() => void> = [];
	#controller: ReadableStreamDefaultController<Uint8Array> | undefined;
	#keepAlive: ReturnType<typeof setInterval> | undefined;

	constructor(streams: OpenStreams, actor: Pick<Actor, "environmentId" | "id">) {
		this.#readers = streams.readers;
		this.#onEnd.push(
			streams.add(actor, (reason) => this.end(reason)),
			() => this.#readers.remove(this),
		);
		this.body = new ReadableStream<Uint8Array>(
			{
				start: (controller) => {
					this.#controller = controller;
				},
				pull: () => this.#readers.drained(this),
				cancel: () => this.#close(),
			},
			{ highWaterMark: queueBytesMax, size: (chunk) => chunk?.byteLength ?? 0 },
		);
		this.#write(`retry: ${retryMs}\n\n`);
		this.#keepAlive = setInterval(() => this.#write(": keep-alive\n\n"), keepAliveMs);
	}

	getBufferedAmount(): number {
		return this.#controller ? queueBytesMax - (this.#controller.desiredSize ?? queueBytesMax) : 0;
	}

	/** Ends the connection without an event, which would wait behind the full queue. */
	terminate(): void {
		const controller = this.#controller;
		this.#close();
		controller?.error(new Error(reasons.SLOW_READER));
	}

	/** Registers a cleanup that runs when the connection ends, for any reason. */
	onEnd(cleanUp: () => void): void {
		if (this.#controller) this.#onEnd.push(cleanUp);
		else cleanUp();
	}

	send(event: "snapshot" | "change" | "ready", data: EntitlementUpdate | { readonly at: string }): void {
		this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
	}

	/** Sends the reason, and closes the connection. */
	end(reason: StreamEnd): void {
		const controller = this.#controller;
		if (!controller) return;
		const data = JSON.stringify({ reason, message: reasons[reason] });
		controller.enqueue(this.#encoder.encode(`event: end\ndata: ${data}\n\n`));
		controller.close();
		this.#close();
	}

	#write(text: string): void {
		const controller = this.#controller;
		if (!controller) return;
		const bytes = this.#encoder.encode(text);
		if ((controller.desiredSize ?? 0) < bytes.byteLength) {
			this.end("SLOW_READER");
			return;
		}
		controller.enqueue(bytes);
		this.#readers.sent(this);
	}

	#close(): void {
		this.#controller = undefined;
		clearInterval(this.#keepAlive);
		for (const cleanUp of this.#onEnd.splice(0)) cleanUp();
	}
}
