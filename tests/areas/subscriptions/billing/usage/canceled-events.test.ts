import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { beyond, flat, tiered, till, used } from "../../billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

describe("canceled events", () => {
	test("are not billed if they are canceled before the bill of their period", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 5 }), used("calls", { month: 1 })], {
			overagePricingModels: [beyond("tokens", 3, { month: 2 })],
		});
		await ours.buy("pro");
		const calls = [await ours.use("calls", 4), await ours.use("calls", 3)];
		const tokens = [await ours.use("tokens", 4000), await ours.use("tokens", 1000)];
		await ours.advance("2026-04-20T00:00:00Z");
		await ours.cancelEvents(...calls.slice(1), ...tokens.slice(1));
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 5 = pro 5",
			"2026-05-01: 11 = pro 5 + 4 Calls (pro) 4 + Tokens (pro) 2",
		]);
	});

	test("are not billed at an end, at a change of plan, or in a preview", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("payg", [used("calls", { month: 1 })]);
		await ours.plan("other", [used("calls", { month: 2 })]);
		await ours.customer("gone");
		await ours.buy("payg");
		const id = await ours.buy("payg", { customerId: "gone" });
		await ours.use("calls", 4);
		await ours.use("calls", 6, undefined, "gone");
		const mistakes = [await ours.use("calls", 30), await ours.use("calls", 50, undefined, "gone")];
		await ours.cancelEvents(...mistakes);
		await ours.advance("2026-04-20T00:00:00Z");
		await ours.buy("other");
		await ours.cancel(id);
		expect(await ours.books()).toEqual(["2026-04-20: 4 = 4 Calls (payg) 4"]);
		expect(await ours.books("gone")).toEqual(["2026-04-20: 6 = 6 Calls (payg) 6"]);
	});

	test("do not change a bill that was issued, and offset late usage of its period", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [
			flat({ month: 5 }),
			tiered("calls", "GRADUATED", [
				[10, 1],
				[null, 0.5],
			]),
		]);
		await ours.buy("pro");
		const some = await ours.use("calls", 4);
		await ours.use("calls", 8);
		await ours.advance("2026-05-02T00:00:00Z");
		await ours.cancelEvents(some);
		await ours.advance("2026-06-02T00:00:00Z");
		await ours.use("calls", 3, "2026-04-12T00:00:00Z");
		await ours.advance("2026-07-02T00:00:00Z");
		await ours.use("calls", 5, "2026-04-13T00:00:00Z");
		await ours.advance("2026-08-02T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 5 = pro 5",
			"2026-05-01: 16 = pro 5 + 12 Calls (pro) 11",
			"2026-06-01: 5 = pro 5",
			"2026-07-01: 5 = pro 5",
			// 16 in all, of which 12 were billed: four of the second tier.
			"2026-08-01: 7 = pro 5 + 4 Calls (pro) 2",
		]);
	});

	test("after a manual usage charge offset later usage of the period", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("payg", [used("calls", { month: 1 })]);
		const id = await ours.buy("payg");
		const some = await ours.use("calls", 6);
		await ours.use("calls", 4);
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.chargeUsage(id);
		await ours.cancelEvents(some);
		await ours.use("calls", 5);
		await ours.advance("2026-04-20T00:00:00Z");
		expect((await ours.chargeUsage(id)).invoiceBillingId).toBeNull();
		await ours.use("calls", 3);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-04-10: 10 = 10 Calls (payg) 10", "2026-05-01: 2 = 2 Calls (payg) 2"]);
	});

	test("release the minimum spend that is not billed yet", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [used("calls", { month: 1 })], {
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 100, currency: "usd" } }],
		});
		await ours.buy("pro");
		await ours.use("calls", 70);
		const mistake = await ours.use("calls", 50);
		await ours.cancelEvents(mistake);
		await ours.advance("2026-05-02T00:00:00Z");
		await ours.use("calls", 40, "2026-04-30T00:00:00Z");
		await ours.advance("2026-06-02T00:00:00Z");
		expect((await ours.books()).slice(1)).toEqual([
			"2026-05-01: 100 = Minimum spend 100 + 70 Calls (pro) 70 + Covered by the minimum spend -70",
			"2026-06-01: 110 = Minimum spend 100 + 40 Calls (pro) 40 + Covered by the minimum spend -30",
		]);
	});

	test("count for peak usage too", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		const meter = { aggregation: { function: "MAX", field: "n" }, filters: [] };
		await ours.insist("POST", "/features", {
			id: "peak",
			displayName: "Peak",
			featureType: "NUMBER",
			meterType: "INCREMENTAL",
		});
		await ours.insist("PATCH", "/features/peak", { meter });
		await ours.plan("payg", [used("peak", { month: 1 })]);
		await ours.buy("payg");
		await ours.use("peak", 3);
		const mistake = await ours.use("peak", 900);
		await ours.cancelEvents(mistake);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-05-01: 3 = 3 Peak (payg) 3"]);
	});

	test("never lower the price of a period below its highest billed total", async () => {
		const start = Date.parse("2026-01-01T00:00:00Z");
		const dayMs = 86_400_000;
		const uses = fc.array(
			fc.record({
				day: fc.nat(58),
				/** Days after that. */
				delay: fc.nat(70),
				/** Days until the report; null: it stays. */
				canceledAfter: fc.option(fc.nat(70)),
				n: fc.integer({ min: 1, max: 40 }),
			}),
			{ minLength: 1, maxLength: 6 },
		);
		await fc.assert(
			fc.asyncProperty(uses, async (all) => {
				const ours = await till("2026-01-01T00:00:00Z");
				await ours.plan("payg", [used("calls", { month: 1 })]);
				await ours.buy("payg");
				const steps = all.flatMap(({ day, delay, canceledAfter, n }, index) => {
					const reportedAt = start + (day + delay) * dayMs + 3_600_000;
					const report = { at: reportedAt, index, day, n, isTaken: false };
					return canceledAfter === null
						? [report]
						: [report, { ...report, at: reportedAt + canceledAfter * dayMs + 60_000, isTaken: true }];
				});
				const sent = new Map<number, Awaited<ReturnType<typeof ours.use>>>();
				for (const { at, index, day, n, isTaken } of steps.toSorted((one, other) => one.at - other.at)) {
					await ours.advance(new Date(at).toISOString());
					const known = sent.get(index);
					if (isTaken && known) await ours.cancelEvents(known);
					else sent.set(index, await ours.use("calls", n, new Date(start + day * dayMs).toISOString()));
				}
				await ours.advance("2026-09-02T00:00:00Z");
				const invoices = await ours.insist("GET", "/customers/acme/invoices?limit=100");
				const billed = invoices.reduce((sum: number, { total }: { total: number }) => sum + total, 0);
				expect(billed).toBe(mostBilled(steps));
			}),
			{ numRuns: 8 },
		);
	});
});

interface Step {
	readonly at: number;
	readonly index: number;
	readonly day: number;
	readonly n: number;
	readonly isTaken: boolean;
}

/** The highest totals of January and of February (28 days from the 32nd on) on any first of a month since. */
function mostBilled(steps: readonly Step[]): number {
	const months = [0, 31, 59];
	const firsts = [1, 2, 3, 4, 5, 6, 7, 8].map((month) => Date.UTC(2026, month, 1));
	return months.slice(1).reduce((sum, end, index) => {
		const from = months[index] ?? 0;
		const at = (time: number) => {
			const present = new Map<number, number>();
			for (const step of steps.toSorted((one, other) => one.at - other.at))
				if (step.at < time && from <= step.day && step.day < end) {
					if (step.isTaken) present.delete(step.index);
					else present.set(step.index, step.n);
				}
			return [...present.values()].reduce((total, n) => total + n, 0);
		};
		return sum + Math.max(...firsts.slice(index).map(at));
	}, 0);
}
