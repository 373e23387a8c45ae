import { expect, test } from "bun:test";
import fc from "fast-check";
import { type InvoiceInput, rateInvoice } from "../../../../src/areas/pricing/rate";
import { toDecimal } from "../../../../src/kernel/decimal";
import { runs } from "../arbitrary";
import { exactlyOf, inMinorUnits } from "../exactly";
import { charge } from "../samples";

/** The number of digits after the decimal point that a price list may have. */
const long = (wholeMax: bigint, places: number) =>
	fc
		.tuple(fc.bigInt({ min: 0n, max: wholeMax }), fc.bigInt({ min: 0n, max: 10n ** BigInt(places) - 1n }))
		.map(([whole, part]) => toDecimal(`${whole}.${String(part).padStart(places, "0")}`));

const invoices: fc.Arbitrary<InvoiceInput> = fc
	.record({
		unitPrice: long(99_999_999n, 12),
		quantity: long(9_999_999n, 6),
		share: fc.option(
			fc.record({ partMs: fc.integer({ min: 1, max: 2_678_400_000 }), wholeMs: fc.constant(2_678_400_000) }),
		),
		percentOff: fc.option(long(99n, 4)),
		taxPercentage: fc.option(long(99n, 4)),
	})
	.map(({ unitPrice, quantity, share, percentOff, taxPercentage }) => ({
		currency: "kwd",
		items: [
			{
				charge: charge({ billingModel: "USAGE_BASED", price: { amount: unitPrice, currency: "kwd" } }),
				quantity,
				description: "Used",
			},
			{
				charge: charge({ billingModel: "FLAT_FEE", price: { amount: unitPrice, currency: "kwd" } }),
				quantity: toDecimal(1),
				description: "Fee",
				...(share && { share }),
			},
		],
		coupon: percentOff && { percentOff, amountsOff: null },
		taxPercentage,
	}));

test("amounts of more digits than a binary float has are exact on every line", () => {
	let beyondFloats = 0;
	fc.assert(
		fc.property(invoices, (input) => {
			const rated = inMinorUnits(rateInvoice(input));
			expect(rated).toEqual(exactlyOf(input));
			if (!Number.isSafeInteger(Number(rated.sums.amount))) beyondFloats += 1;
		}),
		runs(200),
	);
	// Else the same figures would come out of floats.
	expect(beyondFloats).toBeGreaterThan(50);
});
