import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { findings } from "../../../../pricing/window-cost/findings";
import { sold, usd } from "../committed";

setDefaultTimeout(60_000);

test("2.13: 500.00 of all charges, fee 300.00, usage 120.00", async () => {
	const ours = await sold([usd(500)]);
	await ours.use("calls", 120);
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-04-01: 300 = pro 300",
		"2026-05-01: 500 = pro 300 + 120 Calls (pro) 120 + Commitment 80",
	]);
	expect(findings(ours)).toEqual([]);
});

test("2.13: a commitment of usage alone does not count fees", async () => {
	const ours = await sold([usd(500, { scope: "ON_DEMAND" })]);
	await ours.use("calls", 120);
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-05-01: 800 = pro 300 + 120 Calls (pro) 120 + Commitment 380");
	expect(findings(ours)).toEqual([]);
});

test("a spend of at least the commitment owes nothing more", async () => {
	const ours = await sold([usd(500)]);
	await ours.use("calls", 200);
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-05-01: 500 = pro 300 + 200 Calls (pro) 200");
	expect(findings(ours)).toEqual([]);
});

test("the overage factor adds a line for the part above the commitment", async () => {
	const ours = await sold([usd(500, { overageFactor: 1.5 })]);
	await ours.use("calls", 350);
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-05-01: 725 = pro 300 + 350 Calls (pro) 350 + Above the commitment 75");
	expect(findings(ours)).toEqual([]);
});

test("without a true-up, a shortfall is not charged", async () => {
	const ours = await sold([usd(500, { isTrueUp: false, overageFactor: 2 })]);
	await ours.use("calls", 120);
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-05-01: 420 = pro 300 + 120 Calls (pro) 120");
});

describe("2.13: late usage first consumes what a true-up has paid", () => {
	test("a renewal has charged", async () => {
		const ours = await sold([usd(500, { overageFactor: 1.5 })]);
		await ours.use("calls", 120);
		await ours.advance("2026-05-01T00:00:00Z");
		await ours.use("calls", 50, "2026-04-20T00:00:00Z");
		await ours.advance("2026-06-01T00:00:00Z");
		await ours.use("calls", 40, "2026-04-21T00:00:00Z");
		await ours.advance("2026-07-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 300 = pro 300",
			"2026-05-01: 500 = pro 300 + 120 Calls (pro) 120 + Commitment 80",
			"2026-06-01: 500 = pro 300 + Commitment 200 + 50 Calls (pro) 50 + Covered by the commitment -50",
			"2026-07-01: 515 = pro 300 + Commitment 200 + 40 Calls (pro) 40 + Covered by the commitment -30 + Above the commitment 5",
		]);
		expect(findings(ours)).toEqual([]);
	});

	test("an end has charged", async () => {
		const ours = await sold([usd(500)]);
		await ours.use("calls", 20);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE" });
		await ours.use("calls", 100, "2026-04-10T00:00:00Z");
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 300 = pro 300",
			"2026-04-16: -50 = Unused time: pro -150 + 20 Calls (pro) 20 + Commitment 80",
			"2026-05-16: 20 = 100 Calls (pro) 100 + Covered by the commitment -80",
		]);
		expect(findings(ours)).toEqual([]);
	});
});

describe("a part of a window owes its share", () => {
	test("a first period on calendar months", async () => {
		const ours = await sold([usd(500)], {
			start: "2026-04-16T00:00:00Z",
			plan: { billingAnchor: { type: "START_OF_THE_MONTH" } },
		});
		await ours.use("calls", 20);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-16: 150 = pro 150",
			"2026-05-01: 400 = pro 300 + 20 Calls (pro) 20 + Commitment 80",
		]);
		expect(findings(ours)).toEqual([]);
	});

	test.each(["BY_TIME", "BY_DAY"])("an end, %s", async (prorationMode) => {
		const ours = await sold([usd(500)], { plan: { prorationMode } });
		await ours.use("calls", 20);
		await ours.advance("2026-04-16T12:00:00Z");
		await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE", prorate: true });
		const [used, whole] = prorationMode === "BY_TIME" ? [15.5, 30] : [16, 30];
		const fee = Math.round((30_000 * used) / whole) / 100;
		const owed = Math.round((50_000 * used) / whole) / 100;
		const shortfall = Math.round((owed - fee - 20) * 100) / 100;
		expect((await ours.books()).at(-1)).toContain(`Commitment ${shortfall}`);
		expect(findings(ours)).toEqual([]);
	});
});
