import { temporaryFolder } from "../support/process";
import type { Row } from "./row";
import { cpuMs, median, residentMiB } from "./serving";

const rounds = 5;

/** A server slows its looks down some seconds after its last work. */
const settleMs = 20_000;
const idleMs = 60_000;

/** From the start of the process until it is alive and ready, on an existing and on an empty folder; and its idle memory. */
export async function measureStart(): Promise<Row[]> {
	const { folder, remove } = temporaryFolder();
	// The first round makes the folder and warms the disk's cache.
	await measureOne(folder);
	const existing: Measured[] = [];
	const empty: Measured[] = [];
	for (let round = 0; round < rounds; round += 1) {
		existing.push(await measureOne(folder));
		const fresh = temporaryFolder();
		empty.push(await measureOne(fresh.folder));
		fresh.remove();
	}
	const { idleMiB, idleShare } = await measureOne(folder, { isIdle: true });
	remove();
	const row = (work: string, measured: readonly Measured[], of: "aliveMs" | "readyMs", goal?: string): Row => ({
		work,
		here: `${median(measured.map((one) => one[of])).toFixed(0)} ms`,
		...(goal !== undefined && { goal }),
	});
	return [
		row("executable on an existing folder, until /readyz answers 200", existing, "readyMs", "100 ms"),
		row("executable on an empty folder, until /readyz answers 200", empty, "readyMs", "200 ms"),
		row("executable on an existing folder, until /healthz answers 200", existing, "aliveMs"),
		{ work: "memory when idle", here: `${idleMiB.toFixed(0)} MiB`, goal: "120 MiB" },
		{ work: "CPU of a core when idle, over a minute", here: `${(idleShare * 100).toFixed(2)} %`, goal: "0.3 %" },
	];
}

interface Measured {
	readonly aliveMs: number;
	readonly readyMs: number;
	readonly idleMiB: number;
	readonly idleShare: number;
}

let port = 42_800;

/** Starts the executable, measures until it is ready, or also when it is idle, and stops it. */
async function measureOne(folder: string, { isIdle = false } = {}): Promise<Measured> {
	port += 1;
	const startMs = performance.now();
	const child = Bun.spawn([process.env.TOLLGATE_BINARY ?? "", "serve"], {
		env: { TOLLGATE_DATA_DIR: folder, TOLLGATE_PORT: String(port), TOLLGATE_LOG_LEVEL: "warn" },
		stdout: "ignore",
		stderr: "inherit",
	});
	const until = async (path: string): Promise<number> => {
		while (!(await isOk(`http://127.0.0.1:${port}${path}`))) await Bun.sleep(1);
		return performance.now() - startMs;
	};
	const aliveMs = await until("/healthz");
	const readyMs = await until("/readyz");
	const idle = isIdle ? await measureIdle(child.pid) : { idleMiB: 0, idleShare: 0 };
	child.kill();
	await child.exited;
	return { aliveMs, readyMs, ...idle };
}

async function measureIdle(pid: number): Promise<{ readonly idleMiB: number; readonly idleShare: number }> {
	await Bun.sleep(2000);
	const idleMiB = residentMiB(pid);
	await Bun.sleep(settleMs);
	const before = cpuMs(pid);
	await Bun.sleep(idleMs);
	return { idleMiB, idleShare: (cpuMs(pid) - before) / idleMs };
}

const isOk = (address: string): Promise<boolean> =>
	fetch(address)
		.then((answer) => answer.ok)
		.catch(() => false);
