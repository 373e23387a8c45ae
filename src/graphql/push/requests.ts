import type { Server, WebSocketHandler } from "bun";
import { pathOf } from "../../http/fast-path/forwarding";
import { HttpRefusal } from "../../http/refusal";
import { rejectRequest, requestIdOf } from "../../http/requests";
import type { Services } from "../../server/context";
import type { Push } from "./push";
import { newSocket, type Socket } from "./sockets";

/** More than an operation may have (request/limits.ts), with its variables. */
const messageBytesMax = 256 * 1024;

/** The unread bytes of a connection. Beyond them it is closed; the client can reconnect. */
const waitingBytesMax = 1024 * 1024;

/** The time without messages and pongs after which a connection is closed. */
const idleSeconds = 120;

const protocol = "graphql-transport-ws";

/** `GET /graphql` with an upgrade to a WebSocket. The first connection loads the engine. */
export class PushRequests {
	readonly #services: Services;
	#loading: Promise<Push> | undefined;
	#push: Push | undefined;

	constructor(services: Services) {
		this.#services = services;
	}

	readonly websocket: WebSocketHandler<Socket> = {
		maxPayloadLength: messageBytesMax,
		backpressureLimit: waitingBytesMax,
		closeOnBackpressureLimit: true,
		idleTimeout: idleSeconds,
		perMessageDeflate: false,
		open: (ws) => this.#push?.open(ws),
		message: (ws, text) => this.#push?.message(ws, String(text)),
		drain: (ws) => this.#push?.drain(ws),
		close: (ws, code, reason) => this.#push?.close(ws, code, reason),
	};

	/** Undefined for other requests. The promised response is undefined after an upgrade. */
	answer(
		request: Request,
		server: Server<Socket>,
		answerHere: (request: Request) => Promise<Response> | Response,
	): Promise<Response | undefined> | undefined {
		const { method, headers, url } = request;
		if (method !== "GET" || headers.get("upgrade")?.toLowerCase() !== "websocket") return undefined;
		if (!URL.canParse(url) || pathOf(url) !== "/graphql") return undefined;
		return this.#upgrade(request, server, answerHere);
	}

	endAll(): void {
		this.#push?.closeAll();
	}

	async #upgrade(
		request: Request,
		server: Server<Socket>,
		answerHere: (request: Request) => Promise<Response> | Response,
	): Promise<Response | undefined> {
		const asked = request.headers.get("sec-websocket-protocol")?.split(",") ?? [];
		const knowsProtocol = asked.some((one) => one.trim() === protocol);
		this.#loading ??= import("../schema").then(({ loadPush }) => loadPush(this.#services));
		this.#push = await this.#loading;
		const data = newSocket(requestIdOf(request), this.#services.senders.of(request, server).address);
		if (knowsProtocol && server.upgrade(request, { data, headers: { "sec-websocket-protocol": protocol } }))
			return undefined;
		rejectRequest(request, new HttpRefusal(400, `Open a WebSocket with the sub-protocol ${protocol}.`));
		return answerHere(request);
	}
}
