import type { AnyElysia } from "elysia";
import { createApp } from "./app";
import { bootstrap, type FirstKeys, folderSecret, keysFile } from "./bootstrap";
import type { Config } from "./config";
import { openFolder } from "./files";
import { Disk } from "./folder/disk";
import { Authenticator } from "./http/authenticator";
import { Bodies } from "./http/body";
import { securityHeaders } from "./http/headers";
import { EntityLimits } from "./http/limits";
import type { Log } from "./http/log";
import { Senders } from "./http/senders";
import { lockFolder } from "./kernel/lock";
import type { WorkerName } from "./kernel/work";
import type { Services } from "./services";
import { Pool } from "./workers/pool";

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

/** Opens the folder, starts the threads, listens. Ready when it resolves. */
export async function serve(config: Config, log: Log): Promise<Server> {
	const unlock = lockFolder(config.dataDir);
	// The pool needs the doors, and the doors wake the pool's threads.
	const wakeable: { pool?: Pool } = {};
	const { db, doors } = openFolder(config.dataDir, { wake: (worker: WorkerName) => wakeable.pool?.wake(worker) });
	const firstKeys = bootstrap(doors, config);
	if (firstKeys && config.demo) {
		const { seedDemo } = await import("./demo/seed");
		seedDemo(config.dataDir, db, firstKeys);
	}
	const pool = new Pool({
		doors,
		log,
		settings: {
			folder: config.dataDir,
			logLevel: config.logLevel,
			pdfLifetimeMs: config.pdfLifetimeMs,
			pdfBytesMax: config.pdfBytesMax,
		},
	});
	wakeable.pool = pool;
	// The threads open their files while this one builds its routes.
	const started = pool.start();
	const stopping = new AbortController();
	const services: Services = {
		doors,
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
	});
	const url = `http://${config.host}:${app.server?.port}`;
	log.info(`listening on ${url}`);
	if (firstKeys) log.info({ file: keysFile(config.dataDir) }, "first start: the keys are in this file");
	return {
		url,
		firstKeys,
		stop: async () => {
			log.info("stopping");
			stopping.abort();
			await drain(app.server);
			await pool.stop();
			db.$client.close();
			unlock();
			log.info("stopped");
		},
	};
}
