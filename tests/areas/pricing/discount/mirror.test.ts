import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Discount } from "../../../../src/areas/pricing/discount";
import { wholePeriod } from "../../../../src/areas/pricing/proration";
import { type ChargeItem, joinRated, type RatedInvoice, rateInvoice } from "../../../../src/areas/pricing/rate";
import { type Decimal, exact, toDecimal } from "../../../../src/kernel/decimal";
import { advanceItems, coupons, currencies, runs, shares, taxes, usageItems } from "../arbitrary";
import { charge, decimal, usd } from "../samples";

const base = (amount: number, more: Partial<ChargeItem> = {}): ChargeItem => ({
	charge: charge({ price: usd(amount) }),
	quantity: decimal(1),
	description: "Base",
	...more,
});
const off = (amount: number): Discount => ({ percentOff: null, amountsOff: [usd(amount)] });
const part = (partMs: number, wholeMs: number) => ({ share: { partMs, wholeMs } });
const setup = { charge: { ...charge({ price: usd(50) }), billingCadence: "ONE_OFF" } } as const;
const calls = { charge: charge({ billingModel: "USAGE_BASED", price: usd(1) }) };
const isCredit = true;

describe("a fixed discount on a part of a period", () => {
	test.each([
		["a whole period", [base(100)], 10, ["10"]],
		["half a period takes half of it", [base(100, part(1, 2))], 10, ["5"]],
		// 10 × 10 / 31 = 3.2258…
		["ten days of January", [base(100, part(10, 31))], 10, ["3.23"]],
		["half a cent goes up", [base(100, part(1, 2))], 0.01, ["0.01"]],
		// Half of 12 is 6, over 50 and 25.
		["the largest share counts", [base(100, part(1, 2)), base(100, part(1, 4))], 12, ["4", "2"]],
		["never more than there is", [base(4, part(1, 2))], 100, ["2"]],
		["nothing is left of the period", [base(100, part(0, 31))], 10, ["0"]],
		// 50 and 50 share the 10.
		["a one-off charge is not parted", [base(100, part(1, 2)), base(0, setup)], 10, ["5", "5"]],
		[
			"nor is usage, even where there was none",
			[base(100, part(1, 2)), base(0, { ...calls, quantity: decimal(0) })],
			10,
			["10", "0"],
		],
		["a credit credits its part of it", [base(100, { ...part(1, 2), isCredit })], 10, ["-5"]],
		// The old plan's rest and the new one's: each has its own.
		["each side has its own", [base(30, { ...part(1, 3), isCredit }), base(60, part(1, 3))], 9, ["-3", "3"]],
		["a credit is no more than its charge was", [base(3, { ...part(1, 3), isCredit }), base(60)], 9, ["-1", "9"]],
		[
			"a one-off charge is not credited",
			[base(0, { ...setup, isCredit }), base(100, { ...part(1, 2), isCredit })],
			10,
			["-5"],
		],
	] as const)("%s", (_, items, amount, discounts) => {
		const { lines } = rateInvoice({ currency: "usd", items, coupon: off(amount) });
		expect(lines.map(({ discount }) => String(discount))).toEqual([...discounts]);
	});

	test("a day with the coupon and back: the payment for the rest is credited to the cent", () => {
		const terms = { currency: "usd", coupon: off(10), taxPercentage: decimal(19) };
		// 49.99 × 20 / 31 = 32.25; 10 × 20 / 31 = 6.45; 19 % of 25.80 are 4.90.
		const [line] = rateInvoice({ ...terms, items: [base(49.99, { ...part(20, 31), isCredit })] }).lines;
		expect([line?.amount, line?.discount, line?.tax, line?.total].map(String)).toEqual([
			"-32.25",
			"-6.45",
			"-4.9",
			"-30.7",
		]);
	});
});

const negated = (figure: Decimal): Decimal => toDecimal(exact(figure).times(-1));
function mirrored({ lines, subTotal, discount, tax, total, ...rest }: RatedInvoice): RatedInvoice {
	return {
		...rest,
		lines: lines.map((line) => ({
			...line,
			amount: negated(line.amount),
			discount: negated(line.discount),
			tax: negated(line.tax),
			total: negated(line.total),
		})),
		subTotal: negated(subTotal),
		discount: negated(discount),
		tax: negated(tax),
		total: negated(total),
	};
}
const sums = ({ subTotal, discount, tax, total }: RatedInvoice) => [subTotal, discount, tax, total].map(String);

/** A mid-cycle change credits or charges items in advance, each for a share. */
const sides = currencies.chain((currency) =>
	fc.record({
		currency: fc.constant(currency),
		items: fc.array(
			fc.tuple(advanceItems(currency), shares).map(([item, share]): ChargeItem => ({ ...item, share })),
			{ maxLength: 5 },
		),
		coupon: coupons(currency),
		taxPercentage: taxes,
	}),
);
const credits = (items: readonly ChargeItem[]) => items.map((item) => ({ ...item, isCredit }));

/** All but what the lines were calculated from. */
const figuresOf = ({ lines, ...invoice }: RatedInvoice) => ({
	...invoice,
	lines: lines.map(({ basis: _, ...line }) => line),
});

describe("credits mirror charges", () => {
	test("the same items as credits come out with every figure negated, and nothing else changed", () => {
		fc.assert(
			fc.property(sides, ({ items, ...terms }) => {
				const back = rateInvoice({ ...terms, items: credits(items) });
				expect(figuresOf(back)).toEqual(figuresOf(mirrored(rateInvoice({ ...terms, items }))));
			}),
			runs(150),
		);
	});

	test("a change that changes nothing totals nothing, on one invoice or joined from two", () => {
		fc.assert(
			fc.property(sides, ({ items, ...terms }) => {
				const both = rateInvoice({ ...terms, items: [...credits(items), ...items] });
				const [back, again] = [credits(items), items].map((side) => rateInvoice({ ...terms, items: side }));
				if (!back || !again) throw new Error("two sides");
				expect(sums(both)).toEqual(["0", "0", "0", "0"]);
				expect(joinRated([back, again])).toEqual(both);
			}),
			runs(100),
		);
	});

	test("charges and credits in any order are rated as the two sides by themselves", () => {
		const mixed = sides.chain((side) =>
			fc.tuple(
				fc.constant(side),
				fc.array(fc.tuple(fc.boolean(), usageItems(side.currency)), { minLength: 5, maxLength: 5 }),
			),
		);
		fc.assert(
			fc.property(mixed, ([{ items: given, ...terms }, more]) => {
				const items = given.flatMap((item, at): ChargeItem[] => {
					const [isBack = false, usage] = more[at] ?? [];
					return isBack || !usage ? [{ ...item, isCredit }] : [item, { ...usage, quantity: decimal(at * 40) }];
				});
				const own = [true, false].map((side) =>
					rateInvoice({ ...terms, items: items.filter((item) => (item.isCredit ?? false) === side) }),
				);
				const both = rateInvoice({ ...terms, items });
				const ofSide = (side: boolean) => both.lines.filter((_, at) => (items[at]?.isCredit ?? false) === side);
				expect([ofSide(true), ofSide(false)]).toEqual(own.map(({ lines }) => [...lines]));
				expect(sums(both)).toEqual(sums(joinRated(own)));
			}),
			runs(100),
		);
	});

	test("a share of all of the period is no share", () => {
		fc.assert(
			fc.property(sides, ({ items, ...terms }) => {
				const unsplit = items.map(({ share: _, ...item }): ChargeItem => item);
				const whole = items.map((item) => {
					const { wholeMs } = item.share ?? wholePeriod;
					return { ...item, share: { partMs: wholeMs, wholeMs } };
				});
				const [one, other] = [whole, unsplit].map((all) => rateInvoice({ ...terms, items: all })).map(figuresOf);
				expect(one).toEqual(other);
			}),
			runs(100),
		);
	});
});
