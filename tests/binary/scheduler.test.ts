import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { eventually, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const cleanups: Array<() => void> = [];
afterEach(() => {
	for (const clean of cleanups.splice(0).reverse()) clean();
});

function place() {
	const { folder, remove } = temporaryFolder();
	cleanups.push(remove);
	const start = async (): Promise<RunningServer> => {
		const server = await startServer(folder);
		cleanups.push(() => void server.kill());
		return server;
	};
	return { folder, start };
}

/** Calls with one key, and insists that it worked. */
const caller = (server: RunningServer, key?: string) => async (method: string, path: string, body?: unknown) => {
	const answer = await server.call(method, path, body, key);
	if (answer.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
	return answer.body.data;
};
type Call = ReturnType<typeof caller>;

async function sell(call: Call): Promise<void> {
	await call("POST", "/products", { id: "app", displayName: "App" });
	await call("POST", "/plans", { id: "basic", displayName: "Basic", productId: "app" });
	const price = { billingPeriod: "MONTHLY", price: { amount: 9.99, currency: "usd" } };
	await call("PATCH", "/plans/basic", {
		charges: { pricingType: "PAID", pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods: [price] }] },
	});
	await call("POST", "/plans/basic/publish", { migrationType: "NEW_CUSTOMERS" });
	await call("POST", "/customers", { id: "ada" });
}

const buy = (call: Call, more: object = {}) =>
	call("POST", "/subscriptions", { customerId: "ada", planId: "basic", billingPeriod: "MONTHLY", ...more });

const status = async (call: Call, id: string): Promise<string> => (await call("GET", `/subscriptions/${id}`)).status;

describe("the scheduler's thread", () => {
	/** A step with a time of its own: its invoice is there when the thread has carried it out, and not before. */
	const startingIn = (call: Call, ms: number) => buy(call, { startDate: new Date(Date.now() + ms).toISOString() });
	const invoiced = (call: Call) =>
		eventually(async () => (await call("GET", "/customers/ada/invoices"))[0] as { createdAt: string } | undefined);

	test("carries out what falls due when its time comes, and after a downtime what fell due meanwhile", async () => {
		const { start } = place();
		const server = await start();
		const call = caller(server);
		await sell(call);
		await startingIn(call, 3000);
		expect(await call("GET", "/customers/ada/invoices")).toEqual([]);
		await invoiced(call);

		await call("POST", "/customers", { id: "eve" });
		await buy(call, { customerId: "eve", startDate: new Date(Date.now() + 1000).toISOString() });
		expect(await server.stop()).toBe(0);
		await Bun.sleep(1000);
		const again = caller(await start());
		await eventually(async () => ((await again("GET", "/customers/eve/invoices")).length === 1 ? true : undefined));
		expect(await again("GET", "/customers/ada/invoices")).toHaveLength(1);
	}, 30_000);
});

describe("tollgate clock", () => {
	test("turns a sandbox's clock on a running and on a stopped server; kill -9 in the middle loses nothing", async () => {
		const { folder, start } = place();
		let server = await start();
		const made = await runTollgate(folder, ["environments", "create", "--name", "test"]);
		const key = /server-\S+/.exec(made.output)?.[0] ?? "";
		const clock = (...args: string[]) => runTollgate(folder, ["clock", ...args, "--environment", "test"]);
		const ok = (output: string) => ({ status: 0, output, errors: "" });

		expect(await clock("show")).toEqual(ok(expect.stringMatching(/Z {2}wall clock {2}nothing is due\n$/)));
		const at = "2026-01-31T00:00:00.000Z";
		const frozen = ok(`${at}  frozen  nothing is due; 0 steps\n`);
		expect(await clock("freeze", "--at", at)).toEqual(frozen);
		expect(await clock("release")).toEqual(ok(expect.stringMatching(/Z {2}wall clock {2}nothing is due\n$/)));
		expect(await clock("freeze", "--at", at)).toEqual(frozen);
		let call = caller(server, key);
		expect(await call("GET", "/environments/current/clock")).toMatchObject({ now: at, isFrozen: true });
		await sell(call);
		const { id } = await buy(call);
		expect(await clock("advance", "P1M")).toEqual(
			ok("2026-02-28T00:00:00.000Z  frozen  next due 2026-03-01T00:00:00.000Z; 2 steps\n"),
		);

		const target = "2028-01-31T00:00:00.000Z";
		const turning = call("POST", "/environments/current/clock", { now: target }).catch(() => undefined);
		await eventually(async () =>
			(await call("GET", "/environments/current/clock")).now > "2026-04" ? true : undefined,
		);
		await server.kill();
		await turning;
		const advanced = await clock("advance", "--to", target);
		expect(advanced).toEqual(ok(expect.stringContaining(`${target}  frozen  next due 2028-02-01T00:00:00.000Z`)));
		server = await start();
		call = caller(server, key);
		expect(await status(call, id)).toBe("ACTIVE");
		const invoices: Array<{ periodStart: string }> = [];
		for (let cursor = ""; ; ) {
			const { body } = await server.call("GET", `/customers/ada/invoices?limit=20${cursor}`, undefined, key);
			invoices.push(...body.data);
			if (body.pagination.next === null) break;
			cursor = `&after=${body.pagination.next}`;
		}
		// The first month, and each of the 24 that follow: once.
		expect(invoices).toHaveLength(25);
		expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
		await server.stop();
	}, 60_000);

	test("kill -9 between the ends of phases bills each of them once", async () => {
		const { folder, start } = place();
		let server = await start();
		const made = await runTollgate(folder, ["environments", "create", "--name", "test"]);
		const key = /server-\S+/.exec(made.output)?.[0] ?? "";
		const clock = (...args: string[]) => runTollgate(folder, ["clock", ...args, "--environment", "test"]);
		await clock("freeze", "--at", "2026-01-15T00:00:00.000Z");
		let call = caller(server, key);
		await sell(call);
		// Each phase ends in the middle of a calendar month, and the next one costs more.
		const phases = Array.from({ length: 24 }, (_, at) => ({
			...{ id: `month-${at}`, duration: { unit: "MONTH", count: 1 } },
			percentOff: 96 - 4 * at,
		}));
		const { id } = await buy(call, { phases, billingAnchor: { type: "CALENDAR" } });
		const target = "2028-02-10T00:00:00.000Z";
		const turning = call("POST", "/environments/current/clock", { now: target }).catch(() => undefined);
		await eventually(async () =>
			(await call("GET", "/environments/current/clock")).now > "2026-04" ? true : undefined,
		);
		await server.kill();
		await turning;
		expect((await clock("advance", "--to", target)).status).toBe(0);
		server = await start();
		call = caller(server, key);
		expect((await call("GET", `/subscriptions/${id}`)).phase).toBeUndefined();
		const invoices: unknown[] = [];
		for (let cursor = ""; ; ) {
			const { body } = await server.call("GET", `/customers/ada/invoices?limit=20${cursor}`, undefined, key);
			invoices.push(...body.data);
			if (body.pagination.next === null) break;
			cursor = `&after=${body.pagination.next}`;
		}
		// The first part of a month, the 25 months that follow, and the 24 ends of phases.
		expect(invoices).toHaveLength(50);
		expect(await runTollgate(folder, ["check", "--billing"])).toMatchObject({ status: 0 });
		await server.stop();
	}, 60_000);

	const { folder: production, remove } = temporaryFolder();
	beforeAll(async () => {
		await (await startServer(production)).stop();
		await runTollgate(production, ["environments", "create", "--name", "live", "--kind", "PRODUCTION"]);
	});
	afterAll(remove);

	test.each<[string[], number, string]>([
		[["clock", "advance", "P1M", "--environment", "live"], 1, "production environment"],
		[["clock", "freeze", "--environment", "live"], 1, "production environment"],
		[["clock", "advance"], 2, "either a duration or --to"],
		[["clock", "advance", "P1M", "--to", "2030-01-01T00:00:00Z"], 2, "either a duration or --to"],
		[["clock", "advance", "a month"], 2, "ISO 8601 duration"],
		[["clock", "advance", "--to", "2030-01-01"], 2, "ISO 8601 date-time"],
		[["clock", "show", "--environment", "nowhere"], 1, "There is no environment 'nowhere'."],
	])("%p ends with %p", async (args, exit, text) => {
		const ran = await runTollgate(production, args);
		expect(ran.status).toBe(exit);
		expect(ran.errors).toContain(text);
	});

	test("an environment's billing anchor and currency are set next to its other settings", async () => {
		const ran = await runTollgate(production, ["environments", "set", "--billing-anchor", "START_OF_THE_MONTH"]);
		expect(ran.output).toContain("billing anchor START_OF_THE_MONTH");
		expect((await runTollgate(production, ["environments", "set", "--billing-anchor", "TODAY"])).status).toBe(2);
		const currency = await runTollgate(production, ["environments", "set", "--currency", "KWD"]);
		expect(currency.output).toMatch(/billing anchor START_OF_THE_MONTH, .*currency kwd/);
		expect((await runTollgate(production, ["environments", "set", "--currency", "XAU"])).status).toBe(2);
	});
});
