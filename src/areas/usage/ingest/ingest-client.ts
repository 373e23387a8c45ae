import { type EventIngest, type IngestRequest, type IngestResult, retryAfterSeconds } from "../schema.ingest";
import type { IngesterAnswer, IngesterMessage } from "./messages";

/** Requests and bytes in flight. Beyond them callers get 503, so memory stays bounded. */
const requestsMax = 8192;
const charactersMax = 128 * 1024 * 1024;

interface Waiting {
	readonly characters: number;
	readonly resolve: (result: IngestResult) => void;
}

/** A message that is not sent yet. */
interface OpenParcel extends IngesterMessage {
	readonly texts: string[];
}

/** The HTTP side of the ingester thread. The pool passes the thread's answers and its death in. */
export class IngestClient implements EventIngest {
	readonly #post: (messages: readonly IngesterMessage[]) => void;
	readonly #waiting = new Map<number, Waiting>();
	#characters = 0;
	#lastId = 0;
	/** Requests of this turn of the event loop. */
	#unsent: OpenParcel[] = [];

	/** `post` sends requests to the ingester thread; messages keep their order. */
	constructor(post: (messages: readonly IngesterMessage[]) => void) {
		this.#post = post;
	}

	send(request: IngestRequest): Promise<IngestResult> {
		const characters = request.text.length;
		if (this.#waiting.size >= requestsMax || this.#characters + characters > charactersMax)
			return Promise.resolve(unavailable("More events arrive than can be written; send this request again shortly."));
		this.#lastId += 1;
		const id = this.#lastId;
		this.#characters += characters;
		this.#pack(id, request);
		return new Promise((resolve) => this.#waiting.set(id, { characters, resolve }));
	}

	/** Receives an answer of the thread. */
	hear({ accepted, others }: IngesterAnswer): void {
		for (const id of accepted) this.#settle(id, { kind: "accepted" });
		for (const { id, result } of others) this.#settle(id, result);
	}

	/**
	 * The thread has died, and whether it has written the requests in flight is unknown. The caller may send them
	 * again, since each event counts once.
	 */
	died(): void {
		const message = "The events may or may not have been written; send this request again, they count once.";
		this.#unsent = [];
		for (const id of [...this.#waiting.keys()]) this.#settle(id, unavailable(message));
	}

	#pack(id: number, { text, ...alike }: IngestRequest): void {
		if (this.#unsent.length === 0) setImmediate(() => this.#sendAll());
		const open = this.#unsent.at(-1);
		if (open && areAlike(open, alike)) open.texts.push(text);
		else this.#unsent.push({ ...alike, firstId: id, texts: [text] });
	}

	#sendAll(): void {
		const messages = this.#unsent;
		this.#unsent = [];
		if (messages.length > 0) this.#post(messages);
	}

	#settle(id: number, result: IngestResult): void {
		const waiting = this.#waiting.get(id);
		if (!waiting) return;
		this.#waiting.delete(id);
		this.#characters -= waiting.characters;
		waiting.resolve(result);
	}
}

type Alike = Omit<IngestRequest, "text">;

const areAlike = (one: Alike, other: Alike): boolean =>
	one.environmentId === other.environmentId &&
	one.now === other.now &&
	one.unknownCustomers === other.unknownCustomers &&
	one.format === other.format;

const unavailable = (message: string): IngestResult => ({ kind: "unavailable", message, retryAfterSeconds });
