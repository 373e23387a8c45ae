import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { checker } from "../../src/http/validation";
import { ExactNumber } from "../../src/kernel/number-schema";
import { world } from "../support/world";

const check = checker("body", Type.Object({ amount: ExactNumber({ minimum: 0, maximum: 1e15 }) }));

describe("an amount", () => {
	test.each([
		[1.13, 1.13],
		["1.13", 1.13],
		["12.50", 12.5],
		["000.5", 0.5],
		[123456789012345, 123456789012345],
		[1e15, 1e15],
		[0.000001, 0.000001],
	])("%p is taken", (amount, taken) => {
		expect(check({ amount })).toEqual({ amount: taken });
	});

	test.each([1.1300000000000001, 0.1 + 0.2, 1234567890.123456, "1.1300000000000001"])(
		"%p has more than 15 significant digits: the refusal names the remedy",
		(amount) => {
			expect(() => check({ amount })).toThrow(/^body\/amount: has more than 15 significant digits; send fewer digits/);
		},
	);

	test.each([
		[-1, "greater or equal to 0"],
		[2e15, "less or equal to"],
		["-1", "greater or equal to 0"],
		["1e3", "a string of digits"],
		["", "a string of digits"],
		[true, "expected number"],
	])("%p is refused with what is expected", (amount, message) => {
		expect(() => check({ amount })).toThrow(message);
	});
});

describe("prices", () => {
	const charges = (amount: unknown) => ({
		charges: {
			pricingType: "PAID",
			pricingModels: [
				{
					billingModel: "FLAT_FEE",
					pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount, currency: "eur" } }],
				},
			],
		},
	});

	test("are the decimal that was sent, as a number or as a string; float noise is refused", async () => {
		const { call } = world();
		await call("POST", "/products", { body: { id: "app", displayName: "App" } });
		await call("POST", "/plans", { body: { id: "basic", displayName: "Basic", productId: "app" } });
		const refused = await call("PATCH", "/plans/basic", { body: charges(1.1300000000000001) });
		expect([refused.status, refused.body.code]).toEqual([400, "BadUserInput"]);
		expect(refused.body.message).toContain("price/amount: has more than 15 significant digits");
		for (const amount of [1.13, "1.13"]) {
			expect((await call("PATCH", "/plans/basic", { body: charges(amount) })).status).toBe(200);
			const { body } = await call("GET", "/plans/basic/charges");
			expect(JSON.stringify(body)).toContain('"amount":1.13,');
		}
	});

	test("with an amount that may be null: the refusal names the digits", async () => {
		const { call } = world();
		const { status, body } = await call("POST", "/coupons", {
			body: {
				...{
					id: "summer",
					name: "Summer",
					description: null,
					amountsOff: null,
					durationInMonths: null,
					metadata: null,
				},
				percentOff: 33.333333333333336,
			},
		});
		expect(status).toBe(400);
		expect(body.message).toContain("more than 15 significant digits");
	});
});
