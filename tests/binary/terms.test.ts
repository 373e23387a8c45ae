import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { eventually, ok, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

const [customers, months] = [12, 12];
const end = "2027-01-01T00:00:00Z";

/** A plan of 100.00 a month for terms of a month, each 5 % dearer, and its customers. */
async function prepare(server: RunningServer): Promise<void> {
	await ok(server, "POST", "/environments/current/clock", { now: "2026-01-01T00:00:00Z" });
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	await ok(server, "POST", "/plans", { id: "pro", displayName: "Pro", productId: "app" });
	const pricePeriods = [{ billingPeriod: "MONTHLY", price: { amount: 100, currency: "usd" } }];
	await ok(server, "PATCH", "/plans/pro", {
		charges: {
			...{ pricingType: "PAID", pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods }] },
			term: { months: 1, upliftPercentage: 5 },
		},
	});
	await ok(server, "POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	for (let nth = 0; nth < customers; nth += 1) {
		await ok(server, "POST", "/customers", { id: `c${nth}` });
		await ok(server, "POST", "/subscriptions", { id: `c${nth}`, customerId: `c${nth}`, planId: "pro" });
	}
}

const invoicesOf = (server: RunningServer, nth: number): Promise<ReadonlyArray<{ issueDate: string; total: number }>> =>
	ok(server, "GET", `/customers/c${nth}/invoices?limit=100`);

const counts = async (server: RunningServer): Promise<number[]> =>
	Promise.all(Array.from({ length: customers }, async (_, nth) => (await invoicesOf(server, nth)).length));

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** 100.00 raised by 5 % n times, exactly, and rounded half up once: in cents. */
const centsAfter = (renewals: number): number => {
	const [over, under] = [10_000n * 105n ** BigInt(renewals), 100n ** BigInt(renewals)];
	return Number((2n * over + under) / (2n * under));
};

test("kill -9 in the middle of renewals of terms: each term is renewed once, and no invoice is issued twice", async () => {
	const folder = join(parent, "killed");
	let server = await startServer(folder);
	await prepare(server);
	let interrupted = 0;
	for (let round = 0; round < 4; round += 1) {
		const before = sum(await counts(server));
		if (before >= customers * (months + 1)) break;
		const sent = server.call("POST", "/environments/current/clock", { now: end }).catch(() => undefined);
		const isRunning = async () => sum(await counts(server)) > before || undefined;
		await eventually(isRunning).catch(() => undefined);
		await server.kill();
		await sent;
		server = await startServer(folder);
		const after = sum(await counts(server));
		if (after > customers && after < customers * (months + 1)) interrupted += 1;
	}
	await ok(server, "POST", "/environments/current/clock", { now: end });
	await eventually(async () => sum(await counts(server)) >= customers * (months + 1) || undefined, 60_000);
	expect(interrupted).toBeGreaterThan(0);
	const firsts = Array.from({ length: months + 1 }, (_, month) => new Date(Date.UTC(2026, month, 1)).toISOString());
	for (let nth = 0; nth < customers; nth += 1) {
		const invoices = await invoicesOf(server, nth);
		expect(invoices.map(({ issueDate }) => issueDate).sort()).toEqual(firsts);
		const inOrder = invoices.toSorted((one, other) => (one.issueDate < other.issueDate ? -1 : 1));
		expect(inOrder.map(({ total }) => Math.round(total * 100))).toEqual(firsts.map((_, month) => centsAfter(month)));
		expect(await ok(server, "GET", `/subscriptions/c${nth}`)).toMatchObject({
			status: "ACTIVE",
			currentTerm: { number: months + 1, startDate: "2027-01-01T00:00:00.000Z" },
		});
	}
	await server.stop();
	expect(await runTollgate(folder, ["check", "--billing"])).toMatchObject({ status: 0 });
}, 240_000);
