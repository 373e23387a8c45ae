import pLimit from "p-limit";
import { pageTexts } from "../areas/invoices/pdf-text";
import type { Entry } from "./entry";
import { dataOf, type Response, type Server } from "./server";

/** Our choice: enough to keep the server busy. */
const readsAtOnce = 4;
const limit = pLimit(readsAtOnce);

/** Reads one environment and collects the entries. Reads change nothing, so their order does not matter. */
export class Reader {
	readonly entries: Entry[] = [];
	/** Names for random ids, which stay the same in every run. */
	readonly names: Map<string, string>;
	readonly #server: Server;
	readonly #environment: string;

	constructor(server: Server, environment: string, names: Map<string, string>) {
		this.#server = server;
		this.#environment = environment;
		this.names = names;
	}

	/** Sends a request that changes nothing, and records its response. */
	async read(kind: string, path: string, { method = "GET", body }: { method?: string; body?: unknown } = {}) {
		const response = await this.#send(method, path, body);
		const key = body === undefined ? path : `${method} ${path} ${JSON.stringify(body)}`;
		this.#add(kind, key, { status: response.status, body: response.body });
		return response;
	}

	/** Records each entry of a list under its position, or under `keyOf`. Returns the entries. */
	async list(kind: string, path: string, { keyOf = atPosition, where }: ListOptions = {}): Promise<Listed[]> {
		const all: Listed[] = [];
		let status = 200;
		for (let after = ""; ; ) {
			const page = `${path}${path.includes("?") ? "&" : "?"}limit=100${after}`;
			const response = await this.#send("GET", page);
			status = response.status;
			all.push(...dataOf(response.body).filter(where ?? (() => true)));
			const next = nextOf(response.body);
			if (next === undefined) break;
			after = `&after=${encodeURIComponent(next)}`;
		}
		for (const [nth, entry] of all.entries()) {
			const key = keyOf(entry, nth);
			if (key !== undefined) this.#add(kind, `${path} ${key}`, entry);
		}
		this.#add(kind, path, { status, count: all.length });
		return all;
	}

	/** Records how often each name occurs. */
	tally(kind: string, key: string, names: readonly string[]): void {
		const counts = [...Map.groupBy(names, (name) => name)].map(([name, each]) => [name, each.length] as const);
		this.#add(kind, key, Object.fromEntries(counts.toSorted(([one], [other]) => (one < other ? -1 : 1))));
	}

	/** Records the texts of a PDF, which the server may still have to render. */
	async pdf(kind: string, path: string): Promise<void> {
		for (;;) {
			const { status, bytes, body } = await this.#send("GET", path);
			if (status === 202 || status === 503) {
				await Bun.sleep(20);
				continue;
			}
			const pages = status === 200 ? pageTexts(Buffer.from(bytes)) : body;
			this.#add(kind, path, { status, pages });
			return;
		}
	}

	#send(method: string, path: string, body?: unknown): Promise<Response> {
		return limit(() => this.#server.send(this.#environment, method, path, body));
	}

	#add(kind: string, key: string, value: unknown): void {
		this.entries.push({ kind, key: `${this.#environment} ${key}`, value });
	}
}

export type Listed = Readonly<Record<string, string | undefined>>;

interface ListOptions {
	/** Returns undefined for an entry that is only counted. */
	readonly keyOf?: (entry: Listed, nth: number) => string | undefined;
	/** Tells which entries are part of the recording. */
	readonly where?: (entry: Listed) => boolean;
}

const atPosition = (_: Listed, nth: number): string => String(nth).padStart(5, "0");

function nextOf(body: unknown): string | undefined {
	const pagination = typeof body === "object" && body !== null && "pagination" in body ? body.pagination : undefined;
	const next =
		typeof pagination === "object" && pagination !== null && "next" in pagination ? pagination.next : undefined;
	return typeof next === "string" ? next : undefined;
}
