import { expect, test } from "bun:test";
import fc from "fast-check";
import { type ChargeItem, type InvoiceInput, rateInvoice } from "../../../../src/areas/pricing/rate";
import { type Decimal, exact, toDecimal } from "../../../../src/kernel/decimal";
import { advanceItems, coupons, currencies, readings, runs, shares, taxes, usageItems } from "../arbitrary";
import { exactlyOf, inMinorUnits } from "../exactly";
import { decimals } from "../samples";

const anyItem = (currency: string): fc.Arbitrary<ChargeItem> =>
	fc.oneof(
		fc
			.tuple(
				advanceItems(currency),
				fc.option(shares, { nil: undefined }),
				fc.boolean(),
				fc.constantFrom("RECURRING" as const, "RECURRING" as const, "ONE_OFF" as const),
			)
			.map(([item, share, isCredit, billingCadence]) => ({
				...item,
				charge: { ...item.charge, billingCadence },
				isCredit,
				...(share && { share }),
			})),
		fc
			.tuple(usageItems(currency), decimals(900), decimals(900), fc.boolean())
			.map(([item, quantity, billed, isFirst]) => ({ ...item, quantity, ...(!isFirst && { billed }) })),
	);

const whole = (value: Decimal) => toDecimal(exact(value).round(0));

const invoices: fc.Arbitrary<InvoiceInput> = currencies.chain((currency) =>
	fc
		.tuple(
			fc.array(anyItem(currency), { maxLength: 6 }),
			coupons(currency),
			taxes,
			fc.option(fc.record({ amount: decimals(5_000).map(whole), drawn: decimals(6_000).map(whole) })),
		)
		.map(([items, coupon, taxPercentage, paid]) => ({
			currency,
			items,
			coupon,
			taxPercentage,
			minimumSpendPaid: paid && { ...paid, description: "Minimum spend" },
		})),
);

test("every figure of every line is the oracle's, for any invoice", () => {
	fc.assert(
		fc.property(invoices, (input) => {
			expect(inMinorUnits(rateInvoice(input))).toEqual(exactlyOf(input));
		}),
		runs(250),
	);
});

test("a window that is billed in turn, drawing on a minimum, is the oracle's too", () => {
	const lives = currencies.chain((currency) => fc.tuple(fc.constant(currency), usageItems(currency), readings));
	fc.assert(
		fc.property(lives, decimals(2_000).map(whole), ([currency, item, seen], amount) => {
			let drawn = toDecimal(0);
			let billed = toDecimal(0);
			for (const quantity of seen) {
				const minimumSpendPaid = { amount, drawn, description: "Minimum spend" };
				const input = { currency, items: [{ ...item, quantity, billed }], minimumSpendPaid };
				const rated = rateInvoice(input);
				expect(inMinorUnits(rated)).toEqual(exactlyOf(input));
				drawn = toDecimal(exact(drawn).plus(exact(rated.minimumDrawdown)));
				if (exact(quantity).gt(exact(billed))) billed = quantity;
			}
		}),
		runs(100),
	);
});
