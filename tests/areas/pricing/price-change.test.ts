import { expect, test } from "bun:test";
import fc from "fast-check";
import { comparePrices, type PriceLevel } from "../../../src/areas/pricing/price-change";
import type { ChargeItem } from "../../../src/areas/pricing/rate";
import type { BillingPeriod } from "../../../src/areas/pricing/rules.billing-period";
import { advanceItems } from "./arbitrary";
import { charge, decimal, usd } from "./samples";

const item = (values: Partial<ChargeItem["charge"]>, quantity = 1, more: Partial<ChargeItem> = {}): ChargeItem => ({
	charge: { ...charge({}), ...values },
	quantity: decimal(quantity),
	description: "Line",
	...more,
});
const base = (amount: number, currency = "usd") => item({ price: usd(amount, currency) });
const seats = (quantity: number) => item({ billingModel: "PER_UNIT", price: usd(5) }, quantity);
const used = item({ billingModel: "USAGE_BASED", price: usd(100) }, 9);
const setup = item({ price: usd(500), billingCadence: "ONE_OFF" });
const minimum = item({ billingModel: "MINIMUM_SPEND", price: usd(50) });
const monthly = (...items: ChargeItem[]): PriceLevel => ({ items, billingPeriod: "MONTHLY" });
const yearly = (...items: ChargeItem[]): PriceLevel => ({ items, billingPeriod: "ANNUALLY" });
const free: PriceLevel = { items: [], billingPeriod: null };

test.each([
	["a higher price", monthly(base(20)), monthly(base(30)), "upgrade"],
	["a lower price", monthly(base(20)), monthly(base(10)), "downgrade"],
	["the same price", monthly(base(20)), monthly(base(20)), "same"],
	["more units", monthly(base(20), seats(2)), monthly(base(20), seats(3)), "upgrade"],
	["fewer units of a dearer plan", monthly(base(20), seats(4)), monthly(base(25), seats(2)), "downgrade"],
	["another plan and an addon for as much", monthly(base(25)), monthly(base(20), base(5)), "same"],
	["a longer period, though it costs less", monthly(base(20)), yearly(base(10)), "upgrade"],
	["a shorter period, though it costs more", yearly(base(10)), monthly(base(20)), "downgrade"],
	["from nothing to something", free, monthly(base(1)), "upgrade"],
	["from nothing a year to something a month", yearly(), monthly(base(1)), "upgrade"],
	["from something a month to nothing a year", monthly(base(1)), yearly(base(0)), "downgrade"],
	["from something to nothing", monthly(base(1)), free, "downgrade"],
	["nothing stays nothing", free, monthly(base(0)), "same"],
	["nothing, for longer", monthly(base(0)), yearly(base(0)), "upgrade"],
	["usage plays no part", monthly(base(20), used), monthly(base(20)), "same"],
	["nor does what is paid once", monthly(base(20)), monthly(base(19), setup), "downgrade"],
	["a minimum spend does", monthly(base(20)), monthly(base(20), minimum), "upgrade"],
	[
		"a share of the period does not, nor that it was a credit",
		monthly(item({ price: usd(20) }, 1, { share: { partMs: 1, wholeMs: 9 }, isCredit: true })),
		monthly(base(20)),
		"same",
	],
	["two currencies", monthly(base(20)), monthly(base(30, "eur")), "same"],
	["two currencies, and a longer period", monthly(base(20)), yearly(base(30, "eur")), "upgrade"],
	["half a cent more, which rounds to a cent", monthly(base(0.01)), monthly(base(0.015)), "upgrade"],
	["less than half a cent more", monthly(base(0.01)), monthly(base(0.014)), "same"],
] as const)("%s", (_, before, after, direction) => {
	expect(comparePrices(before, after)).toBe(direction);
});

test("the way back is the other direction, and staying is none", () => {
	const levels = fc.record({
		items: fc.array(advanceItems("usd"), { maxLength: 3 }),
		billingPeriod: fc.constantFrom<BillingPeriod>("MONTHLY", "ANNUALLY"),
	});
	const opposite = { upgrade: "downgrade", downgrade: "upgrade", same: "same" } as const;
	fc.assert(
		fc.property(levels, levels, (one, other) => {
			expect(comparePrices(other, one)).toBe(opposite[comparePrices(one, other)]);
			expect(comparePrices(one, one)).toBe("same");
		}),
	);
});
