import { afterAll, expect, test } from "bun:test";
import { eventually, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder, remove } = temporaryFolder();
afterAll(remove);

const buyers = Array.from({ length: 30 }, (_, at) => `buyer-${at}`);
const begin = "2026-01-01T00:00:00.000Z";
/** Each month has an invoice of each buyer, and all but the last are overdue by then. */
const target = "2026-06-15T00:00:00.000Z";

interface Event {
	readonly type: string;
	readonly entityId: string;
	readonly messageId: string;
	readonly sequence: number;
}

async function eventsOf(call: Call): Promise<Event[]> {
	const found: Event[] = [];
	for (let after = 0; ; ) {
		const { data, next } = await call("GET", `/events-out?limit=100&after=${after}`);
		found.push(...data);
		if (data.length === 0) return found;
		after = next;
	}
}

type Call = (method: string, path: string, body?: object) => ReturnType<typeof answerOf>;
async function answerOf(server: RunningServer, key: string, method: string, path: string, body?: object) {
	const answer = await server.call(method, path, body, key);
	if (answer.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
	return answer.body;
}

/** All pages of a list. */
async function rowsOf(call: Call, path: string): Promise<Array<{ id: string; entityRef: string }>> {
	const found: Array<{ id: string; entityRef: string }> = [];
	for (let after = ""; ; ) {
		const { data, pagination } = await call("GET", `${path}limit=100${after}`);
		found.push(...data);
		if (pagination.next === null) return found;
		after = `&after=${pagination.next}`;
	}
}

test("kill -9 while notices fall due and customers are made: each is emitted once, and is in the audit log with what it made", async () => {
	let server = await startServer(folder);
	const made = await runTollgate(folder, ["environments", "create", "--name", "test"]);
	const key = /server-\S+/.exec(made.output)?.[0] ?? "";
	const call: Call = (...asked) => answerOf(server, key, ...asked);
	await call("POST", "/environments/current/clock", { now: begin });
	await call("POST", "/products", { id: "app", displayName: "App" });
	await call("POST", "/plans", { id: "basic", displayName: "Basic", productId: "app" });
	const price = { billingPeriod: "MONTHLY", price: { amount: 9.99, currency: "usd" } };
	await call("PATCH", "/plans/basic", {
		charges: { pricingType: "PAID", pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods: [price] }] },
	});
	await call("POST", "/plans/basic/publish", { migrationType: "NEW_CUSTOMERS" });
	await Promise.all(
		buyers.map(async (id) => {
			await call("POST", "/customers", { id });
			await call("POST", "/subscriptions", { customerId: id, planId: "basic", billingPeriod: "MONTHLY" });
		}),
	);

	const acknowledged = new Set<string>(buyers);
	const turn = () => server.call("POST", "/environments/current/clock", { now: target }, key).catch(() => undefined);
	for (let round = 0; round < 2; round += 1) {
		const turning = turn();
		const making = Promise.allSettled(
			Array.from({ length: 200 }, async (_, at) => {
				await Bun.sleep(at);
				const id = `made-${round}-${at}`;
				await call("POST", "/customers", { id });
				acknowledged.add(id);
			}),
		);
		await Bun.sleep(40 + Math.random() * 120);
		await server.kill();
		await Promise.all([turning, making]);
		server = await startServer(folder);
	}
	await eventually(async () => {
		await turn();
		return (await call("GET", "/environments/current/clock")).data.now === target ? true : undefined;
	});

	const events = await eventsOf(call);
	const overdue = events.filter(({ type }) => type === "invoice.overdue").map(({ entityId }) => entityId);
	const created = events.filter(({ type }) => type === "invoice.created").map(({ entityId }) => entityId);
	expect(new Set(created).size).toBe(created.length);
	// The invoices of six months; the last is not due yet, or on that day.
	expect(created).toHaveLength(6 * buyers.length);
	expect(new Set(overdue).size).toBe(overdue.length);
	const late = (await rowsOf(call, "/invoices?overdue=true&")).length;
	expect(overdue).toHaveLength(late);
	expect(late).toBeGreaterThanOrEqual(4 * buyers.length);
	expect(new Set(events.map(({ messageId }) => messageId)).size).toBe(events.length);

	const there = (await rowsOf(call, "/customers?")).map(({ id }) => id);
	const logged = (await rowsOf(call, "/audit-log?operation=customers.provision&")).map(({ entityRef }) => entityRef);
	expect(logged.toSorted()).toEqual(there.toSorted());
	expect([...acknowledged].filter((id) => !there.includes(id))).toEqual([]);
	expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
	await server.stop();
}, 60_000);
