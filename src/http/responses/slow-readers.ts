/** A connection that is told of what happens: a stream, or a WebSocket. */
export interface Reader {
	/** Bytes that wait for it. */
	getBufferedAmount(): number;
	/** Ends it, and lets go of what waits. */
	terminate(): void;
}

/** What of a WebSocket matters here. */
interface SocketReader extends Reader {
	/** Answers above zero where all of it is on its way, -1 where it waits, 0 where the connection is over. */
	sendText(text: string): number;
}

/** Our choice: what waits for all readers of one thread together; each has a bound of its own. */
const waitingBytesMax = 64 * 1024 * 1024;

/**
 * What is sent and not taken. Where all readers together leave too much, the connection that has taken nothing for the
 * longest is ended: it can always begin again.
 */
export class SlowReaders {
	/** Bytes that wait for each; who has taken some last stands last. */
	readonly #waiting = new Map<Reader, number>();
	readonly #bytesMax: number;
	#bytes = 0;

	constructor(bytesMax = waitingBytesMax) {
		this.#bytesMax = bytesMax;
	}

	/** Bytes that wait for all of them. */
	get bytes(): number {
		return this.#bytes;
	}

	send(reader: SocketReader, text: string): void {
		if (reader.sendText(text) <= 0) this.sent(reader);
	}

	/** What was sent to it may wait. */
	sent(reader: Reader): void {
		this.#count(reader);
		for (const [slowest] of this.#waiting) {
			if (this.#bytes <= this.#bytesMax) return;
			this.forget(slowest);
			slowest.terminate();
		}
	}

	/** It has taken some of what waits for it. */
	drained(reader: Reader): void {
		this.forget(reader);
		if (reader.getBufferedAmount() > 0) this.#count(reader);
	}

	/** Its connection is over. */
	forget(reader: Reader): void {
		this.#bytes -= this.#waiting.get(reader) ?? 0;
		this.#waiting.delete(reader);
	}

	#count(reader: Reader): void {
		const bytes = reader.getBufferedAmount();
		if (bytes === 0 && !this.#waiting.has(reader)) return;
		this.#bytes += bytes - (this.#waiting.get(reader) ?? 0);
		this.#waiting.set(reader, bytes);
	}
}
