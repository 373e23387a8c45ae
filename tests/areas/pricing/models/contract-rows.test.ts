import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	type ContractRow,
	priceRows,
	type RowModel,
	rateUsageRows,
	rateUsedRows,
} from "../../../../src/areas/pricing/models/contract-rows";
import { type Decimal, toDecimal } from "../../../../src/kernel/decimal";
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
} from "../../../support/oracle/rational";
import { decimals } from "../samples";

const row = (values: Partial<Record<keyof ContractRow, number>>): ContractRow => {
	const value = (key: keyof ContractRow) => (values[key] === undefined ? null : toDecimal(values[key]));
	return {
		quantity: value("quantity"),
		price: value("price"),
		from: value("from"),
		to: value("to"),
		packageSize: value("packageSize"),
	};
};

const first = { from: 0, to: 50, price: 10, quantity: 60 };
const second = { from: 50, price: 9, quantity: 60 };

describe("worked examples", () => {
	test.each([
		["flat", "flat", [{ price: 10, quantity: 60 }], "600"],
		["package of 50", "package", [{ price: 10, quantity: 60, packageSize: 50 }], "20"],
		["tiered", "tiered", [first, second], "590"],
		["volume", "volume", [first, second], "540"],
		["stairstep", "stairstep", [first, second], "9"],
		["flat rows stand for themselves", "flat", [{ price: 100, quantity: 2 }, { price: 7 }], "207"],
		["tiered, first tier alone", "tiered", [first], "500"],
		["tiered, second tier alone", "tiered", [second], "90"],
		["volume beyond a closed tier", "volume", [first], "0"],
		["stairstep below its first tier", "stairstep", [{ ...second, quantity: 50 }], "0"],
		["no quantity is one", "stairstep", [{ from: 0, to: 10, price: 99 }], "99"],
		["the quantity may stand on one row only", "tiered", [{ ...first, quantity: undefined }, second], "590"],
		["no rows", "tiered", [], "0"],
	] as Array<[string, RowModel, Array<Partial<Record<keyof ContractRow, number>>>, string]>)(
		"%s",
		(_, model, rows, amount) => {
			expect(priceRows(model, rows.map(row)).amount.toFixed()).toBe(amount);
		},
	);

	test("pay-as-you-go rows count their price once, unpriced ones not at all", () => {
		expect(rateUsageRows([row({ price: 0.05 }), row({ from: 100 }), row({ price: 0.04, from: 200 })]).toFixed()).toBe(
			"0.09",
		);
	});
});

const nothing = ratio(0);
const orZero = (value: Decimal | null): Rational => (value === null ? nothing : parse(value));

/** The formulas as the source writes them, row by row: usage u, row from f, to t. */
const formulas: Record<RowModel, (rows: readonly ContractRow[]) => Rational> = {
	flat: (rows) =>
		total(rows.map(({ price, quantity }) => times(orZero(price), quantity === null ? ratio(1) : parse(quantity)))),
	package: (rows) =>
		total(
			rows.map(({ price, quantity, packageSize }) => {
				const size = packageSize === null ? ratio(1) : parse(packageSize);
				const units = quantity === null ? ratio(1) : parse(quantity);
				return times(orZero(price), ceiling(times(units, ratio(size.under, size.over))));
			}),
		),
	tiered: (rows) =>
		total(
			rows.map(({ price, from, to }) => {
				const used = committed(rows);
				const slice = less(to === null ? used : smaller(parse(to), used), orZero(from));
				return compare(slice, nothing) > 0n ? times(orZero(price), slice) : nothing;
			}),
		),
	volume: (rows) => {
		const reached = rows.find((candidate) => holds(candidate, committed(rows)));
		return reached ? times(orZero(reached.price), committed(rows)) : nothing;
	},
	stairstep: (rows) => {
		const reached = rows.find((candidate) => holds(candidate, committed(rows)));
		return reached ? orZero(reached.price) : nothing;
	},
};

const committed = (rows: readonly ContractRow[]) => {
	const given = rows.find(({ quantity }) => quantity !== null)?.quantity;
	return given === undefined || given === null ? ratio(1) : parse(given);
};
const holds = ({ from, to }: ContractRow, used: Rational) =>
	compare(orZero(from), used) < 0n && (to === null || compare(used, parse(to)) <= 0n);

const positive = fc.integer({ min: 1, max: 400 }).map((value) => toDecimal(value));

/** Tiers in order, possibly with gaps, all with the same committed quantity. */
const rowLists = fc
	.tuple(
		fc.option(decimals(400)),
		fc.array(fc.tuple(decimals(60), positive, fc.integer({ min: 0, max: 3 }), fc.boolean()), { maxLength: 6 }),
	)
	.map(([quantity, parts]) => {
		let reached = 0;
		return parts.map(([price, width, gap, isOpen], at): ContractRow => {
			const from = reached + gap;
			reached = from + Number(width);
			const to = isOpen && at === parts.length - 1 ? null : toDecimal(reached);
			return { price, quantity, from: toDecimal(from), to, packageSize: width };
		});
	});

describe("usage that came late to an invoiced cycle", () => {
	const units = (quantity: number, billed: number) => ({ quantity: toDecimal(quantity), billed: toDecimal(billed) });
	const figuresOf = ({ quantity, unitPrice, amount }: ReturnType<typeof rateUsedRows>) => [
		quantity,
		unitPrice,
		amount.toFixed(),
	];

	test("has the unit price of its row", () => {
		expect(figuresOf(rateUsedRows("flat", [row({ price: 0.25 })], units(14, 10), "usd"))).toEqual(["4", "0.25", "1"]);
	});

	test.each([
		// 10 units round to 0.03 and 11 to 0.04: one more costs 0.01, which no unit price explains.
		["rounding moved its amount", "flat", [row({ price: 0.0034 })], units(11, 10), ["1", null, "0.01"]],
		[
			"tiers price it",
			"tiered",
			[row({ ...first, to: 12 }), row({ ...second, from: 12 })],
			units(14, 10),
			["4", null, "38"],
		],
		["several rows price it", "flat", [row({ price: 1 }), row({ price: 2 })], units(14, 10), ["4", null, "12"]],
	] as const)("has no unit price where %s", (_, model, rows, used, expected) => {
		expect(figuresOf(rateUsedRows(model, rows, used, "usd"))).toEqual([...expected]);
	});
});

describe("properties, against the source's formulas in exact fractions", () => {
	test.each(Object.keys(formulas) as RowModel[])("%s", (model) => {
		fc.assert(
			fc.property(rowLists, (rows) => same(priceRows(model, rows).amount.toFixed(), formulas[model](rows))),
			{ numRuns: 200 },
		);
	});

	test("flat, package and tiered rows add up: all rows cost what each costs alone", () => {
		fc.assert(
			fc.property(rowLists, (rows) => {
				for (const model of ["flat", "package", "tiered"] as const) {
					const alone = rows.map((each) => parse(priceRows(model, [each]).amount.toFixed())).reduce(add, nothing);
					expect(same(priceRows(model, rows).amount.toFixed(), alone)).toBe(true);
				}
			}),
		);
	});
});
