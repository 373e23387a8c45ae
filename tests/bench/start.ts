import { rmSync } from "node:fs";
import { temporaryFolder } from "../support/process";
import type { Row } from "./row";
import { cpuMs, median, residentMiB } from "./serving";

const rounds = 5;

/** A server slows its looks down some seconds after its last work. */
const settleMs = 20_000;
const idleMs = 60_000;

/** From the start of the process to the first 200, on a folder that exists; and what the process holds when idle. */
export async function measureStart(): Promise<Row[]> {
	const { folder, remove } = temporaryFolder();
	const alive: number[] = [];
	const ready: number[] = [];
	let idleMiB = 0;
	let idleShare = 0;
	for (let round = 0; round <= rounds; round += 1) {
		const port = 42_800 + round;
		const start = performance.now();
		const child = Bun.spawn([process.env.TOLLGATE_BINARY ?? "", "serve"], {
			env: { TOLLGATE_DATA_DIR: folder, TOLLGATE_PORT: String(port), TOLLGATE_LOG_LEVEL: "warn" },
			stdout: "ignore",
			stderr: "inherit",
		});
		for (const [path, times] of [
			["/healthz", alive],
			["/readyz", ready],
		] as const) {
			while (!(await isOk(`http://127.0.0.1:${port}${path}`))) await Bun.sleep(1);
			// The first round makes the folder and warms the disk's cache.
			if (round > 0) times.push(performance.now() - start);
		}
		if (round === rounds) {
			await Bun.sleep(2000);
			idleMiB = residentMiB(child.pid);
			await Bun.sleep(settleMs);
			const before = cpuMs(child.pid);
			await Bun.sleep(idleMs);
			idleShare = (cpuMs(child.pid) - before) / idleMs;
		}
		child.kill();
		await child.exited;
	}
	rmSync(folder, { recursive: true, force: true });
	remove();
	return [
		{ work: "executable, to the first 200", here: `${median(alive).toFixed(0)} ms`, goal: "100 ms" },
		{ work: "executable, until it is ready", here: `${median(ready).toFixed(0)} ms` },
		{ work: "memory when idle", here: `${idleMiB.toFixed(0)} MiB`, goal: "120 MiB" },
		{ work: "CPU of a core when idle, over a minute", here: `${(idleShare * 100).toFixed(2)} %`, goal: "0.3 %" },
	];
}

const isOk = (address: string): Promise<boolean> =>
	fetch(address)
		.then((answer) => answer.ok)
		.catch(() => false);
