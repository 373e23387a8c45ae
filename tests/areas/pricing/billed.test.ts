import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type ChargeItem, onDemandOf, rateInvoice } from "../../../src/areas/pricing/rate";
import { exact } from "../../../src/kernel/decimal";
import { parse, same, total } from "../../support/oracle/rational";
import { billedInTurn, currencies, readings, risingPricings, runs, usageItems } from "./arbitrary";
import { charge, decimal, decimals, tier, usd } from "./samples";

const used = (
	values: Partial<ChargeItem["charge"]>,
	quantity: number,
	billed: number,
	more: Partial<ChargeItem> = {},
): ChargeItem => ({
	charge: { ...charge({ billingModel: "USAGE_BASED" }), ...values },
	quantity: decimal(quantity),
	billed: decimal(billed),
	description: "Usage",
	...more,
});
const lineOf = (item: ChargeItem, currency = "usd") => rateInvoice({ currency, items: [item] }).lines[0];

const graduated = { tiersMode: "GRADUATED", tiers: [tier(1_000, 0.02), tier(null, 0.01)] } as const;
const volume = { tiersMode: "VOLUME", tiers: [tier(100, 0.5), tier(null, 0.1)] } as const;
const steps = { tiersMode: "VOLUME", tiers: [tier(50, null, 10), tier(null, null, 25)] } as const;
const thousands = { unitTransformation: { divide: decimal(1_000), round: "UP" } } as const;

describe("a window bills its usage since the last bill", () => {
	test.each([
		// quantity, unit price, amount
		["nothing was billed", used({ price: usd(0.25) }, 10, 0), ["10", "0.25", "2.5"]],
		["by the unit", used({ price: usd(0.25) }, 30, 10), ["20", "0.25", "5"]],
		// 0.012 is 0.01, 0.004 was 0.00: a cent, though 2 × 0.004 is 0.008, which rounds to a cent too.
		["below a cent, as its unit price says", used({ price: usd(0.004) }, 3, 1), ["2", "0.004", "0.01"]],
		// 0.008 is 0.01, 0.004 was 0.00: the one unit costs a cent, which its price does not explain.
		["below a cent, moved by rounding", used({ price: usd(0.004) }, 2, 1), ["1", "null", "0.01"]],
		// 0.012 is 0.01, and so was 0.008.
		["below a cent, billed before", used({ price: usd(0.004) }, 3, 2), ["1", "0.004", "0"]],
		// 21 are 3 blocks of 10, 11 were 2.
		["by started blocks", used({ price: usd(3), blockSize: decimal(10) }, 21, 11), ["10", "null", "3"]],
		["a block that was billed holds more", used({ price: usd(3), blockSize: decimal(10) }, 20, 11), ["9", "null", "0"]],
		// 1000 × 0.02 + 500 × 0.01 = 25, less 900 × 0.02 = 18.
		["graduated", used(graduated, 1_500, 900), ["600", "null", "7"]],
		// 200 × 0.1 = 20, less 100 × 0.5 = 50: what one bill would have charged is less than what was billed.
		["volume, into a cheaper tier", used(volume, 200, 100), ["100", "null", "-30"]],
		["a step up", used(steps, 60, 40), ["20", "null", "15"]],
		["on the same step", used(steps, 50, 40), ["10", "null", "0"]],
		// 2 001 are 3 thousands, 1 001 were 2: both counts are as they were reported.
		["in transformed units", used({ price: usd(4) }, 2_001, 1_001, thousands), ["1", "4", "4"]],
		["within a unit that was billed", used({ price: usd(4) }, 2_000, 1_001, thousands), ["0", "4", "0"]],
		["canceled since", used({ price: usd(0.25) }, 5, 10), ["0", "0.25", "0"]],
		// 130 − 100 at 2, less 120 − 100.
		["overage", used({ price: usd(2), isOverage: true }, 130, 120, { limit: decimal(100) }), ["10", "2", "20"]],
		// 130 and 120 thousands of a limit of 100.
		[
			"overage in transformed units",
			used({ price: usd(2), isOverage: true }, 129_001, 119_001, { limit: decimal(100), ...thousands }),
			["10", "2", "20"],
		],
	] as const)("%s", (_, item, expected) => {
		const line = lineOf(item);
		expect([line?.quantity, line?.unitPrice, line?.amount].map(String)).toEqual([...expected]);
	});

	test("tiers are shown for a whole window only", () => {
		expect(lineOf(used(graduated, 1_500, 0))?.tiers).toHaveLength(2);
		expect(lineOf(used(graduated, 1_500, 900))?.tiers).toBeNull();
	});
});

const windows = currencies.chain((currency) => fc.tuple(fc.constant(currency), usageItems(currency), readings));

test("however many invoices bill a window, they sum to what one would: amounts and units, for every model", () => {
	fc.assert(
		fc.property(windows, ([currency, item, seen]) => {
			const { parts, whole } = billedInTurn(item, seen);
			const lines = parts.map((part) => lineOf(part, currency));
			const once = lineOf(whole, currency);
			expect(same(once?.amount ?? "", total(lines.map((line) => parse(line?.amount ?? ""))))).toBe(true);
			expect(same(once?.quantity ?? "", total(lines.map((line) => parse(line?.quantity ?? ""))))).toBe(true);
		}),
		runs(250),
	);
});

test("usage that shrank below what was billed costs nothing", () => {
	fc.assert(
		fc.property(windows, decimals(900), ([currency, item, [quantity = decimal(0)]], more) => {
			const billed = decimal(exact(quantity).plus(exact(more)).toFixed());
			const line = lineOf({ ...item, quantity, billed }, currency);
			expect([line?.amount, line?.discount, line?.tax, line?.total].map(String)).toEqual(["0", "0", "0", "0"]);
		}),
		runs(100),
	);
});

test("several invoices of a period draw on its minimum what one would, and leave as much to pay", () => {
	const periods = currencies.chain((currency) => {
		const window = fc.tuple(usageItems(currency, risingPricings(currency)), readings);
		return fc.tuple(fc.constant(currency), fc.array(window, { minLength: 1, maxLength: 3 }));
	});
	fc.assert(
		fc.property(periods, fc.nat(3_000), ([currency, parted], minimum) => {
			const paid = { amount: decimal(minimum), description: "Minimum spend" };
			const inTurn = parted.map(([item, seen]) => billedInTurn(item, seen));
			const once = rateInvoice({ currency, items: inTurn.map(({ whole }) => whole), minimumSpendPaid: paid });
			let drawn = exact(0);
			let due = exact(0);
			for (let nth = 0; nth < Math.max(...parted.map(([, seen]) => seen.length)); nth++) {
				const items = inTurn.flatMap(({ parts }) => parts[nth] ?? []);
				const rated = rateInvoice({
					currency,
					items,
					minimumSpendPaid: { ...paid, drawn: decimal(drawn.toFixed()) },
				});
				expect(exact(rated.total).gte(0)).toBe(true);
				drawn = drawn.plus(exact(rated.minimumDrawdown));
				due = due.plus(exact(rated.total));
			}
			expect([drawn, due].map((sum) => sum.toFixed())).toEqual([once.minimumDrawdown, once.total]);
			expect(same(onDemandOf(once), total([once.minimumDrawdown, once.total].map(parse)))).toBe(true);
		}),
		runs(100),
	);
});
