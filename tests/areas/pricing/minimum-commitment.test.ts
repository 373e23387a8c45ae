import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { settleMinimumSpend } from "../../../src/areas/pricing/minimum-commitment";
import type { PricedCharge } from "../../../src/areas/pricing/models/charge";
import { type ChargeItem, rateInvoice } from "../../../src/areas/pricing/rate";
import type { Decimal } from "../../../src/kernel/decimal";
import { compare, parse, ratio, rounded, same, total } from "../../support/oracle/rational";
import { charge, decimal, decimals, usd } from "./samples";

describe("settling a period", () => {
	test.each([
		// minimum, on demand: drawn, excess, unspent
		["nothing used", 500, 0, ["0", "0", "500"]],
		["less than the minimum", 500, 320.5, ["320.5", "0", "179.5"]],
		["just the minimum", 500, 500, ["500", "0", "0"]],
		["more than the minimum", 500, 812.34, ["500", "312.34", "0"]],
		["no minimum", 0, 12, ["0", "12", "0"]],
		["more credited than used", 500, -20, ["0", "0", "500"]],
	] as const)("%s", (_, minimum, onDemand, expected) => {
		const { drawn, excess, unspent } = settleMinimumSpend(decimal(minimum), decimal(onDemand));
		expect([drawn, excess, unspent].map(String)).toEqual([...expected]);
	});

	test("drawn + excess = on demand, drawn + unspent = minimum, none is below zero, and one of the rests is nothing", () => {
		fc.assert(
			fc.property(decimals(), decimals(), (minimum, onDemand) => {
				const { drawn, excess, unspent } = settleMinimumSpend(minimum, onDemand);
				expect(same(onDemand, total([drawn, excess].map(parse)))).toBe(true);
				expect(same(minimum, total([drawn, unspent].map(parse)))).toBe(true);
				for (const part of [drawn, excess, unspent]) expect(compare(parse(part), ratio(0)) >= 0n).toBe(true);
				expect([excess, unspent].some((rest) => parse(rest).over === 0n)).toBe(true);
			}),
		);
	});
});

const item = (values: Partial<PricedCharge>, quantity: number, more: Partial<ChargeItem> = {}): ChargeItem => ({
	charge: charge(values),
	quantity: decimal(quantity),
	description: "Line",
	...more,
});
const calls = (quantity: number) => item({ billingModel: "USAGE_BASED", price: usd(0.01) }, quantity);
const paid = (amount: number) => ({ amount: decimal(amount), description: "Minimum spend", productRefId: "api" });
const shown = (input: Parameters<typeof rateInvoice>[0]) =>
	rateInvoice(input).lines.map(({ kind, amount, discount, tax, total: sum }) =>
		[kind, amount, discount, tax, sum].join(" "),
	);

describe("a minimum spend on invoices", () => {
	test("is charged in advance, for the share of the period that there is", () => {
		const minimum = { billingModel: "MINIMUM_SPEND", price: usd(500) } as const;
		// A third of 500, rounded once.
		const lines = shown({
			currency: "usd",
			items: [item(minimum, 1), item(minimum, 1, { share: { partMs: 10, wholeMs: 30 } })],
		});
		expect(lines).toEqual(["MinimumSpendCharge 500 0 0 500", "MinimumSpendCharge 166.67 0 0 166.67"]);
	});

	test("the next invoice shows the usage, and takes off what was paid for it", () => {
		// 81 234 calls at 0.01 are 812.34; 500 of them are paid; next month's plan and minimum are charged as well.
		const invoice = rateInvoice({
			currency: "usd",
			items: [item({ price: usd(99) }, 1), item({ billingModel: "MINIMUM_SPEND", price: usd(500) }, 1), calls(81_234)],
			minimumSpendPaid: paid(500),
		});
		expect(invoice.lines.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
			"BaseCharge 99",
			"MinimumSpendCharge 500",
			"PayAsYouGoCharge 812.34",
			"MinimumSpendAdjustmentCharge -500",
		]);
		expect(String(invoice.total)).toBe("911.34");
		expect(invoice.lines.at(-1)).toMatchObject({
			description: "Minimum spend",
			quantity: null,
			unitPrice: null,
			tiers: null,
			period: null,
			productRefId: "api",
			featureRefId: null,
			addonRefId: null,
		});
	});

	test("overage draws on it too; what is bought in advance does not", () => {
		const overage = item({ billingModel: "USAGE_BASED", price: usd(2) }, 130, { limit: decimal(100) });
		const seats = item({ billingModel: "PER_UNIT", price: usd(10) }, 4);
		const withOverage = { ...overage, charge: { ...overage.charge, isOverage: true } };
		// 30 beyond at 2 are 60, 10 calls are 0.10: 60.10 of the 100 are drawn.
		expect(shown({ currency: "usd", items: [seats, withOverage, calls(10)], minimumSpendPaid: paid(100) })).toEqual([
			"InAdvanceCommitmentCharge 40 0 0 40",
			"OverageCharge 60 0 0 60",
			"PayAsYouGoCharge 0.1 0 0 0.1",
			"MinimumSpendAdjustmentCharge -60.1 0 0 -60.1",
		]);
	});

	test("without usage: no line, and no credit", () => {
		expect(shown({ currency: "usd", items: [calls(0)], minimumSpendPaid: paid(100) })).toEqual([
			"PayAsYouGoCharge 0 0 0 0",
		]);
		expect(shown({ currency: "usd", items: [], minimumSpendPaid: paid(100) })).toEqual([]);
	});

	test.each([
		// paid, drawn before, calls at 0.01: drawn now, due
		["the first invoice of the period", 100, 0, 6_000, ["60", "0"]],
		["the next one draws on what is left", 100, 60, 6_000, ["40", "20"]],
		["nothing is left", 100, 100, 6_000, ["0", "60"]],
		["more was drawn than is still paid", 50, 60, 6_000, ["0", "60"]],
		["nothing was used", 100, 60, 0, ["0", "0"]],
	] as const)("over several invoices: %s", (_, amount, drawn, quantity, expected) => {
		const minimumSpendPaid = { ...paid(amount), drawn: decimal(drawn) };
		const { minimumDrawdown, total: due } = rateInvoice({
			currency: "usd",
			items: [calls(quantity)],
			minimumSpendPaid,
		});
		expect([minimumDrawdown, due].map(String)).toEqual([...expected]);
	});

	test("an invoice without a minimum draws nothing", () => {
		expect(String(rateInvoice({ currency: "usd", items: [calls(6_000)] }).minimumDrawdown)).toBe("0");
	});

	test("discount and tax fall on the excess alone", () => {
		// 120 − 100 = 20, less 10 % = 18, and 20 % tax on it: 21.60.
		const terms = { coupon: { percentOff: decimal(10), amountsOff: null }, taxPercentage: decimal(20) };
		const invoice = rateInvoice({ currency: "usd", items: [calls(12_000)], minimumSpendPaid: paid(100), ...terms });
		expect([invoice.subTotal, invoice.discount, invoice.tax, invoice.total].map(String)).toEqual([
			"20",
			"2",
			"3.6",
			"21.6",
		]);
	});

	test("over its period a customer pays the larger of minimum and usage, to the cent", () => {
		fc.assert(
			fc.property(decimals(2_000), fc.array(decimals(900), { maxLength: 5 }), (minimum, used) => {
				const [charged] = rateInvoice({
					currency: "usd",
					items: [item({ billingModel: "MINIMUM_SPEND", price: { amount: minimum, currency: "usd" } }, 1)],
				}).lines;
				const amount: Decimal = charged?.amount ?? decimal(0);
				const settled = rateInvoice({
					currency: "usd",
					items: used.map((quantity) => ({
						...calls(0),
						charge: charge({ billingModel: "USAGE_BASED", price: usd(1.37) }),
						quantity,
					})),
					minimumSpendPaid: { ...paid(0), amount },
				});
				const usage = total(
					used.map((quantity) => {
						const { over, under } = parse(quantity);
						return rounded(ratio(over * 137n, under * 100n));
					}),
				);
				const both = total([parse(amount), parse(settled.total)]);
				const larger = compare(usage, parse(amount)) > 0n ? usage : parse(amount);
				expect(compare(both, larger)).toBe(0n);
				expect(compare(parse(settled.total), ratio(0)) >= 0n).toBe(true);
			}),
		);
	});
});
