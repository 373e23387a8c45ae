/** The folder of the threads' modules. In the executable a module may stand in any chunk, and the entry points stand below `src`. */
const base = import.meta.url.includes("/$bunfs/") ? "file:///$bunfs/root/src/" : import.meta.url;

const spawn = (name: string, options?: WorkerOptions) =>
	new Worker(new URL(`./workers/threads/${name}.ts`, base).href, options);

/** Starts each of the threads (scripts/build.ts lists their modules). */
export const spawnThread = {
	ingester: () => spawn("ingester"),
	aggregator: () => spawn("aggregator"),
	deliverer: () => spawn("deliverer"),
	renderer: () => spawn("renderer"),
	collector: () => spawn("collector"),
	writer: () => spawn("writer"),
	checker: () => spawn("checker"),
	logChecker: () => spawn("log-checker", { smol: true }),
	http: () => spawn("http"),
	monitor: () => spawn("monitor"),
	upgrader: () => spawn("upgrader", { smol: true }),
	backups: () => spawn("backups", { smol: true }),
} as const;
