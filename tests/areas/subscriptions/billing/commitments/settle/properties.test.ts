import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { addMonths, dayMs } from "../../../../../simulated-subscriptions/calendar";
import { findings } from "../../../../pricing/window-cost/findings";
import type { Till } from "../../../billing";
import { sold, useAt } from "../committed";

setDefaultTimeout(240_000);

const months = 6;

/** In cents. A factor of 1.5, applied twice, makes no part of a cent. */
const inFours = (max: number) => fc.integer({ min: 1, max: max / 4 }).map((fours) => 4 * fours);

const commitment = fc.record({
	amount: inFours(150_000),
	/** In hundredths. */
	factor: fc.constantFrom(100, 100, 150, 200),
	isTrueUp: fc.boolean(),
	/** The length of a window in months. */
	each: fc.constantFrom(1, 2, 3),
});
type Commitment = typeof commitment extends fc.Arbitrary<infer Value> ? Value : never;

const agreed = fc.record({
	day: fc.constantFrom(0, 29, 30, 58),
	fee: fc.oneof(fc.constant(0), inFours(40_000)),
	all: fc.option(commitment, { nil: null }),
	onDemand: fc.option(
		fc.record({ amount: inFours(60_000), factor: fc.constantFrom(100, 150), isTrueUp: fc.boolean() }),
		{ nil: null },
	),
	/** Units at 1.00 in each month: reported in time, and a month late. */
	calls: fc.array(fc.record({ now: fc.integer({ min: 0, max: 500 }), late: fc.constantFrom(0, 0, 0, 7, 90) }), {
		minLength: months,
		maxLength: months,
	}),
});
type Agreed = typeof agreed extends fc.Arbitrary<infer Value> ? Value : never;

const iso = (at: number): string => new Date(at).toISOString();

/** Returns what a window costs in all, in cents: the rule of design 2.14. Amounts are such that nothing is rounded. */
const costOf = (
	{ amount, factor, isTrueUp }: Pick<Commitment, "amount" | "factor" | "isTrueUp">,
	counted: number,
): number => (counted >= amount ? counted + ((counted - amount) * (factor - 100)) / 100 : isTrueUp ? amount : counted);

/** Returns what a month costs in all without the commitment of all charges, in cents. */
const costOfMonth = ({ fee, onDemand }: Pick<Agreed, "fee" | "onDemand">, calls: number): number =>
	fee + (onDemand ? costOf(onDemand, 100 * calls) : 100 * calls);

/** Returns what each window costs in all, in cents. */
function windowsOf({ all, calls, ...of }: Agreed): number[] {
	const costs = calls.map(({ now, late }) => costOfMonth(of, now + late));
	const each = all?.each ?? 1;
	return Array.from({ length: months / each }, (_, at) => {
		const counted = costs.slice(at * each, (at + 1) * each).reduce((sum, one) => sum + one, 0);
		return all ? costOf(all, counted) : counted;
	});
}

/** Returns the total of all invoices, in cents: after the six months, one without usage, and the fee of the next. */
function totalOf(of: Agreed): number {
	const next = costOfMonth(of, 0);
	const seventh = of.all?.each === 1 ? costOf(of.all, next) : next;
	return windowsOf(of).reduce((sum, one) => sum + one, 0) + seventh + of.fee;
}

const rules = ({ factor, isTrueUp }: Pick<Commitment, "factor" | "isTrueUp">) => ({
	overageFactor: factor / 100,
	isTrueUp,
});

const statedBy = ({ all, onDemand }: Agreed): object[] => [
	...(all
		? [{ currency: "usd", amount: all.amount / 100, interval: { unit: "MONTH", count: all.each }, ...rules(all) }]
		: []),
	...(onDemand ? [{ currency: "usd", scope: "ON_DEMAND", amount: onDemand.amount / 100, ...rules(onDemand) }] : []),
];

/** The windows that are settled, in order of time. */
const tiles = ({ db }: Till, scope: string): unknown[][] =>
	db.$client
		.query<{ from: number; until: number }, [string]>(
			`SELECT DISTINCT charge_periods.starts_at AS "from", charge_periods.ends_at AS "until" FROM charge_periods JOIN billing_charges ON billing_charges.id = charge_id
			WHERE "key" = ? ORDER BY 1`,
		)
		.all(`commitment/${scope}`)
		.map(({ from, until }) => [from, until]);

test("property: each window costs its rule, never less than its commitment, however late usage comes", async () => {
	await fc.assert(
		fc.asyncProperty(agreed, async (of) => {
			const start = Date.UTC(2026, 0, 1) + of.day * dayMs;
			const commitments = statedBy(of);
			const ours = await sold(commitments, { start: iso(start), fee: of.fee === 0 ? null : { month: of.fee / 100 } });
			for (const [month, { now }] of of.calls.entries()) {
				const late = of.calls[month - 1]?.late ?? 0;
				const at = iso(addMonths(start, month) + dayMs);
				if (now > 0) await useAt(ours, now, at);
				else await ours.advance(at);
				if (late > 0) await ours.use("calls", late, iso(addMonths(start, month - 1) + 2 * dayMs));
			}
			await ours.advance(iso(addMonths(start, months) + dayMs));
			const last = of.calls.at(-1)?.late ?? 0;
			if (last > 0) await ours.use("calls", last, iso(addMonths(start, months - 1) + 2 * dayMs));
			await ours.advance(iso(addMonths(start, months + 1)));
			const invoices: ReadonlyArray<{ total: number }> = await ours.insist("GET", "/customers/acme/invoices?limit=100");
			const totals = invoices.map(({ total }) => Math.round(total * 100));
			expect(totals.reduce((sum, one) => sum + one, 0)).toBe(totalOf(of));
			const isByMonth = (of.all?.each ?? 1) === 1 && of.calls.every(({ late }) => late === 0);
			// Each renewal charges the rest of the window that ends, and the fee of the next.
			if (isByMonth && of.fee > 0) expect(totals.slice(1, months + 1)).toEqual(windowsOf(of));
			for (const [scope, stated] of [
				["ALL", of.all],
				["ON_DEMAND", of.onDemand && { ...of.onDemand, each: 1 }],
			] as const) {
				// One without a true-up and a factor has no effect.
				if (!stated || (stated.factor === 100 && !stated.isTrueUp)) continue;
				const { each } = stated;
				const count = Math.floor((months + 1) / each);
				expect(tiles(ours, scope)).toEqual(
					Array.from({ length: count }, (_, at) => [addMonths(start, at * each), addMonths(start, (at + 1) * each)]),
				);
			}
			expect(findings(ours)).toEqual([]);
		}),
		{ numRuns: 12, seed: 20_261_127 },
	);
});
