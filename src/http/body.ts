import { fail } from "../kernel/errors";
import { JsonBounds } from "../kernel/json-bounds";
import { type BodySize, bytesMaxOf, isOfBytes } from "./body-sizes";
import { HttpRefusal } from "./refusal";

export interface BodiesOptions {
	/** The limit for all bodies that are being received. */
	readonly totalBytesMax?: number;
	/** The time limit in milliseconds for receiving a body of `bytes` bytes. */
	readonly patienceMs?: (bytes: number) => number;
}

/** Two of the largest bodies at once, or sixteen of the largest of JSON. */
const bodyBytesMax = 128 * 1024 * 1024;

/** The limit for the bodies of each of several threads: their part, and at least one body of the largest size. */
export const bodyBytesPerThread = (threads: number): number =>
	Math.max(Math.floor(bodyBytesMax / threads), ...Object.values(bytesMaxOf));

/** Fifteen seconds, and a second for each 128 KiB, which allows a line of one megabit. */
const patienceMsDefault = (bytes: number): number => 15_000 + (bytes / (128 * 1024)) * 1000;

/** Reads bodies. The route limits each, and a memory limit applies to all together. */
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
	 * Returns the body as text; repeated calls return the same text. A character of a file or of a signed body is a byte. Rejects a body that is too large (413), too slow
	 * (408), or exceeds the memory for all (503).
	 */
	text(request: Request, size: BodySize): Promise<string> {
		const known = this.#read.get(request);
		if (known) return known;
		const text = this.#receive(request, size);
		this.#read.set(request, text);
		return text;
	}

	/** Stores the body, or its error, of a request that another thread received. */
	remember(request: Request, text: string | HttpRefusal): void {
		const read = typeof text === "string" ? Promise.resolve(text) : Promise.reject(text);
		// A route without a body does not read it, so nobody handles this rejection.
		read.catch(() => {});
		this.#read.set(request, read);
	}

	async #receive(request: Request, size: BodySize): Promise<string> {
		const bytesMax = bytesMaxOf[size];
		const announced = request.headers.get("content-length");
		if (Number(announced) > bytesMax) throw tooLarge(bytesMax);
		const share = new Share((bytes) => this.#take(bytes));
		try {
			// The HTTP parser limits a body to its announced length, so this case is fast.
			if (announced !== null && !request.headers.has("transfer-encoding")) {
				share.grow(Number(announced));
				return await inTime(
					isOfBytes(size) ? bytesAsText(request) : request.text(),
					this.#patienceMs(Number(announced)),
				);
			}
			const reader = request.body?.getReader();
			if (!reader) return "";
			const reading = readChunks(reader, { bytesMax, share, encoding: isOfBytes(size) ? "latin1" : "utf8" });
			return await inTime(reading, this.#patienceMs(bytesMax)).finally(() => void reader.cancel().catch(() => {}));
		} finally {
			share.release();
		}
	}

	/** The bytes of the bodies that are being received; for tests and metrics. */
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

/** The share of one body in the memory for all. */
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

	release(): void {
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

const bytesAsText = async (request: Request): Promise<string> =>
	Buffer.from(await request.arrayBuffer()).toString("latin1");

async function readChunks(
	reader: { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> },
	{ bytesMax, share, encoding }: { bytesMax: number; share: Share; encoding: "utf8" | "latin1" },
): Promise<string> {
	const chunks: Uint8Array[] = [];
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return Buffer.concat(chunks).toString(encoding);
		if (!value) continue;
		share.grow(value.byteLength);
		// The rest of the body may be endless, so the connection is closed.
		if (share.bytes > bytesMax) throw tooLarge(bytesMax, { Connection: "close" });
		chunks.push(value);
	}
}

/** Closes the connection of a client that sends too slowly, to free its memory. */
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
		// After the timeout nobody handles this rejection.
		reading.catch(() => {});
	}
}

/** Returns the media type without parameters; undefined if there is none. */
export const contentTypeOf = ({ headers }: Request): string | undefined =>
	headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();

const json = ["application/json"] as const;

/** An empty body needs no content type. Other bodies need a type that the route accepts. */
export function assertContentType(request: Request, text: string, accepted: readonly string[] = json): void {
	if (text === "") return;
	const type = contentTypeOf(request);
	if (type !== undefined && accepted.includes(type)) return;
	const expected = accepted.map((one) => `'${one}'`).join(" or ");
	throw fail("BadUserInput", `Send the body as ${expected}, not '${type ?? "without a content type"}'.`);
}

/** Parses JSON. Empty text counts as `{}` (docs/interface/http.md). Rejects more than `valuesMax` values. */
export function parseJson(text: string, valuesMax: number): unknown {
	if (text.trim() === "") return {};
	const excess = new JsonBounds(valuesMax).excessOf(text);
	if (excess !== undefined) throw fail("BadUserInput", `The body ${excess}.`);
	try {
		return JSON.parse(text);
	} catch {
		// The parser's message may quote the input, so it is not shown.
		throw fail("BadUserInput", "The body is not valid JSON.");
	}
}
