import { expect, test } from "bun:test";
import { creditAmountOf } from "../../../src/areas/credits/rules.amounts";
import type { Decimal } from "../../../src/kernel/decimal";

test("an amount has at most twelve decimal places", () => {
	expect(creditAmountOf("/amount", 0.000000000001)).toBe("0.000000000001" as Decimal);
	expect(creditAmountOf("/amount", 1.5)).toBe("1.5" as Decimal);
	expect(() => creditAmountOf("/amount", 0.0000000000012)).toThrow("/amount: has more than 12 decimal places");
});
