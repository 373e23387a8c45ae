import { chmodSync, rmSync } from "node:fs";
import type { Log } from "../../http/log";
import { logLevels, type SharedLogLevel } from "../../http/log-level";
import { fileMode } from "../../kernel/storage/disk";
import type { Inspected, InspectionOrder } from "../../workers/inspection";
import { controlAddressOf, controlPathOf } from "./address";

/** The longest profile, in seconds. Its samples stay in memory until it ends. */
export const profileSecondsMax = 60;

/** A thread that can look at itself; undefined if it ends before it answers. */
interface Inspectable {
	readonly isReady: boolean;
	inspect(order: InspectionOrder): Promise<Inspected | undefined>;
}

export interface ControlOptions {
	readonly folder: string;
	readonly log: Log;
	readonly logLevel: SharedLogLevel;
	/** The threads in addition to the main thread, by name. */
	readonly threads: ReadonlyMap<string, Inspectable>;
}

/** A refusal of a request; the command line prints its message. */
class Refusal extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

/**
 * Opens the socket by which the owner of the data folder controls the server (`tollgate log-level`, `profile`, `heap`). The caller holds the
 * lock of the folder, so that a socket that is there is the rest of a killed server. A file system without sockets costs these commands only.
 * Returns the function that closes and removes it.
 */
export function openControl(options: ControlOptions): () => Promise<void> {
	const { folder, log } = options;
	try {
		rmSync(controlPathOf(folder), { force: true });
		const address = controlAddressOf(folder);
		const control = new Control(options);
		// @ts-expect-error A profile takes longer than the default limit of ten seconds. The runtime takes `idleTimeout` for sockets, its types do not.
		const server = Bun.serve({
			unix: address.path,
			development: false,
			idleTimeout: 2 * profileSecondsMax,
			fetch: (request: Request) => control.answer(request),
			error: (error: Error) => {
				log.error({ err: error }, "a command of the control socket has failed");
				return Response.json({ message: "The server could not do it; its log has the reason." }, { status: 500 });
			},
		});
		chmodSync(address.path, fileMode);
		return async () => {
			await server.stop(true);
			rmSync(controlPathOf(folder), { force: true });
			address.release();
		};
	} catch (error) {
		log.warn({ err: error }, "no control socket: `tollgate log-level`, `profile` and `heap` do not work");
		return async () => {};
	}
}

class Control {
	readonly #options: ControlOptions;
	/** The threads that look at themselves now. */
	readonly #busy = new Set<string>();

	constructor(options: ControlOptions) {
		this.#options = options;
	}

	async answer(request: Request): Promise<Response> {
		try {
			const { pathname, searchParams } = new URL(request.url);
			return await this.#answer(`${request.method} ${pathname}`, searchParams);
		} catch (error) {
			if (error instanceof Refusal) return Response.json({ message: error.message }, { status: error.status });
			throw error;
		}
	}

	async #answer(asked: string, given: URLSearchParams): Promise<Response> {
		const thread = given.get("thread");
		switch (asked) {
			case "GET /log-level":
				return Response.json({ level: this.#options.logLevel.get() });
			case "POST /log-level":
				return Response.json(this.#setLevel(given.get("level")));
			case "POST /profile": {
				const seconds = Number(given.get("seconds"));
				if (!(seconds > 0 && seconds <= profileSecondsMax))
					throw new Refusal(400, `A profile takes more than 0 and at most ${profileSecondsMax} seconds.`);
				return Response.json({ threads: await this.#inspectAll(thread, { kind: "profile", seconds }) });
			}
			case "GET /heap":
				return Response.json({ threads: await this.#inspectAll(thread, { kind: "heap" }) });
			case "POST /snapshot": {
				if (thread === null) throw new Refusal(400, "Name the thread of the snapshot.");
				const [taken] = await this.#inspectAll(thread, { kind: "snapshot" });
				return new Response(taken?.kind === "snapshot" ? taken.snapshot : "");
			}
			default:
				throw new Refusal(404, "The running server does not know this command: it has another version.");
		}
	}

	#setLevel(asked: string | null) {
		const { log, logLevel } = this.#options;
		const level = logLevels.find((each) => each === asked);
		if (!level) throw new Refusal(400, `'${asked}' is no log level: choose one of ${logLevels.join(", ")}.`);
		const before = logLevel.get();
		logLevel.set(level);
		log.info({ from: before, to: level }, "the log level has changed");
		return { level, before };
	}

	/** Returns the answers of the thread, or of all threads that run, with their names. A thread that ends meanwhile has none. */
	async #inspectAll(asked: string | null, order: InspectionOrder) {
		const { threads } = this.#options;
		const running = ["main", ...[...threads].flatMap(([name, { isReady }]) => (isReady ? [name] : []))];
		if (asked !== null && !running.includes(asked))
			throw new Refusal(404, `No thread '${asked}' runs: choose one of ${running.join(", ")}.`);
		const names = asked === null ? running : [asked];
		const busy = names.find((name) => this.#busy.has(name));
		if (busy !== undefined)
			throw new Refusal(409, `The thread '${busy}' does this for another command: wait until that one has ended.`);
		for (const name of names) this.#busy.add(name);
		try {
			const answers = await Promise.all(
				names.map(async (thread) => {
					const inspected = await this.#inspect(thread, order);
					return inspected ? [{ thread, ...inspected }] : [];
				}),
			);
			const all = answers.flat();
			if (all.length === 0) throw new Refusal(409, `The thread '${asked}' has ended meanwhile: repeat the command.`);
			return all;
		} finally {
			for (const name of names) this.#busy.delete(name);
		}
	}

	async #inspect(name: string, order: InspectionOrder): Promise<Inspected | undefined> {
		if (name !== "main") return this.#options.threads.get(name)?.inspect(order);
		// No start needs these modules.
		const { inspect } = await import("../../workers/inspection");
		return inspect(order);
	}
}
