import type { Reader, SlowReaders } from "../../../http/responses/slow-readers";
import type { OpenStreams, StreamEnd } from "../../../http/responses/streams";
import type { Actor } from "../../../kernel/work";
import type { Told } from "./watched";

/** Our choice: what waits for a reader that does not take it. Beyond it the connection is ended: it can always begin again. */
export const queueBytesMax = 1024 * 1024;

/** Our choice: below what proxies and this server wait for a connection that says nothing. */
const keepAliveMs = 10_000;

/** Our choice: when a client that has lost its connection opens another. */
const retryMs = 2_000;

const reasons: Readonly<Record<StreamEnd, string>> = {
	SERVER_CLOSING: "The server closes its connections; open another, it begins with how things stand then.",
	SLOW_READER: "The events were not read in time; open another connection and read it without a pause.",
	ACCESS_ENDED: "The key may not read this any more.",
	TOO_MANY_CUSTOMERS: "The environment has more customers than one connection follows; name up to 200 of them.",
	COMPLETE: "All that was asked for has been told.",
	INTERNAL_ERROR: "The server failed; open another connection.",
};

/** One connection that is told of changes: it writes events, and ends itself when nobody reads them. */
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
			() => this.#readers.forget(this),
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

	/** Without a word: what waits would have to be read first. */
	terminate(): void {
		const controller = this.#controller;
		this.#close();
		controller?.error(new Error(reasons.SLOW_READER));
	}

	/** What has to be undone when it ends, whatever ends it. */
	onEnd(undo: () => void): void {
		if (this.#controller) this.#onEnd.push(undo);
		else undo();
	}

	send(event: "snapshot" | "change" | "ready", data: Told | { readonly at: string }): void {
		this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
	}

	/** Says why, and closes. */
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
		for (const undo of this.#onEnd.splice(0)) undo();
	}
}
