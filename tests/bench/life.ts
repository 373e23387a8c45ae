import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningServer, testKey } from "../support/process";
import type { Measure } from "./measure";
import { loadRate, portOf, whole, withServer } from "./serving";

const imported = 1000;
const renewed = 50;
const keptBusy = 8;

/** A bulk import, beside reads that go on; and a year of renewals on a test clock. */
export const measureLife = (): Promise<Measure[]> =>
	withServer(async (server) => {
		await sell(server);
		const calm = await readRate(server, async () => {});
		let importMs = 0;
		const meanwhile = await readRate(server, async () => {
			importMs = await importAll(server);
		});
		const stepsPerSecond = await turnAYear(server);
		const commits = commitsPerSecond();
		return [
			{ name: `import of ${imported} subscriptions`, value: `${whole(importMs)} ms`, aim: "below 2000 ms" },
			{ name: "checks/s with nothing beside them (ceiling)", value: whole(calm) },
			{ name: "checks/s beside imports, one after the other", value: whole(meanwhile), ratio: meanwhile / calm },
			{ name: "commits/s of one small row each (ceiling)", value: whole(commits) },
			{
				name: "renewals/s on a test clock, a commit for each",
				value: whole(stepsPerSecond),
				ratio: stepsPerSecond / commits,
			},
		];
	});

async function sell(server: RunningServer): Promise<void> {
	const price = { billingPeriod: "MONTHLY", price: { amount: 20, currency: "usd" } };
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	await ok(server, "POST", "/plans", { id: "pro", displayName: "Pro", productId: "app" });
	await ok(server, "PATCH", "/plans/pro", {
		charges: { pricingType: "PAID", pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods: [price] }] },
	});
	await ok(server, "POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	const customers = Array.from({ length: imported }, (_, at) => ({ id: `c${at}`, name: null, email: null }));
	await ok(server, "POST", "/customers/import", { customers });
	for (let at = 0; at < renewed; at += 1) {
		await ok(server, "POST", "/customers", { id: `r${at}` });
		await ok(server, "POST", "/subscriptions", { id: `renewed-${at}`, customerId: `r${at}`, planId: "pro" });
	}
}

/** One answer, remembered until anything is written: what is read beside a writer is looked up again and again. */
async function readRate(server: RunningServer, beside: () => Promise<void>): Promise<number> {
	const request = `GET /api/v1/customers/r1/entitlements/check?featureId=none HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-KEY: ${testKey}\r\n\r\n`;
	const load = loadRate({ port: portOf(server), seconds: 3, connections: 4, inFlight: keptBusy, request });
	await Bun.sleep(500);
	await beside();
	return load;
}

async function importAll(server: RunningServer): Promise<number> {
	const subscriptions = Array.from({ length: imported }, (_, at) => ({
		id: `imported-${at}`,
		customerId: `c${at}`,
		planId: "pro",
		billingPeriod: "MONTHLY",
		startDate: "2026-01-01T00:00:00Z",
	}));
	const began = performance.now();
	const { taskId } = await ok(server, "POST", "/subscriptions/import", { subscriptions });
	for (;;) {
		const { status } = await ok(server, "GET", `/tasks/${taskId}`);
		if (status === "COMPLETED") return performance.now() - began;
		if (status !== "PENDING" && status !== "IN_PROGRESS") throw new Error(`The import ended ${status}.`);
		await Bun.sleep(10);
	}
}

async function turnAYear(server: RunningServer): Promise<number> {
	await ok(server, "POST", "/environments/current/clock", {});
	const began = performance.now();
	const { steps } = await ok(server, "POST", "/environments/current/clock", { advanceBy: "P2M" });
	return steps / ((performance.now() - began) / 1000);
}

/** What the disk gives: a row and a commit that is waited for, again and again. */
function commitsPerSecond(): number {
	const folder = mkdtempSync(join(tmpdir(), "tollgate-commits-"));
	const sqlite = new Database(join(folder, "commits.db"));
	sqlite.run("PRAGMA journal_mode = WAL");
	sqlite.run("PRAGMA synchronous = FULL");
	sqlite.run("CREATE TABLE commits (id INTEGER PRIMARY KEY, at TEXT)");
	const insert = sqlite.prepare("INSERT INTO commits (at) VALUES (?)");
	const began = performance.now();
	let commits = 0;
	while (performance.now() - began < 1000) {
		insert.run("x".repeat(100));
		commits += 1;
	}
	sqlite.close();
	rmSync(folder, { recursive: true, force: true });
	return commits;
}

async function ok(server: RunningServer, method: string, path: string, body?: object) {
	const answer = await server.call(method, path, body);
	if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
	return answer.body.data;
}
