import { expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { perUnit, till, units } from "../../billing";

// The oracle changes another customer's subscription at the date itself, and a calculation in whole numbers gives the sum.

const day = 86_400_000;
const start = Date.UTC(2026, 0, 1);
const end = Date.UTC(2026, 6, 20);
const iso = (at: number) => new Date(at).toISOString();

/** A small generator, so that a failure repeats: the same seed gives the same histories. */
function seeded(seed: number) {
	let state = seed;
	return (below: number): number => {
		state = (state * 48_271) % 2_147_483_647;
		return state % below;
	};
}

interface History {
	readonly from: number;
	readonly date: number;
	readonly requested: number;
	readonly seats: readonly [number, number];
	readonly body: object;
	readonly isPlain: boolean;
}

const terms: readonly object[] = [
	...[{}, {}, {}, {}, { prorationMode: "BY_DAY" }, { prorationMode: "THIRTY_DAY_MONTH" }, { prorationMode: "NONE" }],
	...[{ appliedCoupon: { couponId: "third" } }, { appliedCoupon: { couponId: "ten" } }],
	{ billingInformation: { taxPercentage: 8.875 } },
];

function history(random: (below: number) => number): History {
	const from = start + random(20 * 24) * 3_600_000;
	const date = from + random(120) * day + random(2) * random(day);
	const body = terms[random(terms.length)] ?? {};
	const before = 1 + random(5);
	const after = 1 + ((before + random(4)) % 5);
	const requested = date + 1 + random(end - date - day);
	return { from, date, requested, seats: [before, after], body, isPlain: Object.keys(body).length === 0 };
}

/** The start of the n-th month of a subscription, whose day is at most 20. */
function monthOf(from: number, nth: number): number {
	const at = new Date(from);
	return at.setUTCMonth(at.getUTCMonth() + nth);
}

const price = 2_999n;
const halfUp = (part: bigint, whole: bigint) => (2n * part + whole) / (2n * whole);

/** Returns the sum in cents of a subscription by time whose seats have changed at the date. */
function sumOf({ from, date, seats: [before, after] }: History): bigint {
	let sum = 0n;
	for (let nth = 0; monthOf(from, nth) <= end; nth += 1) {
		const [begin, next] = [monthOf(from, nth), monthOf(from, nth + 1)];
		const rest = (seats: number) => halfUp(price * BigInt(seats) * BigInt(next - date), BigInt(next - begin));
		if (date <= begin) sum += price * BigInt(after);
		else if (date >= next) sum += price * BigInt(before);
		else sum += price * BigInt(before) + (before === after ? 0n : rest(after) - rest(before));
	}
	return sum;
}

for (const seed of [1, 2, 3])
	test(`the invoices after a dated change sum to those of a change at that date (seed ${seed})`, async () => {
		const ours = await till(iso(start));
		await ours.plan("pro", [perUnit("seats", { month: 29.99 })]);
		await ours.coupon("third", { percent: 33, months: 2 });
		await ours.coupon("ten", { amounts: [10], months: 3 });
		const random = seeded(seed * 7_919);
		const histories = Array.from({ length: 8 }, () => history(random));
		const steps: { readonly at: number; readonly run: () => Promise<unknown> }[] = [];
		const ids = new Map<string, string>();
		for (const [nth, { from, date, requested, seats, body }] of histories.entries())
			for (const [who, at, more] of [
				[`oracle-${nth}`, date, {}],
				[`dated-${nth}`, requested, { effectiveDate: iso(date) }],
			] as const) {
				const bought = { customerId: who, ...units("seats", seats[0]), ...body };
				steps.push({ at: from, run: async () => ids.set(who, await ours.buy("pro", bought)) });
				steps.push({ at, run: () => ours.change(ids.get(who) ?? "", { ...more, ...units("seats", seats[1]) }) });
				await ours.customer(who);
			}
		for (const { at, run } of steps.toSorted((one, other) => one.at - other.at)) {
			await ours.advance(iso(at));
			await run();
		}
		await ours.advance(iso(end));
		const totals = async (who: string): Promise<number> =>
			(await ours.books(who)).reduce((sum, line) => sum + Math.round(Number(/: (-?[\d.]+)/.exec(line)?.[1]) * 100), 0);
		for (const [nth, one] of histories.entries()) {
			const shown = { ...one, from: iso(one.from), date: iso(one.date), requested: iso(one.requested) };
			const expected = await totals(`oracle-${nth}`);
			expect({ shown, sum: await totals(`dated-${nth}`) }).toEqual({ shown, sum: expected });
			if (one.isPlain) expect({ shown, sum: BigInt(expected) }).toEqual({ shown, sum: sumOf(one) });
		}
		expect(ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work)])).toEqual([]);
	}, 60_000);
