import { describe, expect, test } from "bun:test";
import { startServer, temporaryFolder } from "../../../support/process";
import type { Answer, World } from "../../../support/world";
import { provision, shop } from "../shop";

// Sixty-four concurrent calls about one customer's subscriptions: in any order, the result is consistent.

const calls = 64;

async function raced(): Promise<World> {
	const ours = await shop();
	// Each call in a minute of its own, since other tests cover the rate limit.
	let ms = 0;
	Object.defineProperty(ours.limitClock, "ms", {
		get: () => {
			ms += 60_000;
			return ms;
		},
	});
	return ours;
}

type Call = (method: string, path: string, body?: unknown) => Promise<Pick<Answer, "status" | "body">>;
const callOf =
	(ours: World): Call =>
	(method, path, body) =>
		ours.call(method, path, body === undefined ? {} : { body });

const racing = (send: (at: number) => ReturnType<Call>) =>
	Promise.all(Array.from({ length: calls }, (_, at) => send(at)));

const statusesOf = (answers: ReadonlyArray<Pick<Answer, "status">>) =>
	Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]));

const all = async (call: Call, path: string): Promise<Answer["body"][]> =>
	(await call("GET", `${path}${path.includes("?") ? "&" : "?"}limit=100`)).body.data;
const cents = (amount: number) => Math.round(amount * 100);
const sumOf = (list: ReadonlyArray<{ total: number }>) => list.reduce((sum, { total }) => sum + cents(total), 0);

/** Invoices and credit notes are numbered without a gap, and each is the sum of its lines. */
async function assertBooks(call: Call): Promise<{ invoiced: number; credited: number; invoices: Answer["body"][] }> {
	const invoices = await all(call, "/customers/acme/invoices");
	const notes = await all(call, "/customers/acme/credit-notes");
	const gapless = (numbers: string[], prefix: string) =>
		expect(numbers.toSorted()).toEqual(numbers.map((_, at) => `${prefix}-${String(at + 1).padStart(6, "0")}`));
	gapless(
		invoices.map(({ invoiceNumber }) => invoiceNumber),
		"INV",
	);
	gapless(
		notes.map(({ creditNoteNumber }) => creditNoteNumber),
		"CN",
	);
	for (const { lineItems, subtotal } of invoices)
		expect(lineItems.reduce((sum: number, { amount }: { amount: number }) => sum + cents(amount), 0)).toBe(
			cents(subtotal),
		);
	return { invoiced: sumOf(invoices), credited: sumOf(notes), invoices };
}

async function provisionsOfOneId(call: Call): Promise<void> {
	const answers = await racing(() =>
		call("POST", "/subscriptions", { id: "one", customerId: "acme", planId: "basic" }),
	);
	expect(statusesOf(answers)).toEqual({ 201: 1, 409: calls - 1 });
	expect((await all(call, "/subscriptions")).map(({ id, status }) => `${id} ${status}`)).toEqual(["one ACTIVE"]);
	expect((await assertBooks(call)).invoiced).toBe(999);
}

describe("concurrent calls", () => {
	test("many provisions with one id create one subscription", async () => {
		await provisionsOfOneId(callOf(await raced()));
	}, 60_000);

	test("many provisions replace each other, and credit each replaced one", async () => {
		const call = callOf(await raced());
		const answers = await racing((at) =>
			call("POST", "/subscriptions", { id: `s${at}`, customerId: "acme", planId: "basic", resourceId: `r${at % 8}` }),
		);
		expect(statusesOf(answers)).toEqual({ 201: calls });
		const subscriptions = await all(call, "/subscriptions");
		expect(subscriptions).toHaveLength(calls);
		expect(subscriptions.filter(({ status }) => status === "ACTIVE")).toHaveLength(1);
		for (const { status, cancelReason } of subscriptions)
			if (status !== "ACTIVE")
				expect({ status, cancelReason }).toEqual({ status: "CANCELED", cancelReason: "UPGRADE_OR_DOWNGRADE" });
		const { invoiced, credited } = await assertBooks(call);
		expect(invoiced - credited).toBe(999);
	}, 60_000);

	test("many updates: the last one wins, and the invoices total its price", async () => {
		const ours = await raced();
		const call = callOf(ours);
		await provision(ours, { id: "one", planId: "pro", billingPeriod: "MONTHLY" });
		const answers = await racing((at) =>
			call("PATCH", "/subscriptions/one", {
				charges: [{ id: "seats", quantity: (at % 40) + 1, type: "FEATURE" }],
				metadata: { seats: `${(at % 40) + 1}` },
			}),
		);
		expect(statusesOf(answers)).toEqual({ 200: calls });
		const { metadata } = (await call("GET", "/subscriptions/one")).body.data;
		const seats = Number(metadata.seats);
		const check = await call("GET", "/customers/acme/entitlements/check?featureId=seats");
		expect(check.body.data.usageLimit).toBe(seats);
		const { invoiced, credited } = await assertBooks(call);
		expect(invoiced - credited).toBe(cents(20 + 5 * seats));
	}, 60_000);

	test("many cancellations end it once, with one credit", async () => {
		const ours = await raced();
		const call = callOf(ours);
		await provision(ours, { id: "one", planId: "basic" });
		const answers = await racing(() => call("POST", "/subscriptions/one/cancel", {}));
		expect(statusesOf(answers)).toEqual({ 200: 1, 400: calls - 1 });
		for (const { status, body } of answers)
			if (status === 400) expect(body.code).toBe("SubscriptionAlreadyCanceledOrExpired");
		const { invoiced, credited } = await assertBooks(call);
		expect([invoiced, credited]).toEqual([999, 999]);
	}, 60_000);

	test("many payments: one is recorded, and the subscription starts once", async () => {
		const ours = await raced();
		const call = callOf(ours);
		await provision(ours, { id: "one", planId: "basic", awaitPaymentConfirmation: true });
		const answers = await racing(() => call("POST", "/subscriptions/one/invoice/paid"));
		expect(statusesOf(answers)).toEqual({ 200: 1, 404: calls - 1 });
		expect((await call("GET", "/subscriptions/one")).body.data.status).toBe("ACTIVE");
	}, 60_000);

	test("mixed calls leave at most one active subscription, no unexpected error, and consistent documents", async () => {
		const ours = await raced();
		const call = callOf(ours);
		await provision(ours, { id: "one", planId: "pro", billingPeriod: "MONTHLY" });
		const sends: Array<(at: number) => ReturnType<Call>> = [
			(at) => call("POST", "/subscriptions", { customerId: "acme", planId: at % 3 === 0 ? "basic" : "free" }),
			(at) => call("PATCH", "/subscriptions/one", { addons: at % 2 === 0 ? [] : [{ id: "extra", quantity: 1 }] }),
			() => call("POST", "/subscriptions/one/cancel", {}),
			() => call("POST", "/subscriptions/preview", { customerId: "acme", planId: "pro", billingPeriod: "ANNUALLY" }),
		];
		const answers = await racing((at) => sends[at % sends.length]?.(at) ?? call("GET", "/subscriptions"));
		for (const { status, body } of answers)
			if (status >= 300) expect(body.code).toBe("SubscriptionAlreadyCanceledOrExpired");
		const running = (await all(call, "/subscriptions")).filter(({ status }) => status === "ACTIVE");
		expect(running).toHaveLength(1);
		const { invoiced, credited } = await assertBooks(call);
		expect(invoiced - credited).toBe(running[0].planId === "basic" ? 999 : 0);
	}, 60_000);

	test("many provisions with one id on a real server create one subscription", async () => {
		const { folder, remove } = temporaryFolder();
		const server = await startServer(folder);
		try {
			const make: Call = (method, path, body) => server.call(method, path, body);
			for (const [path, body] of [
				["/products", { id: "app", displayName: "app" }],
				["/plans", { id: "basic", displayName: "Basic", productId: "app" }],
				["/customers", { id: "acme" }],
			] as const)
				expect((await make("POST", path, body)).status).toBe(201);
			const price = { amount: 9.99, currency: "usd" };
			const model = { billingModel: "FLAT_FEE", pricePeriods: [{ billingPeriod: "MONTHLY", price }] };
			await make("PATCH", "/plans/basic", { charges: { pricingType: "PAID", pricingModels: [model] } });
			await make("POST", "/plans/basic/publish", { migrationType: "NEW_CUSTOMERS" });
			const answers = await racing(() =>
				make("POST", "/subscriptions", { id: "one", customerId: "acme", planId: "basic" }),
			);
			expect(statusesOf(answers)).toEqual({ 201: 1, 409: 29, 429: calls - 30 });
			expect((await all(make, "/subscriptions")).map(({ status }) => status)).toEqual(["ACTIVE"]);
			expect((await assertBooks(make)).invoiced).toBe(999);
		} finally {
			await server.stop();
			remove();
		}
	}, 60_000);
});
