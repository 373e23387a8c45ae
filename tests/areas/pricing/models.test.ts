import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { blocksCovering, perBlock } from "../../../src/areas/pricing/models/blocks";
import { flat } from "../../../src/areas/pricing/models/flat";
import { graduated } from "../../../src/areas/pricing/models/graduated";
import { stairstep } from "../../../src/areas/pricing/models/stairstep";
import { amountOf, type Tier, tiersUpTo } from "../../../src/areas/pricing/models/tiers";
import { volume } from "../../../src/areas/pricing/models/volume";
import { type Decimal, exact, toDecimal } from "../../../src/kernel/decimal";
import {
	add,
	ceiling,
	compare,
	less,
	parse,
	type Rational,
	ratio,
	same,
	smaller,
	times,
	total,
} from "../../support/oracle/rational";
import { decimals } from "./samples";

const decimal = (value: number) => toDecimal(value);
const tier = (upTo: number | null, unitPrice: number | null, flatPrice: number | null = null) => ({
	upTo: upTo === null ? null : decimal(upTo),
	unitPrice: unitPrice === null ? null : decimal(unitPrice),
	flatPrice: flatPrice === null ? null : decimal(flatPrice),
});

// Source: docs/interface/catalogue.md, Prices.
const units = tiersUpTo([tier(5, 20), tier(10, 15), tier(null, 10)]);
const withFees = tiersUpTo([tier(5, 20, 10), tier(10, 15, 8), tier(null, 10, 5)]);

describe("worked examples", () => {
	test.each([
		["graduated, 20 units", graduated, units, 20, "275"],
		["graduated with flat fees, 20 units", graduated, withFees, 20, "298"],
		["volume, 20 units", volume, units, 20, "200"],
		["volume with flat fees, 20 units", volume, withFees, 20, "205"],
		["graduated, on the bound", graduated, units, 5, "100"],
		["graduated, one past the bound", graduated, units, 6, "115"],
		["graduated, part of a unit", graduated, units, 5.5, "107.5"],
		["volume, on the bound", volume, units, 5, "100"],
		["volume, one past the bound", volume, units, 6, "90"],
		["graduated, nothing", graduated, withFees, 0, "0"],
		["volume, nothing", volume, withFees, 0, "0"],
		["a single open tier", graduated, tiersUpTo([tier(null, 3)]), 7, "21"],
		["a closed last tier is open all the same", graduated, tiersUpTo([tier(5, 20), tier(10, 15)]), 20, "325"],
		[
			"stairstep by volume tiers with a flat price only",
			volume,
			tiersUpTo([tier(50, null, 10), tier(null, null, 9)]),
			60,
			"9",
		],
	] as const)("%s", (_, model, tiers, quantity, amount) => {
		expect(amountOf(model(tiers, decimal(quantity))).toFixed()).toBe(amount);
	});

	test("the breakdown names every tier that was reached, and what fell into it", () => {
		expect(
			graduated(withFees, decimal(7)).map(({ from, to, quantity, amount }) => [from, to, quantity, amount].map(String)),
		).toEqual([
			["0", "5", "5", "110"],
			["5", "10", "2", "38"],
		]);
	});

	test("stairstep takes the flat price of the tier once", () => {
		const steps: Tier[] = tiersUpTo([tier(50, null, 10), tier(null, null, 9)]);
		expect(stairstep(steps, decimal(50)).map(({ amount, quantity }) => [amount, quantity])).toEqual([
			[decimal(10), decimal(1)],
		]);
		expect(stairstep(steps, decimal(0))).toEqual([]);
	});

	test.each([
		[0, 50, "0"],
		[1, 50, "1"],
		[50, 50, "1"],
		[50.001, 50, "2"],
		[60, 50, "2"],
		[1, 0.3, "4"],
	])("%p units in blocks of %p are %p", (quantity, size, blocks) => {
		expect(blocksCovering(decimal(quantity), decimal(size)).toFixed()).toBe(blocks);
	});
});

/** Ascending bounds, the last open; every price may be missing. */
const tierLists = fc
	.tuple(
		fc.uniqueArray(fc.integer({ min: 1, max: 2_000 }), { minLength: 0, maxLength: 6 }),
		fc.infiniteStream(fc.tuple(fc.option(decimals(50)), fc.option(decimals(50)))),
	)
	.map(([bounds, prices]) => {
		const uppers = [...bounds.sort((one, other) => one - other).map((bound) => decimal(bound)), null];
		return uppers.map((upTo) => {
			const [unitPrice, flatPrice] = prices.next().value;
			return { upTo, unitPrice, flatPrice };
		});
	});

const price = (value: Decimal | null): Rational => (value === null ? ratio(0) : parse(value));
const least = (value: Decimal | null, used: Rational) => (value === null ? used : smaller(parse(value), used));

describe("properties, against exact fractions", () => {
	test("flat is price × quantity; blocks are started ones", () => {
		fc.assert(
			fc.property(decimals(), decimals(), decimals(500), (unitPrice, quantity, size) => {
				expect(same(flat(unitPrice, quantity).toFixed(), times(parse(unitPrice), parse(quantity)))).toBe(true);
				const blockSize = toDecimal(exact(size).plus("0.001"));
				const blocks = ceiling(times(parse(quantity), ratio(parse(blockSize).under, parse(blockSize).over)));
				expect(same(perBlock(unitPrice, quantity, blockSize).toFixed(), times(parse(unitPrice), blocks))).toBe(true);
			}),
		);
	});

	test("graduated equals the sum over its slices", () => {
		fc.assert(
			fc.property(tierLists, decimals(3_000), (tiers, quantity) => {
				const used = parse(quantity);
				const expected = total(
					tiers.map(({ upTo, unitPrice, flatPrice }, at) => {
						const from = at === 0 ? ratio(0) : price(tiers[at - 1]?.upTo ?? null);
						if (compare(used, from) <= 0n) return ratio(0);
						return add(times(less(least(upTo, used), from), price(unitPrice)), price(flatPrice));
					}),
				);
				expect(same(amountOf(graduated(tiersUpTo(tiers), quantity)).toFixed(), expected)).toBe(true);
			}),
		);
	});

	test("volume equals all units at the tier reached", () => {
		fc.assert(
			fc.property(tierLists, decimals(3_000), (tiers, quantity) => {
				const used = parse(quantity);
				const reached = tiers.find(({ upTo }) => upTo === null || compare(used, parse(upTo)) <= 0n);
				const expected =
					used.over === 0n || !reached
						? ratio(0)
						: add(times(used, price(reached.unitPrice)), price(reached.flatPrice));
				expect(same(amountOf(volume(tiersUpTo(tiers), quantity)).toFixed(), expected)).toBe(true);
			}),
		);
	});

	test("the quantities of a graduated breakdown sum to the quantity, and more never costs less", () => {
		fc.assert(
			fc.property(tierLists, decimals(3_000), decimals(100), (tiers, quantity, more) => {
				const slices = graduated(tiersUpTo(tiers), quantity);
				expect(same(quantity, total(slices.map((slice) => parse(slice.quantity))))).toBe(true);
				const increased = graduated(tiersUpTo(tiers), toDecimal(exact(quantity).plus(exact(more))));
				expect(amountOf(increased).gte(amountOf(slices))).toBe(true);
			}),
		);
	});

	test("a tier split in two at the same unit price costs the same", () => {
		fc.assert(
			fc.property(decimals(50), fc.integer({ min: 1, max: 100 }), decimals(300), (unitPrice, at, quantity) => {
				const whole = [{ upTo: null, unitPrice, flatPrice: null }];
				const split = [{ upTo: decimal(at), unitPrice, flatPrice: null }, ...whole];
				for (const model of [graduated, volume])
					expect(amountOf(model(tiersUpTo(split), quantity)).eq(amountOf(model(tiersUpTo(whole), quantity)))).toBe(
						true,
					);
			}),
		);
	});
});
