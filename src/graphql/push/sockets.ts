import type { ServerWebSocket } from "bun";
import { assertAllowed } from "../../areas/access/rules";
import type { KnownActor } from "../../areas/access/rules.actors";
import type { Authenticator } from "../../http/authentication/authenticator";
import { HttpRefusal } from "../../http/refusal";
import type { OpenStreams } from "../../http/responses/streams";
import { DomainError } from "../../kernel/errors";
import type { Actor, Transactions } from "../../kernel/work";

/** The messages of a connection in the time. Known clients send a ping every ten seconds. */
const messagesMax = 100;
const messagesWithinMs = 10_000;

/** The time until a revoked key is detected, and an expired one. */
const lookEveryMs = 250;
const lookAnywayMs = 5_000;

/** The state of a WebSocket. */
export interface Socket {
	readonly requestId: string;
	/** The client's address. */
	readonly address: string;
	/** Set when the connection is initialized. */
	actor: KnownActor | undefined;
	/** Release the connection's places: the thread's and the caller's. */
	readonly releases: Array<() => void>;
	messages: number;
	countedFromMs: number;
	/** Handle a message, and the end of the connection. Set when it is open. */
	handle: (text: string) => Promise<void>;
	closed: (code: number, reason: string) => Promise<void>;
}

type Ws = ServerWebSocket<Socket>;

export const newSocket = (requestId: string, address: string): Socket => ({
	...{ requestId, address, actor: undefined, releases: [], messages: 0, countedFromMs: performance.now() },
	handle: async () => {},
	closed: async () => {},
});

/** The text for which known clients wait and retry (docs/interface/graphql.md). */
const tooMany = (what: string): string => `ThrottlerException: ${what}`;
/** Try again later (RFC 6455). */
const throttled = 1013;
const goingAway = 1001;
/** A code of the protocol. */
const forbidden = 4403;
const serviceRestart = 1012;

/** The text for which known clients stop. */
const invalidKey = "Invalid API key";

/** The headers that identify the caller. Others are ignored. */
const headerNames = ["x-api-key", "authorization", "x-account-id", "x-environment-id"] as const;

/** The connections of callers with the same headers. */
interface Callers {
	readonly headers: Headers;
	readonly address: string;
	readonly rights: string;
	readonly sockets: Set<Ws>;
}

export interface SocketsOptions {
	readonly authenticator: Authenticator;
	readonly transactions: Transactions;
	readonly streams: Pick<OpenStreams, "sockets">;
}

/** The connections, and whether their callers are still authorized. */
export class Sockets {
	readonly #options: SocketsOptions;
	readonly #open = new Set<Ws>();
	readonly #callers = new Map<string, Callers>();
	#looking: ReturnType<typeof setInterval> | undefined;
	#epoch: number | undefined;
	#lookedAtMs = 0;

	constructor(options: SocketsOptions) {
		this.#options = options;
	}

	/** Returns whether there is a place. */
	add(ws: Ws): boolean {
		try {
			ws.data.releases.push(this.#options.streams.sockets.take());
		} catch (error) {
			if (!(error instanceof HttpRefusal)) throw error;
			ws.close(throttled, tooMany("too many connections"));
			return false;
		}
		this.#open.add(ws);
		return true;
	}

	remove(ws: Ws): void {
		this.#open.delete(ws);
		for (const release of ws.data.releases.splice(0)) release();
		for (const [name, { sockets }] of this.#callers)
			if (sockets.delete(ws) && sockets.size === 0) this.#callers.delete(name);
		if (this.#callers.size > 0) return;
		clearInterval(this.#looking);
		this.#looking = undefined;
	}

	/** Counts a message. Returns whether it may be handled. */
	mayHandle(ws: Ws): boolean {
		const nowMs = performance.now();
		const socket = ws.data;
		if (nowMs - socket.countedFromMs > messagesWithinMs) Object.assign(socket, { messages: 0, countedFromMs: nowMs });
		socket.messages += 1;
		if (socket.messages <= messagesMax) return true;
		ws.close(throttled, tooMany("too many messages"));
		return false;
	}

	/** Admits authorized callers. Closes other connections with the reason. */
	admit(ws: Ws, params: { readonly headers?: unknown } | undefined): boolean {
		try {
			const headers = headersOf(params?.headers);
			const { address } = ws.data;
			const actor = this.#actorOf(headers, address);
			ws.data.releases.push(this.#options.streams.sockets.takeFor(actor));
			ws.data.actor = actor;
			const name = JSON.stringify([address, ...headers]);
			const callers = this.#callers.get(name) ?? { headers, address, rights: rightsOf(actor), sockets: new Set() };
			this.#callers.set(name, callers);
			callers.sockets.add(ws);
			this.#looking ??= setInterval(() => this.#look(), lookEveryMs);
			return true;
		} catch (error) {
			if (!(error instanceof DomainError)) throw error;
			if (error.code === "RateLimitExceeded") ws.close(throttled, tooMany("too many connections of this key"));
			else ws.close(forbidden, reasonOf(error));
			return false;
		}
	}

	closeAll(): void {
		for (const ws of [...this.#open]) ws.close(goingAway, "The server closes its connections.");
	}

	#actorOf(headers: Headers, address: string): KnownActor {
		const { actor } = this.#options.authenticator.caller(headers, () => address);
		// Every server key may connect. Each field checks its own scope.
		assertAllowed(actor, {});
		return actor as KnownActor;
	}

	/** Checks that all callers are still authorized. */
	#look(): void {
		const epoch = this.#options.transactions.epoch();
		const nowMs = performance.now();
		if (epoch === this.#epoch && nowMs < this.#lookedAtMs + lookAnywayMs) return;
		this.#epoch = epoch;
		this.#lookedAtMs = nowMs;
		for (const { sockets, ...callers } of this.#callers.values()) {
			const refusal = this.#refusalOf(callers);
			if (refusal) for (const ws of [...sockets]) ws.close(...refusal);
		}
	}

	#refusalOf({ headers, address, rights }: Omit<Callers, "sockets">): [code: number, reason: string] | undefined {
		try {
			if (rightsOf(this.#actorOf(headers, address)) === rights) return undefined;
			return [serviceRestart, "The rights of the key have changed; connect again."];
		} catch (error) {
			// The next check repeats a failed read.
			return error instanceof DomainError ? [forbidden, reasonOf(error)] : undefined;
		}
	}
}

/** Reads headers with HTTP's names. Invalid headers are ignored. */
function headersOf(sent: unknown): Headers {
	const headers = new Headers();
	if (typeof sent !== "object" || sent === null) return headers;
	for (const [name, value] of Object.entries(sent)) {
		const known = headerNames.find((one) => one === name.toLowerCase());
		if (known && typeof value === "string" && /^[\x20-\x7e]{1,400}$/.test(value)) headers.set(known, value);
	}
	return headers;
}

/** At most 123 bytes (RFC 6455). */
const reasonOf = ({ code, message }: DomainError): string =>
	code === "Unauthenticated" ? invalidKey : message.replace(/[^\x20-\x7e]/g, "?").slice(0, 120);

export const rightsOf = ({ kind, environmentId, scopes }: Actor): string =>
	[kind, environmentId, ...(scopes === "everything" ? [scopes] : [...scopes].sort())].join(" ");
