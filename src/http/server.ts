import type { Server, WebSocketHandler } from "bun";
import { codeOf } from "../kernel/errors";
import type { Log } from "./log";
import { failureAnswer, failureName } from "./requests";
import { securityHeaders } from "./responses/headers";

/** The time that a stop waits for responses in progress. */
const drainMs = 10_000;

/** The framework's limit is above ours, so that a body that is too large gets our response (http/body.ts). */
const requestBytesMax = 80 * 1024 * 1024;

/** The idle timeout of a connection. */
const idleSeconds = 30;

/** The server cannot listen at the requested address; the message is for the operator. */
export class CannotListen extends Error {}

const listenObstacles: Readonly<Record<string, string>> = {
	EADDRINUSE: "another process uses it: stop that one, or set <setting> (0 picks a free one)",
	EACCES: "this user may not open that port: set <setting> to one above 1023",
};

/** The system has several codes for an address of another machine and for an unknown name. */
const otherObstacle = "set TOLLGATE_HOST to an address that this machine has, such as 127.0.0.1, or 0.0.0.0 for all";

export interface Address {
	readonly host: string;
	/** 0 picks a free port. */
	readonly port: number;
	/** The setting of the port. */
	readonly setting?: string;
}

/** Metrics show figures of the business, so only this machine may read them. */
export const metricsHost = "127.0.0.1";

/** Adds the remedy to an error of `open`. */
export function explained<T>({ host, port, setting = "TOLLGATE_PORT" }: Address, open: () => T): T {
	try {
		return open();
	} catch (error) {
		const code = codeOf(error);
		const obstacle = (listenObstacles[code] ?? otherObstacle).replace("<setting>", setting);
		throw new CannotListen(`Cannot listen on ${host}:${port} (${code}): ${obstacle}.`);
	}
}

/** Opens the address and closes it again, so a start that would fail ends before it fills an empty folder. */
export const assertFree = (address: Address): void =>
	explained(address, () =>
		Bun.listen({ hostname: address.host, port: address.port, exclusive: true, socket: { data: () => {} } }).stop(true),
	);

/** Returns undefined if the connection has become a WebSocket. */
export type Answering<Data> = (
	request: Request,
	server: Server<Data>,
) => Promise<Response | undefined> | Response | undefined;

/** `Data` belongs to a WebSocket. */
export interface HttpServerOptions<Data> {
	readonly answer: Answering<Data>;
	/** Composes the routes of the most frequent requests. */
	readonly prepare: () => void;
	readonly host: string;
	/** Whether other threads of the process listen at the same port; the system distributes connections. */
	readonly isShared: boolean;
	readonly log: Log;
	readonly websocket: WebSocketHandler<Data>;
	/** Ends streams. */
	readonly onClose: () => void;
}

/** The port of one thread, which can be opened and closed repeatedly. */
export class HttpServer<Data> {
	readonly #options: HttpServerOptions<Data>;
	#server: Server<Data> | undefined;

	constructor(options: HttpServerOptions<Data>) {
		this.#options = options;
	}

	/** Call it when the server is ready: the first request then finds its routes composed. */
	prepare(): void {
		this.#options.prepare();
	}

	/** Returns the port. CannotListen. */
	listen(port: number): number {
		const { answer, websocket, host, isShared, log } = this.#options;
		const server = explained({ host, port }, () =>
			Bun.serve({
				hostname: host,
				port,
				// Two servers would silently share a port; `assertFree` has checked that there is no other.
				reusePort: isShared,
				maxRequestBodySize: requestBytesMax,
				// The runtime's development page would show source code.
				development: false,
				idleTimeout: idleSeconds,
				websocket,
				fetch: answer,
				// Errors of what runs before the framework, which has its own handler (errors.ts).
				error: (error: Error) => {
					log.error({ err: error }, failureName(error));
					const { status, message, headers } = failureAnswer(error);
					return Response.json({ message, code: null }, { status, headers: { ...securityHeaders, ...headers } });
				},
			}),
		);
		this.#server = server;
		return server.port ?? port;
	}

	/** The number of requests without a complete response. */
	get pendingRequests(): number {
		return this.#server?.pendingRequests ?? 0;
	}

	/**
	 * Accepts no new connection, waits for responses in progress, then closes. The server's own promise also waits for
	 * idle connections, which may never end.
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
