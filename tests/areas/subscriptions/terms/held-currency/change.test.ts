import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { draft } from "../../../simulations/simulation";
import { found } from "../phases/shop";
import { billed, calls, fee, living, type Market, market, priced, setup, yearly } from "./market";

setDefaultTimeout(60_000);

const both = fee([10, "usd"], [9, "eur"]);

/** A new version of a plan, which becomes that of its subscriptions. */
async function publish(ours: Market, ...models: object[]): Promise<void> {
	await draft(ours, "pro", ...models);
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
}
const migrate = (ours: Market, id: string) =>
	ours.insist("POST", `/subscriptions/${id}/migrate`, { subscriptionMigrationTime: "IMMEDIATE" });

describe("a subscription keeps its currency", () => {
	test("at renewals, with addons and units, whatever becomes of the customer", async () => {
		const ours = await market();
		await ours.plan("pro", [both, calls([0.1, "usd"], [0.08, "eur"])]);
		await ours.addon("extra", fee([5, "usd"], [4, "eur"]));
		const id = await ours.buy("pro", { billingCurrency: "eur" });
		await ours.insist("PATCH", "/customers/acme", { billingCurrency: "usd", ...living("US") });
		await ours.change(id, { addons: [{ id: "extra", quantity: 1 }] });
		expect(await priced(ours, id)).toBe("9 eur, 0.08 eur, 4 eur, chosen eur");
		await ours.use("calls", 100);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await billed(ours, id)).toBe("21 eur");
	});

	test("with another billing period and another plan", async () => {
		const ours = await market();
		await ours.plan("pro", [
			yearly(
				[
					[10, "usd"],
					[9, "eur"],
				],
				[
					[100, "usd"],
					[90, "eur"],
				],
			),
		]);
		await ours.plan("top", [fee([30, "usd"], [27, "eur"], [25, "gbp"])]);
		const id = await ours.buy("pro", { billingCurrency: "eur", billingPeriod: "MONTHLY" });
		await ours.change(id, { billingPeriod: "ANNUALLY" });
		expect(await priced(ours, id)).toBe("90 eur, chosen eur");
		expect(await priced(ours, await ours.buy("top"))).toBe("27 eur, chosen eur");
		expect(await priced(ours, await ours.buy("top", { billingCurrency: "gbp" }))).toBe("25 gbp, chosen gbp");
	});

	test("also one that was sold where there was no choice", async () => {
		const ours = await market([9, "eur"]);
		const id = await ours.buy("pro");
		await publish(ours, both);
		expect(await priced(ours, id)).toBe("9 eur");
		await migrate(ours, id);
		expect(await priced(ours, id)).toBe("9 eur, chosen eur");
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await billed(ours, id)).toBe("9 eur");
	});

	test("from its scheduled start on", async () => {
		const ours = await market([10, "usd"], [9, "eur"]);
		const id = await ours.buy("pro", { billingCurrency: "eur", startDate: "2026-04-10T00:00:00Z" });
		await publish(ours, fee([12, "usd"], [11, "eur"]));
		await ours.advance("2026-04-11T00:00:00Z");
		expect(await billed(ours, id)).toBe("11 eur");
	});

	test("after a trial", async () => {
		const ours = await market([10, "usd"], [9, "eur"]);
		const trial = { isTrial: true, trialEndDate: "2026-04-08T00:00:00Z", trialEndBehavior: "CONVERT_TO_PAID" };
		const id = await ours.buy("pro", { billingCurrency: "eur", trialOverrideConfiguration: trial });
		await ours.advance("2026-04-09T00:00:00Z");
		expect(await billed(ours, id)).toBe("9 eur");
	});
});

describe("a change that needs another currency is refused and changes nothing", () => {
	test("an addon, and a version of the plan", async () => {
		const ours = await market([10, "usd"], [9, "eur"]);
		await ours.addon("dollars", fee([2, "usd"]));
		const id = await ours.buy("pro", { billingCurrency: "eur" });
		const refused = [
			404,
			"PriceNotFound",
			expect.stringContaining("a price in eur; the subscription keeps this currency"),
		];
		const addons = [{ id: "dollars", quantity: 1 }];
		expect(await ours.refusal("PATCH", `/subscriptions/${id}`, { addons })).toEqual(
			refused as [number, string, string],
		);
		await publish(ours, fee([10, "usd"]));
		expect(await ours.refusal("POST", `/subscriptions/${id}/migrate`, {})).toEqual(refused as [number, string, string]);
		expect(await priced(ours, id)).toBe("9 eur, chosen eur");
	});

	test("an update that names another currency; its own is allowed", async () => {
		const ours = await market([10, "usd"], [9, "eur"]);
		const id = await ours.buy("pro", { billingCurrency: "eur" });
		await ours.change(id, { billingCurrency: "eur" });
		expect(await ours.refusal("PATCH", `/subscriptions/${id}`, { billingCurrency: "usd" })).toEqual([
			400,
			"InvalidArgumentError",
			expect.stringContaining("is in eur and keeps this currency"),
		]);
		expect(await priced(ours, id)).toBe("9 eur, chosen eur");
		await ours.plan("free", []);
		const free = await ours.buy("free", { customerId: (await ours.customer("beta")).id });
		expect(await ours.refusal("PATCH", `/subscriptions/${free}`, { billingCurrency: "usd" })).toEqual([
			400,
			"InvalidArgumentError",
			expect.stringContaining("has no price"),
		]);
	});
});

test("a price list without a choice changes the currency, as before", async () => {
	const ours = await market([10, "usd"]);
	const id = await ours.buy("pro");
	await publish(ours, fee([9, "eur"]));
	await migrate(ours, id);
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await billed(ours, id)).toBe("9 eur");
});

test("a setup without a price in the currency is not charged by an addon of its own either, unless it is all there is", async () => {
	const ours = await market([10, "usd"], [9, "eur"]);
	await ours.addon("install", setup([50, "usd"]));
	await ours.addon("care", fee([2, "usd"], [1, "eur"]), setup([50, "usd"]));
	const id = await ours.buy("pro", { billingCurrency: "eur", addons: [{ id: "care", quantity: 1 }] });
	expect(await billed(ours, id)).toBe("10 eur");
	const addons = [{ id: "install", quantity: 1 }];
	expect((await ours.refusal("PATCH", `/subscriptions/${id}`, { addons }))[1]).toBe("PriceNotFound");
});

describe("an import", () => {
	test("chooses a currency, keeps it, and refuses another one", async () => {
		const ours = await market([10, "usd"], [9, "eur"]);
		await ours.customer("beta", { billingCurrency: "eur" });
		const acme = { id: "of-acme", customerId: "acme", planId: "pro" };
		const beta = { id: "of-beta", customerId: "beta", planId: "pro" };
		expect(await ours.import({ ...acme, billingCurrency: "eur" }, beta)).toEqual([]);
		expect(await priced(ours, "of-acme")).toBe("9 eur, chosen eur");
		expect(await priced(ours, "of-beta")).toBe("9 eur, chosen eur");
		await ours.insist("PATCH", "/customers/beta", { billingCurrency: "usd" });
		const failed = await ours.import(acme, { ...beta, billingCurrency: "usd" });
		expect(JSON.stringify(failed)).toContain("InvalidArgumentError");
		expect(await priced(ours, "of-acme")).toBe("9 eur, chosen eur");
		expect(await priced(ours, "of-beta")).toBe("9 eur, chosen eur");
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await billed(ours, "of-beta")).toBe("9 eur");
	});

	test("changes the plan in the currency of the subscription", async () => {
		const ours = await market([10, "usd"], [9, "eur"]);
		await ours.plan("top", [fee([30, "usd"], [27, "eur"])]);
		const item = { id: "of-acme", customerId: "acme", planId: "pro" };
		await ours.import({ ...item, billingCurrency: "eur" });
		await ours.import({ ...item, planId: "top" });
		expect(await priced(ours, "of-acme")).toBe("27 eur, chosen eur");
	});
});

test("the check of invoices finds a subscription whose currency is not that of its charges", async () => {
	const ours = await market();
	await ours.plan("pro", [both, calls([0.1, "usd"], [0.08, "eur"])]);
	const id = await ours.buy("pro", { billingCurrency: "eur" });
	await ours.use("calls", 10);
	await ours.advance("2026-05-05T00:00:00Z");
	await publish(ours, fee([12, "usd"], [11, "eur"]), calls([0.1, "usd"], [0.08, "eur"]));
	await migrate(ours, id);
	await ours.advance("2026-06-05T00:00:00Z");
	expect(found(ours)).toEqual([]);
	ours.db.$client.run("UPDATE subscriptions SET billing_currency = 'usd'");
	expect(found(ours).join("\n")).toContain("is charged in eur, expected usd");
});

// The simulation found that the check reported the charge of the former subscription.
test("without proration, a subscription in another currency keeps the charge of the former one until its period ends", async () => {
	const ours = await market([10, "usd"], [9, "eur"]);
	await ours.buy("pro");
	await ours.advance("2026-04-11T00:00:00Z");
	const id = await ours.buy("pro", { billingCurrency: "eur", billingInformation: { prorationBehavior: "NONE" } });
	expect(found(ours)).toEqual([]);
	await ours.advance("2026-05-02T00:00:00Z");
	expect(await billed(ours, id)).toBe("9 eur");
	expect(found(ours)).toEqual([]);
});
