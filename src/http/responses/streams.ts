import type { Actor } from "../../kernel/work";
import { Places, type PlacesMax } from "./places";
import { SlowReaders } from "./slow-readers";

/**
 * Our choice: answers that stay open. A connection costs some kilobytes, and what it waits to send. Whatever one environment
 * opens, two fifths are left to the others.
 */
const streamsMax: PlacesMax = { thread: 500, environment: 300, caller: 200 };

/** Our choice: WebSockets. Each costs some kilobytes and a descriptor; all browsers of an environment call by one publishable key. */
const socketsMax: PlacesMax = { thread: 20_000, environment: 15_000, caller: 12_000 };

/** Why the server ends an answer that could have gone on. */
export type StreamEnd =
	| "SERVER_CLOSING"
	| "SLOW_READER"
	| "ACCESS_ENDED"
	| "TOO_MANY_CUSTOMERS"
	| "COMPLETE"
	| "INTERNAL_ERROR";

/** The headers of an answer that is sent as it comes: no cache keeps it, and no proxy holds back its parts. */
export const streamHeaders = (contentType: "text/event-stream" | "application/x-ndjson") => ({
	"content-type": `${contentType}; charset=utf-8`,
	"cache-control": "no-store",
	"x-accel-buffering": "no",
});

export interface OpenStreamsOptions {
	readonly readers?: SlowReaders;
	readonly streams?: PlacesMax;
	readonly sockets?: PlacesMax;
}

/** The connections of one thread that do not end by themselves: bounded, and ended before its port is closed. */
export class OpenStreams {
	/** With those of WebSockets. */
	readonly readers: SlowReaders;
	/** Places for WebSockets: the caller becomes known once they are open. */
	readonly sockets: Places;
	readonly #ends = new Set<(reason: StreamEnd) => void>();
	readonly #places: Places;

	constructor({ readers = new SlowReaders(), streams = streamsMax, sockets = socketsMax }: OpenStreamsOptions = {}) {
		this.readers = readers;
		this.sockets = new Places("WebSockets", sockets);
		this.#places = new Places("streams", streams);
	}

	/** Counts an answer that stays open: a stream, or a call that waits. Answers what takes it out again. HttpRefusal 503, RateLimitExceeded. */
	add(actor: Pick<Actor, "environmentId" | "id">, end: (reason: StreamEnd) => void): () => void {
		const release = this.#places.take();
		let releaseCaller: () => void;
		try {
			releaseCaller = this.#places.takeFor(actor);
		} catch (error) {
			release();
			throw error;
		}
		this.#ends.add(end);
		return () => {
			this.#ends.delete(end);
			release();
			releaseCaller();
		};
	}

	endAll(): void {
		for (const end of this.#ends) end("SERVER_CLOSING");
	}
}
