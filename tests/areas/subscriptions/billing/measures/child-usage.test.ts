import { expect, setDefaultTimeout, test } from "bun:test";
import { systemActor } from "../../../../../src/areas/access/rules.actors";
import { checkRates } from "../../../../../src/areas/invoices/check/operations.rates";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { runImport } from "../../../../../src/areas/subscriptions/import/import";
import { claimTask } from "../../../../../src/tasks/operations";
import { whilePlanted } from "../../../../support/planted";
import { beyond, flat, type Till, tiered, till, used } from "../../billing";
import { site } from "../../spend-thresholds/site";

setDefaultTimeout(60_000);

const drift = ({ transactions, actor }: Till): string[] =>
	transactions.read(actor, (work) => [...checkRates(work), ...checkSubscriptionBills(work)]);

/** `acme` with two children, and a plan of 1,000 calls at 0.10, then 0.08. */
async function family() {
	const ours = await till("2026-03-01T00:00:00Z");
	await ours.customer("north", { parentCustomerId: "acme" });
	await ours.customer("south", { parentCustomerId: "acme" });
	await ours.plan("pro", [
		tiered("calls", "GRADUATED", [
			[1000, 0.1],
			[null, 0.08],
		]),
	]);
	return { ...ours, move: (id: string, body: object) => ours.insist("PATCH", `/customers/${id}`, body) };
}

const pooled = { includesChildUsage: true };
const total = async (ours: Till, customer = "acme"): Promise<number> =>
	(await ours.insist("GET", `/customers/${customer}/invoices?limit=100`)).reduce(
		(sum: number, { total }: { total: number }) => Math.round(sum * 100 + total * 100) / 100,
		0,
	);

test("2.24: 600 and 900 units of two children cost 140.00 together, and 150.00 each by itself", async () => {
	const ours = await family();
	const id = await ours.buy("pro", pooled);
	expect(await ours.insist("GET", `/subscriptions/${id}`)).toMatchObject(pooled);
	await ours.use("calls", 600, undefined, "north");
	await ours.use("calls", 900, undefined, "south");
	await ours.advance("2026-04-01T00:00:00Z");
	expect(await total(ours)).toBe(140);
	expect(drift(ours)).toEqual([]);

	const separate = await family();
	for (const customerId of ["north", "south"]) await separate.buy("pro", { customerId });
	await separate.use("calls", 600, undefined, "north");
	await separate.use("calls", 900, undefined, "south");
	await separate.advance("2026-04-01T00:00:00Z");
	expect((await total(separate, "north")) + (await total(separate, "south"))).toBe(150);
});

test("the default and false count the customer alone", async () => {
	for (const body of [{}, { includesChildUsage: false }]) {
		const ours = await family();
		const id = await ours.buy("pro", body);
		expect(await ours.insist("GET", `/subscriptions/${id}`)).not.toHaveProperty("includesChildUsage");
		await ours.use("calls", 50);
		await ours.use("calls", 600, undefined, "north");
		await ours.advance("2026-04-01T00:00:00Z");
		expect(await total(ours)).toBe(5);
	}
});

test("2.24: usage that a child's own subscription bills is not pooled", async () => {
	const ours = await family();
	await ours.buy("pro", pooled);
	await ours.advance("2026-03-11T00:00:00Z");
	await ours.use("calls", 100, "2026-03-05T00:00:00Z", "north");
	const own = await ours.buy("pro", { customerId: "north" });
	await ours.advance("2026-03-21T00:00:00Z");
	await ours.use("calls", 200, "2026-03-20T00:00:00Z", "north");
	await ours.cancel(own, { cancellationTime: "IMMEDIATE" });
	await ours.advance("2026-03-26T00:00:00Z");
	await ours.use("calls", 400, "2026-03-25T00:00:00Z", "north");
	await ours.advance("2026-04-01T00:00:00Z");
	expect(await total(ours)).toBe(50);
	expect(await total(ours, "north")).toBe(20);
	expect(drift(ours)).toEqual([]);
});

test("a customer counts from when it becomes a child until it leaves", async () => {
	const ours = await family();
	await ours.customer("east");
	await ours.buy("pro", pooled);
	await ours.advance("2026-03-11T00:00:00Z");
	await ours.use("calls", 100, "2026-03-05T00:00:00Z", "east");
	await ours.move("east", { parentCustomerId: "acme" });
	await ours.advance("2026-03-21T00:00:00Z");
	await ours.use("calls", 200, "2026-03-15T00:00:00Z", "east");
	await ours.move("east", { parentCustomerId: null });
	await ours.advance("2026-03-26T00:00:00Z");
	await ours.use("calls", 400, "2026-03-25T00:00:00Z", "east");
	await ours.advance("2026-04-01T00:00:00Z");
	expect(await total(ours)).toBe(20);
	await ours.use("calls", 10, "2026-03-16T00:00:00Z", "east");
	await ours.use("calls", 20, "2026-03-26T00:00:00Z", "east");
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await total(ours)).toBe(21);
	expect(drift(ours)).toEqual([]);
});

test("a change counts the usage of children from then on, and until then", async () => {
	const ours = await family();
	const id = await ours.buy("pro");
	await ours.advance("2026-03-11T00:00:00Z");
	await ours.use("calls", 100, "2026-03-05T00:00:00Z", "north");
	await ours.change(id, pooled);
	await ours.advance("2026-03-21T00:00:00Z");
	await ours.use("calls", 200, "2026-03-15T00:00:00Z", "north");
	await ours.change(id, { includesChildUsage: false });
	await ours.advance("2026-03-26T00:00:00Z");
	await ours.use("calls", 400, "2026-03-25T00:00:00Z", "north");
	await ours.advance("2026-04-01T00:00:00Z");
	expect(await total(ours)).toBe(20);
	expect(drift(ours)).toEqual([]);
});

test("late usage of a child is billed with the next invoice", async () => {
	const ours = await family();
	await ours.buy("pro", pooled);
	await ours.use("calls", 900, "2026-03-01T12:00:00Z", "north");
	await ours.advance("2026-04-02T00:00:00Z");
	await ours.use("calls", 200, "2026-03-31T00:00:00Z", "south");
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await total(ours)).toBe(108);
	expect(drift(ours)).toEqual([]);
});

test("another plan keeps the choice, and a charge on demand counts children", async () => {
	const ours = await family();
	await ours.plan("big", [flat({ month: 10 }), used("calls", { month: 0.05 })]);
	await ours.buy("pro", pooled);
	await ours.use("calls", 100, undefined, "north");
	await ours.advance("2026-03-11T00:00:00Z");
	const id = await ours.buy("big");
	expect(await ours.insist("GET", `/subscriptions/${id}`)).toMatchObject(pooled);
	const before = await total(ours);
	await ours.advance("2026-03-13T00:00:00Z");
	await ours.use("calls", 100, "2026-03-12T00:00:00Z", "south");
	await ours.chargeUsage(id);
	expect(Math.round((await total(ours)) * 100 - before * 100)).toBe(500);
	expect(drift(ours)).toEqual([]);
});

test("usage of a child reaches the threshold of its parent's subscription", async () => {
	const ours = await site();
	await ours.customer("north", { parentCustomerId: "acme" });
	await ours.plan("api", [used("calls", { month: 0.1 })]);
	await ours.buy("api", { ...pooled, spendThresholds: [{ amount: 50, currency: "usd" }] });
	await ours.advance("2026-04-10T00:00:00Z");
	await ours.use("calls", 300, "2026-04-09T00:00:00Z");
	await ours.noticed();
	expect(await ours.books()).toEqual([]);
	await ours.use("calls", 212, "2026-04-09T12:00:00Z", "north");
	await ours.noticed();
	expect(await ours.books()).toEqual(["2026-04-10: 51.2 = 512 Calls (api) 51.2"]);
});

const unpooled: ReadonlyArray<readonly [name: string, models: object[], why: string, more: object]> = [
	["overage", [flat({ month: 1 })], "is overage", { overagePricingModels: [beyond("calls", 10, { month: 1 })] }],
	["levels", [used("seats", { month: 1 })], "charges a level", {}],
	[
		"a commitment",
		[
			{
				...used("calls", { month: 1 }, { commitment: { quantity: 10, interval: { unit: "DAY", count: 1 } } }),
			},
		],
		"has a commitment",
		{},
	],
];

test.each(unpooled)("refuses %s, whose usage cannot be pooled", async (_, models, why, more) => {
	const ours = await family();
	await ours.plan("other", models, more);
	const body = { customerId: "acme", planId: "other", ...pooled };
	for (const path of ["/subscriptions", "/subscriptions/preview"]) {
		const refused = await ours.call("POST", path, { body });
		expect([refused.status, refused.body.code]).toEqual([400, "UnsupportedParameter"]);
		expect(refused.body.message).toContain("body/includesChildUsage");
		expect(refused.body.message).toContain(why);
	}
	const id = await ours.buy("other");
	const changed = await ours.call("PATCH", `/subscriptions/${id}`, { body: pooled });
	expect([changed.status, changed.body.code]).toEqual([400, "UnsupportedParameter"]);
});

test("refuses a FREE plan and values of another type", async () => {
	const ours = await family();
	await ours.plan("free", []);
	const buy = (body: object) => ours.call("POST", "/subscriptions", { body: { customerId: "acme", ...body } });
	expect((await buy({ planId: "free", ...pooled })).body.code).toBe("UnsupportedParameter");
	expect((await buy({ planId: "free", includesChildUsage: false })).status).toBe(201);
	for (const includesChildUsage of [null, "yes", 1])
		expect((await buy({ planId: "pro", includesChildUsage })).body.code).toBe("BadUserInput");
});

test("an import pools the usage of children, and refuses what cannot be pooled", async () => {
	const ours = await family();
	await ours.plan("levels", [used("seats", { month: 1 })]);
	await ours.customer("other");
	const subscriptions = [
		{ id: "moved", customerId: "acme", planId: "pro", ...pooled },
		{ id: "refused", customerId: "other", planId: "levels", ...pooled },
	];
	await ours.insist("POST", "/subscriptions/import", { subscriptions });
	const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["IMPORT_SUBSCRIPTIONS"]));
	if (task) await runImport(ours.thread, task);
	expect(await ours.insist("GET", "/subscriptions/moved")).toMatchObject(pooled);
	expect((await ours.call("GET", "/subscriptions/refused")).status).toBe(404);
});

test("a subscription that pools usage does not move to a version whose price cannot", async () => {
	const ours = await family();
	const id = await ours.buy("pro", pooled);
	await ours.insist("POST", "/plans/pro/draft");
	const charges = {
		pricingType: "PAID",
		pricingModels: [used("calls", { month: 1 }, { commitment: { quantity: 1, interval: { unit: "DAY", count: 1 } } })],
	};
	await ours.insist("PATCH", "/plans/pro", { charges });
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	const before = await ours.insist("GET", `/subscriptions/${id}`);
	for (const subscriptionMigrationTime of ["IMMEDIATE", "END_OF_BILLING_PERIOD"])
		expect(
			await ours.call("POST", `/subscriptions/${id}/migrate`, { body: { subscriptionMigrationTime } }),
		).toMatchObject({
			status: 400,
			body: { code: "UnsupportedParameter", message: expect.stringContaining("'calls' has a commitment") },
		});
	expect(await ours.insist("GET", `/subscriptions/${id}`)).toEqual(before);
});

test("the check finds a planted quantity of a pooled window", async () => {
	const ours = await family();
	await ours.buy("pro", pooled);
	await ours.use("calls", 600, undefined, "north");
	await ours.advance("2026-04-01T00:00:00Z");
	const check = () => drift(ours).join("\n");
	const plant = "UPDATE charge_periods SET usage_quantity = '500' WHERE usage_quantity = '600'";
	expect(whilePlanted(ours.db.$client, plant, check)).toContain("600");
});
