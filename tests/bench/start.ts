import { startServer, temporaryFolder, testKey } from "../support/process";
import { addCustomers, stock, subscribe } from "./catalogue";
import type { Row } from "./row";
import { cpuMs, median, residentMiB } from "./serving";

const rounds = 11;

/** A server slows its looks down some seconds after its last work. */
const settleMs = 20_000;
const idleMs = 60_000;

/**
 * The time from the start of the process until it is ready, on an existing and on an empty folder, and until it has answered the first check
 * and the first write after that; its idle memory and CPU.
 */
export async function measureStart(): Promise<Row[]> {
	const { folder, remove } = temporaryFolder();
	await fill(folder);
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
	const row = (work: string, measured: readonly Measured[], of: keyof Measured, goal?: string): Row => ({
		work,
		here: `${median(measured.map((one) => one[of])).toFixed(0)} ms`,
		...(goal !== undefined && { goal }),
	});
	return [
		row("executable on an existing folder, until /readyz answers 200", existing, "readyMs", "100 ms"),
		row("the same, until the first check after it is answered", existing, "checkedMs"),
		row("the same, until the first new customer after that is answered", existing, "writtenMs"),
		row("executable on an empty folder, until /readyz answers 200", empty, "readyMs", "200 ms"),
		{ work: "memory when idle", here: `${idleMiB.toFixed(0)} MiB`, goal: "120 MiB" },
		{ work: "CPU of a core when idle, over a minute", here: `${(idleShare * 100).toFixed(2)} %`, goal: "0.3 %" },
	];
}

/** Makes a folder with a customer, and warms the disk's cache. */
async function fill(folder: string): Promise<void> {
	const server = await startServer(folder);
	await stock(server);
	await addCustomers(server, 2);
	await subscribe(server, "metered", 2);
	await server.stop();
}

/** In milliseconds since the start of the process. */
interface Measured {
	readonly readyMs: number;
	readonly checkedMs: number;
	readonly writtenMs: number;
	readonly idleMiB: number;
	readonly idleShare: number;
}

let port = 42_800;

/** Starts the executable, measures until it is ready and has answered, or also when it is idle, and stops it. */
async function measureOne(folder: string, { isIdle = false } = {}): Promise<Measured> {
	port += 1;
	const url = `http://127.0.0.1:${port}`;
	const startMs = performance.now();
	const child = Bun.spawn([process.env.TOLLGATE_BINARY ?? "", "serve"], {
		env: {
			TOLLGATE_DATA_DIR: folder,
			TOLLGATE_PORT: String(port),
			TOLLGATE_LOG_LEVEL: "warn",
			TOLLGATE_BOOTSTRAP_API_KEY: testKey,
		},
		stdout: "ignore",
		stderr: "inherit",
	});
	while (!(await isOk(`${url}/readyz`))) await Bun.sleep(1);
	const readyMs = performance.now() - startMs;
	const idle = isIdle ? await measureIdle(child.pid) : { idleMiB: 0, idleShare: 0 };
	const headers = { "x-api-key": testKey, "content-type": "application/json" };
	const call = async (path: string, init: RequestInit = {}): Promise<number> => {
		const answer = await fetch(`${url}/api/v1${path}`, { headers, ...init });
		await answer.text();
		if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
		return performance.now() - startMs;
	};
	const checkedMs = await call("/customers/c-000001/entitlements/check?featureId=calls");
	const body = JSON.stringify({ id: `c-${port}`, name: "Customer", email: null });
	const writtenMs = await call("/customers", { method: "POST", body });
	child.kill();
	await child.exited;
	return { readyMs, checkedMs, writtenMs, ...idle };
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
