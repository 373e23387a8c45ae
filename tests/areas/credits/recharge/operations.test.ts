import { describe, expect, test } from "bun:test";
import type { Instant } from "../../../../src/kernel/clock";
import { sweepTurn } from "../../../../src/scheduler/sweep";
import type { Answer, World } from "../../../support/world";
import { maker } from "../../packages/catalogue";
import { guard, isRefusal } from "../../packages/guards";
import { flat, paid, perUnit } from "../../packages/prices";
import { bank, fillBank, give, path as grantsPath, invoices, listed, pay, take, wallet } from "../grants/site";

const path = "/credits/auto-recharge";
const query = `${path}?customerId=acme&currencyId=gold`;
const settings = {
	customerId: "acme",
	currencyId: "gold",
	isEnabled: true,
	thresholdType: "CREDIT_AMOUNT",
	thresholdValue: 10,
	targetBalance: 100,
	maxSpendLimit: null,
	grantExpirationPeriod: "1_MONTH",
	unitPrice: { amount: 0.5, currency: "usd" },
};

guard(
	[
		{ method: "GET", path: query, scope: "CREDIT:READ" },
		{ method: "PUT" as "POST", path, scope: "CREDIT:WRITE", body: settings },
	],
	fillBank,
);

const save = (ours: World, change: object = {}): Promise<Answer> =>
	ours.call("PUT", path, { body: { ...settings, ...change } });

const saved = async (ours: World, change: object = {}): Promise<Answer["body"]> => {
	const answer = await save(ours, change);
	if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
	return answer.body.data;
};
const shown = async (ours: World): Promise<Answer["body"]> => (await ours.call("GET", query)).body.data;

/** Carries out all due steps. */
const sweep = async (ours: World): Promise<number> => {
	let steps = 0;
	while (!(await sweepTurn({ ...ours.thread, actor: ours.actor, onStep: () => (steps += 1) })));
	return steps;
};

const at = (ours: World, to: string): void => {
	ours.clock.at = Date.parse(to) as Instant;
};
const recharges = async (ours: World) => (await listed(ours)).filter(({ displayName }) => displayName === "Recharge");

/** A wallet of 100 with a recharge at 10, and its customer. */
async function ready(change: object = {}): Promise<World> {
	const ours = await bank();
	await give(ours);
	await saved(ours, change);
	return ours;
}

describe("the settings", () => {
	test("are disabled by default, and return the saved values", async () => {
		const ours = await bank();
		expect(await shown(ours)).toEqual({
			id: null,
			customerId: "acme",
			currencyId: "gold",
			isEnabled: false,
			thresholdType: "CREDIT_AMOUNT",
			thresholdValue: 0,
			targetBalance: 0,
			maxSpendLimit: null,
			grantExpirationPeriod: "1_YEAR",
			createdAt: null,
			updatedAt: null,
		});
		const now = "2026-01-31T00:00:00.000Z";
		const first = await saved(ours, { isEnabled: false, maxSpendLimit: 500 });
		expect(first).toEqual({
			...settings,
			isEnabled: false,
			maxSpendLimit: 500,
			id: first.id,
			createdAt: now,
			updatedAt: now,
		});
		expect(await shown(ours)).toEqual(first);
		at(ours, "2026-02-02T00:00:00.000Z");
		const { unitPrice: _, maxSpendLimit: __, ...less } = settings;
		const body = { ...less, isEnabled: false, grantExpirationPeriod: "1_YEAR" };
		expect((await ours.call("PUT", path, { body })).body.data).toEqual({
			...body,
			maxSpendLimit: null,
			id: first.id,
			createdAt: now,
			updatedAt: "2026-02-02T00:00:00.000Z",
		});
	});

	test.each([
		["a target at the threshold", { targetBalance: 10 }, "/targetBalance"],
		["a target below a threshold in money", { thresholdType: "DOLLAR_AMOUNT", thresholdValue: 50 }, "/targetBalance"],
		["no price at all", { unitPrice: null }, "/unitPrice"],
		["a price of nothing", { unitPrice: { amount: 0, currency: "usd" } }, "/unitPrice"],
		["a threshold below nothing", { thresholdValue: -1 }, "/thresholdValue"],
		["a threshold too fine", { thresholdValue: 1.0000000000001 }, "12 decimal places"],
		["a limit below nothing", { maxSpendLimit: -1 }, "/maxSpendLimit"],
		["another period", { grantExpirationPeriod: "1_DAY" }, "/grantExpirationPeriod"],
		["no word on whether", { isEnabled: undefined }, "isEnabled"],
		["a target beyond numbers", { targetBalance: 1e15 }, "/targetBalance"],
	])("refuse %s", async (_, change, message) => {
		const ours = await bank();
		isRefusal(await save(ours, change), 400, "BadUserInput", message);
		expect((await shown(ours)).id).toBeNull();
	});

	test("require a known customer and currency of this environment", async () => {
		const ours = await bank();
		isRefusal(await save(ours, { customerId: "nobody" }), 404, "CustomerNotFound");
		isRefusal(await save(ours, { currencyId: "lead" }), 404, "CustomCurrencyNotFound");
		isRefusal(await ours.call("GET", query, { key: ours.foreignKey }), 404, "CustomerNotFound");
		await ours.call("POST", "/customers/acme/archive");
		isRefusal(await save(ours), 400, "EntityIsArchivedError");
	});
});

describe("a recharge", () => {
	test("fills up to the target at the threshold, with an open invoice, and counts once it is paid", async () => {
		const ours = await ready();
		take(ours, 89);
		expect(await sweep(ours)).toBe(0);
		take(ours, 1);
		take(ours, 5);
		expect(ours.woken).toContain("scheduler");
		expect(await sweep(ours)).toBe(1);
		const [grant] = await recharges(ours);
		expect(grant).toMatchObject({
			grantType: "PAID",
			status: "PAYMENT_PENDING",
			amount: 95,
			cost: { amount: 47.5, currency: "usd" },
			latestInvoice: { status: "OPEN", billingReason: "OTHER", total: 47.5 },
		});
		expect(await shown(ours)).toMatchObject({ currentMonthlySpend: 47.5 });
		take(ours, 50);
		expect(await sweep(ours)).toBe(0);
		at(ours, "2026-02-10T00:00:00.000Z");
		await pay(ours, grant.invoiceId);
		expect((await recharges(ours))[0]).toMatchObject({
			status: "ACTIVE",
			effectiveAt: "2026-02-10T00:00:00.000Z",
			expireAt: "2026-03-10T00:00:00.000Z",
		});
		expect(wallet(ours)).toEqual([195, 145]);
		expect(await sweep(ours)).toBe(0);
	});

	test("starts once for concurrent consumptions, and again only after its payment", async () => {
		const ours = await ready();
		take(ours, 95);
		take(ours, 95);
		await sweep(ours);
		await sweep(ours);
		expect(await invoices(ours)).toHaveLength(1);
		// After the meanwhile consumed credits, the balance is still below the threshold.
		take(ours, 200);
		const [first] = await recharges(ours);
		await pay(ours, first.invoiceId);
		expect(await sweep(ours)).toBe(1);
		expect(await recharges(ours)).toMatchObject([{ status: "PAYMENT_PENDING" }, { status: "ACTIVE" }]);
	});

	test("starts when settings are saved with a low balance", async () => {
		const ours = await bank();
		await saved(ours);
		expect(await sweep(ours)).toBe(1);
		expect(await recharges(ours)).toMatchObject([{ amount: 100 }]);
	});

	test("starts when the remaining credits expire or are voided", async () => {
		const ours = await bank();
		await give(ours, { expireAt: "2026-02-01T00:00:00Z" });
		await saved(ours);
		at(ours, "2026-02-01T00:00:00Z");
		expect(await sweep(ours)).toBe(2);
		expect(await recharges(ours)).toMatchObject([{ amount: 100, createdAt: "2026-02-01T00:00:00.000Z" }]);
	});

	test("is postponed when it would exceed the month's limit; each month has its own limit", async () => {
		const ours = await ready({ maxSpendLimit: 47 });
		take(ours, 95);
		expect(await sweep(ours)).toBe(1);
		expect(await recharges(ours)).toEqual([]);
		expect(await shown(ours)).toMatchObject({
			problem: { message: expect.stringContaining("limit of 47"), retryDate: "2026-02-01T00:00:00.000Z" },
		});
		take(ours, 1);
		expect(await sweep(ours)).toBe(0);
		await saved(ours, { maxSpendLimit: 48 });
		expect(await sweep(ours)).toBe(1);
		expect((await shown(ours)).problem).toBeUndefined();
		const [first] = await recharges(ours);
		await pay(ours, first.invoiceId);
		take(ours, 95);
		expect(await sweep(ours)).toBe(1);
		expect((await shown(ours)).problem.retryDate).toBe("2026-02-01T00:00:00.000Z");
		at(ours, "2026-02-01T00:00:00.000Z");
		expect(await sweep(ours)).toBe(1);
		expect(await recharges(ours)).toHaveLength(2);
	});

	test("does not count in the month's spend after it is voided, and another can start", async () => {
		const ours = await ready();
		take(ours, 95);
		await sweep(ours);
		const [first] = await recharges(ours);
		await ours.call("POST", `${grantsPath}/${first.id}/void`);
		expect((await shown(ours)).currentMonthlySpend).toBeUndefined();
		expect(await sweep(ours)).toBe(0);
		take(ours, 1);
		expect(await sweep(ours)).toBe(1);
		expect(await recharges(ours)).toMatchObject([{ status: "PAYMENT_PENDING", amount: 96 }, { status: "VOIDED" }]);
	});

	test("converts a threshold in money by the price of a credit", async () => {
		const ours = await ready({ thresholdType: "DOLLAR_AMOUNT", thresholdValue: 10 });
		take(ours, 79);
		expect(await sweep(ours)).toBe(0);
		take(ours, 1);
		expect(await sweep(ours)).toBe(1);
		expect(await recharges(ours)).toMatchObject([{ amount: 80, cost: { amount: 40 } }]);
	});

	test("costs the price of the customer's plan, which precedes the price of the settings", async () => {
		const ours = await bank();
		const make = maker(ours);
		await make.product();
		await make.plan("pro");
		await make.charge("/plans/pro", paid(flat(), perUnit({ featureId: undefined, topUpCustomCurrencyId: "gold" })));
		await make.publish("/plans/pro");
		const sold = await ours.call("POST", "/subscriptions", { body: { customerId: "acme", planId: "pro" } });
		expect(sold.status).toBe(201);
		const { data: charges } = (await ours.call("GET", "/plans/pro/charges")).body;
		const price = charges.find((one: { topUpCustomCurrencyId?: string }) => one.topUpCustomCurrencyId === "gold");
		await saved(ours, { unitPrice: null });
		expect(await sweep(ours)).toBe(1);
		const [grant] = await recharges(ours);
		expect(grant.cost.amount).toBe(100 * (price.price?.amount ?? price.pricePeriods[0].price.amount));
	});

	test("never happens for disabled settings or for a resource", async () => {
		const ours = await ready({ isEnabled: false });
		take(ours, 100);
		take(ours, 5, "site-1");
		expect(await sweep(ours)).toBe(0);
		expect(await recharges(ours)).toEqual([]);
	});

	test("stores a problem for an archived customer, and retries a day later", async () => {
		const ours = await ready();
		take(ours, 95);
		await ours.call("POST", "/customers/acme/archive");
		expect(await sweep(ours)).toBe(1);
		expect(await shown(ours)).toMatchObject({
			problem: { message: expect.stringContaining("'acme'"), retryDate: "2026-02-01T00:00:00.000Z" },
		});
	});
});
