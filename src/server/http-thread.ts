import type { Server } from "bun";
import type { AnyElysia } from "elysia";
import { PushRequests } from "../graphql/push/requests";
import type { Socket } from "../graphql/push/sockets";
import { noteKeyUses } from "../http/authentication/key-uses";
import { EventRequests } from "../http/fast-path/event-requests";
import { Forwarding, pathOf } from "../http/fast-path/forwarding";
import { type FindRoute, timed, timesOf } from "../http/metered";
import { ConsoleSessions } from "../http/pages/console-session";
import { type Answering, HttpServer } from "../http/server";
import { RouteGroups } from "../routes/groups";
import type { WriterClient } from "../workers/writer-client";
import { makeServices, type OwnOfThread, type Services } from "./context";

export interface ServingOptions extends Omit<OwnOfThread, "write" | "turns"> {
	readonly writer: WriterClient;
	readonly host: string;
	/** Whether other threads of this process listen at the same port. */
	readonly isShared: boolean;
	/** Requests that take longer, in milliseconds, are logged; 0 logs none. */
	readonly slowMs: number;
}

/** Makes the HTTP server of a thread: it answers reads and forwards writes to the writer. */
export function makeServer(options: ServingOptions): HttpServer<Socket> {
	const { writer, host, isShared, log, meter, slowMs } = options;
	// Only answered requests are cached, so the groups are there.
	const find: FindRoute = (method, path) => groups.declarations.find(method, path);
	const services = makeServices({
		...options,
		write: writer.write,
		timesOf: meter && ((url) => timesOf(meter, find, "GET", pathOf(url), 200)),
	});
	const groups = new RouteGroups(services);
	const push = new PushRequests(services);
	const endNoting = noteKeyUses(services);
	const { answers } = services;
	const answer = answering(groups, services, writer, push);
	const others = timed({ find, meter, slowMs, log }, answer);
	const server: HttpServer<Socket> = new HttpServer({
		// Repeated checks come first. They are sent with an API key, so they need no browser session.
		answer: (request, peers) => answers.find(request) ?? others(request, peers),
		prepare: () => void groups.load("entitlements"),
		websocket: push.websocket,
		onClose: () => {
			services.streams.endAll();
			push.endAll();
			endNoting();
		},
		host,
		isShared,
		log,
	});
	meter?.read("tollgate_http_requests_in_progress", {}, () => server.pendingRequests);
	return server;
}

function answering(
	groups: RouteGroups,
	services: Services,
	writer: WriterClient,
	push: PushRequests,
): Answering<Socket> {
	const { authenticator, bodies, senders, intake, persisted, unread, log } = services;
	const { declarations } = groups;
	const answerHere = (request: Request) => groups.handle(request);
	const forwarding = new Forwarding({
		declarations,
		authenticator,
		bodies,
		senders,
		persisted,
		writer,
		unread,
		answerHere,
	});
	const events = new EventRequests({ declarations, authenticator, bodies, intake, log, answer: answerHere });
	const sessions = new ConsoleSessions(services);
	const answerBy = (app: AnyElysia, request: Request, server: Server<Socket>) =>
		forwarding.answer(request, server) ?? push.answer(request, server, answerHere) ?? app.fetch(request);
	const answer: Answering<Socket> = (request, server) => {
		groups.server = server;
		// Events bypass the framework.
		const taken = events.answer(request);
		if (taken) return taken;
		const app = groups.of(pathOf(request.url));
		return app instanceof Promise
			? app.then((composed) => answerBy(composed, request, server))
			: answerBy(app, request, server);
	};
	return (request, server) =>
		sessions.answer(request, server, (inner) => answer(inner, server)) ?? answer(request, server);
}
