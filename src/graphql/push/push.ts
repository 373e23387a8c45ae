import type { ServerWebSocket } from "bun";
import { GraphQLError } from "graphql";
import { type Context, GRAPHQL_TRANSPORT_WS_PROTOCOL, makeServer } from "graphql-ws";
import { assertAllowed } from "../../areas/access/rules";
import type { SlowReaders } from "../../http/responses/slow-readers";
import { assert, fail } from "../../kernel/errors";
import type { Services } from "../../server/context";
import type { Schemas } from "../build";
import { failingOf, viewErrors } from "../request/errors";
import { Channel } from "./channel";
import { type Socket, Sockets } from "./sockets";
import type { Subscriber } from "./subscriber";
import { type Subscription, subscriptionOf } from "./subscription";

type Ws = ServerWebSocket<Socket>;

interface Extra extends Record<PropertyKey, unknown> {
	readonly ws: Ws;
}

/** Several times the six existing ones. */
const subscriptionsMax = 20;

interface Wanted {
	readonly subscription: Subscription;
	readonly socket: Socket;
}

/** The push of one thread: the protocol `graphql-transport-ws` over the environments' channels. */
export class Push {
	readonly #services: Services;
	readonly #sockets: Sockets;
	readonly #readers: SlowReaders;
	readonly #schemas: Schemas;
	readonly #channels = new Map<string, { readonly channel: Channel; readonly end: () => void }>();
	readonly #server;

	constructor(services: Services, schemas: Schemas) {
		this.#services = services;
		this.#readers = services.streams.readers;
		this.#sockets = new Sockets(services);
		this.#schemas = schemas;
		this.#server = makeServer<Record<string, unknown>, Extra>({
			onConnect: ({ extra, connectionParams }) => this.#sockets.admit(extra.ws, connectionParams),
			onSubscribe: (context, _id, payload) => this.#prepare(context, payload),
			subscribe: ({ contextValue }) => this.#subscribe(contextValue as Wanted),
		});
	}

	open(ws: Ws): void {
		if (!this.#sockets.add(ws)) return;
		const { data } = ws;
		data.closed = this.#server.opened(
			{
				protocol: GRAPHQL_TRANSPORT_WS_PROTOCOL,
				send: async (text) => this.#readers.send(ws, text),
				close: (code, reason) => ws.close(code, reason),
				onMessage: (handle) => {
					data.handle = handle;
				},
			},
			{ ws },
		);
	}

	async message(ws: Ws, text: string): Promise<void> {
		if (!this.#sockets.mayHandle(ws)) return;
		try {
			await ws.data.handle(text);
		} catch (error) {
			this.#services.log.error({ requestId: ws.data.requestId, err: error }, "internal error");
			ws.close(1011, "Internal error");
		}
	}

	async close(ws: Ws, code: number, reason: string): Promise<void> {
		this.#readers.remove(ws);
		this.#sockets.remove(ws);
		await ws.data.closed(code, reason);
	}

	drain(ws: Ws): void {
		this.#readers.drained(ws);
	}

	closeAll(): void {
		this.#sockets.closeAll();
	}

	#prepare({ extra, subscriptions }: Context<Record<string, unknown>, Extra>, payload: unknown) {
		const socket = extra.ws.data;
		try {
			if (Object.keys(subscriptions).length > subscriptionsMax)
				throw fail("BadUserInput", `A connection has at most ${subscriptionsMax} subscriptions; complete one of them.`);
			const subscription = subscriptionOf(this.#schemas, this.#services.persisted, payload);
			if ("errors" in subscription) return this.#shown(socket, subscription.errors);
			assert(socket.actor, "a subscriber is authenticated");
			assertAllowed(socket.actor, { scope: subscription.of.scope });
			const { schema, document } = subscription;
			return { schema, document, contextValue: { subscription, socket } satisfies Wanted };
		} catch (error) {
			const errors =
				error instanceof GraphQLError ? [error] : [new GraphQLError("failed", { originalError: error as Error })];
			return this.#shown(socket, errors);
		}
	}

	#shown({ requestId }: Socket, errors: readonly GraphQLError[]): readonly GraphQLError[] {
		return viewErrors({ errors }, failingOf(this.#services, requestId)).errors ?? [];
	}

	#subscribe({ subscription, socket: { actor } }: Wanted): Subscriber {
		assert(actor, "a subscriber is authenticated");
		const { environmentId } = actor;
		const { field, of } = subscription;
		const name = `${environmentId} ${field}`;
		const known = this.#channels.get(name) ?? this.#begin(environmentId, of);
		this.#channels.set(name, known);
		return known.channel.add(subscription, actor, () => {
			if (!known.channel.isEmpty) return;
			known.end();
			this.#channels.delete(name);
		});
	}

	#begin(environmentId: string, of: Subscription["of"]) {
		const channel = new Channel(this.#services);
		const end = of.follow(this.#services, environmentId, (event) => channel.emit(event));
		return { channel, end };
	}
}
