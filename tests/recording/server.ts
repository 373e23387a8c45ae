import {
	command,
	ended,
	eventually,
	type RunningServer,
	spawnTollgate,
	startServer,
	testKey,
} from "../support/process";
import type { PlannedEnvironment } from "./plan";

export interface Response {
	readonly status: number;
	/** JSON, or the text of another format. */
	readonly body: unknown;
	readonly bytes: Uint8Array;
}

type Fields = Readonly<Record<string, string | undefined>>;

/** Returns the entries of a list. */
export function dataOf(body: unknown): Fields[] {
	const data = typeof body === "object" && body !== null && "data" in body ? body.data : undefined;
	return Array.isArray(data) ? data : [];
}

/** A server that runs one executable on one folder, with one key for each environment. */
export class Server {
	readonly #running: RunningServer;
	readonly #folder: string;
	readonly #program: readonly string[];
	readonly keys: Map<string, string>;

	private constructor(running: RunningServer, folder: string, program: readonly string[], keys: Map<string, string>) {
		this.#running = running;
		this.#folder = folder;
		this.#program = program;
		this.keys = keys;
	}

	/** `program` is the executable; missing: the one that the tests start. */
	static async start(folder: string, program?: string, keys = new Map<string, string>()): Promise<Server> {
		const environment = { TOLLGATE_HTTP_THREADS: "1", TOLLGATE_GRAPHQL_INTROSPECTION: "1" };
		const started = program === undefined ? command : [program];
		const running = await startServer(folder, environment, started);
		const server = new Server(running, folder, started, keys);
		await eventually(async () => ((await fetch(`${running.url}/readyz`)).ok ? true : undefined));
		return server;
	}

	/** Creates an environment by the command line, as no API key may, and keeps its key. */
	async createEnvironment({ name, billingAnchor }: Omit<PlannedEnvironment, "until">): Promise<void> {
		const printed = await this.#run("create", "--name", name, "--kind", "SANDBOX");
		const key = /^Full-access key\s+(\S+)$/m.exec(printed)?.[1];
		if (key === undefined) throw new Error(printed);
		this.keys.set(name, key);
		if (billingAnchor !== "SUBSCRIPTION_START")
			await this.#run("set", "--environment", name, "--billing-anchor", billingAnchor);
	}

	async #run(...args: readonly string[]): Promise<string> {
		const { status, output, errors } = await ended(
			spawnTollgate(this.#folder, ["environments", ...args], {}, this.#program),
		);
		if (status !== 0) throw new Error(errors);
		return output;
	}

	/** Sends a request with the key of an environment; without one, with the key of the first environment. */
	async send(environment: string | undefined, method: string, path: string, body?: unknown): Promise<Response> {
		const key = environment === undefined ? testKey : this.keys.get(environment);
		if (key === undefined) throw new Error(`The folder has no environment '${environment}'.`);
		const url = path.startsWith("//") ? path.slice(1) : `/api/v1${path}`;
		const response = await fetch(`${this.#running.url}${url}`, {
			method,
			headers: { "x-api-key": key, ...(body !== undefined && { "content-type": "application/json" }) },
			...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
		});
		const bytes = new Uint8Array(await response.arrayBuffer());
		const isJson = response.headers.get("content-type")?.includes("json") ?? false;
		const isText = isJson || (response.headers.get("content-type")?.startsWith("text/") ?? false);
		const text = isText ? new TextDecoder().decode(bytes) : "";
		return { status: response.status, body: isJson && text !== "" ? JSON.parse(text) : text, bytes };
	}

	stop(): Promise<number> {
		return this.#running.stop();
	}
}
