import { composeApp, composeProbes } from "../app";
import { PushRequests } from "../graphql/push/requests";
import type { Socket } from "../graphql/push/sockets";
import { noteKeyUses } from "../http/authentication/key-uses";
import { EventRequests } from "../http/fast-path/event-requests";
import { Forwarding, pathOf } from "../http/fast-path/forwarding";
import { ConsoleSessions } from "../http/pages/console-session";
import { type Answering, HttpServer, type HttpServerOptions } from "../http/server";
import type { WriterClient } from "../workers/writer-client";
import { makeServices, type OwnOfThread, type Services } from "./context";

export interface ServingOptions extends Omit<OwnOfThread, "write" | "turns"> {
	readonly writer: WriterClient;
	readonly host: string;
	/** Whether other threads of this process listen at the same port. */
	readonly isShared: boolean;
}

/** Makes the HTTP server of a thread: it answers reads and forwards writes to the writer. */
export function makeServer(options: ServingOptions): HttpServer<Socket> {
	const { writer, host, isShared, log } = options;
	const services = makeServices({ ...options, write: writer.write });
	const push = new PushRequests(services);
	const endNoting = noteKeyUses(services);
	return new HttpServer({
		answerProbe: probeAnswering(services),
		compose: () => composeAnswering(services, writer, push),
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
}

const probes: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** Answers probes. Returns undefined for other requests, and for requests of a web page. */
function probeAnswering(services: Services): HttpServerOptions<Socket>["answerProbe"] {
	const app = composeProbes(services);
	return (request, server) => {
		const { method, url, headers } = request;
		if (method !== "GET" || !url.endsWith("z") || headers.has("origin") || !URL.canParse(url)) return undefined;
		if (!probes.has(pathOf(url))) return undefined;
		app.server = server;
		return app.fetch(request);
	};
}

function composeAnswering(services: Services, writer: WriterClient, push: PushRequests): Answering<Socket> {
	const { app, declarations } = composeApp(services);
	const { authenticator, answers, bodies, senders, intake, persisted, unread, log } = services;
	const answerHere = (request: Request) => app.fetch(request);
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
	const answer: Answering<Socket> = (request, server) => {
		// The app looks up the sender of a request in it.
		app.server = server;
		// Events bypass the framework.
		return (
			events.answer(request) ??
			forwarding.answer(request, server) ??
			push.answer(request, server, answerHere) ??
			app.fetch(request)
		);
	};
	// Repeated checks come first. They are sent with an API key, so they need no browser session.
	return (request, server) =>
		answers.find(request) ??
		sessions.answer(request, server, (inner) => answer(inner, server)) ??
		answer(request, server);
}
