import { describe, expect, test } from "bun:test";
import { beyond, flat, perUnit, till, used } from "../../billing";
import { month, priced } from "./shop";

const percent = { price: { amount: 1, currency: "usd" } };
const usage = (more: object) => ({ ...used("calls", { month: 1 }), ...more });
const row = (more: object) => usage({ pricePeriods: [{ billingPeriod: "MONTHLY", ...more }] });
const euros = flat({ month: [10, "eur"] });

/** Charges of a phase, and the code and the place with which they are refused. */
const ofAll: readonly [string, object, string, string][] = [
	[
		"a price of no model",
		{ pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods: [{ billingPeriod: "MONTHLY" }] }] },
		"BadUserInput",
		"charges.pricingModels[0].pricePeriods[0]",
	],
	["a feature that does not exist", { pricingModels: [used("none", { month: 1 })] }, "FeatureNotFound", ""],
	[
		"a feature that cannot be priced",
		{ pricingModels: [usage({ usageMeasure: "PEAK" })] },
		"UnsupportedFeatureType",
		"charges.pricingModels[0]",
	],
	[
		"two prices of one thing",
		{ pricingModels: [flat({ month: 1 }), flat({ month: 2 })] },
		"BadUserInput",
		"charges.pricingModels[1].pricePeriods[0]",
	],
	[
		"a key twice",
		{ pricingModels: [flat({ month: 1 }, { key: "a" }), flat({ month: 2 }, { key: "a" })] },
		"BadUserInput",
		"charges.pricingModels",
	],
	[
		"two currencies",
		{ pricingModels: [flat({ month: 1 }), perUnit("seats", { month: [1, "eur"] })] },
		"BadUserInput",
		"charges.pricingModels[1].pricePeriods[0]",
	],
	[
		"a minimum above the maximum",
		{ pricingModels: [row({ ...percent, minimumAmount: 5, maximumAmount: 4 })] },
		"BadUserInput",
		"charges.pricingModels[0].pricePeriods[0]",
	],
	[
		"an interval that does not divide",
		{ pricingModels: [row({ ...percent, chargeInterval: { unit: "DAY", count: 3 } })] },
		"BadUserInput",
		"charges.pricingModels[0].pricePeriods[0].chargeInterval",
	],
	[
		"an interval of a fee",
		{
			pricingModels: [
				{
					billingModel: "FLAT_FEE",
					pricePeriods: [{ billingPeriod: "QUARTERLY", ...percent, chargeInterval: { unit: "MONTH", count: 1 } }],
				},
			],
		},
		"UnsupportedParameter",
		"charges.pricingModels[0].pricePeriods[0].chargeInterval",
	],
	[
		"a tax that does not exist",
		{ pricingModels: [flat({ month: 1 }, { taxes: ["none"] })] },
		"InvalidArgumentError",
		"charges.pricingModels[0].taxes",
	],
	[
		"a payment time of usage",
		{ pricingModels: [usage({ paymentTime: "IN_ADVANCE" })] },
		"UnsupportedParameter",
		"charges.pricingModels[0].paymentTime",
	],
	["another pricing type", { pricingType: "FREE" }, "BadUserInput", "charges"],
	["a field that phases do not have", { pricingModels: [flat({ month: 1 })], phases: [] }, "BadUserInput", "charges"],
	[
		"an anchor",
		{ pricingModels: [flat({ month: 1 })], billingAnchor: { type: "CALENDAR" } },
		"BadUserInput",
		"charges",
	],
	[
		"the time of overage",
		{ pricingModels: [flat({ month: 1 })], overageBillingPeriod: "MONTHLY" },
		"BadUserInput",
		"charges",
	],
	["no price", { pricingModels: [] }, "BillingPeriodMissingError", ""],
	["no price for the period", { pricingModels: [flat({ year: 100 })] }, "BillingPeriodMissingError", ""],
	["prices in another currency than the plan", { pricingModels: [euros] }, "", ""],
];

const phasesOf = (charges: object) => [
	{ id: "a", duration: month(1), percentOff: 10 },
	{ id: "b", duration: month(1), charges },
];

describe("charges of a phase of a draft are refused", () => {
	const cases: typeof ofAll = [
		...ofAll.map(([name, charges, code, place]) => [name, charges, code || "BadUserInput", place] as const),
		[
			"a limit",
			{ overagePricingModels: [beyond("calls", 5, { month: 1 })] },
			"BadUserInput",
			"charges.overagePricingModels[0]",
		],
	].map((one) => one as [string, object, string, string]);
	for (const [name, charges, code, place] of cases)
		test(`for ${name}: ${code}`, async () => {
			const ours = await till("2026-01-01T00:00:00Z");
			await ours.insist("POST", "/plans", { id: "pro", productId: "app", displayName: "pro" });
			const body = {
				charges: { pricingType: "PAID", pricingModels: [flat({ month: 40 })], phases: phasesOf(charges) },
			};
			const answer = await ours.call("PATCH", "/plans/pro", { body });
			expect([answer.status, answer.body.code]).toEqual([answer.status === 404 ? 404 : 400, code]);
			expect(answer.body.message.replaceAll("/", ".").replace("phases.1", "phases[1]")).toContain(
				`charges.phases[1]${place && `.${place}`}`,
			);
			expect((await ours.call("GET", "/plans/pro")).body.data.phases).toBeUndefined();
		});
});

describe("charges of a phase of a subscription are refused", () => {
	const counted = { percentRate: 1, currency: "usd" };
	const variants = [{ id: "x", match: { n: ["1"] }, ...percent }];
	const cases: typeof ofAll = [
		...ofAll.map(([name, charges, code, place]) => [name, charges, code || "InvalidArgumentError", place] as const),
		[
			"overage",
			{ overagePricingModels: [beyond("calls", 5, { month: 1 })] },
			"BadUserInput",
			"charges.overagePricingModels[0]",
		],
		[
			"the price of transactions",
			{ pricingModels: [row({ transactionPrice: counted })] },
			"UnsupportedParameter",
			"charges.pricingModels[0]",
		],
		[
			"variants",
			{ pricingModels: [row({ ...percent, variants })] },
			"UnsupportedParameter",
			"charges.pricingModels[0]",
		],
		["groups", { pricingModels: [usage({ groupBy: ["n"] })] }, "UnsupportedParameter", "charges.pricingModels[0]"],
		[
			"many bytes",
			{
				pricingModels: Array.from({ length: 120 }, (_, at) =>
					flat({ month: 1 }, { key: `key-${at}-${"x".repeat(200)}` }),
				),
			},
			"BadUserInput",
			"",
		],
	].map((one) => one as [string, object, string, string]);
	for (const [name, charges, code, place] of cases)
		test(`for ${name}: ${code}`, async () => {
			const ours = await till("2026-01-01T00:00:00Z");
			await ours.plan("pro", [flat({ month: 40 })]);
			const body = { customerId: "acme", planId: "pro", phases: phasesOf(charges) };
			const answer = await ours.call("POST", "/subscriptions", { body });
			expect([answer.status, answer.body.code]).toEqual([answer.status === 404 ? 404 : 400, code]);
			if (place)
				expect(answer.body.message.replaceAll("/", ".").replace("phases.1", "phases[1]")).toContain(
					`body.phases[1].${place}`,
				);
			expect((await ours.call("GET", "/subscriptions")).body.data).toEqual([]);
		});
});

test("units out of the bounds of a phase are refused, and default to the greatest minimum", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const seats = (month: number, more: object) => perUnit("seats", { month }, more);
	await ours.plan("pro", [seats(10, {})], {
		phases: [priced("few", 1, [seats(5, { minUnitQuantity: 2, maxUnitQuantity: 4 })])],
	});
	const body = { customerId: "acme", planId: "pro" };
	const answer = await ours.call("POST", "/subscriptions", { body: { ...body, unitQuantity: 5 } });
	expect(answer.body.code).toBe("InvalidQuantity");
	await ours.buy("pro");
	await ours.advance("2026-02-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-01-01: 10 = 2 Seats (pro), few 10", "2026-02-01: 20 = 2 Seats (pro) 20"]);
});

test("an update to a period that a phase does not price is refused", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 40, year: 400 })]);
	const id = await ours.buy("pro", { billingPeriod: "MONTHLY", phases: [priced("start", 1, [flat({ month: 10 })])] });
	const answer = await ours.call("PATCH", `/subscriptions/${id}`, { body: { billingPeriod: "ANNUALLY" } });
	expect([answer.status, answer.body.code]).toEqual([400, "BillingPeriodMissingError"]);
});
