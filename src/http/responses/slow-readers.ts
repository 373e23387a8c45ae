/** A connection that receives events: a stream or a WebSocket. */
export interface Reader {
	/** The number of queued bytes. */
	getBufferedAmount(): number;
	/** Closes it and frees its queue. */
	terminate(): void;
}

/** The used part of a WebSocket. */
interface SocketReader extends Reader {
	/** Returns a positive number if all is sent, -1 if it is queued, 0 if the connection is closed. */
	sendText(text: string): number;
}

/** The limit of queued bytes for all readers of a thread; each reader also has its own. */
const waitingBytesMax = 64 * 1024 * 1024;

/**
 * Bounds the unread data. If all readers together exceed the limit, the one that has read nothing for the longest time
 * is closed; it can reconnect.
 */
export class SlowReaders {
	/** Queued bytes by reader, in the order of their last read. */
	readonly #waiting = new Map<Reader, number>();
	readonly #bytesMax: number;
	#bytes = 0;

	constructor(bytesMax = waitingBytesMax) {
		this.#bytesMax = bytesMax;
	}

	/** The queued bytes of all readers. */
	get bytes(): number {
		return this.#bytes;
	}

	send(reader: SocketReader, text: string): void {
		if (reader.sendText(text) <= 0) this.sent(reader);
	}

	/** Call it after data was sent, which may be queued. */
	sent(reader: Reader): void {
		this.#count(reader);
		for (const [slowest] of this.#waiting) {
			if (this.#bytes <= this.#bytesMax) return;
			this.remove(slowest);
			slowest.terminate();
		}
	}

	/** Call it after the reader has taken queued data. */
	drained(reader: Reader): void {
		this.remove(reader);
		if (reader.getBufferedAmount() > 0) this.#count(reader);
	}

	/** Call it when the connection is closed. */
	remove(reader: Reader): void {
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
