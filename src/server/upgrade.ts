import type { Server } from "bun";
import type { Config } from "../config/config";
import type { Log } from "../http/log";
import { explained } from "../http/server";
import { FolderError } from "../kernel/errors";
import { spawnThread } from "../threads";
import type { UpgradeAnswer, UpgradeOrder, UpgradeStep } from "../workers/threads/upgrader";

/** After how many seconds a caller repeats a request that met the upgrade. */
const retrySeconds = 5;

/**
 * Upgrades the data folder on a thread of its own. Meanwhile this thread answers at the port of the server: `/healthz` is 200, and `/readyz`
 * names the current step. The port is closed when this returns; the server opens it. Throws what the upgrade threw, FolderError among others.
 */
export async function upgradeServed({ host, port, dataDir, upgradeCopy }: Config, log: Log): Promise<void> {
	const progress = new UpgradeProgress();
	const server = serveProbes({ host, port }, () => progress.describe());
	log.info(`answering probes at http://${host}:${server.port} during the upgrade`);
	try {
		await upgraded({ folder: dataDir, hasCopy: upgradeCopy }, (step) => {
			progress.begin(step);
			logStep(log, step);
		});
	} finally {
		await server.stop(true);
	}
}

/** Describes the current step of an upgrade, with its time. */
class UpgradeProgress {
	#step: UpgradeStep | undefined;
	#begunAtMs = performance.now();

	begin(step: UpgradeStep): void {
		this.#step = step;
		this.#begunAtMs = performance.now();
	}

	describe(): string {
		const seconds = Math.floor((performance.now() - this.#begunAtMs) / 1000);
		return `Tollgate upgrades its data folder: ${describeStep(this.#step)}, for ${seconds} s.`;
	}
}

function describeStep(step: UpgradeStep | undefined): string {
	if (!step) return "it begins";
	const { kind, file, tookMs } = step;
	if (tookMs !== undefined) return kind === "copy" ? `${file} is copied` : `${file} is upgraded`;
	if (kind === "copy") return `it copies ${file} (${Math.ceil(step.bytes / 1024 / 1024)} MiB) to before-upgrade`;
	return step.step === undefined
		? `${file}, from schema ${step.from} to ${step.to}`
		: `${file}, step ${step.step} (${step.name})`;
}

function logStep(log: Log, { kind, ...step }: UpgradeStep): void {
	const isEnd = step.tookMs !== undefined;
	if (kind === "copy") log.info(step, isEnd ? "copied before the upgrade" : "copying before the upgrade");
	else if ("step" in step) log.info(step, "upgrading the schema: a step");
	else log.info(step, isEnd ? "upgraded the schema" : "upgrading the schema");
}

/** Runs the upgrade to its end. */
function upgraded(order: UpgradeOrder, onStep: (step: UpgradeStep) => void): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const worker = spawnThread.upgrader();
	worker.onmessage = ({ data }: MessageEvent<UpgradeAnswer>) => {
		if (data.kind === "done") resolve();
		else if (data.kind === "failed")
			reject(
				data.isRefusal ? new FolderError(data.message) : Object.assign(new Error(data.message), { code: data.code }),
			);
		else onStep(data);
	};
	worker.onerror = ({ message }) => reject(new Error(`The thread of the upgrade has died: ${message}`));
	worker.postMessage(order);
	return promise.finally(() => worker.terminate());
}

/** Answers the probes at the port of the server; every other request is repeated later. */
const serveProbes = ({ host, port }: Pick<Config, "host" | "port">, describe: () => string): Server<undefined> =>
	explained({ host, port }, () =>
		Bun.serve({
			hostname: host,
			port,
			development: false,
			fetch: ({ url }) => {
				const { pathname } = new URL(url);
				if (pathname === "/healthz") return Response.json({ status: "ok" });
				const message = describe();
				const headers = { "Retry-After": String(retrySeconds) };
				return pathname === "/readyz"
					? Response.json({ status: "not ready", missing: ["upgrade"], message }, { status: 503, headers })
					: Response.json({ message, code: null }, { status: 503, headers });
			},
		}),
	);
