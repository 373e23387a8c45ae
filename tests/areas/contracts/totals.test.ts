import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cyclesOf, type RatedItem } from "../../../src/areas/contracts/billing/rules.cycles";
import { itemTotals } from "../../../src/areas/contracts/billing/rules.schedule";
import { pricingModel, pricingModels } from "../../../src/areas/contracts/rules.models";
import { readRows, withoutRow } from "../../../src/areas/contracts/rules.rows";
import { isRepresentable, termTotals } from "../../../src/areas/contracts/rules.totals";
import { type ContractRow, priceRows, rateUsageRows } from "../../../src/areas/pricing/models/contract-rows";
import { type Instant, parseInstant } from "../../../src/kernel/clock";
import { toDecimal } from "../../../src/kernel/decimal";
import { add, less, parse, type Rational, ratio, rounded, same, times, total } from "../../support/oracle/rational";

const on = (day: string): Instant => {
	const at = parseInstant(`${day}T00:00:00Z`);
	if (at === undefined) throw new Error(`${day} is no day`);
	return at;
};

const year = { activationStartAt: on("2026-01-01"), activationEndAt: on("2027-01-01") };
const defaults = {
	currency: "usd",
	legalEntityId: "default entity",
	paymentAccountId: "default account",
	activationStartAt: null,
	activationEndAt: null,
};
const line = (values: Partial<RatedItem>): RatedItem => ({
	id: "line",
	name: "Line",
	itemName: null,
	pricingModelId: "flat",
	rows: readRows(pricingModel("flat"), [{ price: 100, quantity: 1 }]),
	billingCycleUnit: "one_time",
	billingCycleCount: 1,
	paymentTime: "IN_ADVANCE",
	discount: null,
	tax: null,
	netTerms: 30,
	separateInvoice: false,
	prorateCutCycles: false,
	currency: "usd",
	legalEntityId: "entity",
	paymentAccountId: "account",
	activationStartAt: null,
	activationEndAt: null,
	cyclesFrom: null,
	billedUntil: null,
	billed: null,
	takenOutAt: null,
	...values,
});

test("the rest of a cycle that is invoiced in part is charged by its time, also where cut cycles count whole", () => {
	const invoiced = { subTotal: toDecimal(60), discount: toDecimal(0), tax: toDecimal(0), total: toDecimal(60) };
	const item = line({
		billingCycleUnit: "monthly",
		activationStartAt: on("2026-02-01"),
		activationEndAt: on("2026-04-01"),
		billedUntil: on("2026-02-15"),
		billed: invoiced,
	});
	// 60 is invoiced; 14 of the 28 days of February are left, and the whole of March.
	expect(itemTotals(item).total).toBe(toDecimal(210));
});

describe("cycles of the activation window", () => {
	test.each([
		["one_time", 1, "2026-01-01", "2027-01-01", 1],
		["monthly", 1, "2026-01-01", "2027-01-01", 12],
		["monthly", 1, "2026-01-01", "2026-12-31", 12],
		["monthly", 1, "2026-01-01", "2026-01-02", 1],
		["monthly", 1, "2026-01-01", "2026-02-01", 1],
		["monthly", 1, "2026-01-01", "2026-02-02", 2],
		["monthly", 1, "2026-01-31", "2026-02-28", 1],
		["monthly", 1, "2026-01-31", "2026-03-01", 2],
		["monthly", 5, "2026-01-01", "2027-01-01", 3],
		["quarterly", 1, "2026-01-01", "2027-01-01", 4],
		["quarterly", 1, "2026-02-15", "2026-05-15", 1],
		["yearly", 1, "2024-02-29", "2028-02-29", 4],
		["yearly", 1, "2026-01-01", "2028-12-31", 3],
		["yearly", 2, "2026-01-01", "2029-01-01", 2],
		["weekly", 1, "2026-01-01", "2026-01-29", 4],
		["weekly", 1, "1971-01-01", "2970-12-31", 52_178],
		["monthly", 1, null, "2027-01-01", 1],
		["monthly", 1, "2026-01-01", null, 1],
	] as const)("%s × %p from %p to %p: %p", (billingCycleUnit, billingCycleCount, start, end, cycles) => {
		const window = { activationStartAt: start && on(start), activationEndAt: end && on(end) };
		expect(cyclesOf(line({ billingCycleUnit, billingCycleCount, ...window }))).toBe(cycles);
	});

	test("are as many as are counted one by one", () => {
		const steps = {
			weekly: { days: 7 },
			monthly: { months: 1 },
			quarterly: { months: 3 },
			yearly: { years: 1 },
		} as const;
		const units = fc.constantFrom("weekly", "monthly", "quarterly", "yearly");
		const day = 86_400_000;
		fc.assert(
			fc.property(
				units,
				fc.integer({ min: 1, max: 4 }),
				fc.nat(20_000),
				fc.integer({ min: 1, max: 1_500 }),
				(unit, count, from, days) => {
					const start = (from * day) as Instant;
					const end = (start + days * day) as Instant;
					const anchor = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO("UTC");
					let begun = 0;
					const begins = () => {
						const step = Object.entries(steps[unit]).map(([name, size]) => [name, size * count * begun]);
						return anchor.add(Object.fromEntries(step)).epochMilliseconds;
					};
					while (begins() < end) begun += 1;
					const window = { activationStartAt: start, activationEndAt: end };
					expect(cyclesOf(line({ billingCycleUnit: unit, billingCycleCount: count, ...window }))).toBe(begun);
				},
			),
			{ numRuns: 200 },
		);
	});
});

describe("the whole term", () => {
	test("counts recurring lines for each cycle, others once; discounts, then taxes each line", () => {
		const totals = termTotals(
			[
				line({ id: "a", billingCycleUnit: "monthly", ...year, discount: toDecimal(10), tax: toDecimal(20) }),
				line({ id: "b", ...year }),
			],
			defaults,
		);
		expect(
			totals.items.map(({ itemId, subTotal, discount, tax, total: sum }) =>
				[itemId, subTotal, discount, tax, sum].map(String),
			),
		).toEqual([
			["a", "1200", "120", "216", "1296"],
			["b", "100", "0", "0", "100"],
		]);
		expect([totals.subTotal, totals.discount, totals.tax, totals.total].map(String)).toEqual([
			"1300",
			"120",
			"216",
			"1396",
		]);
	});

	test("a line is rounded once for each cycle, as it is invoiced, so that the total is what the invoices sum to", () => {
		const rows = readRows(pricingModel("flat"), [{ price: 10.005 }]);
		expect(String(termTotals([line({ rows, billingCycleUnit: "monthly", ...year })], defaults).subTotal)).toBe(
			"120.12",
		);
		expect(String(termTotals([line({ rows, currency: "jpy" })], defaults).subTotal)).toBe("10");
	});

	test.each([
		["no lines", [], { netTerms: null, activationStartAt: null, legalEntityId: "default entity", currency: "usd" }],
		["one line", [line(year)], { netTerms: 30, ...year, legalEntityId: "entity", paymentAccountId: "account" }],
		["lines that differ in a term", [line({}), line({ netTerms: 60 })], { netTerms: null, legalEntityId: "entity" }],
		["one line without the term", [line({}), line({ netTerms: null })], { netTerms: null }],
		[
			"lines of two issuers",
			[line({}), line({ legalEntityId: "other", paymentAccountId: "its account" })],
			{ legalEntityId: "default entity", paymentAccountId: "default account" },
		],
		["another currency", [line({ currency: "eur" })], { currency: "eur" }],
	] as Array<[string, RatedItem[], object]>)("%s", (_, lines, terms) => {
		expect(termTotals(lines, defaults)).toMatchObject(terms);
	});

	test("totals beyond what a JSON number tells exactly are known as such", () => {
		const rows = (quantity: number) => readRows(pricingModel("flat"), [{ price: 1e12, quantity }]);
		expect(isRepresentable(termTotals([line({ rows: rows(90) })], defaults))).toBe(true);
		expect(isRepresentable(termTotals([line({ rows: rows(91) })], defaults))).toBe(false);
		expect(isRepresentable(termTotals([line({ rows: rows(60) }), line({ rows: rows(60) })], defaults))).toBe(false);
	});
});

const amounts = fc.integer({ min: 0, max: 10_000_000 }).map((value) => value / 1000);
/** Sent rows that every model takes: rising tiers, some bounds and keys left to their defaults. */
const sentRows = fc
	.tuple(
		fc.array(fc.tuple(amounts, fc.integer({ min: 1, max: 50 }), fc.boolean()), { maxLength: 5 }),
		fc.option(amounts),
	)
	.map(([parts, quantity]) => {
		let reached = 0;
		return parts.map(([price, width, saysFrom], at) => {
			const from = reached;
			reached += width;
			return {
				price,
				...(quantity !== null && { quantity }),
				...(saysFrom && { from }),
				to: at === parts.length - 1 ? null : reached,
				packageSize: width,
			};
		});
	});
const lines = fc
	.tuple(
		fc.constantFrom(...pricingModels),
		sentRows,
		fc.constantFrom("monthly", "yearly", "weekly", "one_time"),
		fc.option(fc.integer({ min: 0, max: 1_000 })),
		fc.option(fc.integer({ min: 0, max: 1_000 })),
	)
	.map(([model, sent, billingCycleUnit, discount, tax]) => {
		const allowed = model.isPayAsYouGo ? sent.map(({ quantity: _, ...row }) => row) : sent;
		return line({
			pricingModelId: model.id,
			rows: readRows(model, allowed),
			billingCycleUnit,
			...year,
			discount: discount === null ? null : toDecimal(discount / 10),
			tax: tax === null ? null : toDecimal(tax / 10),
		});
	});

describe("properties", () => {
	test("each line is its rows, less discount, plus tax, each rounded once, × cycles; the totals are the sums", () => {
		const cycles = { monthly: 12, yearly: 1, weekly: 53, one_time: 1, quarterly: 4 };
		fc.assert(
			fc.property(fc.array(lines, { maxLength: 4 }), (items) => {
				const totals = termTotals(items, defaults);
				for (const [at, item] of items.entries()) {
					const found = totals.items[at];
					if (!found) throw new Error("a line is missing");
					const { rowModel, isPayAsYouGo } = pricingModel(item.pricingModelId);
					const each = isPayAsYouGo ? rateUsageRows(item.rows) : priceRows(rowModel, item.rows).amount;
					const perCycle = rounded(parse(each.toFixed()));
					const share = (percentage: string | null) => times(parse(percentage ?? "0"), ratio(1, 100));
					const perDiscount = rounded(times(perCycle, share(item.discount)));
					const perTax = rounded(times(less(perCycle, perDiscount), share(item.tax)));
					const [subTotal, discount, tax] = [perCycle, perDiscount, perTax].map((figure) =>
						times(figure, ratio(cycles[item.billingCycleUnit])),
					) as [Rational, Rational, Rational];
					expect(same(found.subTotal, subTotal)).toBe(true);
					expect(same(found.discount, discount)).toBe(true);
					expect(same(found.tax, tax)).toBe(true);
					expect(same(found.total, add(less(subTotal, discount), tax))).toBe(true);
				}
				for (const figure of ["subTotal", "discount", "tax", "total"] as const)
					expect(same(totals[figure], total(totals.items.map((item) => parse(item[figure]))))).toBe(true);
			}),
		);
	});

	test("deleting row i equals building the line without it, and the last one leaves nothing", () => {
		const without = (rows: readonly ContractRow[], at: number) => [...rows.slice(0, at), ...rows.slice(at + 1)];
		fc.assert(
			fc.property(lines, fc.nat(5), (item, index) => {
				fc.pre(item.rows.length > 0);
				const at = index % item.rows.length;
				const deleted = { ...item, rows: withoutRow(item.rows, at) };
				const model = pricingModel(item.pricingModelId);
				const sent = without(item.rows, at).map((row) => ({
					price: Number(row.price),
					...(row.quantity !== null && { quantity: Number(row.quantity) }),
					...(row.from !== null && { from: Number(row.from) }),
					to: row.to === null ? null : Number(row.to),
					...(row.packageSize !== null && { packageSize: Number(row.packageSize) }),
				}));
				const built = { ...item, rows: readRows(model, sent) };
				expect(deleted.rows).toEqual(built.rows);
				expect(termTotals([deleted], defaults)).toEqual(termTotals([built], defaults));
				let emptied = item.rows;
				while (emptied.length > 0) emptied = withoutRow(emptied, 0);
				expect(String(termTotals([{ ...item, rows: emptied }], defaults).total)).toBe("0");
			}),
		);
	});

	test("adding a line of nothing changes no figure", () => {
		fc.assert(
			fc.property(fc.array(lines, { maxLength: 3 }), (items) => {
				const { subTotal, discount, tax, total: sum } = termTotals([...items, line({ rows: [] })], defaults);
				expect(termTotals(items, defaults)).toMatchObject({ subTotal, discount, tax, total: sum });
			}),
			{ numRuns: 50 },
		);
	});
});
