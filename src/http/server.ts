import type { Server, WebSocketHandler } from "bun";
import { codeOf } from "../kernel/errors";
import type { Log } from "./log";
import { securityHeaders } from "./responses/headers";

/** How long a stop waits for answers that have begun. */
const drainMs = 10_000;

/**
 * The framework's own limit stays above ours, so that a body that is too large meets our answer and not an empty one
 * (http/body.ts).
 */
const requestBytesMax = 64 * 1024 * 1024;

/** Our choice: a client that keeps its connection open longer than this without a word opens another. */
const idleSeconds = 30;

/** Why there is no server at the address that was asked for: told to the person who started it. */
export class CannotListen extends Error {}

const listenObstacles: Readonly<Record<string, string>> = {
	EADDRINUSE: "another process uses it: stop that one, or set TOLLGATE_PORT (0 picks a free one)",
	EACCES: "this user may not open that port: set TOLLGATE_PORT to one above 1023",
};

/** For an address of another machine, or a name that nobody knows, the system gives several codes. */
const otherObstacle = "set TOLLGATE_HOST to an address that this machine has, such as 127.0.0.1, or 0.0.0.0 for all";

export interface Address {
	readonly host: string;
	/** 0 picks a free one. */
	readonly port: number;
}

/** What `open` cannot open is told with the remedy. */
function explained<T>({ host, port }: Address, open: () => T): T {
	try {
		return open();
	} catch (error) {
		const code = codeOf(error);
		throw new CannotListen(`Cannot listen on ${host}:${port} (${code}): ${listenObstacles[code] ?? otherObstacle}.`);
	}
}

/** Opens the address and closes it again: a start that would end there ends before it has filled an empty folder. */
export const assertFree = ({ host, port }: Address): void =>
	explained({ host, port }, () =>
		Bun.listen({ hostname: host, port, exclusive: true, socket: { data: () => {} } }).stop(true),
	);

/** Undefined where the connection is a WebSocket from then on. */
export type Answering<Data> = (
	request: Request,
	server: Server<Data>,
) => Promise<Response | undefined> | Response | undefined;

/** `Data` is what belongs to a WebSocket. */
export interface HttpServerOptions<Data> {
	/** Whether the service is alive and ready: answered before the rest is there. Undefined for anything else. */
	readonly answerProbe: (...asked: Parameters<Answering<Data>>) => ReturnType<Answering<Data>> | undefined;
	/** Makes what answers all else: it takes a good part of a start, and whoever asks first needs it. */
	readonly compose: () => Answering<Data>;
	readonly host: string;
	/** Whether other threads of this process listen at the same port: the system shares connections out among them. */
	readonly isShared: boolean;
	readonly log: Log;
	readonly websocket: WebSocketHandler<Data>;
	/** Ends the answers that would go on for ever. */
	readonly onClose: () => void;
}

/** The port of one thread, opened and closed as often as need be. */
export class HttpServer<Data> {
	readonly #options: HttpServerOptions<Data>;
	#server: Server<Data> | undefined;
	#answer: Answering<Data> | undefined;

	constructor(options: HttpServerOptions<Data>) {
		this.#options = options;
	}

	/** Composes what answers, before anybody waits for it. */
	prepare(): Answering<Data> {
		this.#answer ??= this.#options.compose();
		return this.#answer;
	}

	/** Answers the port. CannotListen. */
	listen(port: number): number {
		const { answerProbe, websocket, host, isShared, log } = this.#options;
		const server = explained({ host, port }, () =>
			Bun.serve({
				hostname: host,
				port,
				// Two servers would share a port without a word; `assertFree` has seen that there is no other.
				reusePort: isShared,
				maxRequestBodySize: requestBytesMax,
				// The runtime's own page would show the source and the stack.
				development: false,
				idleTimeout: idleSeconds,
				websocket,
				fetch: (request, asked) => {
					const probe = this.#answer ? undefined : answerProbe(request, asked);
					return probe ?? this.prepare()(request, asked);
				},
				error: (error: Error) => {
					log.error({ err: error }, "internal error");
					return Response.json({ message: "Internal error", code: null }, { status: 500, headers: securityHeaders });
				},
			}),
		);
		this.#server = server;
		return server.port ?? port;
	}

	/**
	 * Takes no new connection, answers the requests that have begun, then closes. (The server's own promise waits for idle
	 * keep-alive connections too, which may never end.)
	 */
	async close(): Promise<void> {
		const server = this.#server;
		if (!server) return;
		this.#server = undefined;
		void server.stop();
		this.#options.onClose();
		const end = performance.now() + drainMs;
		while (server.pendingRequests > 0 && performance.now() < end) await Bun.sleep(5);
		await server.stop(true);
	}
}
