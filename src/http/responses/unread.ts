import { Elysia, ElysiaCustomStatusResponse } from "elysia";
import { jsonBytes } from "../../kernel/json-size";
import { HttpRefusal } from "../refusal";

const json = { "content-type": "application/json;charset=utf-8" };

/** A smaller response fits into the system's buffer of a connection. */
const largeBytes = 64 * 1024;

/** The limit of unread bytes of large responses for all clients of a thread. */
const unreadBytesMax = 64 * 1024 * 1024;

/** Seconds until a rejected caller may try again. */
const retryAfterSeconds = 5;

/**
 * Bounds large responses that clients have not read. They are sent in parts as they are read. Beyond the limit, further
 * large responses to reads are rejected; small ones are not.
 */
export class UnreadAnswers {
	readonly #bytesMax: number;
	#bytes = 0;

	constructor(bytesMax = unreadBytesMax) {
		this.#bytesMax = bytesMax;
	}

	/** The number of unread bytes. */
	get bytes(): number {
		return this.#bytes;
	}

	/**
	 * Answers with a text. HttpRefusal 503 for a large one if too much is unread, unless `hasWritten`: the caller of a
	 * write must learn that it succeeded.
	 */
	respond(text: string, init: ResponseInit, hasWritten = false): Response {
		if (text.length < largeBytes) return new Response(text, init);
		const bytes = new TextEncoder().encode(text);
		if (!hasWritten && this.#bytes + bytes.byteLength > this.#bytesMax)
			throw new HttpRefusal(
				503,
				"Too many large answers wait to be read; read yours without a pause, ask for smaller pages, and try again shortly.",
				{ "Retry-After": String(retryAfterSeconds) },
			);
		return new Response(this.#inPieces(bytes), init);
	}

	#inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
		let sent = 0;
		this.#bytes += bytes.byteLength;
		const send = (count: number): void => {
			sent += count;
			this.#bytes -= count;
		};
		return new ReadableStream<Uint8Array>(
			{
				pull: (controller) => {
					const piece = bytes.subarray(sent, sent + largeBytes);
					send(piece.byteLength);
					controller.enqueue(piece);
					if (sent === bytes.byteLength) controller.close();
				},
				cancel: () => send(bytes.byteLength - sent),
			},
			{ highWaterMark: 0 },
		);
	}
}

/** Sends large JSON responses through `UnreadAnswers`; the framework sends all others. */
export const largeAnswers = (unread: UnreadAnswers) =>
	new Elysia({ name: "large answers" }).onAfterHandle({ as: "global" }, ({ responseValue, request }) => {
		const isCoded = responseValue instanceof ElysiaCustomStatusResponse;
		const value: unknown = isCoded ? responseValue.response : responseValue;
		if (typeof value !== "object" || value === null || value instanceof Response) return;
		if (jsonBytes(value) < largeBytes) return;
		const status = isCoded ? { status: Number(responseValue.code) } : {};
		return unread.respond(JSON.stringify(value), { ...status, headers: json }, request.method !== "GET");
	});
