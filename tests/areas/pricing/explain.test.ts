import { expect, test } from "bun:test";
import fc from "fast-check";
import { explainLine } from "../../../src/areas/pricing/explain/explain";
import { rateInvoice } from "../../../src/areas/pricing/rate";
import { toDecimal } from "../../../src/kernel/decimal";
import { bills, currencies } from "./arbitrary";
import { expectExplained } from "./explained";

test("the arithmetic yields the figures of the line, whatever is billed", () => {
	fc.assert(
		fc.property(currencies.chain(bills), (bill) => {
			for (const line of rateInvoice(bill).lines) expectExplained(line, line.basis, bill.currency);
		}),
		{ numRuns: 400 },
	);
});

test("a line of unknown basis is explained by its own figures", () => {
	const stated = { quantity: toDecimal(3), unitPrice: toDecimal("3.925"), taxPercentage: toDecimal(19) };
	const figures = { discount: toDecimal("1.78"), tax: toDecimal("1.9"), total: toDecimal("11.9") };
	const known = explainLine({ ...stated, ...figures, amount: toDecimal("11.78") }, null, "usd");
	expect(known.map(({ of, arithmetic, value }) => [of, arithmetic, value])).toEqual([
		["amount", "round(3.925 * 3, 2)", "11.78"],
		["discount", "1.78", "1.78"],
		["tax", "round((11.78 - 1.78) * 19 / 100, 2)", "1.9"],
		["total", "11.78 - 1.78 + 1.9", "11.9"],
	]);
	const [amount] = explainLine({ ...stated, ...figures, amount: toDecimal(12) }, null, "usd");
	expect(amount).toMatchObject({ of: "amount", arithmetic: "12", text: expect.stringContaining("stated") });
});
