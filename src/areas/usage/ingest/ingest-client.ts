import type { ArchiveSlice } from "../archive/messages";
import type { ArchiveRequest, IngesterAnswer, IngesterCall, IngesterRequest } from "./messages";
import { type EventIngest, type IngestRequest, type IngestResult, retryAfterSeconds } from "./schema";

/** Our choices: what may be under way at once. Beyond it callers are held off with 503, and memory stays bounded. */
const requestsMax = 8192;
const charactersMax = 128 * 1024 * 1024;

interface Waiting {
	readonly characters: number;
	readonly resolve: (result: IngestResult) => void;
}

export interface IngestClientOptions {
	/** The numbers of its requests follow this one: those of other clients are far away. */
	readonly firstId?: number;
	/** Hands a request to the ingester thread; messages keep their order. */
	readonly post: (call: IngesterCall) => void;
	/** The log has grown: time to wake the aggregator. */
	readonly onGrown: () => void;
}

/** The HTTP side of the ingester thread. The pool hands its answers and its death in. */
export class IngestClient implements EventIngest {
	readonly #options: IngestClientOptions;
	readonly #waiting = new Map<number, Waiting>();
	#characters = 0;
	#lastId: number;

	constructor(options: IngestClientOptions) {
		this.#options = options;
		this.#lastId = options.firstId ?? 0;
	}

	send(request: IngestRequest): Promise<IngestResult> {
		return this.#call(request, request.text.length);
	}

	/** Lets a file of the archive stand for blocks of the log. Never rejects. */
	archive(slice: ArchiveSlice): Promise<IngestResult> {
		return this.#call({ slice }, 0);
	}

	#call(call: Omit<IngesterRequest, "id"> | Omit<ArchiveRequest, "id">, characters: number): Promise<IngestResult> {
		if (this.#waiting.size >= requestsMax || this.#characters + characters > charactersMax)
			return Promise.resolve(unavailable("More events arrive than can be written; send this request again shortly."));
		this.#lastId += 1;
		const id = this.#lastId;
		this.#characters += characters;
		return new Promise((resolve) => {
			this.#waiting.set(id, { characters, resolve });
			this.#options.post({ ...call, id });
		});
	}

	/** An answer of the thread. */
	hear({ accepted, others, grown }: IngesterAnswer): void {
		for (const id of accepted) this.#settle(id, { kind: "accepted" });
		for (const { id, result } of others) this.#settle(id, result);
		if (grown) this.#options.onGrown();
	}

	/**
	 * The thread has died: whether the requests under way were written is not known. The caller may send them again, since
	 * what was written counts once.
	 */
	died(): void {
		const message = "The events may or may not have been written; send this request again, they count once.";
		for (const id of [...this.#waiting.keys()]) this.#settle(id, unavailable(message));
	}

	#settle(id: number, result: IngestResult): void {
		const waiting = this.#waiting.get(id);
		if (!waiting) return;
		this.#waiting.delete(id);
		this.#characters -= waiting.characters;
		waiting.resolve(result);
	}
}

const unavailable = (message: string): IngestResult => ({ kind: "unavailable", message, retryAfterSeconds });
