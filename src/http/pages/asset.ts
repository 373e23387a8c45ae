import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/** Serves a constant text. It is compressed once, off the event loop, and sent only to clients without the current version. */
export class Asset {
	#ready:
		| Promise<{
				readonly plain: Uint8Array<ArrayBuffer>;
				readonly zipped: Uint8Array<ArrayBuffer>;
				readonly tag: string;
		  }>
		| undefined;

	constructor(
		private readonly contentType: string,
		private readonly read: () => string | Promise<string>,
	) {}

	async answer(request: Request, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
		this.#ready ??= this.#prepare();
		const { plain, zipped, tag } = await this.#ready;
		const known = {
			...headers,
			ETag: tag,
			// Browsers revalidate at each load, so an upgrade is visible immediately.
			"Cache-Control": "no-cache",
			Vary: "Accept-Encoding",
		};
		if (request.headers.get("if-none-match") === tag) return new Response(null, { status: 304, headers: known });
		const isZipped = takesGzip(request.headers.get("accept-encoding") ?? "");
		return new Response(isZipped ? zipped : plain, {
			headers: {
				...known,
				"Content-Type": this.contentType,
				...(isZipped && { "Content-Encoding": "gzip" }),
			},
		});
	}

	async #prepare() {
		const plain = new TextEncoder().encode(await this.read());
		const zipped = new Uint8Array(await compress(plain, { level: 9 }));
		return { plain, zipped, tag: `"${Bun.hash.wyhash(plain).toString(36)}"` };
	}
}

const takesGzip = (accepted: string): boolean =>
	accepted.split(",").some((one) => /^\s*(gzip|\*)\s*(;|$)/i.test(one) && !/;\s*q=0(\.0*)?\s*$/i.test(one));
