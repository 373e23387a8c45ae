import { describe, expect, test } from "bun:test";
import { beyond, flat, type Till, till, used } from "../subscriptions/billing";

const usd = (amount: number) => ({ amount, currency: "usd" });
const at = "charges.pricingModels[0].pricePeriods[0]";
const ours = await till("2026-01-01T00:00:00Z");
await ours.plan("pro", [{ billingModel: "FLAT_FEE", pricePeriods: [{ billingPeriod: "WEEKLY", price: usd(7) }] }]);
const id = await ours.buy("pro");
await ours.insist("POST", "/plans/pro/draft");
const before = await ours.insist("GET", "/plans/pro/charges");

/** Refuses a request, with its code and a message that names the place. */
async function refuses(
	{ call }: Till,
	request: readonly [method: string, path: string, body: object],
	code: string,
	says: string,
) {
	const [method, path, body] = request;
	expect(await call(method, path, { body })).toMatchObject({
		status: 400,
		body: { code, message: expect.stringContaining(says) },
	});
}

const fee = (period: object) => ({
	pricingType: "PAID",
	pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods: [{ ...period, price: usd(7) }] }],
});
const interval = (unit: string, count: unknown) => ({ billingInterval: { unit, count } });

describe("charges of a draft", () => {
	test.each([
		[
			"CUSTOM without an interval",
			fee({ billingPeriod: "CUSTOM" }),
			"BadUserInput",
			`${at}: 'billingPeriod' CUSTOM needs`,
		],
		[
			"an interval that differs from the name",
			fee({ billingPeriod: "MONTHLY", ...interval("DAY", 30) }),
			"BadUserInput",
			`${at}: 'billingPeriod' MONTHLY and`,
		],
		[
			"a length of no days",
			fee({ billingPeriod: "CUSTOM", ...interval("DAY", 0) }),
			"BadUserInput",
			"/billingInterval/count",
		],
		[
			"a part of a day",
			fee({ billingPeriod: "CUSTOM", ...interval("DAY", 1.5) }),
			"BadUserInput",
			"/billingInterval/count",
		],
		[
			"a count as text",
			fee({ billingPeriod: "CUSTOM", ...interval("DAY", "30") }),
			"BadUserInput",
			"/billingInterval/count",
		],
		["hours", fee({ billingPeriod: "CUSTOM", ...interval("HOUR", 1) }), "BadUserInput", "/billingInterval/unit"],
		[
			"an interval of another shape",
			fee({ billingPeriod: "CUSTOM", billingInterval: "30 days" }),
			"BadUserInput",
			"/billingInterval",
		],
		[
			"an interval of null",
			fee({ billingPeriod: "WEEKLY", billingInterval: null }),
			"BadUserInput",
			"/billingInterval",
		],
		[
			"more than ten years of months",
			fee({ billingPeriod: "CUSTOM", ...interval("MONTH", 121) }),
			"BadUserInput",
			`${at}: 'billingInterval' has more`,
		],
		[
			"more than ten years of weeks",
			fee({ billingPeriod: "CUSTOM", ...interval("WEEK", 522) }),
			"BadUserInput",
			`${at}: 'billingInterval' has more`,
		],
		[
			"more than ten years of days",
			fee({ billingPeriod: "CUSTOM", ...interval("DAY", 3653) }),
			"BadUserInput",
			"/billingInterval/count",
		],
		[
			"one length under two names",
			{
				pricingType: "PAID",
				pricingModels: [
					{
						billingModel: "FLAT_FEE",
						pricePeriods: [
							{ billingPeriod: "WEEKLY", price: usd(7) },
							{ billingPeriod: "CUSTOM", ...interval("DAY", 7), price: usd(8) },
						],
					},
				],
			},
			"BadUserInput",
			"prices the same as",
		],
		[
			"credits by the month within weeks",
			fee({ billingPeriod: "WEEKLY", creditGrantCadence: "MONTHLY" }),
			"UnsupportedParameter",
			`${at}: 'creditGrantCadence' MONTHLY needs`,
		],
		[
			"overage by the month within weeks",
			{
				...fee({ billingPeriod: "WEEKLY" }),
				overagePricingModels: [beyond("calls", 10, { month: 1 })],
				overageBillingPeriod: "MONTHLY",
			},
			"UnsupportedParameter",
			"charges: 'overageBillingPeriod' MONTHLY needs",
		],
		[
			"usage by twelve months",
			{
				pricingType: "PAID",
				pricingModels: [
					flat({ year: 9 }),
					{ ...used("calls", {}), pricePeriods: [{ billingPeriod: "CUSTOM", ...interval("YEAR", 1), price: usd(1) }] },
				],
			},
			"BadUserInput",
			"is ANNUALLY, but usage is billed each month",
		],
		[
			"usage by weeks that is counted by months",
			{
				pricingType: "PAID",
				pricingModels: [
					{ ...used("calls", {}), resetPeriod: "MONTH", pricePeriods: [{ billingPeriod: "WEEKLY", price: usd(1) }] },
				],
			},
			"InvalidEntitlementResetPeriod",
			"charges.pricingModels[0]",
		],
		[
			"a minimum spend of CUSTOM without an interval",
			{ pricingType: "PAID", minimumSpend: [{ billingPeriod: "CUSTOM", minimum: usd(5) }] },
			"BadUserInput",
			"charges.minimumSpend[0]: 'billingPeriod' CUSTOM needs",
		],
	] as const)("refuse %s, and stay as they were", async (_, charges, code, says) => {
		await refuses(ours, ["PATCH", "/plans/pro", { charges }], code, says);
		expect(await ours.insist("GET", "/plans/pro/charges")).toEqual(before);
	});
});

describe("a sale, its preview and a change", () => {
	const requests = [
		["POST", "/subscriptions", { customerId: "acme", planId: "pro" }],
		["POST", "/subscriptions/preview", { customerId: "acme", planId: "pro" }],
		["PATCH", `/subscriptions/${id}`, {}],
	] as const;
	test.each([
		["CUSTOM without an interval", { billingPeriod: "CUSTOM" }, "BadUserInput", "body: 'billingPeriod' CUSTOM needs"],
		[
			"two lengths",
			{ billingPeriod: "WEEKLY", ...interval("DAY", 8) },
			"BadUserInput",
			"body: 'billingPeriod' WEEKLY and",
		],
		[
			"a length without a price",
			interval("DAY", 45),
			"BillingPeriodMissingError",
			"a CUSTOM (45 DAY) price; choose WEEKLY",
		],
		[
			"a length without an end",
			interval("YEAR", 11),
			"BadUserInput",
			"body: 'billingInterval' has more than ten years",
		],
	] as const)("refuse %s", async (_, period, code, says) => {
		for (const [method, path, body] of requests)
			await refuses(ours, [method, path, { ...body, ...period }], code, says);
		expect(await ours.books()).toHaveLength(1);
	});

	test("refuse the end of a month where periods have no months", async () => {
		await refuses(
			ours,
			["PATCH", `/subscriptions/${id}`, { ...interval("WEEK", 1), scheduleStrategy: "END_OF_BILLING_MONTH" }],
			"UnsupportedParameter",
			"END_OF_BILLING_MONTH needs a billing period of whole months",
		);
	});
});
