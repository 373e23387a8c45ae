import { expect, test } from "bun:test";
import fc from "fast-check";
import { explainLine } from "../../../src/areas/pricing/explain";
import { type ChargeItem, rateInvoice } from "../../../src/areas/pricing/rate";
import { exact, toDecimal } from "../../../src/kernel/decimal";
import { advanceItems, coupons, currencies, shares, taxes, usageItems } from "./arbitrary";
import { expectExplained } from "./explained";
import { decimals } from "./samples";

test("the arithmetic comes to the figures of the line, whatever is billed", () => {
	const bills = currencies.chain((currency) => {
		const advance = fc
			.tuple(advanceItems(currency), fc.option(shares), fc.boolean(), fc.option(fc.tuple(decimals(10), decimals(10))))
			.map(([item, share, isCredit, left]): ChargeItem => {
				const [part, rest] = left ? left.map((value) => exact(value)) : [];
				const of =
					share && part && rest && part.plus(rest).gt(0)
						? { left: { part: toDecimal(part), whole: toDecimal(part.plus(rest)) } }
						: {};
				return { ...item, isCredit, ...(share && { share: { ...share, ...of } }) };
			});
		const used = fc
			.tuple(usageItems(currency), decimals(700), fc.option(decimals(700)))
			.map(([item, quantity, billed]): ChargeItem => ({ ...item, quantity, ...(billed && { billed }) }));
		return fc.record({
			currency: fc.constant(currency),
			items: fc.array(fc.oneof(advance, used), { maxLength: 5 }),
			coupon: coupons(currency),
			taxPercentage: taxes,
			minimumSpendPaid: fc.option(
				fc.record({
					amount: fc.integer({ min: 0, max: 5000 }).map((amount) => toDecimal(amount)),
					drawn: fc.integer({ min: 0, max: 900 }).map((amount) => toDecimal(amount)),
					description: fc.constant("Covered by the minimum spend"),
				}),
			),
		});
	});
	fc.assert(
		fc.property(bills, (bill) => {
			for (const line of rateInvoice(bill).lines) expectExplained(line, line.basis, bill.currency);
		}),
		{ numRuns: 400 },
	);
});

test("a line whose basis is not known is told as far as it says itself", () => {
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
