import { join } from "node:path";
import { type RunningServer, startServer, temporaryFolder } from "../support/process";

/** A server of its own for one measurement, gone afterwards. */
export async function withServer<T>(
	body: (server: RunningServer, folder: string) => Promise<T>,
	environment: object = {},
): Promise<T> {
	const { folder, remove } = temporaryFolder();
	const server = await startServer(folder, environment);
	try {
		return await body(server, folder);
	} finally {
		await server.stop();
		remove();
	}
}

export interface Load {
	readonly port: number;
	readonly seconds: number;
	readonly connections: number;
	readonly inFlight: number;
	readonly request: string;
}

/** Requests a second of one repeated raw request, sent by a process of its own (load.ts). */
export async function loadRate({ port, seconds, connections, inFlight, request }: Load): Promise<number> {
	const args = [port, seconds, connections, inFlight, Buffer.from(request).toString("base64")].map(String);
	const child = Bun.spawn([process.execPath, join(import.meta.dir, "load.ts"), ...args], {
		stdout: "pipe",
		stderr: "inherit",
	});
	const printed = await new Response(child.stdout).text();
	if ((await child.exited) !== 0) throw new Error("The load generator failed.");
	return Number(printed.trim());
}

export const portOf = ({ url }: { readonly url: string }): number => Number(new URL(url).port);

/** 12345.6 as "12,346". */
export const whole = (rate: number): string => Math.round(rate).toLocaleString("en");
