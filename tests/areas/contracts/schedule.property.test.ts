import { expect, test } from "bun:test";
import fc from "fast-check";
import { add, less, parse, type Rational, ratio, rounded, times, total } from "../../support/oracle/rational";
import { slowRuns } from "../../support/runs";
import { testNow } from "../../support/world";
import { draftWorld, items as itemsPath } from "./support";

const dayMs = 86_400_000;

/** A line item as a caller sends it. */
interface Line {
	readonly name: string;
	readonly price: string;
	readonly quantity: number;
	readonly unit: "weekly" | "monthly" | "quarterly" | "yearly" | "one_time";
	readonly count: number;
	readonly paymentTime: "IN_ADVANCE" | "IN_ARREARS";
	readonly discount: string;
	readonly tax: string;
	readonly netTerms: number;
	readonly separate: boolean;
	readonly prorate: boolean;
	/** Days after the common start and before the common end; null: the common window. */
	readonly own: readonly [number, number] | null;
}

/** The oracle's expectation of an invoice as text, so that the comparison uses none of the code's own types. */
const textOf = (invoice: {
	issued: number;
	due: number;
	start: number;
	end: number;
	lines: number;
	total: string;
}): string => {
	const day = (at: number) => new Date(at).toISOString().slice(0, 10);
	const { issued, due, start, end, lines, total: sum } = invoice;
	return `${day(issued)} due ${day(due)} for ${day(start)}..${day(end)}, ${lines} lines: ${sum}`;
};

const cents = ({ over, under }: Rational): string => {
	const whole = (over * 100n) / under;
	return `${whole / 100n}.${String(whole % 100n).padStart(2, "0")}`;
};

/** The calendar by itself: months clamp to their last day, counted from the anchor. */
function stepFrom(anchor: number, unit: Line["unit"], steps: number): number {
	const at = new Date(anchor);
	if (unit === "weekly") return anchor + steps * 7 * dayMs;
	const months = steps * { monthly: 1, quarterly: 3, yearly: 12, one_time: 1 }[unit];
	const month = at.getUTCFullYear() * 12 + at.getUTCMonth() + months;
	const lastDay = new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
	return Date.UTC(Math.floor(month / 12), month % 12, Math.min(at.getUTCDate(), lastDay));
}

/** Every invoice that the lines bring, by the rules of docs/contracts.md alone. */
function expected(lines: readonly Line[], start: number, end: number, published: number) {
	const groups = new Map<
		string,
		{ natural: number; issued: number; due: number; start: number; end: number; sums: Rational[] }
	>();
	lines.forEach((line, at) => {
		const from = line.own ? start + line.own[0] * dayMs : start;
		const to = line.own ? end - line.own[1] * dayMs : end;
		const cycles: Array<[number, number, Rational]> = [];
		if (line.unit === "one_time") cycles.push([from, to, ratio(1)]);
		else
			for (let step = 0; ; step += 1) {
				const begin = stepFrom(start, line.unit, step * line.count);
				const next = stepFrom(start, line.unit, (step + 1) * line.count);
				if (begin >= to) break;
				if (next <= from) continue;
				const [first, last] = [Math.max(begin, from), Math.min(next, to)];
				cycles.push([first, last, line.prorate ? ratio(last - first, next - begin) : ratio(1)]);
			}
		for (const [first, last, share] of cycles) {
			const amount = rounded(times(times(parse(line.price), ratio(line.quantity)), share));
			const discount = rounded(times(amount, times(parse(line.discount), ratio(1, 100))));
			const tax = rounded(times(less(amount, discount), times(parse(line.tax), ratio(1, 100))));
			const natural = line.paymentTime === "IN_ADVANCE" ? first : last;
			const issued = Math.max(natural, published);
			const { unit, count, paymentTime, netTerms, separate } = line;
			const key = [natural, unit, count, paymentTime, netTerms, separate ? at : "together"].join();
			const group = groups.get(key) ?? {
				natural,
				issued,
				due: issued + netTerms * dayMs,
				start: first,
				end: last,
				sums: [],
			};
			group.start = Math.min(group.start, first);
			group.end = Math.max(group.end, last);
			group.sums.push(add(less(amount, discount), tax));
			groups.set(key, group);
		}
	});
	const invoices = [...groups.values()];
	return {
		texts: invoices
			.map(({ sums, ...rest }) => textOf({ ...rest, lines: sums.length, total: cents(total(sums)) }))
			.sort(),
		total: cents(total(invoices.flatMap(({ sums }) => sums))),
	};
}

const thousandths = (max: number) => fc.integer({ min: 0, max }).map((value) => (value / 1000).toFixed(3));
const line: fc.Arbitrary<Line> = fc.record({
	name: fc.constantFrom("Fee", "Seats", "Support"),
	price: thousandths(500_000),
	quantity: fc.integer({ min: 0, max: 40 }),
	unit: fc.constantFrom("weekly", "monthly", "monthly", "quarterly", "yearly", "one_time"),
	count: fc.constantFrom(1, 1, 1, 2, 5),
	paymentTime: fc.constantFrom("IN_ADVANCE", "IN_ARREARS"),
	discount: fc.constantFrom("0", "10", "12.5", "100"),
	tax: fc.constantFrom("0", "19", "7.7"),
	netTerms: fc.constantFrom(0, 14, 30),
	separate: fc.boolean(),
	prorate: fc.boolean(),
	own: fc.option(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 })), { freq: 3 }),
});

const sentOf = (start: number, end: number) => (one: Line) => ({
	name: one.name,
	rows: [{ price: Number(one.price), quantity: one.quantity }],
	billingCycleUnit: one.unit,
	billingCycleCount: one.count,
	paymentTime: one.paymentTime,
	discount: Number(one.discount),
	tax: Number(one.tax),
	netTerms: one.netTerms,
	separateInvoice: one.separate,
	prorateCutCycles: one.prorate,
	...(one.own && {
		activationStartDate: new Date(start + one.own[0] * dayMs).toISOString(),
		activationEndDate: new Date(end - one.own[1] * dayMs).toISOString(),
	}),
});

interface ShownInvoice {
	issueDate: string;
	dueDate: string;
	periodStart: string;
	periodEnd: string;
	total: number;
	lineItems: object[];
}

const shownAs = (invoices: readonly ShownInvoice[]): string[] =>
	invoices
		.map(({ issueDate, dueDate, periodStart, periodEnd, lineItems, total: sum }) =>
			textOf({
				issued: Date.parse(issueDate),
				due: Date.parse(dueDate),
				start: Date.parse(periodStart),
				end: Date.parse(periodEnd),
				lines: lineItems.length,
				total: sum.toFixed(2),
			}),
		)
		.sort();

test("the published schedule equals the issued invoices, however the clock is advanced, and sums to the summary", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(line, { minLength: 1, maxLength: 4 }),
			fc.integer({ min: -200, max: 200 }),
			fc.integer({ min: 121, max: 1_100 }),
			fc.array(fc.constantFrom("P1D", "P3D", "P1W", "P1M", "P5M", "P1Y", "P3Y"), { maxLength: 8 }),
			async (lines, from, days, turns) => {
				const [start, end] = [testNow + from * dayMs, testNow + (from + days) * dayMs];
				const here = await draftWorld();
				const window = {
					activationStartDate: new Date(start).toISOString(),
					activationEndDate: new Date(end).toISOString(),
				};
				const added = await here.call("POST", itemsPath, { body: { items: lines.map(sentOf(start, end)), ...window } });
				expect(added.status).toBe(201);
				const oracle = expected(lines, start, end, testNow);
				const read = async (path: string) => (await here.call("GET", `/contracts/C-1/billing/${path}`)).body.data;
				expect(shownAs((await read("invoice-schedule")).invoices)).toEqual(oracle.texts);
				expect((await read("summary")).total.toFixed(2)).toBe(oracle.total);
				expect((await here.call("POST", "/contracts/C-1/billing/publish")).status).toBe(200);
				for (const turn of [...turns, "P5Y"]) {
					await here.advance(turn);
					const { invoices, total: sum } = await read("invoice-schedule");
					expect(shownAs(invoices)).toEqual(oracle.texts);
					expect(sum.toFixed(2)).toBe(oracle.total);
				}
				const { invoices } = await read("invoice-schedule");
				expect(invoices.filter(({ invoiceNumber }: { invoiceNumber: unknown }) => invoiceNumber === null)).toEqual([]);
				expect((await read("summary")).total.toFixed(2)).toBe(oracle.total);
				const dates = here.db.$client
					.query<{ at: number }, []>("SELECT issued_at AS at FROM invoices ORDER BY sequence")
					.all()
					.map(({ at }) => at);
				expect(dates).toEqual(dates.toSorted((one, other) => one - other));
				expect(dates).toHaveLength(oracle.texts.length);
			},
		),
		slowRuns(12),
	);
}, 120_000);
