import { beforeAll, describe, expect, test } from "bun:test";
import type { World } from "../../../../support/world";
import { catalogue, maker } from "../../catalogue";
import { isRefusal } from "../../guards";
import { blank, flat, listed, monthly, paid, set, usd } from "../../prices";

describe("overage", () => {
	const over = (terms: object, period: object = { price: usd(0.5), blockSize: 10 }) => ({
		billingModel: "USAGE_BASED",
		pricePeriods: [monthly(period)],
		...terms,
	});
	let ours: World;
	beforeAll(async () => {
		ours = await catalogue();
	});
	const withOver = (...overagePricingModels: object[]) => ({ ...paid(flat()), overagePricingModels });

	test("makes or softens the entitlement whose limit it begins at", async () => {
		const ours = await catalogue();
		await maker(ours).entitle("/plans/pro", { type: "FEATURE", id: "calls", usageLimit: 100, resetPeriod: "MONTH" });
		const seats = { featureId: "seats", usageLimit: 5 };
		const answer = await set(ours, {
			...withOver(over({ featureId: "calls" }), over({ entitlement: seats })),
			overageBillingPeriod: "MONTHLY",
		});
		expect(answer.status).toBe(200);
		expect(await listed(ours, "/plans/pro/overage-charges")).toMatchObject([
			{ ...blank, billingModel: "USAGE_BASED", featureId: "calls", price: usd(0.5), blockSize: 10 },
			{ featureId: "seats" },
		]);
		expect(await listed(ours)).toHaveLength(1);
		expect((await ours.call("GET", "/plans/pro/entitlements")).body.data).toMatchObject([
			{ id: "calls", usageLimit: 100, hasSoftLimit: true, resetPeriod: "MONTH" },
			{ id: "seats", usageLimit: 5, hasSoftLimit: true },
		]);
	});

	test("for credits begins where the plan's grant ends, or brings the grant along", async () => {
		const ours = await catalogue();
		const gold = over({ currencyId: "gold" });
		isRefusal(await set(ours, withOver(gold)), 400, "CreditOveragePriceCurrencyNotFound", "does not grant 'gold'");
		const creditEntitlement = { amount: 50, cadence: "MONTH", customCurrencyId: "gold" };
		expect((await set(ours, withOver({ ...gold, creditEntitlement }))).status).toBe(200);
		expect((await ours.call("GET", "/plans/pro/entitlements")).body.data).toMatchObject([
			{ id: "gold", type: "CREDIT", amount: 50, cadence: "MONTH", hasSoftLimit: true },
		]);
		expect((await set(ours, withOver(gold))).status).toBe(200);
	});

	test.each([
		["of nothing", over({}), 400, "BadUserInput", "exactly one"],
		["of two things", over({ featureId: "calls", currencyId: "gold" }), 400, "BadUserInput", "exactly one"],
		["paid flat", over({ featureId: "calls", billingModel: "FLAT_FEE" }), 400, "BadUserInput", "USAGE_BASED"],
		[
			"of credits paid flat",
			over({ currencyId: "gold", billingModel: "FLAT_FEE" }),
			400,
			"InvalidCreditOverageBillingModel",
			"USAGE_BASED",
		],
		["of an unknown feature", over({ featureId: "none" }), 404, "FeatureNotFound", "'none'"],
		["of an unknown currency", over({ currencyId: "silver" }), 400, "CreditOveragePriceCurrencyNotFound", "'silver'"],
		["without a limit", over({ featureId: "calls" }), 400, "OveragePriceRequiresUsageLimit", "'calls'"],
		[
			"of what has no limit",
			over({ entitlement: { featureId: "calls", hasUnlimitedUsage: true, usageLimit: 1 } }),
			400,
			"OveragePriceRequiresUsageLimit",
			"'calls'",
		],
		[
			"of two features",
			over({ featureId: "calls", entitlement: { featureId: "seats" } }),
			400,
			"BadUserInput",
			"must agree",
		],
		[
			"of two currencies",
			over({ currencyId: "gold", creditEntitlement: { amount: 1, cadence: "MONTH", customCurrencyId: "silver" } }),
			400,
			"BadUserInput",
			"must agree",
		],
		[
			"without a price",
			over({ featureId: "calls" }, {}),
			400,
			"BadUserInput",
			"charges.overagePricingModels[0].pricePeriods[0]",
		],
		["in tiers", over({ featureId: "calls" }, { tiers: [{ unitPrice: usd(1) }] }), 400, "BadUserInput", "'tiers'"],
		[
			"of a setting",
			over({ entitlement: { featureId: "depth", usageLimit: 1 } }),
			400,
			"MeteringNotAvailableForFeatureType",
			"'depth'",
		],
	] as const)("refuses overage %s, and keeps no entitlement of it", async (_, model, status, code, message) => {
		isRefusal(await set(ours, withOver(model)), status, code, message);
		expect((await ours.call("GET", "/plans/pro/entitlements")).body.data).toEqual([]);
	});
});
