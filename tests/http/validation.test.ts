import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { checker } from "../../src/http/validation";
import { ExactNumber } from "../../src/kernel/number-schema";
import { literals, nullable, Timestamp } from "../../src/kernel/schema";
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

describe("a value with several forms", () => {
	const letter = Type.Object({ type: Type.Literal("A"), size: Type.Number() }, { additionalProperties: false });
	const number = Type.Object({ type: Type.Literal("B"), base: Type.String() }, { additionalProperties: false });
	const either = Type.Union([letter, number]);
	const many = Type.Union(Array.from({ length: 9 }, (_, at) => Type.Literal(`${at}`)));
	test.each([
		[either, 5, "an object with 'type', 'size', or an object with 'type', 'base'"],
		[nullable(letter), "A", "an object with 'type', 'size', or null"],
		[nullable(Timestamp), "soon", "an ISO 8601 date-time with a zone, such as 2026-01-31T00:00:00Z"],
		[nullable(Timestamp), 5, "a text, or null"],
		[nullable(literals("P", "Q")), "R", "one of P, Q"],
		[Type.Union([Type.String(), Type.Array(Type.String())]), 5, "a text, or a list"],
		[Type.Union([Type.Integer(), Type.Literal("all")]), "none", 'a whole number, or "all"'],
	])("is refused with the forms that it can have: %#", (schema, value, forms) => {
		const parse = checker("body", Type.Object({ of: schema }));
		expect(() => parse({ of: value })).toThrow(new Error(`body/of: must be ${forms}.`));
	});

	test("names the place in the form that fits best, and the document for many forms", () => {
		expect(() => checker("body", either)({ type: "A" })).toThrow("body/size: expected required property.");
		expect(() => checker("body", Type.Object({ of: many }))({ of: "x" })).toThrow(
			"body/of: has none of the allowed forms; the OpenAPI document lists them.",
		);
	});

	test("is refused so by the routes", async () => {
		const { call } = world();
		const { status, body } = await call("POST", "/customers/acme/invoices/last/credit-note", { body: [1] });
		expect([status, body.code]).toEqual([400, "BadUserInput"]);
		expect(body.message).toBe("body: must be an object.");
	});
});
