import { systemActor } from "../../areas/access/rules.actors";
import { usageLag } from "../../areas/usage/operations";
import { explained, metricsHost } from "../../http/server";
import { wallClock } from "../../kernel/clock";
import { type Figure, figure } from "../../kernel/metrics/meter";
import { figuresOfArchive } from "../../metrics/archive";
import { exposition, expositionType } from "../../metrics/exposition";
import { figuresOfFolder } from "../../metrics/folder";
import { History } from "../../metrics/history";
import { figuresToRecord, readRecord, writeRecord } from "../../metrics/record";
import { figuresOfTables } from "../../metrics/store";
import { runWorker, tell } from "../entry";
import { openMain } from "../main-file";

/** How often the monitor records the requests and queues for the status page. */
const recordMs = 60_000;

/** The tables are read again after this time, however many systems ask. Reading takes at most this part of the time. */
const tablesKeptMs = 5_000;
const readingShareMax = 0.05;

const dayMs = 86_400_000;

/**
 * Serves `GET /metrics` to monitoring systems on this machine. It reads the tables and writes the text on a thread of its own, so that no
 * caller of the API waits for it. It runs only if a port is set.
 */
runWorker("monitor", async (settings, log) => {
	const { folder, metricsPort } = settings;
	const keepMs = settings.eventsKeepDays === undefined ? undefined : settings.eventsKeepDays * dayMs;
	const { db, transactions } = openMain(settings, ["usage", "events", "deliveries"]);
	let tables: readonly Figure[] = [];
	let readAgainAtMs = Number.NEGATIVE_INFINITY;
	const ofTables = (): readonly Figure[] => {
		const begunAtMs = performance.now();
		if (begunAtMs < readAgainAtMs) return tables;
		tables = transactions.read(systemActor(""), (work) => [
			...figuresOfTables(work),
			...figuresOfArchive(work, keepMs),
		]);
		const endedAtMs = performance.now();
		readAgainAtMs = endedAtMs + Math.max(tablesKeptMs, (endedAtMs - begunAtMs) / readingShareMax);
		return tables;
	};
	let collecting: PromiseWithResolvers<readonly Figure[]> | undefined;
	/** Asks the main thread for the figures of all threads. Requests at the same time share them. */
	const ofThreads = (): Promise<readonly Figure[]> => {
		if (!collecting) {
			collecting = Promise.withResolvers();
			tell({ kind: "collect" });
		}
		return collecting.promise;
	};
	const history = new History((await readRecord(folder))?.points ?? []);
	const record = async (): Promise<void> => {
		const threads = await ofThreads();
		const at = wallClock.now();
		history.add(threads, at);
		const uncounted = figure("tollgate_events_uncounted", {}, transactions.read(systemActor(""), usageLag));
		const figures = figuresToRecord([...threads, ...ofTables(), uncounted]);
		await writeRecord(folder, { at, figures, points: [...history.points] });
	};
	let recording = Promise.resolve();
	const recordSoon = (): void => {
		recording = recording.then(record).catch((error) => {
			log.error({ err: error }, "the status could not be recorded");
		});
	};
	const recorder = setInterval(recordSoon, recordMs);
	// The first look is the beginning of what is counted.
	recordSoon();
	const text = async (): Promise<string> => {
		const [threads, files] = await Promise.all([ofThreads(), figuresOfFolder(folder)]);
		const uncounted = transactions.read(systemActor(""), usageLag);
		return exposition([...threads, ...files, ...ofTables(), figure("tollgate_events_uncounted", {}, uncounted)]);
	};
	const address = { host: metricsHost, port: metricsPort ?? 0, setting: "TOLLGATE_METRICS_PORT" };
	const server = explained(address, () =>
		Bun.serve({
			hostname: address.host,
			port: address.port,
			development: false,
			fetch: async ({ method, url }) => {
				if (new URL(url).pathname !== "/metrics") return new Response("Only /metrics is here.\n", { status: 404 });
				if (method !== "GET" && method !== "HEAD")
					return new Response("Use GET.\n", { status: 405, headers: { allow: "GET, HEAD" } });
				return new Response(await text(), { headers: { "content-type": expositionType } });
			},
			error: (error) => {
				log.error({ err: error }, "the metrics could not be read");
				return new Response("The metrics could not be read; the log has the reason.\n", { status: 500 });
			},
		}),
	);
	log.info(`metrics at http://${address.host}:${server.port}/metrics`);
	return {
		wake: () => undefined,
		collected: (figures) => {
			collecting?.resolve(figures);
			collecting = undefined;
		},
		stop: async () => {
			clearInterval(recorder);
			await server.stop(true);
			db.$client.close();
		},
	};
});
