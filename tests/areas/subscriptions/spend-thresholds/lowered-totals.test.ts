import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { highestTotals } from "../../../../src/areas/subscriptions/billing/table.highest-totals";
import { LoweredTotals } from "../../../../src/areas/subscriptions/spend-thresholds/lowered-totals";
import type { Instant } from "../../../../src/kernel/clock";
import { used } from "../billing";
import { site } from "./site";

setDefaultTimeout(120_000);

/** Cents by the rule: each event costs the rounded cost with it minus the rounded cost without it, above the highest total. */
function centsOf(values: readonly number[], tenthsOfCent: number): number {
	const cost = (units: number): number => Math.floor((units * tenthsOfCent + 5) / 10);
	let total = 0;
	let highest = 0;
	let cents = 0;
	for (const value of values) {
		total += value;
		if (total <= highest) continue;
		cents += cost(total) - cost(highest);
		highest = total;
	}
	return cents;
}

const steps = fc.array(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 5 }), {
	minLength: 1,
	maxLength: 5,
});

test.each(["EACH_EVENT", "PERIOD_END"])(
	"in any split, the lines sum to the rounded cost of the highest total (%s)",
	async (eventInvoicing) => {
		await fc.assert(
			fc.asyncProperty(steps, fc.integer({ min: 1, max: 30 }), fc.boolean(), async (split, tenths, restarts) => {
				const ours = await site();
				await ours.plan("api", [
					{ ...used("calls", { month: tenths / 1000 }), paymentTime: "AT_EVENT", eventInvoicing },
				]);
				await ours.buy("api");
				await ours.advance("2026-04-10T00:00:00Z");
				for (const values of split) {
					for (const value of values) await ours.use("calls", value, "2026-04-09T00:00:00Z");
					if (restarts) ours.restart();
					await ours.noticed();
				}
				await ours.advance("2026-05-02T00:00:00Z");
				const invoices: Array<{ total: number }> = await ours.insist("GET", "/customers/acme/invoices?limit=100");
				const cents = invoices.reduce((sum, { total }) => sum + Math.round(total * 100), 0);
				expect(cents).toBe(centsOf(split.flat(), tenths));
			}),
			{ numRuns: 12 },
		);
	},
);

test("events that are late, or that lower a closed window, are charged once", async () => {
	const ours = await site();
	await ours.plan("api", [{ ...used("calls", { month: 1 }), paymentTime: "AT_EVENT" }]);
	await ours.buy("api");
	await ours.advance("2026-05-10T00:00:00Z");
	for (const n of [10, -4]) await ours.use("calls", n, "2026-04-20T00:00:00Z");
	for (const n of [3, 2]) await ours.use("calls", n, "2026-05-02T00:00:00Z");
	await ours.noticed();
	expect(await ours.books()).toEqual(["2026-05-10: 15 = 5 Calls (api) 5 + 10 Calls (api) 10"]);
	await ours.use("calls", 3, "2026-04-20T00:00:00Z");
	await ours.noticed();
	expect(await ours.books()).toHaveLength(1);
	await ours.use("calls", 2, "2026-04-20T00:00:00Z");
	await ours.noticed();
	expect((await ours.books()).slice(1)).toEqual(["2026-05-10: 1 = Calls (api) 1"]);
});

test("a canceled event is not refunded, and is not charged again", async () => {
	const ours = await site();
	await ours.plan("api", [{ ...used("calls", { month: 1 }), paymentTime: "AT_EVENT" }]);
	await ours.buy("api");
	await ours.advance("2026-04-10T00:00:00Z");
	const at = "2026-04-09T00:00:00Z";
	const first = await ours.use("calls", 5, at);
	await ours.noticed();
	await ours.cancelEvents(first);
	await ours.use("calls", 4, at);
	await ours.noticed();
	expect(await ours.books()).toEqual(["2026-04-10: 5 = 5 Calls (api) 5"]);
	await ours.use("calls", 3, at);
	await ours.noticed();
	expect((await ours.books()).slice(1)).toEqual(["2026-04-10: 2 = 2 Calls (api) 2"]);
	const early = await ours.use("calls", 9, at);
	await ours.cancelEvents(early);
	await ours.noticed();
	expect(await ours.books()).toHaveLength(2);
});

test("events that are summed up have the same highest total as events in memory, and sums of former windows are collected again", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 12 }),
			fc.integer({ min: 0, max: 4 }),
			async (values, limit) => {
				const ours = await site();
				await ours.plan("api", [{ ...used("calls", { month: 1 }), paymentTime: "AT_EVENT" }]);
				const id = await ours.buy("api");
				await ours.advance("2026-04-10T00:00:00Z");
				for (const value of values) await ours.use("calls", value, "2026-04-09T00:00:00Z");
				const { actor, environmentId } = ours;
				const { transactions } = ours.thread;
				const lowered = new LoweredTotals(transactions, limit);
				const now = Date.parse("2026-04-10T00:00:00Z") as Instant;
				const environments = new Map([[environmentId, { now, isFrozen: true }]]);
				for (const at of values.keys()) lowered.collect({ after: at, upTo: at + 1 }, environments);
				expect(transactions.writeUsage(actor, (work) => lowered.save(work, environments))).toBe(true);
				const [row] = transactions.read(actor, (work) => work.tx.select().from(highestTotals).all());
				const sums = values.map((_, at) => values.slice(0, at + 1).reduce((sum, value) => sum + value, 0));
				const highest = Math.max(0, ...sums);
				expect(Number(row?.highest ?? sums.at(-1))).toBe(Math.max(highest, sums.at(-1) ?? 0));
				// Events are kept from the first negative one on. Those beyond the limit are summed up.
				const first = values.findIndex((value) => value < 0);
				if (!lowered.isPending || values.length - first <= limit + 1) return;
				await ours.cancel(id);
				expect(transactions.writeUsage(actor, (work) => lowered.save(work, environments))).toBe(false);
			},
		),
		{ numRuns: 8 },
	);
});
