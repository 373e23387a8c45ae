import type { AnyElysia } from "elysia";
import { createApp } from "./app";
import { beginFolder, type FirstKeys, folderSecret, keysFile } from "./bootstrap";
import type { Config } from "./config";
import { ConnectionBound } from "./connections";
import { Disk } from "./folder/disk";
import { makeFilesPrivate } from "./folder/fill";
import { Authenticator } from "./http/authenticator";
import { Bodies } from "./http/body";
import { securityHeaders } from "./http/headers";
import { EntityLimits } from "./http/limits";
import type { Log } from "./http/log";
import { Senders } from "./http/senders";
import { descriptorsMax } from "./kernel/descriptors";
import { codeOf } from "./kernel/errors";
import { lockFolder } from "./kernel/lock";
import type { WorkerName } from "./kernel/work";
import type { Services } from "./services";
import { Pool } from "./workers/pool";
import { takeTurns } from "./workers/turns";

export interface Server {
	readonly url: string;
	/** Set at the first start of an empty folder: the only time that the keys are known. */
	readonly firstKeys: FirstKeys | undefined;
	/** Answers what has begun, drains the threads, closes the files. */
	stop(): Promise<void>;
}

/** How long a stop waits for answers that have begun. */
const drainMs = 10_000;

/**
 * The framework's own limit stays above ours, so that a body that is too large meets our answer and not an empty one
 * (http/body.ts).
 */
const requestBytesMax = 64 * 1024 * 1024;

/** Our choice: a client that keeps its connection open longer than this without a word opens another. */
const idleSeconds = 30;

/**
 * Takes no new connection, answers the requests that have begun, then closes. (The server's own promise waits for idle
 * keep-alive connections too, which may never end.)
 */
async function drain(server: AnyElysia["server"]): Promise<void> {
	if (!server) return;
	void server.stop();
	const end = performance.now() + drainMs;
	while (server.pendingRequests > 0 && performance.now() < end) await Bun.sleep(5);
	await server.stop(true);
}

/** Why there is no server at the address that was asked for: told to the person who started it. */
export class CannotListen extends Error {}

const listenObstacles: Readonly<Record<string, string>> = {
	EADDRINUSE: "another process uses it: stop that one, or set TOLLGATE_PORT (0 picks a free one)",
	EACCES: "this user may not open that port: set TOLLGATE_PORT to one above 1023",
};

/** For an address of another machine, or a name that nobody knows, the system gives several codes. */
const otherObstacle = "set TOLLGATE_HOST to an address that this machine has, such as 127.0.0.1, or 0.0.0.0 for all";

/** What `open` cannot open is told with the remedy. */
function explained({ host, port }: Config, open: () => void): void {
	try {
		open();
	} catch (error) {
		const code = codeOf(error);
		throw new CannotListen(`Cannot listen on ${host}:${port} (${code}): ${listenObstacles[code] ?? otherObstacle}.`);
	}
}

/** Opens the address and closes it again: a start that would end there ends before it has filled an empty folder. */
const assertFree = (config: Config): void =>
	explained(config, () =>
		Bun.listen({ hostname: config.host, port: config.port, exclusive: true, socket: { data: () => {} } }).stop(true),
	);

const listen = (app: AnyElysia, config: Config, log: Log): void =>
	explained(config, () => {
		app.listen({
			hostname: config.host,
			port: config.port,
			// Two servers would share a port without a word.
			reusePort: false,
			maxRequestBodySize: requestBytesMax,
			// The runtime's own page would show the source and the stack.
			development: false,
			error: (error: Error) => {
				log.error({ err: error }, "internal error");
				return Response.json({ message: "Internal error", code: null }, { status: 500, headers: securityHeaders });
			},
			idleTimeout: idleSeconds,
		});
	});

/** Our choice: how long the answers that are written have to leave before the process ends. */
const lastAnswersMs = 100;

/**
 * Ends the process: after a failed sync only a new start, which reads what is on disk, knows what was kept. Going on would
 * promise what the disk may not hold.
 */
const endUnconfirmed =
	(log: Log) =>
	(cause: unknown): void => {
		log.fatal(
			{ err: cause },
			"the disk did not confirm a write: ending at once; a new start goes on from what the disk holds",
		);
		setTimeout(() => process.exit(1), lastAnswersMs);
	};

/**
 * Opens the folder, starts the threads, listens. Ready when it resolves; when it rejects, nothing of it is left: what has
 * been begun is undone in reverse order, by a failed start as by a stop.
 */
export async function serve(config: Config, log: Log): Promise<Server> {
	const max = descriptorsMax();
	await using begun = new AsyncDisposableStack();
	begun.defer(lockFolder(config.dataDir));
	assertFree(config);
	const open = makeFilesPrivate(config.dataDir);
	if (open.length > 0)
		log.warn({ files: open }, "others on this machine may read these files, and this user may not change that");
	// The pool needs the doors, and the doors wake the pool's threads.
	const wakeable: { pool?: Pool } = {};
	const onUnconfirmed = endUnconfirmed(log);
	const wake = (worker: WorkerName) => wakeable.pool?.wake(worker);
	const { db, doors, firstKeys } = await beginFolder(config, { wake, onUnconfirmed });
	begun.defer(() => db.$client.close());
	const pool = new Pool({
		doors,
		log,
		onUnconfirmed,
		descriptorsMax: max,
		settings: {
			folder: config.dataDir,
			logLevel: config.logLevel,
			pdfLifetimeMs: config.pdfLifetimeMs,
			pdfBytesMax: config.pdfBytesMax,
		},
	});
	wakeable.pool = pool;
	begun.defer(() => pool.stop());
	// The threads open their files while this one builds its routes.
	const started = pool.start();
	const stopping = new AbortController();
	const services: Services = {
		doors,
		turns: takeTurns(),
		authenticator: new Authenticator({ doors, folderSecret: folderSecret(config.dataDir) }),
		limits: new EntityLimits(),
		bodies: new Bodies(),
		senders: new Senders(config.trustedProxies),
		disk: new Disk({ folder: config.dataDir }),
		events: pool.events,
		log,
		stopping: stopping.signal,
		notReady: () => pool.notReady(),
	};
	const app = createApp(services);
	await Promise.all([app.modules, started]);
	listen(app, config, log);
	begun.defer(() => drain(app.server));
	const port = app.server?.port ?? config.port;
	const connections = new ConnectionBound({
		max,
		close: () => drain(app.server),
		listen: () => listen(app, { ...config, port }, log),
		log,
	});
	begun.defer(() => connections.stop());
	const url = `http://${config.host}:${port}`;
	log.info(`listening on ${url}`);
	if (firstKeys) log.info({ file: keysFile(config.dataDir) }, "first start: the keys are in this file");
	const running = begun.move();
	return {
		url,
		firstKeys,
		stop: async () => {
			log.info("stopping");
			stopping.abort();
			await running.disposeAsync();
			log.info("stopped");
		},
	};
}
