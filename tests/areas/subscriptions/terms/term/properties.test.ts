import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { addMonths, dayMs } from "../../../../simulated-subscriptions/calendar";
import { add, type Rational, ratio, times } from "../../../../support/oracle/rational";
import { flat, perUnit, till, units, used } from "../../billing";
import { found, shown } from "./agreed";

setDefaultTimeout(240_000);

const months = 13;

const agreed = fc.record({
	/** Days after 1 January 2026; month ends are difficult. */
	day: fc.constantFrom(0, 29, 30, 58, 59, 89, 119),
	minutes: fc.constantFrom(0, 0, 61, 1439),
	months: fc.integer({ min: 1, max: 7 }),
	renewalMonths: fc.constantFrom(undefined, 1, 2, 5),
	/** In thousandths of a percent. */
	uplift: fc.constantFrom(0, 1, 3700, 5000, 12_345, 100_000),
	upliftsUsage: fc.boolean(),
	/** In cents. */
	fee: fc.integer({ min: 1, max: 99_999 }),
	unit: fc.integer({ min: 1, max: 9999 }),
	seats: fc.integer({ min: 1, max: 7 }),
	/** Units of usage in each month; empty: none at all. */
	calls: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: months }),
});
type Agreed = typeof agreed extends fc.Arbitrary<infer Value> ? Value : never;

const iso = (at: number): string => new Date(at).toISOString();
const startOf = ({ day, minutes }: Agreed): number => Date.UTC(2026, 0, 1) + day * dayMs + minutes * 60_000;

/** Returns the month in which each term begins, counted from the start: the rule of design 2.21. */
function termStarts({ months: first, renewalMonths }: Agreed): number[] {
	const starts = [0];
	for (let at = first; at <= months; at += renewalMonths ?? first) starts.push(at);
	return starts;
}

const renewalsBy = (of: Agreed, month: number): number => termStarts(of).filter((start) => start <= month).length - 1;

/** An amount of cents after renewals, exactly, and rounded half up once. */
function raised(cents: number, of: Agreed, renewals: number): number {
	let exact: Rational = ratio(cents);
	for (let nth = 0; nth < renewals; nth += 1) exact = times(exact, add(ratio(1), ratio(of.uplift, 100_000)));
	const { over, under } = exact;
	return Number((2n * over + under) / (2n * under));
}

/** The invoices that the terms say, in cents. */
const expected = (of: Agreed): Array<readonly [at: string, total: number]> =>
	Array.from({ length: months + 1 }, (_, month) => {
		const renewals = renewalsBy(of, month);
		const inAdvance = raised(of.fee, of, renewals) + raised(of.unit * of.seats, of, renewals);
		const before = of.upliftsUsage ? renewalsBy(of, month - 1) : 0;
		const usage = month === 0 ? 0 : raised(50 * (of.calls[month - 1] ?? 0), of, before);
		return [iso(addMonths(startOf(of), month)), inAdvance + usage] as const;
	});

test("property: over many terms, each invoice has the price of its term, and no boundary drifts", async () => {
	await fc.assert(
		fc.asyncProperty(agreed, async (of) => {
			const start = startOf(of);
			const ours = await till(iso(start));
			await ours.plan(
				"pro",
				[flat({ month: of.fee / 100 }), perUnit("seats", { month: of.unit / 100 }), used("calls", { month: 0.5 })],
				{
					term: {
						months: of.months,
						...(of.renewalMonths !== undefined && { renewalMonths: of.renewalMonths }),
						upliftPercentage: of.uplift / 1000,
						upliftsUsage: of.upliftsUsage,
					},
				},
			);
			const id = await ours.buy("pro", units("seats", of.seats));
			for (const [month, calls] of of.calls.entries()) {
				const at = iso(addMonths(start, month) + dayMs);
				await ours.advance(at);
				if (calls > 0) await ours.use("calls", calls, at);
			}
			await ours.advance(iso(addMonths(start, months)));
			const invoices: ReadonlyArray<{ issueDate: string; total: number }> = await ours.insist(
				"GET",
				"/customers/acme/invoices?limit=100",
			);
			const issued = invoices.map(({ issueDate, total }) => [issueDate, Math.round(total * 100)] as const);
			expect(issued.toSorted(([one], [other]) => one.localeCompare(other))).toEqual(expected(of));
			const starts = termStarts(of);
			expect((await shown(ours, id)).currentTerm).toMatchObject({
				number: starts.length,
				startDate: iso(addMonths(start, starts.at(-1) ?? 0)),
			});
			expect(found(ours)).toEqual([]);
		}),
		{ numRuns: 10, seed: 20_261_127 },
	);
});
