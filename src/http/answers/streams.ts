import { HttpRefusal } from "../refusal";
import { SlowReaders } from "./slow-readers";

/** Our choice: how many answers of one thread may stay open at a time. A connection costs some kilobytes, and what it waits to send. */
const openMax = 500;

/** Our choice: when a place is looked for again. */
const retryAfterSeconds = 5;

/** Why the server ends an answer that could have gone on. */
export type StreamEnd =
	| "SERVER_CLOSING"
	| "SLOW_READER"
	| "ACCESS_ENDED"
	| "TOO_MANY_CUSTOMERS"
	| "COMPLETE"
	| "INTERNAL_ERROR";

/** The answers of one thread that do not end by themselves: bounded, and ended before its port is closed. */
export class OpenStreams {
	/** With those of WebSockets. */
	readonly readers: SlowReaders;
	readonly #ends = new Set<(reason: StreamEnd) => void>();
	readonly #openMax: number;

	constructor(max = openMax, readers = new SlowReaders()) {
		this.#openMax = max;
		this.readers = readers;
	}

	/** Answers what takes it out again. HttpRefusal 503 when there are too many. */
	add(end: (reason: StreamEnd) => void): () => void {
		if (this.#ends.size >= this.#openMax)
			throw new HttpRefusal(503, `This server has ${this.#openMax} streams open; try again shortly.`, {
				"Retry-After": String(retryAfterSeconds),
			});
		this.#ends.add(end);
		return () => void this.#ends.delete(end);
	}

	endAll(): void {
		for (const end of this.#ends) end("SERVER_CLOSING");
	}
}
