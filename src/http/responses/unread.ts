import { Elysia, ElysiaCustomStatusResponse } from "elysia";
import { jsonBytes } from "../../kernel/json-size";
import { HttpRefusal } from "../refusal";

const json = { "content-type": "application/json;charset=utf-8" };

/** Our choice: below it an answer fits into what the system keeps for a connection anyway. */
const largeBytes = 64 * 1024;

/** Our choice: bytes of large answers that wait for all clients of one thread together. */
const unreadBytesMax = 64 * 1024 * 1024;

/** Our choice: a connection that takes nothing for thirty seconds is closed. */
const retryAfterSeconds = 5;

/**
 * The large answers that clients have not read yet. They are sent in pieces as they are read, so that what waits is known. Beyond the
 * bound further large answers to reads are refused; small ones are not.
 */
export class UnreadAnswers {
	readonly #bytesMax: number;
	#bytes = 0;

	constructor(bytesMax = unreadBytesMax) {
		this.#bytesMax = bytesMax;
	}

	/** Bytes that wait. */
	get bytes(): number {
		return this.#bytes;
	}

	/**
	 * Answers with a text. HttpRefusal 503 for a large one where too much waits already, unless `hasWritten`: the caller of a
	 * write must learn that it was carried out.
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

/** Sends the large values that handlers answer as JSON by `UnreadAnswers`; the framework writes all others. */
export const largeAnswers = (unread: UnreadAnswers) =>
	new Elysia({ name: "large answers" }).onAfterHandle({ as: "global" }, ({ responseValue, request }) => {
		const isCoded = responseValue instanceof ElysiaCustomStatusResponse;
		const value: unknown = isCoded ? responseValue.response : responseValue;
		if (typeof value !== "object" || value === null || value instanceof Response) return;
		if (jsonBytes(value) < largeBytes) return;
		const status = isCoded ? { status: Number(responseValue.code) } : {};
		return unread.respond(JSON.stringify(value), { ...status, headers: json }, request.method !== "GET");
	});
