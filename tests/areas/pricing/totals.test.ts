import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Discount } from "../../../src/areas/pricing/discount";
import { prorate, remainingShare, shareOf } from "../../../src/areas/pricing/proration";
import { differenceOf, totalLines } from "../../../src/areas/pricing/totals";
import type { Instant } from "../../../src/kernel/clock";
import { type Decimal, exact, toDecimal } from "../../../src/kernel/decimal";
import { minorDigits } from "../../../src/kernel/money";
import { add, compare, less, parse, ratio, rounded, same, smaller, times, total } from "../../support/oracle/rational";
import { decimals } from "./samples";

const day = 86_400_000;
const at = (milliseconds: number) => milliseconds as Instant;
const january = { start: at(Date.UTC(2026, 0, 1)), end: at(Date.UTC(2026, 1, 1)) };

describe("proration", () => {
	test.each([
		["the whole period", january.start, "31"],
		["ten days gone", at(january.start + 10 * day), "21"],
		["a third of a day left", at(january.end - day / 3), "0.33"],
		["nothing left", january.end, "0"],
		["from before it began", at(january.start - day), "31"],
		["after it ended", at(january.end + day), "0"],
	])("31.00 for January, %s", (_, from, amount) => {
		expect(prorate(exact(31), remainingShare(january, from), "usd").toFixed()).toBe(amount);
	});

	test("time outside the period is not charged", () => {
		const beyond = shareOf(january, { start: at(january.start - day), end: at(january.end + day) });
		expect(prorate(exact(31), beyond, "usd").toFixed()).toBe("31");
		const apart = shareOf(january, { start: at(january.end + day), end: at(january.end + 2 * day) });
		expect(prorate(exact(31), apart, "usd").toFixed()).toBe("0");
	});

	test("yen have no cents, and a credit mirrors its charge", () => {
		const half = shareOf(january, { start: january.start, end: at(january.start + 15.5 * day) });
		expect(prorate(exact(101), half, "jpy").toFixed()).toBe("51");
		expect(prorate(exact(-101), half, "jpy").toFixed()).toBe("-51");
	});

	test("is the exact fraction, rounded once", () => {
		fc.assert(
			fc.property(decimals(), fc.nat(10 ** 10), fc.integer({ min: 1, max: 10 ** 10 }), (amount, part, whole) => {
				const expected = rounded(times(parse(amount), ratio(part, whole)));
				expect(same(prorate(exact(amount), { partMs: part, wholeMs: whole }, "usd").toFixed(), expected)).toBe(true);
			}),
		);
	});
});

/** Negative amounts are credits. */
const lines = (...amounts: Array<number | string>) =>
	amounts.map((amount) => ({ amount: exact(amount), isCredit: exact(amount).lt(0) }));
const percent = (percentOff: number): Discount => ({ percentOff: toDecimal(percentOff), amountsOff: null });
const off = (amount: number, currency = "usd"): Discount => ({
	percentOff: null,
	amountsOff: [{ amount: toDecimal(amount), currency }],
});
const figures = ({ subTotal, discount, tax, total: sum }: Record<"subTotal" | "discount" | "tax" | "total", Decimal>) =>
	[subTotal, discount, tax, sum].map(Number);

describe("totals of lines", () => {
	test.each([
		["nothing", lines(), {}, [0, 0, 0, 0]],
		["half a cent goes up", lines("10.005"), {}, [10.01, 0, 0, 10.01]],
		["each line is rounded, then summed", lines("0.005", "0.005"), {}, [0.02, 0, 0, 0.02]],
		["a percentage", lines(590), { coupon: percent(10) }, [590, 59, 0, 531]],
		[
			"tax is on the discounted amount",
			lines(590),
			{ coupon: percent(10), taxPercentage: toDecimal(8.25) },
			[590, 59, 43.81, 574.81],
		],
		["all of it off", lines(12.34, 5), { coupon: percent(100), taxPercentage: toDecimal(20) }, [17.34, 17.34, 0, 0]],
		["a fixed amount", lines(10, 20), { coupon: off(5) }, [30, 5, 0, 25]],
		["a fixed amount beyond the sum", lines(10, 20), { coupon: off(100) }, [30, 30, 0, 0]],
		["a fixed amount in another currency", lines(10), { coupon: off(5, "eur") }, [10, 0, 0, 10]],
		["a credit credits the discount of its charge", lines(30, -20), { coupon: off(25) }, [10, 5, 0, 5]],
		["all of it, where all of it was taken off", lines(30, -20), { coupon: off(100) }, [10, 10, 0, 0]],
		["more credit than charge", lines(10, -30), { coupon: off(15) }, [-20, -5, 0, -15]],
		["credits alone", lines(-10, -30), { coupon: off(5) }, [-40, -5, 0, -35]],
		[
			"what is negative but no credit lowers what there is to discount",
			[{ amount: exact(30) }, { amount: exact(-20) }],
			{ coupon: off(25) },
			[10, 10, 0, 0],
		],
		["a percentage is taken from credits too", lines(30, -20), { coupon: percent(50) }, [10, 5, 0, 5]],
	] as const)("%s", (_, given, terms, expected) => {
		expect(figures(totalLines(given, { currency: "usd", ...terms }))).toEqual([...expected]);
	});

	test("a fixed amount is spread by largest remainder, earlier lines first", () => {
		const { lines: parts } = totalLines(lines(10, 10, 10), { currency: "usd", coupon: off(10) });
		expect(parts.map(({ discount }) => Number(discount))).toEqual([3.34, 3.33, 3.33]);
	});

	const amounts = fc.array(fc.tuple(decimals(), fc.boolean()), { maxLength: 8 });
	const coupons = fc.oneof(
		fc.constant(null),
		decimals(100).map((percentOff): Discount => ({ percentOff, amountsOff: null })),
		decimals(5_000).map((amount): Discount => ({ percentOff: null, amountsOff: [{ amount, currency: "usd" }] })),
	);
	const taxes = fc.option(decimals(99));
	const signed = ([amount, isCredit]: readonly [Decimal, boolean]) => ({
		amount: exact(amount).times(isCredit ? -1 : 1),
		isCredit,
	});

	test("the sums are those of the lines, and every line adds up", () => {
		fc.assert(
			fc.property(amounts, coupons, taxes, (given, coupon, taxPercentage) => {
				const exactLines = given.map(signed);
				const result = totalLines(exactLines, { currency: "usd", coupon, taxPercentage });
				for (const figure of ["subTotal", "discount", "tax", "total"] as const)
					expect(same(result[figure], total(result.lines.map((line) => parse(line[figure]))))).toBe(true);
				for (const [index, line] of result.lines.entries()) {
					const [amount = toDecimal(0), isCredit = false] = given[index] ?? [];
					const subTotal = rounded(times(parse(amount), ratio(isCredit ? -1 : 1)));
					const discounted = less(subTotal, parse(line.discount));
					const tax = rounded(times(discounted, times(parse(taxPercentage ?? "0"), ratio(1, 100))));
					expect(same(line.subTotal, subTotal)).toBe(true);
					expect(same(line.tax, tax)).toBe(true);
					expect(same(line.total, add(discounted, tax))).toBe(true);
					if (coupon?.percentOff)
						expect(same(line.discount, rounded(times(subTotal, times(parse(coupon.percentOff), ratio(1, 100)))))).toBe(
							true,
						);
				}
			}),
		);
	});

	test("a fixed discount takes what it offers from each side, no more than there is, and from no line more than it is worth", () => {
		fc.assert(
			fc.property(amounts, decimals(5_000), (given, amount) => {
				const coupon = { percentOff: null, amountsOff: [{ amount, currency: "usd" }] };
				const { lines: parts } = totalLines(given.map(signed), { currency: "usd", coupon });
				const offered = rounded(parse(amount));
				for (const side of [false, true]) {
					const own = parts.filter((_, index) => given[index]?.[1] === side);
					const ofCharge = (figure: Decimal) => times(parse(figure), ratio(side ? -1 : 1));
					const there = total(own.map(({ subTotal }) => ofCharge(subTotal)));
					const taken = total(own.map(({ discount }) => ofCharge(discount)));
					expect(compare(taken, smaller(offered, there))).toBe(0n);
					for (const { subTotal, discount } of own) {
						expect(compare(ofCharge(discount), ratio(0)) >= 0n).toBe(true);
						expect(compare(ofCharge(discount), ofCharge(subTotal)) <= 0n).toBe(true);
					}
				}
			}),
		);
	});

	test.each(["usd", "jpy", "ugx", "eur"])("%s: no figure has more digits than its minor unit", (currency) => {
		fc.assert(
			fc.property(amounts, decimals(100), taxes, (given, percentOff, taxPercentage) => {
				const { lines: parts } = totalLines(
					given.map(([amount]) => ({ amount: exact(amount) })),
					{ currency, coupon: { percentOff, amountsOff: null }, taxPercentage },
				);
				const digits = parts.flatMap((part) => Object.values(part)).map((figure) => figure.split(".")[1]?.length ?? 0);
				expect(Math.max(0, ...digits)).toBeLessThanOrEqual(minorDigits(currency));
			}),
			{ numRuns: 50 },
		);
	});
});

describe("several coupons and named taxes", () => {
	const tax = (taxId: string, percentage: number, isInclusive: boolean) => ({
		...{ taxId, displayName: taxId, percentage: toDecimal(percentage), isInclusive },
	});
	const taxed = (...taxes: ReturnType<typeof tax>[]) =>
		totalLines([{ amount: exact(119), taxes }], { currency: "usd" }).lines[0];

	test("a line has the discounts of several coupons", () => {
		const discounts = [{ ...percent(10), couponId: "tenth", name: "Tenth" }];
		const [line] = totalLines(lines(100), { currency: "usd", discounts }).lines;
		expect(line && figures(line)).toEqual([100, 10, 0, 90]);
		expect(line?.discounts?.map(({ couponId, amount }) => [couponId, Number(amount)])).toEqual([["tenth", 10]]);
	});

	test("a line has its gross amount if one of its taxes is included", () => {
		expect(taxed(tax("added", 19, false))?.gross).toBeUndefined();
		const mixed = taxed(tax("included", 19, true), tax("added", 5, false));
		expect(mixed?.gross).toEqual({ amount: toDecimal(119), discount: toDecimal(0) });
		expect(mixed && figures(mixed)).toEqual([100, 0, 24, 124]);
	});

	test("a difference subtracts each figure", () => {
		const totals = (...[subTotal = 0, discount = 0, taxes = 0, sum = 0]: number[]) => ({
			...{ subTotal: toDecimal(subTotal), discount: toDecimal(discount) },
			...{ tax: toDecimal(taxes), total: toDecimal(sum) },
		});
		expect(figures(differenceOf(totals(10, 1, 2, 11), totals(3, 0.5, 0.25, 2.75)))).toEqual([7, 0.5, 1.75, 8.25]);
	});
});
