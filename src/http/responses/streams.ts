import type { Actor } from "../../kernel/work";
import { Places, type PlacesMax } from "./places";
import { SlowReaders } from "./slow-readers";

/**
 * Responses that stay open. A connection takes some kilobytes and its queue. An environment leaves two fifths to the
 * others.
 */
const streamsMax: PlacesMax = { thread: 500, environment: 300, caller: 200 };

/** WebSockets. Each takes some kilobytes and a descriptor. All browsers of an environment may share one publishable key. */
const socketsMax: PlacesMax = { thread: 20_000, environment: 15_000, caller: 12_000 };

/** The reason why the server ends an open response. */
export type StreamEnd =
	| "SERVER_CLOSING"
	| "SLOW_READER"
	| "ACCESS_ENDED"
	| "TOO_MANY_CUSTOMERS"
	| "COMPLETE"
	| "INTERNAL_ERROR";

/** The headers of a streamed response: no caching, and no buffering by proxies. */
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

/** The open connections of one thread: bounded, and closed before its port. */
export class OpenStreams {
	/** Includes those of WebSockets. */
	readonly readers: SlowReaders;
	/** Places for WebSockets, whose caller is known only after they are open. */
	readonly sockets: Places;
	readonly #ends = new Set<(reason: StreamEnd) => void>();
	readonly #places: Places;

	constructor({ readers = new SlowReaders(), streams = streamsMax, sockets = socketsMax }: OpenStreamsOptions = {}) {
		this.readers = readers;
		this.sockets = new Places("WebSockets", sockets);
		this.#places = new Places("streams", streams);
	}

	/**
	 * Adds an open response: a stream, or a waiting call. Returns a function that removes it. HttpRefusal 503,
	 * RateLimitExceeded.
	 */
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
