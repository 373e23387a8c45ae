import type { AnsweringThread, ForwardedAnswer, ForwardedRequest } from "../http/fast-path/forwarding";
import { HttpRefusal } from "../http/refusal";
import { assert, DomainError } from "../kernel/errors";
import { StorageError } from "../kernel/storage/failures";
import type { Write, WriteAnswer, WriteInput, WriteName } from "../server/writer-calls";
import { Link, type LinkEnd } from "./links";
import { type Part, pack, unpack } from "./message-packing";
import type { WriterAnswer, WriterCall } from "./writer-messages";

/** The pending calls of one thread. More are refused, so that memory stays bounded. */
const callsMax = 4096;
const charactersMax = 64 * 1024 * 1024;

/** A refused caller waits a second, far longer than a commit or a restart of the thread. */
const retryLater = { "Retry-After": "1" };

type Heard = Part<WriterAnswer>;

interface Waiting {
	readonly characters: number;
	readonly resolve: (heard: Heard) => void;
	readonly reject: (error: Error) => void;
}

/** A call of any kind, without its id. */
type NewCall = WriterCall extends infer Call ? (Call extends { id: number } ? Omit<Call, "id"> : never) : never;

/** A thread's client of the writer. Calls of one turn of the event loop are sent as one message. */
export class WriterClient implements AnsweringThread, LinkEnd {
	readonly link = new Link(this);
	readonly #waiting = new Map<number, Waiting>();
	#leaving: Array<Part<WriterCall>> = [];
	#characters = 0;
	#lastId = 0;

	async answer(request: ForwardedRequest, body: string): Promise<ForwardedAnswer> {
		const { head, text } = await this.#call({ kind: "request", request }, body);
		assert(head.kind === "answered", "a request is answered");
		return { ...head.answer, text };
	}

	readonly write: Write = async <Name extends WriteName>(
		{ environmentId, accountId }: Parameters<Write>[0],
		name: Name,
		input: WriteInput<Name>,
	): Promise<WriteAnswer<Name>> => {
		const { head } = await this.#call({ kind: "write", environmentId, accountId, name, input }, "");
		switch (head.kind) {
			case "written":
				return head.answer as WriteAnswer<Name>;
			case "refused":
				throw new DomainError(head.code, head.message);
			case "turned away":
				throw new HttpRefusal(head.status, head.message, head.headers);
			case "storage":
				throw new StorageError(head.message);
			default:
				throw new Error(`the writer failed at ${name}: ${JSON.stringify(head)}`);
		}
	};

	hear(message: unknown): void {
		for (const heard of unpack<WriterAnswer>(message)) this.#take(heard.head.id)?.resolve(heard);
	}

	/** Fails the pending calls when the writer has died: their outcome is unknown. */
	lost(): void {
		const message =
			"Whether this call was carried out is not known: the thread that writes has failed and restarts. Repeat the call with the same Idempotency-Key. Without a key, first check whether it was carried out.";
		for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(new HttpRefusal(503, message, retryLater));
	}

	#call(call: NewCall, text: string): Promise<Heard> {
		if (this.#waiting.size >= callsMax || this.#characters + text.length > charactersMax)
			return Promise.reject(
				new HttpRefusal(503, "More is to be written than can be; send this request again shortly.", retryLater),
			);
		this.#lastId += 1;
		const id = this.#lastId;
		this.#characters += text.length;
		return new Promise((resolve, reject) => {
			this.#waiting.set(id, { characters: text.length, resolve, reject });
			if (this.#leaving.length === 0) setImmediate(() => this.#send());
			this.#leaving.push({ head: { ...call, id }, text });
		});
	}

	#send(): void {
		const leaving = this.#leaving;
		this.#leaving = [];
		if (this.link.post(pack(leaving))) return;
		const refusal = new HttpRefusal(
			503,
			"The service cannot write now; nothing of this call was kept. Repeat it shortly.",
			retryLater,
		);
		for (const { head } of leaving) this.#take(head.id)?.reject(refusal);
	}

	#take(id: number): Waiting | undefined {
		const waiting = this.#waiting.get(id);
		if (!waiting) return undefined;
		this.#waiting.delete(id);
		this.#characters -= waiting.characters;
		return waiting;
	}
}
