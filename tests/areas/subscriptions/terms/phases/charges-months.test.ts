import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { flat, perUnit, till, units } from "../../billing";
import { found, month, priced } from "./shop";

setDefaultTimeout(120_000);

/** Calculates by itself: a loop over the months that looks up each month's price. */
interface Stage {
	readonly months: number;
	/** In cents: the fee, and the price of a seat. */
	readonly fee: number;
	readonly seat: number;
	/** Percent of the plan's prices, in place of prices of its own. */
	readonly off?: number | undefined;
}

const seats = 3;
const plan = { fee: 4000, seat: 1100 };

function centsOf({ fee, seat, off }: Stage | (typeof plan & { readonly off?: number | undefined })): number {
	if (off === undefined) return fee + seats * seat;
	return Math.round((plan.fee * (100 - off)) / 100) + Math.round((seats * plan.seat * (100 - off)) / 100);
}

/** The day of the month of a renewal: the 31st in a shorter month is its last day. */
function dateOf(startDay: number, at: number): string {
	const [year, index] = [2026 + Math.floor(at / 12), at % 12];
	const lengths = [31, year % 4 === 0 ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
	const day = Math.min(startDay, lengths[index] ?? 31);
	return `${year}-${String(index + 1).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

function expected(stages: readonly Stage[], startDay: number, months: number): string[] {
	const books: string[] = [];
	const prices: (Stage | typeof plan)[] = stages.flatMap((stage) => Array.from({ length: stage.months }, () => stage));
	for (let at = 0; at < months; at += 1) {
		const cents = centsOf(prices[at] ?? plan);
		if (cents > 0) books.push(`${dateOf(startDay, at)}: ${cents / 100}`);
	}
	return books;
}

const stage = fc.record({
	months: fc.integer({ min: 1, max: 3 }),
	fee: fc.integer({ min: 1, max: 9000 }),
	seat: fc.integer({ min: 0, max: 2000 }),
	off: fc.option(fc.integer({ min: 0, max: 99 }), { nil: undefined }),
});

const money = (cents: number) => cents / 100;
const phaseOf = ({ months, fee, seat, off }: Stage, at: number) =>
	off === undefined
		? priced(`p${at}`, months, [flat({ month: money(fee) }), perUnit("seats", { month: money(seat) })])
		: { id: `p${at}`, duration: month(months), percentOff: off };

test("charges each month the price of the phase that a loop over the months finds", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(stage, { minLength: 1, maxLength: 4 }),
			fc.constantFrom(1, 15, 30, 31),
			fc.boolean(),
			async (stages, day, own) => {
				const ours = await till(`2026-01-${String(day).padStart(2, "0")}T00:00:00Z`);
				const phases = stages.map(phaseOf);
				const models = [flat({ month: money(plan.fee) }), perUnit("seats", { month: money(plan.seat) })];
				await ours.plan("pro", models, own ? {} : { phases });
				await ours.buy("pro", { ...units("seats", seats), ...(own && { phases }) });
				await ours.advance(`${dateOf(day, 13)}T00:00:00Z`);
				expect((await ours.books()).map((line) => line.split(" = ")[0])).toEqual(expected(stages, day, 14));
				expect(found(ours)).toEqual([]);
			},
		),
		{ numRuns: 12 },
	);
});

/** Days of a calendar month. */
const daysIn = (at: number) => Date.UTC(2026, at + 1, 1) / 86_400_000 - Date.UTC(2026, at, 1) / 86_400_000;

test("splits a calendar month at a boundary by its days", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 2, max: 28 }),
			fc.integer({ min: 100, max: 9999 }),
			fc.integer({ min: 100, max: 9999 }),
			async (day, before, after) => {
				const ours = await till(`2026-01-${String(day).padStart(2, "0")}T00:00:00Z`);
				const phases = [priced("a", 1, [flat({ month: money(before) })])];
				await ours.plan("pro", [flat({ month: money(after) })], { billingAnchor: { type: "CALENDAR" }, phases });
				await ours.buy("pro");
				await ours.advance("2026-03-01T00:00:00Z");
				const rest = (cents: number, at: number) => Math.round((cents * (daysIn(at) - day + 1)) / daysIn(at));
				const change = rest(after, 1) - rest(before, 1);
				const totals = [rest(before, 0), before, change, after].filter((cents) => cents !== 0);
				const books = (await ours.books()).map((line) => Number(line.match(/: (-?[\d.]+) =/)?.[1] ?? Number.NaN));
				expect(books.filter((amount) => amount !== 0)).toEqual(totals.map(money));
				expect(found(ours)).toEqual([]);
			},
		),
		{ numRuns: 12 },
	);
});
