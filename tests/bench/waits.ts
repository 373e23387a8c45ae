import { join } from "node:path";
import { runTollgate, testKey } from "../support/process";
import { addCustomers, digits, publish, stock, subscribe } from "./catalogue";
import type { Row } from "./row";
import { completed, ms, ok, type Serving, whole, withServer } from "./serving";

const subscriptions = Number(process.env.BENCH_SUBSCRIPTIONS ?? 10_000);
const imported = subscriptions / 2;
const quietMs = 3000;
const goal = "p99 20 ms, longest 50 ms";

/** How long others wait while a long job writes: `/healthz`, a check and a change of a customer, one after the other. */
export const measureWaits = (): Promise<Row[]> =>
	withServer(async (server, folder) => {
		await ok(server, "POST", "/environments/current/clock", { now: "2030-01-31T00:00:00Z" });
		await stock(server);
		await addCustomers(server, subscriptions + imported);
		await subscribe(server, "pro", subscriptions);
		const rows: Row[] = [];
		const during = async (name: string, job: () => Promise<unknown>): Promise<void> => {
			const began = performance.now();
			let tookMs = 0;
			const waits = await probing(server, async () => {
				await job();
				tookMs = performance.now() - began;
			});
			for (const [what, taken] of Object.entries(waits))
				rows.push({ work: `${what}, ${name} (${(tookMs / 1000).toFixed(1)} s)`, here: textOf(taken), goal });
		};
		await during("quiet", () => Bun.sleep(quietMs));
		await during(`during an import of ${whole(imported)}`, () => subscribe(server, "pro", imported, subscriptions));
		await during(`during a migration of ${whole(subscriptions + imported)}`, () => migrate(server));
		await during(`during three months of ${whole(subscriptions + imported)} renewals`, () =>
			turn(server, "2030-04-30T01:00:00.000Z"),
		);
		await during("during a backup", async () => {
			const { status, errors } = await runTollgate(folder, ["backup", join(folder, "..", `${Date.now()}.tgz`)]);
			if (status !== 0) throw new Error(errors);
		});
		return rows;
	});

async function migrate(server: Serving): Promise<void> {
	await ok(server, "POST", "/plans/pro/draft");
	await ok(server, "PATCH", "/plans/pro", { displayName: "Pro, newer" });
	const { taskId } = await publish(server, "pro", "ALL_CUSTOMERS");
	if (taskId) await completed(server, taskId);
}

/** A turn that takes long is answered in parts: it is sent again until the clock has arrived. */
async function turn(server: Serving, now: string): Promise<void> {
	while ((await ok(server, "POST", "/environments/current/clock", { now })).now !== now);
}

async function probing(server: Serving, job: () => Promise<void>): Promise<Record<string, number[]>> {
	const waits: Record<string, number[]> = { "/healthz": [], "a check": [], "a PATCH": [] };
	let isOver = false;
	let at = 0;
	const next = (): string => {
		at = (at + 1) % Math.min(1000, subscriptions);
		return digits(at);
	};
	const headers = { "x-api-key": testKey, "content-type": "application/json" };
	const calls: Record<string, () => Promise<Response>> = {
		"/healthz": () => fetch(`${server.url}/healthz`),
		"a check": () =>
			fetch(`${server.url}/api/v1/customers/c-${next()}/entitlements/check?featureId=calls`, { headers }),
		"a PATCH": () =>
			fetch(`${server.url}/api/v1/customers/c-${next()}`, { method: "PATCH", headers, body: `{"name":"${at}"}` }),
	};
	const probes = Object.entries(calls).map(async ([name, call]) => {
		while (!isOver) {
			const began = performance.now();
			const answer = await call();
			await answer.text();
			// The limit of a customer's calls is no wait.
			if (!answer.ok && answer.status !== 429) throw new Error(`${name}: ${answer.status}`);
			waits[name]?.push(performance.now() - began);
			await Bun.sleep(5);
		}
	});
	try {
		await job();
	} finally {
		isOver = true;
	}
	await Promise.all(probes);
	return waits;
}

function textOf(taken: readonly number[]): string {
	const sorted = [...taken].sort((one, other) => one - other);
	const at = (part: number): number => sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
	return `p99 ${ms(at(0.99))}, longest ${ms(at(1))}`;
}
