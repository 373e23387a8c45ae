import { describe, expect, test } from "bun:test";
import { assertApplicable, assertOneDiscount, couponStatus, couponType } from "../../../src/areas/coupons/rules";
import type { Decimal } from "../../../src/kernel/decimal";

describe("a coupon takes off a percentage or fixed amounts", () => {
	const usd = { amount: 5, currency: "usd" };
	test.each([
		["a percentage", { percentOff: 10, amountsOff: null }],
		["amounts in two currencies", { percentOff: null, amountsOff: [usd, { amount: 4, currency: "eur" }] }],
	])("%s is a discount", (_, terms) => expect(() => assertOneDiscount(terms)).not.toThrow());

	test.each([
		["neither", { percentOff: null, amountsOff: null }, "exactly one"],
		["both", { percentOff: 10, amountsOff: [usd] }, "exactly one"],
		["one currency twice", { percentOff: null, amountsOff: [usd, usd] }, "'usd' twice"],
	])("%s is refused", (_, terms, message) => expect(() => assertOneDiscount(terms)).toThrow(message));
});

test("type and status follow from what is stored", () => {
	expect(couponType({ percentOff: "10" as Decimal, freeUnits: null })).toBe("PERCENTAGE");
	expect(couponType({ percentOff: null, freeUnits: null })).toBe("FIXED");
	expect(couponType({ percentOff: null, freeUnits: [] })).toBe("FREE_UNITS");
	expect(couponStatus({ archivedAt: null })).toBe("ACTIVE");
	expect(couponStatus({ archivedAt: 0 })).toBe("ARCHIVED");
});

test("an archived coupon is refused anywhere new", () => {
	expect(() => assertApplicable({ refId: "TEN", archivedAt: null })).not.toThrow();
	expect(() => assertApplicable({ refId: "TEN", archivedAt: 1 })).toThrow("'TEN' is archived");
});
