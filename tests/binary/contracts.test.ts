import { afterAll, expect, test } from "bun:test";
import { type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder, remove } = temporaryFolder();
afterAll(remove);

const dayMs = 24 * 60 * 60 * 1000;
const contracts = Array.from({ length: 6 }, (_, at) => `contract-${at}`);
/** More past cycles than one call invoices: the sweep issues the rest. */
const pastWeeks = 130;
const price = 10.01;
const amendedPrice = 20.02;

const ok = (server: RunningServer) => async (method: string, path: string, body?: object) => {
	const answer = await server.call(method, path, body);
	if (answer.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
	return answer.body;
};

/** A draft for each contract, of a customer of its own, that began long ago. */
async function draft(server: RunningServer): Promise<void> {
	const call = ok(server);
	const today = Math.floor(Date.now() / dayMs) * dayMs;
	const day = (weeks: number) => new Date(today + weeks * 7 * dayMs).toISOString();
	await call("POST", "/products", { id: "app", displayName: "App" });
	await call("POST", "/plans", { id: "custom", displayName: "Custom", productId: "app" });
	await call("PATCH", "/plans/custom", { charges: { pricingType: "CUSTOM" } });
	await call("POST", "/plans/custom/publish", { migrationType: "NEW_CUSTOMERS" });
	for (const id of contracts) {
		await call("POST", "/customers", { id });
		await call("POST", "/contracts", {
			contractId: id,
			customerId: id,
			subscriptions: [{ newSubscription: { customerId: id, planId: "custom" } }],
		});
		await call("POST", `/contracts/${id}/billing/items`, {
			currency: "usd",
			items: [
				{ name: "Fee", externalId: "fee", billingCycleUnit: "weekly", netTerms: 30, rows: [{ price }] },
				{ name: "Setup", externalId: "setup", billingCycleUnit: "one_time", netTerms: 30, rows: [{ price: 99.99 }] },
			],
			activationStartDate: day(-pastWeeks),
			activationEndDate: day(4),
		});
	}
}

/** Does it to each contract until all have it, over servers that are killed in the middle of it. */
async function throughKills(
	server: RunningServer,
	act: (one: RunningServer, id: string) => Promise<boolean>,
	kills: number,
): Promise<RunningServer> {
	let running = server;
	const acknowledged = new Set<string>();
	for (let round = 0; round < kills; round += 1) {
		const open = contracts.filter((id) => !acknowledged.has(id));
		const acts = Promise.allSettled(
			open.map(async (id) => {
				if (await act(running, id)) acknowledged.add(id);
			}),
		);
		await Bun.sleep(5 + Math.random() * 150);
		await running.kill();
		await acts;
		running = await startServer(folder);
		// The acknowledged changes are stored.
		for (const id of acknowledged) expect(await act(running, id)).toBe(true);
	}
	for (const id of contracts) expect(await act(running, id)).toBe(true);
	return running;
}

/** Published, whether by this call or by an earlier one whose answer never came. */
async function publish(server: RunningServer, id: string): Promise<boolean> {
	const answer = await server.call("POST", `/contracts/${id}/billing/publish`);
	return answer.status === 200 || answer.body.reason === "CONTRACT_NOT_DRAFT";
}

const feeOf = async (server: RunningServer, id: string): Promise<number> => {
	const { data } = await ok(server)("GET", `/contracts/${id}/billing/invoice-schedule?count=1000`);
	return data.invoices.at(-1).total;
};

/** Amended to another price, from the running cycle on; begun where an earlier call left it. */
async function amend(server: RunningServer, id: string): Promise<boolean> {
	const edit = await server.call("POST", `/contracts/${id}/billing/edit-active`, { includeCurrentInvoice: true });
	if (edit.status === 200 && (await feeOf(server, id)) === amendedPrice) {
		// It was in force already: this has opened another, which is thrown away.
		await ok(server)("DELETE", `/contracts/${id}/billing/edit-active`);
		return true;
	}
	if (edit.status !== 200 && edit.body.reason !== "AMENDMENT_OPEN") return false;
	await ok(server)("PATCH", `/contracts/${id}/billing/items/fee`, { rows: [{ price: amendedPrice }] });
	return (await server.call("POST", `/contracts/${id}/billing/publish`)).status === 200;
}

interface Issued {
	readonly invoiceNumber: string;
	readonly total: number;
	readonly lineItems: ReadonlyArray<{ readonly description: string; readonly period?: { readonly start: string } }>;
}

async function invoicesOf(server: RunningServer, id: string): Promise<Issued[]> {
	const call = ok(server);
	const found: Issued[] = [];
	let after: string | null = "";
	while (after !== null) {
		const { data, pagination } = await call(
			"GET",
			`/customers/${id}/invoices?limit=100${after === "" ? "" : `&after=${after}`}`,
		);
		found.push(...data);
		after = pagination.next;
	}
	return found;
}

const cents = (amounts: readonly number[]) =>
	amounts.map((amount) => Math.round(amount * 100)).toSorted((a, b) => a - b);
const times = (count: number, amount: number) => Array<number>(count).fill(Math.round(amount * 100));

test("kill -9 while contracts are published and amended: each is invoiced, credited and reissued whole, and once", async () => {
	let server = await startServer(folder);
	await draft(server);
	server = await throughKills(server, publish, 3);
	const allIssued = async () =>
		(await Promise.all(contracts.map((id) => invoicesOf(server, id)))).map((all) => all.length);
	// The setup, each week that is over, and the one that runs.
	const issued = 1 + pastWeeks + 1;
	for (let tries = 0; (await allIssued()).some((count) => count < issued) && tries < 200; tries += 1)
		await Bun.sleep(50);
	for (const id of contracts)
		expect(cents((await invoicesOf(server, id)).map(({ total }) => total))).toEqual([
			...times(pastWeeks + 1, price),
			...times(1, 99.99),
		]);

	server = await throughKills(server, amend, 3);
	const numbers: string[] = [];
	for (const id of contracts) {
		const all = await invoicesOf(server, id);
		numbers.push(...all.map(({ invoiceNumber }) => invoiceNumber));
		expect(cents(all.map(({ total }) => total))).toEqual([
			...times(pastWeeks + 1, price),
			...times(1, amendedPrice),
			...times(1, 99.99),
		]);
		const notes = await ok(server)("GET", `/contracts/${id}/billing/credit-notes`);
		expect(notes.data.map(({ total }: { total: number }) => total)).toEqual([price]);
		const { data } = await ok(server)("GET", `/contracts/${id}/billing/summary`);
		// The past as it was, the running week and the three after it issued again.
		expect(data.total).toBe(Math.round(100 * (99.99 + pastWeeks * price + 4 * amendedPrice)) / 100);
	}
	expect(numbers.toSorted()).toEqual(numbers.map((_, at) => `INV-${String(at + 1).padStart(6, "0")}`));
	expect(await server.stop()).toBe(0);
	expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0 });
}, 240_000);
