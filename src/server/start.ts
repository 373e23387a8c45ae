import { existsSync } from "node:fs";
import { join } from "node:path";
import { beginEventCharging } from "../areas/credits/charging/events/operations.begin";
import { pendingErasuresName } from "../areas/privacy/rules.erasure-list";
import { beginEventCounting } from "../areas/usage/budgets/operations.begin";
import { beginFolder, type FirstKeys, keysFile } from "../bootstrap";
import type { Config } from "../config/config";
import { ConnectionBound } from "../connections";
import { moveDamagedAside, noteDamaged } from "../folder/damaged";
import { makeFilesPrivate } from "../folder/fill";
import { removeOldCopy } from "../folder/upgrade-copy";
import { bodyBytesPerThread } from "../http/body";
import { newWindowMemory } from "../http/limits/shared-window";
import type { Log } from "../http/log";
import { SharedLogLevel } from "../http/log-level";
import { assertFree, metricsHost } from "../http/server";
import { wallClock } from "../kernel/clock";
import { descriptorsMax } from "../kernel/storage/descriptors";
import { Epochs } from "../kernel/storage/epochs";
import { lockFolder } from "../kernel/storage/lock";
import type { Transactions } from "../kernel/work";
import { openReading } from "../workers/main-file";
import { Pool, type PoolOptions } from "../workers/pool";
import { meterMain } from "../workers/thread-meter";
import { openControl } from "./control/socket";
import { upgradeServed } from "./upgrade";

export interface Server {
	readonly url: string;
	/** Set at the first start of an empty folder: the only time that the keys are known. */
	readonly firstKeys: FirstKeys | undefined;
	/** Answers started requests, drains the threads, closes the files. */
	stop(): Promise<void>;
}

/** The time for the last answers before the process ends: at least for those of other threads, and at most if requests do not end. */
const lastAnswersMs = { min: 100, max: 2_000 };

/** Returns the number of requests without a complete response. */
type Pending = () => number;

/** Ends the process with status 1 once the last answers are sent. A busy machine may need more than a moment for them. */
async function endAnswered(pending: Pending): Promise<never> {
	const end = performance.now() + lastAnswersMs.max;
	await Bun.sleep(lastAnswersMs.min);
	while (pending() > 0 && performance.now() < end) await Bun.sleep(5);
	process.exit(1);
}

/**
 * Ends the process: after a failed sync only a new start, which reads the disk, knows what was written. A process that continued could
 * acknowledge data that the disk does not hold.
 */
const endUnconfirmed =
	(log: Log, pending: Pending) =>
	(cause: unknown): void => {
		log.fatal(
			{ err: cause },
			"the disk did not confirm a write: ending at once; a new start continues from what the disk holds",
		);
		void endAnswered(pending);
	};

export interface ServeOptions {
	/** Called when the port is open. From then on clients may have answers, so the caller stops the server in order. */
	readonly onOpen?: () => void;
	/** Resolves when the server should stop. A start in progress then ends early. */
	readonly stopRequested?: Promise<void>;
	/** The level of `log`, which its owner can change; without it, only the level of the other threads changes. */
	readonly logLevel?: SharedLogLevel;
}

/**
 * Ends the process: all threads have the damaged file open, and only a new start can replace it. Everything acknowledged is in the other
 * files.
 */
const endDamaged =
	(folder: string, log: Log, pending: Pending): PoolOptions["onDamaged"] =>
	(file, finding) => {
		noteDamaged(folder, file, finding);
		log.fatal(
			{ file: `${file}.db`, finding },
			"a file is damaged: ending; the next start moves it aside and rebuilds it",
		);
		void endAnswered(pending);
	};

/**
 * Opens the folder, starts the threads, listens. The server is ready when the promise resolves, unless a stop was requested before. A
 * failed start undoes its steps in reverse order, as a stop does.
 */
export async function serve(config: Config, log: Log, options: ServeOptions = {}): Promise<Server> {
	const { onOpen = () => {}, stopRequested = new Promise<void>(() => {}) } = options;
	const { logLevel = new SharedLogLevel(config.logLevel) } = options;
	const max = descriptorsMax();
	await using begun = new AsyncDisposableStack();
	begun.defer(lockFolder(config.dataDir));
	assertFree(config);
	if (config.metricsPort !== undefined)
		assertFree({ host: metricsHost, port: config.metricsPort, setting: "TOLLGATE_METRICS_PORT" });
	const measured = config.metricsPort === undefined ? undefined : meterMain();
	const open = makeFilesPrivate(config.dataDir);
	if (open.length > 0)
		log.warn({ files: open }, "other users of this machine can read these files, and this user may not change that");
	moveDamagedAside(config.dataDir, log);
	let countPending: Pending = () => 0;
	const onUnconfirmed = endUnconfirmed(log, () => countPending());
	const onDamaged = endDamaged(config.dataDir, log, () => countPending());
	const epochs = new Epochs();
	const settings = settingsOf(config, epochs, logLevel);
	// Closed after the threads have ended.
	const files = begun.use(new DisposableStack());
	const pool = new Pool({ log, onUnconfirmed, onDamaged, descriptorsMax: max, settings, measured });
	begun.defer(() => pool.stop());
	begun.defer(openControl({ folder: config.dataDir, log, logLevel, threads: pool.threads }));
	pool.load();
	const { db, transactions, firstKeys } = await openToRead(config, epochs, log);
	files.defer(() => db.$client.close());
	const started = pool.start(transactions);
	const { makeServer } = await import("./http-thread");
	const stopping = new AbortController();
	const http = makeServer({
		folder: config.dataDir,
		transactions,
		writer: pool.writer,
		events: pool.events,
		log,
		meter: measured?.meter,
		stopping: stopping.signal,
		notReady: () => pool.notReady(),
		trustedProxies: config.trustedProxies,
		bodyBytesMax: settings.http.bodyBytesMax,
		edgeCalls: settings.http.edgeCalls,
		host: config.host,
		isShared: config.httpThreads > 1,
		slowMs: config.slowMs,
		api: config.api,
	});
	countPending = () => http.pendingRequests;
	const close = async () => void (await Promise.all([http.close(), pool.close()]));
	const listen = (port: number): number => {
		const opened = http.listen(port);
		pool.listen(opened);
		return opened;
	};
	// From then on the probes are answered: `/readyz` names the parts that are not up.
	const port = listen(config.port);
	begun.defer(close);
	onOpen();
	const isStarted = await Promise.race([started.then(() => true), stopRequested.then(() => false)]);
	const connections = new ConnectionBound({ max, close, listen: () => void listen(port), log });
	begun.defer(() => connections.stop());
	const url = `http://${config.host}:${port}`;
	if (isStarted) {
		log.info(`listening on ${url}`);
		http.prepare();
	}
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

/** Opens the folder, filled and at the newest schema, for reading: from then on only the writer writes. */
async function openToRead(config: Config, epochs: Epochs, log: Log) {
	const removed = removeOldCopy(config.dataDir, config.backupsKeptMs, wallClock);
	if (removed !== undefined) log.info({ madeAt: removed }, "removed the copy of the folder before its last upgrade");
	const { db, transactions, firstKeys } = await beginFolder(config, {
		upgrade: () => upgradeServed(config, log),
	});
	await repeatErasures(config, transactions, log);
	beginEventCharging(transactions);
	beginEventCounting(transactions);
	db.$client.run("PRAGMA query_only = ON");
	return { db, transactions: openReading(db, epochs), firstKeys };
}

/** Repeats the erasures that the backup of a restored folder did not know. Other folders need none of these modules. */
async function repeatErasures({ dataDir }: Config, transactions: Transactions, log: Log): Promise<void> {
	if (!existsSync(join(dataDir, pendingErasuresName))) return;
	const { reapplyPending } = await import("../folder/pending-erasures");
	const { begun, waiting } = reapplyPending(dataDir, transactions);
	if (begun.length > 0) log.info({ erasures: begun.length }, "repeating erasures that were requested after the backup");
	for (const { id, obstacle } of waiting)
		log.error({ erasure: id, obstacle }, "a restore brought back an erased customer that cannot be erased again yet");
}

const settingsOf = (config: Config, epochs: Epochs, logLevel: SharedLogLevel) => ({
	folder: config.dataDir,
	logLevel: logLevel.memory,
	eventsKeepDays: config.eventsKeepDays,
	eventsKnownDays: config.eventsKnownDays,
	backupsKeptMs: config.backupsKeptMs,
	webhooksKeepDays: config.webhooksKeepDays,
	auditKeepDays: config.auditKeepDays,
	eventsKnownBytesMax: config.eventsKnownBytesMax,
	storage: config.storage,
	backups: config.backups,
	pdfLifetimeMs: config.pdfLifetimeMs,
	pdfBytesMax: config.pdfBytesMax,
	epochs: epochs.memory,
	metricsPort: config.metricsPort,
	api: config.api,
	http: {
		host: config.host,
		trustedProxies: config.trustedProxies.map(({ network, bits }) => `${network}/${bits}`),
		bodyBytesMax: bodyBytesPerThread(config.httpThreads),
		edgeCalls: newWindowMemory(),
		threads: config.httpThreads,
		slowMs: config.slowMs,
	},
});
