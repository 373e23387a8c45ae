import { describe, expect, test } from "bun:test";
import { maker } from "../../packages/catalogue";
import { flat, type Till, till, used } from "../../subscriptions/billing";

const calls = { type: "FEATURE", id: "calls", hasUnlimitedUsage: true };

/** The plan `metered`: 10 a month, and 2 for each of unlimited calls; the boolean feature `sso` costs nothing. */
async function meteredShop(trial?: object): Promise<Till> {
	const ours = await till("2026-01-31T00:00:00Z");
	const make = maker(ours);
	await make.feature("sso");
	await make.plan("metered", { displayName: "metered", ...(trial && { defaultTrialConfig: trial }) });
	await make.entitle("/plans/metered", calls, { type: "FEATURE", id: "sso" });
	await make.charge("/plans/metered", {
		pricingType: "PAID",
		pricingModels: [flat({ month: 10 }), used("calls", { month: 2 })],
	});
	await make.publish("/plans/metered");
	return ours;
}

const decision = async (ours: Till, featureId = "calls") => {
	const { isGranted, accessDeniedReason } = await ours.insist(
		"GET",
		`/customers/acme/entitlements/check?featureId=${featureId}`,
	);
	return isGranted ? "granted" : accessDeniedReason;
};

describe("a hard budget", () => {
	test("denies features that would cost more once usage charges reach it, and nothing else", async () => {
		const ours = await meteredShop();
		await ours.buy("metered", { budget: { limit: 20, hasSoftLimit: false } });
		await ours.use("calls", 9);
		expect(await decision(ours)).toBe("granted");
		await ours.use("calls", 1);
		expect([await decision(ours), await decision(ours, "sso")]).toEqual(["BudgetExceeded", "granted"]);
	});

	test("recovers the cost of canceled events", async () => {
		const ours = await meteredShop();
		await ours.buy("metered", { budget: { limit: 20, hasSoftLimit: false } });
		const mistake = await ours.use("calls", 10);
		const spent = await decision(ours);
		await ours.cancelEvents(mistake);
		expect([spent, await decision(ours)]).toEqual(["BudgetExceeded", "granted"]);
	});

	test("counts the current billing period, including usage invoiced in between", async () => {
		const ours = await meteredShop();
		const id = await ours.buy("metered", { budget: { limit: 20, hasSoftLimit: false } });
		await ours.use("calls", 10);
		await ours.chargeUsage(id);
		expect(await decision(ours)).toBe("BudgetExceeded");
		await ours.advance("2026-02-28T00:00:00Z");
		expect(await decision(ours)).toBe("granted");
	});

	test("can be raised and removed", async () => {
		const ours = await meteredShop();
		const id = await ours.buy("metered", { budget: { limit: 20, hasSoftLimit: false } });
		await ours.use("calls", 10);
		const after = async (budget: object | null) => {
			await ours.change(id, { budget });
			return decision(ours);
		};
		expect(await after({ limit: 20.01, hasSoftLimit: false })).toBe("granted");
		expect(await after({ limit: 20, hasSoftLimit: false })).toBe("BudgetExceeded");
		expect(await after({ limit: 20, hasSoftLimit: true })).toBe("granted");
		expect(await after({ limit: 0, hasSoftLimit: false })).toBe("BudgetExceeded");
		expect(await after(null)).toBe("granted");
	});

	test("does not deny a feature that another source grants", async () => {
		const ours = await meteredShop();
		await ours.buy("metered", { budget: { limit: 0, hasSoftLimit: false } });
		expect(await decision(ours)).toBe("BudgetExceeded");
		const none = { customEndDate: null, enumValues: null, hasSoftLimit: null, isVisible: null, resetPeriod: null };
		const resets = {
			monthlyResetPeriodConfiguration: null,
			weeklyResetPeriodConfiguration: null,
			yearlyResetPeriodConfiguration: null,
		};
		const grant = {
			...none,
			...resets,
			featureId: "calls",
			hasUnlimitedUsage: true,
			usageLimit: null,
			period: "1 week",
		};
		await ours.insist("POST", "/customers/acme/promotional-entitlements", { promotionalEntitlements: [grant] });
		expect(await decision(ours)).toBe("granted");
	});
});

test("a trial with a spend limit denies at the limit, but not after the trial is paid", async () => {
	const ours = await meteredShop({ duration: 7, units: "DAY", budget: { limit: 6, hasSoftLimit: false } });
	const id = await ours.buy("metered");
	await ours.use("calls", 3);
	expect(await decision(ours)).toBe("BudgetExceeded");
	await ours.advance("P7D");
	expect((await ours.insist("GET", `/subscriptions/${id}`)).status).toBe("ACTIVE");
	expect(await decision(ours)).toBe("granted");
	// Usage of the trial is not charged.
	expect(await ours.books()).toEqual(["2026-02-07: 10 = metered 10"]);
});
