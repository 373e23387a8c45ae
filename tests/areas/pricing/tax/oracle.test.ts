import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AppliedTax, LineTax } from "../../../../src/areas/pricing/tax";
import { taxLine } from "../../../../src/areas/pricing/tax";
import { grossOf, roundTaxes } from "../../../../src/areas/pricing/tax-rounding";
import { type Decimal, exact, toDecimal } from "../../../../src/kernel/decimal";
import {
	add,
	compare,
	less,
	parse,
	type Rational,
	ratio,
	rounded,
	same,
	times,
	total,
} from "../../../support/oracle/rational";

// The expected figures are calculated in fractions here. The oracle shares nothing with the code under test.

const cents = fc.integer({ min: 0, max: 10 ** 9 });
const percentages = fc.integer({ min: 1, max: 100 * 10 ** 5 }).map((units) => toDecimal((units / 10 ** 5).toFixed(5)));
const taxesOf = (min: number) =>
	fc
		.array(fc.record({ percentage: percentages, isInclusive: fc.boolean() }), { minLength: min, maxLength: 4 })
		.map((list) => list.map((tax, at): AppliedTax => ({ ...tax, taxId: `t${at}`, displayName: `T${at}` })));
const inDollars = (amount: number): Decimal => toDecimal((amount / 100).toFixed(2));
const lineOf = (amount: Decimal, discount: Decimal, taxes: readonly AppliedTax[]) => {
	const { taxes: lineTaxes, ...figures } = taxLine(
		{ subTotal: exact(amount), discount: exact(discount) },
		taxes,
		"usd",
	);
	const [subTotal, off, tax] = [figures.subTotal, figures.discount, figures.tax];
	return {
		amount: toDecimal(subTotal),
		discount: toDecimal(off),
		tax: toDecimal(tax),
		total: toDecimal(subTotal.minus(off).plus(tax)),
		taxes: lineTaxes,
		basis: null,
	};
};

const hundred = ratio(100);
const percentOf = (net: Rational, percentage: string) => times(net, times(parse(percentage), ratio(1, 100)));
const divided = (one: Rational, other: Rational) => ratio(one.over * other.under, one.under * other.over);
const isWithinACent = (one: Rational, other: Rational): boolean => {
	const gap = less(one, other);
	const size = gap.over < 0n ? times(gap, ratio(-1)) : gap;
	return compare(size, ratio(1, 100)) < 0n;
};
const sumOf = (taxes: readonly LineTax[], which: (tax: LineTax) => boolean = () => true) =>
	total(taxes.filter(which).map(({ amount }) => parse(amount)));

describe("the taxes of one line", () => {
	test("extract the included ones from the discounted amount, and add the others to that net", () => {
		fc.assert(
			fc.property(cents, fc.integer({ min: 0, max: 100 }), taxesOf(1), (amountCents, percent, taxes) => {
				const amount = parse(inDollars(amountCents));
				const discount = rounded(times(amount, ratio(percent, 100)));
				const gross = less(amount, discount);
				const stated = [inDollars(amountCents), toDecimal(exact(`${discount.over}`).div(`${discount.under}`))] as const;
				const { amount: subTotal, discount: off, tax, total: whole, taxes: found } = lineOf(...stated, taxes);
				const included = taxes.filter(({ isInclusive }) => isInclusive);
				const rate = total(included.map(({ percentage }) => parse(percentage)));
				const net = rounded(divided(times(gross, hundred), add(hundred, rate)));
				expect(same(toDecimal(exact(subTotal).minus(off)), net)).toBe(true);
				const extracted = less(gross, net);
				expect(
					compare(
						sumOf(found, ({ isInclusive }) => isInclusive),
						extracted,
					),
				).toBe(0n);
				for (const one of found) {
					if (one.isInclusive) {
						const share = divided(times(extracted, parse(one.percentage)), rate);
						expect(isWithinACent(parse(one.amount), share)).toBe(true);
					} else expect(same(one.amount, rounded(percentOf(net, one.percentage)))).toBe(true);
				}
				expect(same(tax, sumOf(found))).toBe(true);
				const added = sumOf(found, ({ isInclusive }) => !isInclusive);
				expect(same(whole, add(gross, added))).toBe(true);
			}),
		);
	});

	test("spread the extracted tax by largest remainder; ties go to the earlier tax", () => {
		fc.assert(
			fc.property(cents, taxesOf(2), (amountCents, given) => {
				const taxes = given.map((tax) => ({ ...tax, isInclusive: true }));
				const { taxes: found, tax } = lineOf(inDollars(amountCents), inDollars(0), taxes);
				const rate = total(taxes.map(({ percentage }) => parse(percentage)));
				const exactly = taxes.map(({ percentage }) => divided(times(parse(tax), parse(percentage)), rate));
				const up = found.map(({ amount }, at) => compare(parse(amount), exactly[at] ?? ratio(0)) > 0n);
				const rest = exactly.map((value) => {
					const scaled = times(value, hundred);
					return ratio(scaled.over % scaled.under, scaled.under);
				});
				for (const [at, isUp] of up.entries())
					for (const [other, isOtherUp] of up.entries())
						if (isUp && !isOtherUp) {
							const order = compare(rest[at] ?? ratio(0), rest[other] ?? ratio(0));
							expect(order > 0n || (order === 0n && at < other)).toBe(true);
						}
			}),
		);
	});

	test("negate those of the charge on its credit", () => {
		fc.assert(
			fc.property(cents, taxesOf(1), (amountCents, taxes) => {
				const charge = lineOf(inDollars(amountCents), inDollars(0), taxes);
				const credit = lineOf(toDecimal(exact(inDollars(amountCents)).times(-1)), inDollars(0), taxes);
				const negated = (amount: Decimal) => toDecimal(exact(amount).times(-1));
				expect(credit.total).toBe(negated(charge.total));
				expect(credit.taxes.map(({ amount }) => amount)).toEqual(charge.taxes.map(({ amount }) => negated(amount)));
			}),
		);
	});
});

describe("taxes that are rounded for an invoice", () => {
	const shared = taxesOf(1).chain((taxes) =>
		fc.array(fc.record({ amount: cents, taxes: fc.subarray(taxes, { minLength: 1 }) }), { minLength: 1, maxLength: 8 }),
	);
	const invoiceOf = (lines: ReadonlyArray<{ amount: number; taxes: readonly AppliedTax[] }>) =>
		lines.map(({ amount, taxes }) => lineOf(inDollars(amount), inDollars(0), taxes));

	test("are rounded once for all lines, and each line is within one cent of its exact tax", () => {
		fc.assert(
			fc.property(shared, (given) => {
				const lines = roundTaxes(invoiceOf(given), "usd");
				const ofTax = (taxId: string) => lines.filter(({ taxes }) => taxes.some((tax) => tax.taxId === taxId));
				for (const tax of new Map(lines.flatMap(({ taxes }) => taxes).map((one) => [one.taxId, one])).values()) {
					if (tax.isInclusive) continue;
					const nets = ofTax(tax.taxId).map(({ amount }) => parse(amount));
					const amounts = ofTax(tax.taxId).map(({ taxes }) => taxes.find(({ taxId }) => taxId === tax.taxId)?.amount);
					const sum = total(amounts.map((amount) => parse(amount ?? "0")));
					expect(compare(sum, rounded(percentOf(total(nets), tax.percentage)))).toBe(0n);
					for (const [at, net] of nets.entries())
						expect(isWithinACent(parse(amounts[at] ?? "0"), percentOf(net, tax.percentage))).toBe(true);
				}
			}),
		);
	});

	test("change no price that includes them, and extract their sum from the sum of these prices", () => {
		fc.assert(
			fc.property(shared, (given) => {
				const alone = invoiceOf(given);
				const lines = roundTaxes(alone, "usd");
				expect(lines.map((line) => grossOf(line).toFixed())).toEqual(alone.map((line) => grossOf(line).toFixed()));
				const keyOf = ({ taxes }: (typeof lines)[number]) =>
					taxes.flatMap(({ taxId, isInclusive }) => (isInclusive ? [taxId] : [])).join();
				for (const [key, alike] of Map.groupBy(lines, keyOf)) {
					if (key === "") continue;
					const gross = total(alike.map((line) => parse(toDecimal(grossOf(line)))));
					const rates = (alike[0]?.taxes ?? []).filter(({ isInclusive }) => isInclusive);
					const rate = total(rates.map(({ percentage }) => parse(percentage)));
					const net = total(alike.map(({ amount }) => parse(amount)));
					expect(compare(net, rounded(divided(times(gross, hundred), add(hundred, rate))))).toBe(0n);
				}
			}),
		);
	});

	test("are reversed exactly by the credits of all lines, in any order", () => {
		fc.assert(
			fc.property(shared, (given) => {
				const lines = roundTaxes(invoiceOf(given), "usd");
				for (const line of lines) {
					const charged = { gross: toDecimal(grossOf(line)), amounts: line.taxes.map(({ amount }) => amount) };
					const credit = taxLine(
						{ subTotal: grossOf(line).times(-1), discount: exact(0) },
						line.taxes.map(({ amount: _, ...tax }) => tax),
						"usd",
						charged,
					);
					expect(credit.tax.plus(line.tax).toFixed()).toBe("0");
					expect(credit.subTotal.plus(line.amount).toFixed()).toBe("0");
				}
			}),
		);
	});

	test("change nothing on an invoice of one line", () => {
		fc.assert(
			fc.property(cents, taxesOf(1), (amount, taxes) => {
				const [line] = invoiceOf([{ amount, taxes }]);
				if (line) expect(roundTaxes([line], "usd")[0]?.taxes).toEqual(line.taxes);
			}),
		);
	});
});
