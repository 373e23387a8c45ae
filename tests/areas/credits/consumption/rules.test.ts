import { expect, test } from "bun:test";
import { assertNotAhead, assertSameIdempotentRequest } from "../../../../src/areas/credits/consumption/rules";
import type { Instant } from "../../../../src/kernel/clock";
import type { Decimal } from "../../../../src/kernel/decimal";

const day = 86_400_000;

test("a consumption may be exactly a day ahead of the clock, and no more", () => {
	expect(() => assertNotAhead(day as Instant, 0 as Instant, "body")).not.toThrow();
	expect(() => assertNotAhead(null, 0 as Instant, "body")).not.toThrow();
	expect(() => assertNotAhead((day + 1) as Instant, 0 as Instant, "body")).toThrow("body/createdAt");
});

test("a repeated request may order its dimensions differently, and names every field that differs", () => {
	const terms = {
		currencyId: "tokens",
		resourceId: "",
		amount: "1" as Decimal,
		createdAt: null,
		dimensions: { a: 1, b: "2" },
	};
	const key = { idempotencyKey: "key", where: "body" };
	expect(() => assertSameIdempotentRequest(terms, { ...terms, dimensions: { b: "2", a: 1 } }, key)).not.toThrow();
	const other = { ...terms, amount: "2" as Decimal, dimensions: null };
	expect(() => assertSameIdempotentRequest(terms, other, key)).toThrow("another amount, dimensions;");
});
