import { fail } from "../kernel/errors";
import { JsonBounds } from "../kernel/json-bounds";
import { type BodySize, bytesMaxOf } from "./body-sizes";
import { HttpRefusal } from "./refusal";

export interface BodiesOptions {
	/** What all bodies under way may take together. */
	readonly totalBytesMax?: number;
	/** How long a body of so many bytes may take to come. */
	readonly patienceMs?: (bytes: number) => number;
}

/** Our choice: room for sixteen of the largest at once; what has come is soon worked off. */
export const bodyBytesMax = 128 * 1024 * 1024;

/** Our choice: a quarter of a minute, and a second more for each 128 KiB, which is a slow line of one megabit. */
const patienceMsDefault = (bytes: number): number => 15_000 + (bytes / (128 * 1024)) * 1000;

/** The bodies that are being read: each bounded by its route, all together by the memory that they may take. */
export class Bodies {
	readonly #totalBytesMax: number;
	readonly #patienceMs: (bytes: number) => number;
	readonly #read = new WeakMap<Request, Promise<string>>();
	#bytes = 0;

	constructor({ totalBytesMax = bodyBytesMax, patienceMs = patienceMsDefault }: BodiesOptions = {}) {
		this.#totalBytesMax = totalBytesMax;
		this.#patienceMs = patienceMs;
	}

	/**
	 * The body as text, however often it is asked for. Refuses one that is too large before or while it comes (413), that
	 * drips (408), or that is one too many (503).
	 */
	text(request: Request, size: BodySize): Promise<string> {
		const known = this.#read.get(request);
		if (known) return known;
		const text = this.#receive(request, size);
		this.#read.set(request, text);
		return text;
	}

	/** What became of the body on another thread that has taken the request in. */
	remember(request: Request, text: string | HttpRefusal): void {
		const read = typeof text === "string" ? Promise.resolve(text) : Promise.reject(text);
		// A route that takes no body never asks.
		read.catch(() => {});
		this.#read.set(request, read);
	}

	async #receive(request: Request, size: BodySize): Promise<string> {
		const bytesMax = bytesMaxOf[size];
		const announced = request.headers.get("content-length");
		if (Number(announced) > bytesMax) throw tooLarge(bytesMax);
		const share = new Share((bytes) => this.#take(bytes));
		try {
			// A body whose length was announced never grows beyond it: the parser of HTTP sees to that, and reads it fastest.
			if (announced !== null && !request.headers.has("transfer-encoding")) {
				share.grow(Number(announced));
				return await inTime(request.text(), this.#patienceMs(Number(announced)));
			}
			const reader = request.body?.getReader();
			if (!reader) return "";
			const reading = readChunks(reader, bytesMax, share);
			return await inTime(reading, this.#patienceMs(bytesMax)).finally(() => void reader.cancel().catch(() => {}));
		} finally {
			share.giveBack();
		}
	}

	/** Bytes of the bodies under way; a measure for tests and metrics. */
	get bytes(): number {
		return this.#bytes;
	}

	#take(bytes: number): void {
		if (this.#bytes + bytes > this.#totalBytesMax)
			throw new HttpRefusal(503, "More is being sent than can be held; send this request again shortly.", {
				"Retry-After": "1",
			});
		this.#bytes += bytes;
	}
}

/** What one body takes of the memory for all. */
class Share {
	#bytes = 0;

	constructor(readonly take: (bytes: number) => void) {}

	grow(bytes: number): void {
		this.take(bytes);
		this.#bytes += bytes;
	}

	get bytes(): number {
		return this.#bytes;
	}

	giveBack(): void {
		this.take(-this.#bytes);
		this.#bytes = 0;
	}
}

const tooLarge = (bytesMax: number, headers: Readonly<Record<string, string>> = {}): HttpRefusal =>
	new HttpRefusal(
		413,
		`The body is larger than ${bytesMax} bytes, the most that this route takes; send it in parts.`,
		headers,
	);

async function readChunks(
	reader: { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> },
	bytesMax: number,
	share: Share,
): Promise<string> {
	const chunks: Uint8Array[] = [];
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return Buffer.concat(chunks).toString("utf8");
		if (!value) continue;
		share.grow(value.byteLength);
		// There may be no end to what follows.
		if (share.bytes > bytesMax) throw tooLarge(bytesMax, { Connection: "close" });
		chunks.push(value);
	}
}

/** Ends the connection of who sends too slowly: what it holds is wanted for others. */
async function inTime(reading: Promise<string>, patienceMs: number): Promise<string> {
	const { promise: late, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(
		() => reject(new HttpRefusal(408, "The body came too slowly; send it again.", { Connection: "close" })),
		patienceMs,
	);
	try {
		return await Promise.race([reading, late]);
	} catch (error) {
		if (error instanceof HttpRefusal) throw error;
		throw new HttpRefusal(400, "The connection ended before the whole body had come.");
	} finally {
		clearTimeout(timer);
		// Nobody waits for it any more when it was too late.
		reading.catch(() => {});
	}
}

/** The media type of a body, without its parameters; undefined when none is said. */
export const contentTypeOf = ({ headers }: Request): string | undefined =>
	headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();

const json = ["application/json"] as const;

/** A body may be left out, with or without the content type; a body that is there must be of a type that the route takes. */
export function assertContentType(request: Request, text: string, accepted: readonly string[] = json): void {
	if (text === "") return;
	const type = contentTypeOf(request);
	if (type !== undefined && accepted.includes(type)) return;
	const expected = accepted.map((one) => `'${one}'`).join(" or ");
	throw fail("BadUserInput", `Send the body as ${expected}, not '${type ?? "without a content type"}'.`);
}

/** JSON text as a value; nothing at all counts as `{}` (docs/interface/http.md). Refuses more than `valuesMax` values in it. */
export function parseJson(text: string, valuesMax: number): unknown {
	if (text.trim() === "") return {};
	const excess = new JsonBounds(valuesMax).excessOf(text);
	if (excess !== undefined) throw fail("BadUserInput", `The body ${excess}.`);
	try {
		return JSON.parse(text);
	} catch {
		// The parser's own message may quote the input; the refusal says only what is wrong.
		throw fail("BadUserInput", "The body is not valid JSON.");
	}
}
