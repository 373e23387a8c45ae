import { expect, test } from "bun:test";
import {
	amountOfCommitment,
	excessOf,
	owedBy,
	shortfallOf,
} from "../../../../src/areas/pricing/models/spend-commitment";
import type { Decimal } from "../../../../src/kernel/decimal";

const decimal = (value: string) => value as Decimal;
const sums = (amount: string, spent: string, more: object = {}) => ({
	...{ scope: "ALL" as const, parts: [{ amount: decimal(amount) }], spent: decimal(spent) },
	...more,
});

test.each([
	["500", "420", "80", "0"],
	["500", "499.5", "0.5", "0"],
	["500", "500", "0", "0"],
	["500", "500.01", "0", "0.01"],
	["500", "650", "0", "75"],
	["0", "10", "0", "5"],
])("a commitment of %s with charges of %s lacks %s, and a factor of 1.5 adds %s", (amount, spent, lacks, adds) => {
	const of = sums(amount, spent, { overageFactor: decimal("1.5") });
	expect([shortfallOf(of, "usd").toFixed(), excessOf(of, "usd").toFixed()]).toEqual([lacks, adds]);
});

test("without a true-up nothing is missing, and without a factor nothing is added", () => {
	expect(shortfallOf(sums("500", "0", { isTrueUp: false }), "usd").toFixed()).toBe("0");
	expect(excessOf(sums("500", "900"), "usd").toFixed()).toBe("0");
});

test("each part is rounded once, and a line charges what earlier bills have not", () => {
	const third = { amount: decimal("10"), share: { partMs: 1, wholeMs: 3 } };
	expect(owedBy([third, third, third], "usd").toFixed()).toBe("9.99");
	const basis = { ...sums("500", "420"), of: "SHORTFALL" as const, billed: decimal("100") };
	expect(amountOfCommitment(basis, "usd").toFixed()).toBe("-20");
});
