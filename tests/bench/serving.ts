import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningServer, startServer, temporaryFolder, testKey } from "../support/process";
import type { Answered, Traffic } from "./client";

export interface Target {
	readonly port: number;
	/** CPU time of the server's process. */
	readonly pid: number;
}

export interface Serving extends RunningServer, Target {}

/** A server of its own for one measurement, gone afterwards. */
export async function withServer<T>(
	body: (server: Serving, folder: string) => Promise<T>,
	environment: object = {},
): Promise<T> {
	const { folder, remove } = temporaryFolder();
	const server = await startServer(folder, environment);
	try {
		return await body({ ...server, port: Number(new URL(server.url).port) }, folder);
	} finally {
		await server.stop();
		remove();
	}
}

/** A ceiling (bare.ts), gone afterwards. */
export async function withBare<T>(mode: string, body: (bare: Target) => Promise<T>, text = ""): Promise<T> {
	const child = Bun.spawn([process.execPath, join(import.meta.dir, "bare.ts"), mode, text], { stdout: "pipe" });
	try {
		for await (const chunk of child.stdout)
			return await body({ port: Number(Buffer.from(chunk).toString()), pid: child.pid });
		throw new Error(`The bare server '${mode}' did not start.`);
	} finally {
		child.kill();
		await child.exited;
	}
}

export interface Load extends Answered {
	/** Microseconds of the server's CPU for each request, over all its threads; what it puts off till later is waited for. */
	readonly cpuUs: number;
}

/** Sends requests from a process of its own (client.ts). Throws where one is refused. */
export async function load(target: Target, traffic: Traffic): Promise<Load> {
	const spec = JSON.stringify({ ...traffic, port: target.port });
	const before = cpuMs(target.pid);
	const child = Bun.spawn([process.execPath, join(import.meta.dir, "client.ts")], {
		stdin: Buffer.from(spec),
		stdout: "pipe",
		stderr: "inherit",
	});
	const printed = await new Response(child.stdout).text();
	if ((await child.exited) !== 0) throw new Error("The load generator failed.");
	const answered: Answered = JSON.parse(printed);
	if (answered.failed > 0) throw new Error(`${answered.failed} requests were refused, first: ${answered.failure}`);
	const counted = answered.requests / (traffic.isCold ? 1 : traffic.seconds / (traffic.seconds + 0.5));
	return { ...answered, cpuUs: ((await restingCpuMs(target.pid)) - before) * (1000 / counted) };
}

/** User and system time of a process, all its threads together, in steps of ten milliseconds; NaN where it cannot be seen. */
export function cpuMs(pid: number): number {
	try {
		const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
		return (Number(fields[11]) + Number(fields[12])) * 10;
	} catch {
		return Number.NaN;
	}
}

/** The memory of a process, all its threads and its mapped files together; NaN where it cannot be read. */
export function residentMiB(pid: number): number {
	try {
		return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]) / 1024;
	} catch {
		return Number.NaN;
	}
}

async function restingCpuMs(pid: number): Promise<number> {
	for (let last = cpuMs(pid), quiet = 0, looks = 0; ; looks += 1) {
		await Bun.sleep(150);
		const now = cpuMs(pid);
		quiet = now - last > 30 ? 0 : quiet + 1;
		last = now;
		if (quiet >= 2 || looks > 60 || Number.isNaN(now)) return last;
	}
}

/** Both in turns, so that both meet the same machine: the medians of ours, and of the ratios of each round. */
export async function alongside(
	rounds: number,
	ours: () => Promise<Load>,
	ceiling: () => Promise<Load>,
): Promise<{ readonly ours: Load; readonly ceiling: Load; readonly ratio: number }> {
	const pairs: Array<readonly [Load, Load]> = [];
	for (let round = 0; round < rounds; round += 1) pairs.push([await ours(), await ceiling()]);
	const ratios = pairs.map(([one, other]) => one.perSecond / other.perSecond);
	return {
		ours: typical(pairs.map(([one]) => one)),
		ceiling: typical(pairs.map(([, other]) => other)),
		ratio: median(ratios),
	};
}

const typical = (loads: readonly Load[]): Load => ({
	requests: median(loads.map(({ requests }) => requests)),
	perSecond: median(loads.map(({ perSecond }) => perSecond)),
	p50: median(loads.map(({ p50 }) => p50)),
	p99: median(loads.map(({ p99 }) => p99)),
	longest: Math.max(...loads.map(({ longest }) => longest)),
	cpuUs: median(loads.map(({ cpuUs }) => cpuUs)),
	failed: 0,
	failure: "",
});

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((one, other) => one - other);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A raw request to the API; `path` is behind `/api/v1` unless it is another. */
export function request(method: string, path: string, body?: string): string {
	const address = path === "/healthz" ? path : `/api/v1${path}`;
	const head = `${method} ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-KEY: ${testKey}\r\n`;
	if (body === undefined) return `${head}\r\n`;
	return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Calls and insists on the answer; gives its data. */
export async function ok({ call }: Pick<RunningServer, "call">, method: string, path: string, body?: object) {
	const answer = await call(method, path, body);
	if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
	return answer.body?.data;
}

/** Waits for a task, and insists that it did what it was asked. */
export async function completed(server: RunningServer, taskId: string): Promise<void> {
	for (;;) {
		const { status, errors } = await ok(server, "GET", `/tasks/${taskId}`);
		if (status === "COMPLETED") return;
		if (status !== "PENDING" && status !== "IN_PROGRESS")
			throw new Error(`A task ended ${status}: ${JSON.stringify(errors)}`);
		await Bun.sleep(20);
	}
}

/** 12345.6 as "12,346". */
export const whole = (rate: number): string => Math.round(rate).toLocaleString("en");
export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
export const us = (value: number): string => `${value.toFixed(1)} µs CPU`;
