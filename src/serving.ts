import { composeApp, composeProbes } from "./app";
import { Watching } from "./areas/entitlements/stream/operations";
import { EventIds } from "./areas/usage/events/rules.event-ids";
import { EventIntake } from "./areas/usage/ingest/operations";
import type { EventIngest } from "./areas/usage/ingest/schema";
import { folderSecret } from "./bootstrap";
import { Disk } from "./folder/disk";
import { PushRequests } from "./graphql/push/requests";
import type { Socket } from "./graphql/push/sockets";
import { PersistedOperations } from "./graphql/request/persisted";
import { AnswerCache } from "./http/answer-cache";
import { type ApiSettings, apiSettingsDefault } from "./http/api-settings";
import { Authenticator } from "./http/authenticator";
import { Bodies } from "./http/body";
import { Senders } from "./http/client-address";
import { EventRequests } from "./http/event-requests";
import { Forwarding, pathOf } from "./http/forwarding";
import { noteKeyUses } from "./http/key-uses";
import { AddressLimit, EntityLimits } from "./http/limits";
import type { Log } from "./http/log";
import { type Answering, HttpServer, type HttpServerOptions } from "./http/server";
import { OpenStreams } from "./http/streams";
import type { AddressRange } from "./kernel/addresses";
import type { Transactions } from "./kernel/work";
import type { Services } from "./services";
import { type Turns, takeTurns } from "./workers/turns";
import type { WriterClient } from "./workers/writer-client";
import type { Write } from "./writes";

/** What is this thread's own of what the routes need. */
interface Own {
	readonly folder: string;
	readonly transactions: Transactions;
	/** Left out where nobody else waits for the thread. */
	readonly turns?: Turns;
	readonly write: Write;
	readonly events: EventIngest;
	readonly log: Log;
	readonly stopping: AbortSignal;
	readonly trustedProxies?: readonly AddressRange[];
	readonly bodyBytesMax?: number;
	readonly notReady?: () => readonly string[];
	readonly api?: ApiSettings;
	/** Where all threads count who reads the edge. */
	readonly edgeCalls?: SharedArrayBuffer | undefined;
}

/** What the routes need, on one thread. */
export function makeServices(own: Own): Services {
	const {
		folder,
		transactions,
		write,
		events,
		log,
		stopping,
		trustedProxies = [],
		notReady = () => [],
		api = apiSettingsDefault,
		bodyBytesMax,
	} = own;
	const secret = folderSecret(folder);
	const authenticator = new Authenticator({ transactions, folderSecret: secret });
	return {
		transactions,
		turns: own.turns ?? takeTurns({ committed: () => transactions.committed() }),
		write,
		authenticator,
		answers: new AnswerCache({ transactions, authenticator, log }),
		limits: new EntityLimits(),
		edgeLimit: new AddressLimit(api.edgeCallsPerSecondMax, own.edgeCalls),
		api,
		persisted: new PersistedOperations(api.operations),
		bodies: new Bodies(bodyBytesMax === undefined ? {} : { totalBytesMax: bodyBytesMax }),
		senders: new Senders(trustedProxies),
		streams: new OpenStreams(),
		watching: new Watching(transactions, log),
		disk: new Disk({ folder }),
		events,
		intake: new EventIntake({ transactions, events }),
		eventIds: new EventIds(secret),
		log,
		stopping,
		notReady,
	};
}

export interface ServingOptions extends Omit<Own, "write" | "turns"> {
	readonly writer: WriterClient;
	readonly host: string;
	/** Whether other threads of this process listen at the same port. */
	readonly isShared: boolean;
}

/** One thread's HTTP: it answers what reads, and hands what writes to the thread that may. */
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

/** Undefined for what is no probe, or comes from a page. */
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
	const { authenticator, answers, bodies, senders, intake, persisted, log } = services;
	const answerHere = (request: Request) => app.fetch(request);
	const forwarding = new Forwarding({ declarations, authenticator, bodies, senders, persisted, writer, answerHere });
	const events = new EventRequests({ declarations, authenticator, bodies, intake, log, answer: answerHere });
	return (request, server) => {
		// What the app asks for the sender of a request.
		app.server = server;
		// What was asked before, and events, are answered without the framework.
		return (
			answers.find(request) ??
			events.answer(request) ??
			forwarding.answer(request, server) ??
			push.answer(request, server, answerHere) ??
			app.fetch(request)
		);
	};
}
