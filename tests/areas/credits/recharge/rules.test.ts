import { describe, expect, test } from "bun:test";
import {
	decideRecharge,
	expiryOf,
	spentInMonth,
	thresholdInCredits,
} from "../../../../src/areas/credits/recharge/rules";
import { creditAmountMax } from "../../../../src/areas/credits/rules.amounts";
import { type Instant, parseInstant } from "../../../../src/kernel/clock";
import type { Decimal } from "../../../../src/kernel/decimal";

const decimal = (value: number): Decimal => String(value) as Decimal;
const at = (text: string): Instant => parseInstant(text) ?? (0 as Instant);
const now = at("2026-01-31T12:00:00Z");
const january = at("2026-01-01T00:00:00Z");
const price = { amount: "0.125" as Decimal, currency: "usd" };
const settings = { targetBalance: decimal(100), maxSpendLimit: null, spentMonth: null, spent: decimal(0) };

describe("a recharge", () => {
	test("fills the balance up to the target, at the price rounded to cents", () => {
		expect(decideRecharge(settings, decimal(9), price, now)).toEqual({
			amount: decimal(91),
			cost: { amount: "11.38" as Decimal, currency: "usd" },
			spent: "11.38" as Decimal,
		});
		expect(decideRecharge(settings, decimal(-20), price, now)).toMatchObject({ amount: decimal(120) });
	});

	test("reaches the limit of the month exactly, but does not exceed it", () => {
		const limited = { ...settings, maxSpendLimit: decimal(20), spentMonth: january, spent: decimal(10) };
		expect(decideRecharge(limited, decimal(20), price, now)).toMatchObject({ spent: decimal(20) });
		expect(decideRecharge(limited, decimal(19), price, now)).toMatchObject({
			problem: expect.stringContaining("above its limit of 20"),
			retryAt: at("2026-02-01T00:00:00Z"),
		});
	});

	test("needs a price, and an amount that a grant can have", () => {
		const tomorrow = at("2026-02-01T12:00:00Z");
		expect(decideRecharge(settings, decimal(0), undefined, now)).toMatchObject({ retryAt: tomorrow });
		const largest = { ...settings, targetBalance: decimal(creditAmountMax) };
		expect(decideRecharge(largest, decimal(0), price, now)).toMatchObject({ amount: decimal(creditAmountMax) });
		expect(decideRecharge(largest, decimal(-1), price, now)).toMatchObject({ retryAt: tomorrow });
	});
});

test("the spend of another month does not count", () => {
	const spent = { spentMonth: january, spent: decimal(7) };
	expect(spentInMonth(spent, now)).toBe(decimal(7));
	expect(spentInMonth(spent, at("2026-02-01T00:00:00Z"))).toBe(decimal(0));
});

test("a threshold in money is the credits that it buys, rounded down to twelve places; without a price, zero", () => {
	expect(thresholdInCredits("CREDIT_AMOUNT", decimal(5), undefined)).toBe(decimal(5));
	expect(thresholdInCredits("DOLLAR_AMOUNT", decimal(1), price)).toBe(decimal(8));
	expect(thresholdInCredits("DOLLAR_AMOUNT", decimal(2), { ...price, amount: decimal(3) })).toBe(
		"0.666666666666" as Decimal,
	);
	expect(thresholdInCredits("DOLLAR_AMOUNT", decimal(1), undefined)).toBe(decimal(0));
});

test("credits expire a calendar month or year later", () => {
	expect(expiryOf("1_MONTH", now)).toBe(at("2026-02-28T12:00:00Z"));
	expect(expiryOf("1_YEAR", now)).toBe(at("2027-01-31T12:00:00Z"));
});
