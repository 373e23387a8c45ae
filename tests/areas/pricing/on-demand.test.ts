import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { rateSinceBilled } from "../../../src/areas/pricing/billed";
import type { PricedCharge } from "../../../src/areas/pricing/charge";
import { creditsForEvent, creditsForUnits } from "../../../src/areas/pricing/credits";
import { parseFormula } from "../../../src/areas/pricing/formula-parser";
import { rateOverage } from "../../../src/areas/pricing/overage";
import { inPricedUnits, rateUsage, type UnitTransformation } from "../../../src/areas/pricing/usage";
import { type Decimal, exact, toDecimal } from "../../../src/kernel/decimal";
import {
	add,
	ceiling,
	compare,
	less,
	parse,
	type Rational,
	ratio,
	rounded,
	same,
	times,
	total,
} from "../../support/oracle/rational";
import { charge, decimal, decimals, tier, usd } from "./samples";

const usage = (values: Partial<PricedCharge>) => charge({ billingModel: "USAGE_BASED", ...values });
const by = (divide: number, round: "UP" | "DOWN"): UnitTransformation => ({ divide: decimal(divide), round });
const nothing = ratio(0);
const inverse = ({ over, under }: Rational) => ratio(under, over);
const atLeastNothing = (value: Rational) => (compare(value, nothing) < 0n ? nothing : value);

// A usage-based API: the first 1000 requests cost 0.02 each, the next 9000 0.01, all beyond 0.005.
const requests = usage({ tiersMode: "GRADUATED", tiers: [tier(1_000, 0.02), tier(10_000, 0.01), tier(null, 0.005)] });
// Storage by steps: up to 50 GB 10 dollars, up to 200 GB 25, any more 60, whatever is used of it.
const steps = usage({ tiersMode: "VOLUME", tiers: [tier(50, null, 10), tier(200, null, 25), tier(null, null, 60)] });

describe("pay as you go: worked examples", () => {
	test.each([
		// 4213 × 0.0025
		["by the unit", usage({ price: usd(0.0025) }), 4213, null, "10.5325", "4213"],
		// 1000 × 0.02 + 9000 × 0.01 + 2500 × 0.005 = 20 + 90 + 12.5
		["graduated, through all tiers", requests, 12_500, null, "122.5", "12500"],
		["graduated, on a bound", requests, 10_000, null, "110", "10000"],
		// All 12500 at 0.005.
		["volume", { ...requests, tiersMode: "VOLUME" }, 12_500, null, "62.5", "12500"],
		["stairstep, first step to its bound", steps, 50, null, "10", "50"],
		["stairstep, just beyond", steps, 50.5, null, "25", "50.5"],
		["stairstep, open step", steps, 5_000, null, "60", "5000"],
		// 10001 in blocks of 1000 are 11 × 3.
		["started blocks", usage({ price: usd(3), blockSize: decimal(1_000) }), 10_001, null, "33", "10001"],
		// 1 500 001 tokens by the million: 2 rounded UP, 1 rounded DOWN, at 15 each.
		["in millions, rounded up", usage({ price: usd(15) }), 1_500_001, by(1_000_000, "UP"), "30", "2"],
		["in millions, rounded down", usage({ price: usd(15) }), 1_500_001, by(1_000_000, "DOWN"), "15", "1"],
		// 2 500 000 seconds by 60 are 41666.67 minutes, rounded up 41667, in blocks of 500: 84 × 1.2.
		[
			"transformed, then blocks",
			usage({ price: usd(1.2), blockSize: decimal(500) }),
			2_500_000,
			by(60, "UP"),
			"100.8",
			"41667",
		],
		// 12 500 000 by 1000 are 12500: priced like the requests above.
		["transformed, then tiers", requests, 12_500_000, by(1_000, "UP"), "122.5", "12500"],
		["less than one unit, rounded down", usage({ price: usd(15) }), 999, by(1_000, "DOWN"), "0", "0"],
		["nothing used", steps, 0, null, "0", "0"],
		["more taken back than used", usage({ price: usd(5) }), -3, null, "0", "0"],
		["more taken back than used, by blocks", usage({ price: usd(5), blockSize: decimal(10) }), -3, null, "0", "0"],
	] as const)("%s", (_, priced, used, transformation, amount, quantity) => {
		const rated = rateUsage(priced, decimal(used), transformation);
		expect([rated.amount.toFixed(), String(rated.quantity)]).toEqual([amount, quantity]);
	});

	test("units are the transformed whole number, against exact fractions", () => {
		fc.assert(
			fc.property(decimals(), decimals(50), fc.constantFrom("UP" as const, "DOWN" as const), (used, size, round) => {
				const divide = toDecimal(exact(size).plus("0.01"));
				const quotient = times(parse(used), inverse(parse(divide)));
				const down = times(ratio(-1), ceiling(times(ratio(-1), quotient)));
				const units = inPricedUnits(used, { divide, round });
				expect(same(units, round === "UP" ? ceiling(quotient) : down)).toBe(true);
				expect(rateUsage(requests, used, { divide, round })).toEqual(rateUsage(requests, units));
			}),
		);
	});

	test("more usage never costs less by the unit, by blocks or graduated", () => {
		const blocks = usage({ price: usd(3), blockSize: decimal(7) });
		fc.assert(
			fc.property(decimals(), decimals(), (used, more) => {
				for (const priced of [usage({ price: usd(0.03) }), blocks, requests, steps]) {
					const increased = rateUsage(priced, toDecimal(exact(used).plus(exact(more))));
					expect(increased.amount.gte(rateUsage(priced, used).amount)).toBe(true);
				}
			}),
		);
	});
});

const overage = (values: Partial<PricedCharge>) => usage({ price: usd(2), ...values });
const overageSince = (priced: PricedCharge, used: Decimal, limit: Decimal | null, billed: Decimal) =>
	rateSinceBilled((usedSoFar) => rateOverage(priced, usedSoFar, limit), used, billed, "usd");

describe("overage: worked examples", () => {
	test.each([
		["below the limit", {}, 80, 100, 0, "0", "0"],
		["on the limit", {}, 100, 100, 0, "0", "0"],
		// 25 × 2
		["beyond the limit, by the unit", {}, 125, 100, 0, "50", "25"],
		["part of a unit", {}, 100.5, 100, 0, "1", "0.5"],
		// 25 in blocks of 10 are 3 × 2.
		["beyond the limit, by started blocks", { blockSize: decimal(10) }, 125, 100, 0, "6", "25"],
		["no limit", {}, 1e9, null, 0, "0", "0"],
		["a limit of nothing", {}, 5, 0, 0, "10", "5"],
		// A year's limit billed by the month: 125 were counted before, 160 now: 35 × 2.
		["what was billed is not billed again", {}, 160, 100, 125, "70", "35"],
		// Blocks of 10: 60 beyond are 6 blocks, 25 beyond were 3 of them.
		["started blocks that were billed are used up first", { blockSize: decimal(10) }, 160, 100, 125, "6", "35"],
		["a block that was billed holds more", { blockSize: decimal(10) }, 130, 100, 125, "0", "5"],
		["earlier bills were below the limit", {}, 125, 100, 90, "50", "25"],
		["usage was taken back since", {}, 110, 100, 125, "0", "0"],
		["priced at nothing", { price: usd(0) }, 160, 100, 125, "0", "35"],
	] as const)("%s", (_, values, used, limit, billed, amount, quantity) => {
		const rated = overageSince(overage(values), decimal(used), limit === null ? null : decimal(limit), decimal(billed));
		expect([rated.amount.toFixed(), String(rated.quantity)]).toEqual([amount, quantity]);
	});

	test("of credits: 1200.5 used of 1000 granted are 200.5 beyond, at 0.01 each", () => {
		const { amount, unitPrice } = rateOverage(overage({ price: usd(0.01) }), decimal(1_200.5), decimal(1_000));
		expect([amount.toFixed(), String(unitPrice)]).toEqual(["2.005", "0.01"]);
	});

	test("a part of what tiers price shows no tiers, since they would not sum to it", () => {
		const priced = overage({ price: null, tiersMode: "GRADUATED", tiers: requests.tiers });
		// 1500 beyond cost 1000 × 0.02 + 500 × 0.01 = 25; 1200 of them were billed for 22.
		const whole = rateOverage(priced, decimal(2_000), decimal(500));
		const part = overageSince(priced, decimal(2_000), decimal(500), decimal(1_700));
		expect([whole.amount.toFixed(), whole.tiers?.length]).toEqual(["25", 2]);
		expect([part.amount.toFixed(), String(part.quantity), part.tiers]).toEqual(["3", "300", null]);
	});

	test("equals price × max(0, usage − limit), in started blocks where there are any", () => {
		fc.assert(
			fc.property(decimals(), decimals(), decimals(99), fc.option(decimals(20)), (used, limit, price, size) => {
				const blockSize = size && toDecimal(exact(size).plus("0.001"));
				const excess = atLeastNothing(less(parse(used), parse(limit)));
				const units = blockSize ? ceiling(times(excess, inverse(parse(blockSize)))) : excess;
				const priced = overage({ price: { amount: price, currency: "usd" }, blockSize });
				expect(same(rateOverage(priced, used, limit).amount.toFixed(), times(parse(price), units))).toBe(true);
			}),
		);
	});

	test("billed by the month or at once, a reset period's overage is the same", () => {
		const monthly = fc.array(decimals(300), { minLength: 1, maxLength: 12 });
		fc.assert(
			fc.property(monthly, decimals(900), fc.option(fc.integer({ min: 1, max: 50 })), (added, limit, size) => {
				for (const prices of [{}, { price: null, tiersMode: "GRADUATED", tiers: requests.tiers }] as const) {
					const priced = overage({ ...prices, blockSize: size === null ? null : decimal(size) });
					let used: Decimal = decimal(0);
					const months = added.map((more) => {
						const billed = used;
						used = toDecimal(exact(used).plus(exact(more)));
						return overageSince(priced, used, limit, billed);
					});
					const whole = rateOverage(priced, used, limit);
					// As lines show them: what nothing was billed of before is still exact.
					const cents = [whole, ...months].map(({ amount }) => rounded(parse(amount.toFixed())));
					expect(compare(cents[0] ?? nothing, total(cents.slice(1)))).toBe(0n);
					expect(same(whole.quantity ?? "", total(months.map(({ quantity }) => parse(quantity ?? ""))))).toBe(true);
					expect(months.every(({ amount }) => amount.gte(0))).toBe(true);
				}
			}),
		);
	});
});

describe("credits", () => {
	test.each([
		// 3 images at 5 credits
		["by the unit", 5, null, 3, "15"],
		["part of a unit", 0.2, null, 2.5, "0.5"],
		// 2500 tokens in blocks of 1000: 3 × 2
		["by started blocks", 2, 1_000, 2_500, "6"],
		["nothing", 2, 1_000, 0, "0"],
		["less than nothing", 2, null, -4, "0"],
	] as const)("%s", (_, creditAmount, size, units, cost) => {
		const rate = { creditAmount: decimal(creditAmount), blockSize: size === null ? null : decimal(size) };
		expect(String(creditsForUnits(rate, decimal(units)))).toBe(cost);
	});

	test("by a formula over one event: 1200 in at 1 and 350 out at 4 for a thousand, never less than nothing", () => {
		const formula = parseFormula("(input * 1 + output * 4) / 1000");
		// 1.2 + 1.4
		expect(String(creditsForEvent(formula, { input: 1_200, output: "350" }))).toBe("2.6");
		expect(String(creditsForEvent(formula, { input: 1_200 }))).toBe("1.2");
		expect(String(creditsForEvent(formula, {}))).toBe("0");
		expect(String(creditsForEvent(formula, { input: -5_000 }))).toBe("0");
	});

	test("units cost amount × units, in started blocks where there are any", () => {
		fc.assert(
			fc.property(decimals(), decimals(99), fc.option(fc.integer({ min: 1, max: 500 })), (units, amount, size) => {
				const rate = { creditAmount: amount, blockSize: size === null ? null : decimal(size) };
				const counted = size === null ? parse(units) : ceiling(times(parse(units), ratio(1, size)));
				expect(same(creditsForUnits(rate, units), times(parse(amount), counted))).toBe(true);
				const twice = add(parse(creditsForUnits(rate, units)), parse(creditsForUnits(rate, units)));
				const together = creditsForUnits(rate, toDecimal(exact(units).times(2)));
				expect(compare(parse(together), twice) <= 0n).toBe(true);
			}),
		);
	});
});
