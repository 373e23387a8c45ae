import { describe, expect, test } from "bun:test";
import { percentageOnly } from "../../../../src/areas/pricing/discount";
import { type ChargeItem, joinRated, onDemandOf, rateInvoice } from "../../../../src/areas/pricing/rate";
import { charge, decimal, tier, usd } from "../samples";

const item = (values: Partial<ChargeItem["charge"]>, quantity: number, more: Partial<ChargeItem> = {}): ChargeItem => ({
	charge: { ...charge({}), ...values },
	quantity: decimal(quantity),
	description: "Line",
	...more,
});
const amounts = (input: Parameters<typeof rateInvoice>[0]) =>
	rateInvoice(input).lines.map(({ amount }) => String(amount));
const third = { partMs: 1, wholeMs: 3 };

describe("one-time, recurring and usage charges", () => {
	const setup = { price: usd(250), billingCadence: "ONE_OFF" } as const;

	test("a one-off charge is whole, however short the first period is, and is never credited for unused time", () => {
		expect(
			amounts({
				currency: "usd",
				items: [
					item(setup, 1, { share: third }),
					item({ price: usd(30) }, 1, { share: third }),
					item(setup, 1, { share: third, isCredit: true }),
				],
			}),
		).toEqual(["250", "10"]);
	});

	test("a year's price is for the year: 12 months of 20 are 240, the year is 200, a quarter of it 50", () => {
		const year = { price: usd(200) };
		const quarter = { share: { partMs: 90, wholeMs: 360 } };
		const months = Array.from({ length: 12 }, () => item({ price: usd(20) }, 1));
		expect(String(rateInvoice({ currency: "usd", items: months }).total)).toBe("240");
		expect(amounts({ currency: "usd", items: [item(year, 1), item(year, 1, quarter)] })).toEqual(["200", "50"]);
	});

	test("usage is charged as it was, whatever the share of the period", () => {
		const used = { billingModel: "USAGE_BASED", price: usd(0.25) } as const;
		expect(amounts({ currency: "usd", items: [item(used, 10, { share: third })] })).toEqual(["2.5"]);
	});

	test("more seats mid-cycle: the old ones' rest is credited, the new ones' is charged", () => {
		// 5 seats → 8, a third of the month left: 8 × 12 / 3 = 32 less 5 × 12 / 3 = 20.
		const seats = { billingModel: "PER_UNIT", price: usd(12) } as const;
		const change = [item(seats, 5, { share: third, isCredit: true }), item(seats, 8, { share: third })];
		expect(amounts({ currency: "usd", items: change })).toEqual(["-20", "32"]);
	});
});

describe("usage and overage on an invoice", () => {
	test("reported usage is transformed, then priced", () => {
		// 2 500 001 by 1000, rounded up: 2501. The first 1000 at 0.02, the rest at 0.01: 20 + 15.01.
		const tiers = [tier(1_000, 0.02), tier(null, 0.01)];
		const [line] = rateInvoice({
			currency: "usd",
			items: [
				item({ billingModel: "USAGE_BASED", tiersMode: "GRADUATED", tiers }, 2_500_001, {
					unitTransformation: { divide: decimal(1_000), round: "UP" },
				}),
			],
		}).lines;
		expect([line?.kind, line?.quantity, line?.amount].map(String)).toEqual(["PayAsYouGoCharge", "2501", "35.01"]);
		expect(line?.tiers?.map(({ quantity, amount }) => `${quantity} ${amount}`)).toEqual(["1000 20", "1501 15.01"]);
	});

	test.each([
		// 130 − 100 at 2
		["beyond a limit", { limit: decimal(100) }, 130, "60"],
		// 129 001 by 1000, rounded up, are 130.
		[
			"beyond a limit in transformed units",
			{ limit: decimal(100), unitTransformation: { divide: decimal(1_000), round: "UP" } },
			129_001,
			"60",
		],
		["what earlier bills left", { limit: decimal(100), billed: decimal(120) }, 130, "20"],
		["unlimited", { limit: null }, 130, "0"],
		["what lies beyond, as it is given", {}, 30, "60"],
	] as const)("overage: %s", (_, more, quantity, amount) => {
		const [line] = rateInvoice({
			currency: "usd",
			items: [item({ billingModel: "USAGE_BASED", price: usd(2), isOverage: true }, quantity, more)],
		}).lines;
		expect([line?.kind, line?.amount].map(String)).toEqual(["OverageCharge", amount]);
	});
});

describe("coupons in several currencies, and tax", () => {
	const coupon = { percentOff: null, amountsOff: [usd(10), usd(9, "eur"), usd(1500, "jpy")] };
	const base = (amount: number, currency: string) => item({ price: usd(amount, currency) }, 1);

	test.each([
		// Each invoice takes the amount of its own currency off, and 19 % tax is on the rest: 40 × 0.19 = 7.60.
		["usd", 50, ["50", "10", "7.6", "47.6"]],
		["eur", 50, ["50", "9", "7.79", "48.79"]],
		// Yen have no minor unit: 19 % of 3501 are 665.19, so 665.
		["jpy", 5001, ["5001", "1500", "665", "4166"]],
		["gbp", 50, ["50", "0", "9.5", "59.5"]],
	] as const)("%s", (currency, amount, expected) => {
		const rated = rateInvoice({ currency, items: [base(amount, currency)], coupon, taxPercentage: decimal(19) });
		expect([rated.subTotal, rated.discount, rated.tax, rated.total].map(String)).toEqual([...expected]);
	});

	test("a fixed amount is offered once for the invoice, not once for each line", () => {
		const rated = rateInvoice({ currency: "eur", items: [base(6, "eur"), base(12, "eur")], coupon });
		// 9 over 6 and 12: a third and two thirds.
		expect(rated.lines.map(({ discount }) => String(discount))).toEqual(["3", "6"]);
		expect(String(rated.total)).toBe("9");
	});
});

describe("invoices in parts", () => {
	const calls = item({ billingModel: "USAGE_BASED", price: usd(0.5) }, 30);
	const beyond = item({ billingModel: "USAGE_BASED", price: usd(2), isOverage: true }, 4);
	const percent = { percentOff: decimal(10), amountsOff: null };
	const fixed = { percentOff: null, amountsOff: [usd(5)] };

	test("parts of other terms are joined in order, their sums added", () => {
		const back = rateInvoice({
			currency: "usd",
			items: [item({ price: usd(30) }, 1, { isCredit: true })],
			coupon: fixed,
		});
		const rerated = rateInvoice({
			currency: "usd",
			items: [item({ price: usd(50) }, 1), calls],
			coupon: percent,
			taxPercentage: decimal(20),
			minimumSpendPaid: { amount: decimal(10), description: "Minimum" },
		});
		const joined = joinRated([back, rerated]);
		expect(joined.lines).toEqual([...back.lines, ...rerated.lines]);
		// −30 + 5 are −25; 50 + 15 − 10 are 55, less 10 % 49.50, with 20 % tax 59.40.
		expect([joined.subTotal, joined.discount, joined.tax, joined.total, joined.minimumDrawdown].map(String)).toEqual([
			"25",
			"0.5",
			"9.9",
			"34.4",
			"10",
		]);
		expect(joinRated([rerated])).toEqual(rerated);
	});

	test("nothing, and two currencies, cannot be joined", () => {
		const [dollars, euros] = ["usd", "eur"].map((currency) => rateInvoice({ currency, items: [] }));
		if (!dollars || !euros) throw new Error("two invoices");
		expect(() => joinRated([])).toThrow("has a part");
		expect(() => joinRated([dollars, euros])).toThrow("in one currency");
	});

	test("on-demand charges are summed before minimum spend, discount and tax", () => {
		const rated = rateInvoice({
			currency: "usd",
			items: [item({ price: usd(50) }, 1), calls, beyond],
			coupon: percent,
			taxPercentage: decimal(20),
			minimumSpendPaid: { amount: decimal(10), description: "Minimum" },
		});
		// 30 × 0.50 + 4 × 2
		expect(String(onDemandOf(rated))).toBe("23");
		expect(String(onDemandOf(rateInvoice({ currency: "usd", items: [] })))).toBe("0");
	});

	test.each([
		["none", null, null],
		["a percentage", percent, percent],
		["a fixed amount", fixed, null],
	])("between a period's invoices a coupon acts by its percentage only: %s", (_, coupon, acting) => {
		expect(percentageOnly(coupon)).toEqual(acting);
	});
});
