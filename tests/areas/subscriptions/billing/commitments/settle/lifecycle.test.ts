import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { findings } from "../../../../pricing/window-cost/findings";
import { flat, perUnit, units, used } from "../../../billing";
import { sold, usd, useAt } from "../committed";

setDefaultTimeout(60_000);

test("a plan change settles the window at its instant, and the new plan begins its own", async () => {
	const ours = await sold([usd(500)]);
	await ours.plan("max", [flat({ month: 600 }), used("calls", { month: 1 })], { commitments: [usd(900)] });
	await ours.use("calls", 20);
	await ours.advance("2026-04-16T00:00:00Z");
	await ours.buy("max");
	await useAt(ours, 30, "2026-04-20T00:00:00Z");
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-04-01: 300 = pro 300",
		// Half of 500, less 150 and 20.
		"2026-04-16: 250 = Unused time: pro -150 + 20 Calls (pro) 20 + Commitment 80 + max 300",
		// Half of 900, less 300 and 30.
		"2026-05-01: 750 = max 600 + 30 Calls (max) 30 + Commitment 120",
	]);
	expect(findings(ours)).toEqual([]);
});

test("a changed commitment owes each amount for its part of one window", async () => {
	const ours = await sold([usd(500)]);
	await useAt(ours, 20, "2026-04-16T00:00:00Z");
	await ours.change(ours.id, { commitments: [usd(800)] });
	await useAt(ours, 30, "2026-04-22T00:00:00Z");
	await ours.advance("2026-05-01T00:00:00Z");
	// 250 and 400, less 300 and 50.
	expect((await ours.books()).at(-1)).toBe("2026-05-01: 650 = pro 300 + 50 Calls (pro) 50 + Commitment 300");
	expect(findings(ours)).toEqual([]);
	await ours.advance("2026-06-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-06-01: 800 = pro 300 + Commitment 500");
	expect(findings(ours)).toEqual([]);
});

test("a removed commitment owes what its part of the window owes, and one that begins late owes its part", async () => {
	const ours = await sold([usd(800)]);
	await ours.advance("2026-04-16T00:00:00Z");
	await ours.change(ours.id, { commitments: [] });
	expect(findings(ours)).toEqual([]);
	await ours.advance("2026-05-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-05-01: 400 = pro 300 + Commitment 100");
	await ours.advance("2026-06-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-06-01: 300 = pro 300");
	await ours.advance("2026-06-16T00:00:00Z");
	await ours.change(ours.id, { commitments: null });
	expect(findings(ours)).toEqual([]);
	await ours.advance("2026-07-01T00:00:00Z");
	expect((await ours.books()).at(-1)).toBe("2026-07-01: 400 = pro 300 + Commitment 100");
	expect(findings(ours)).toEqual([]);
});

test("the charges of added units and of addons count, and one-off charges do not", async () => {
	const ours = await sold([usd(500)], {
		models: [perUnit("seats", { month: 10 }), { ...flat({ month: 70 }), billingCadence: "ONE_OFF", key: "setup" }],
		body: units("seats", 2),
	});
	await ours.addon("help", flat({ month: 40 }));
	await ours.advance("2026-04-16T00:00:00Z");
	await ours.change(ours.id, { ...units("seats", 6), addons: [{ id: "help", quantity: 1 }] });
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-04-01: 390 = pro 300 + 2 Seats (pro) 20 + setup (pro) 70",
		"2026-04-16: 40 = 2 Unused time: Seats (pro) -10 + 6 Seats (pro) 30 + help 20",
		// 500 less 300, 10, 30 and 20.
		"2026-05-01: 540 = pro 300 + 6 Seats (pro) 60 + help 40 + Commitment 140",
	]);
	expect(findings(ours)).toEqual([]);
});

describe("windows of several billing periods", () => {
	const quarter = { interval: { unit: "MONTH", count: 3 } };

	test("are settled with the last one", async () => {
		const ours = await sold([usd(1500, quarter)]);
		await ours.use("calls", 120);
		await useAt(ours, 100, "2026-05-10T00:00:00Z");
		await ours.advance("2026-07-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 300 = pro 300",
			"2026-05-01: 420 = pro 300 + 120 Calls (pro) 120",
			"2026-06-01: 400 = pro 300 + 100 Calls (pro) 100",
			"2026-07-01: 680 = pro 300 + Commitment 380",
		]);
		expect(findings(ours)).toEqual([]);
		await ours.advance("2026-10-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-10-01: 900 = pro 300 + Commitment 600");
		expect(findings(ours)).toEqual([]);
	});

	test("owe their part at an end", async () => {
		const ours = await sold([usd(1820, quarter)], { fee: null });
		await useAt(ours, 120, "2026-05-01T00:00:00Z");
		await ours.advance("2026-05-16T00:00:00Z");
		await ours.cancel(ours.id, { cancellationTime: "IMMEDIATE" });
		// 45 of 91 days.
		expect((await ours.books()).at(-1)).toBe("2026-05-16: 900 = 120 Calls (pro) 120 + Commitment 780");
		expect(findings(ours)).toEqual([]);
	});
});

describe("a pause", () => {
	test("settles the window, and the resumption begins another part of it", async () => {
		const ours = await sold([usd(500)], { body: {} });
		await ours.use("calls", 20);
		await ours.advance("2026-04-07T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${ours.id}/pause`, {});
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${ours.id}/resume`, {});
		expect(findings(ours)).toEqual([]);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 300 = pro 300",
			// A fifth of 500, less a fifth of 300, and 20.
			"2026-04-07: -200 = Unused time: pro -240 + 20 Calls (pro) 20 + Commitment 20",
			"2026-04-16: 150 = pro 150",
			"2026-05-01: 400 = pro 300 + Commitment 100",
		]);
		expect(findings(ours)).toEqual([]);
	});

	test("without credits owes the period whole, and later usage of it consumes the shortfall", async () => {
		const ours = await sold([usd(500)]);
		await ours.use("calls", 20);
		await ours.advance("2026-04-07T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${ours.id}/pause`, { prorate: false });
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.insist("POST", `/subscriptions/${ours.id}/resume`, {});
		await useAt(ours, 50, "2026-04-20T00:00:00Z");
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 300 = pro 300",
			"2026-04-07: 200 = 20 Calls (pro) 20 + Commitment 180",
			"2026-05-01: 300 = pro 300 + 50 Calls (pro) 50 + Covered by the commitment -50",
		]);
		expect(findings(ours)).toEqual([]);
		await ours.advance("2026-06-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-06-01: 500 = pro 300 + Commitment 200");
		expect(findings(ours)).toEqual([]);
	});
});

test("a fee in arrears counts at the end of its period", async () => {
	const ours = await sold([usd(500)], { fee: null, models: [{ ...flat({ month: 300 }), paymentTime: "IN_ARREARS" }] });
	await ours.use("calls", 120);
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-05-01: 500 = pro 300 + 120 Calls (pro) 120 + Commitment 80"]);
	expect(findings(ours)).toEqual([]);
});

test("a coupon discounts the shortfall, and does not raise it", async () => {
	const ours = await sold([usd(500)]);
	await ours.coupon("tenth", { percent: 10 });
	await ours.change(ours.id, { appliedCoupon: { couponId: "tenth" } });
	await ours.use("calls", 120);
	await ours.advance("2026-05-01T00:00:00Z");
	const invoice = (await ours.insist("GET", "/customers/acme/invoices?limit=10")).at(-1);
	expect([invoice.subtotal, invoice.discount, invoice.total]).toEqual([500, 50, 450]);
	expect(findings(ours)).toEqual([]);
});

test("a trial owes nothing, and billing begins the window", async () => {
	const ours = await sold([usd(500)], {
		body: { trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-04-11T00:00:00Z" } },
	});
	await ours.advance("2026-05-11T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-04-11: 300 = pro 300", "2026-05-11: 500 = pro 300 + Commitment 200"]);
	expect(findings(ours)).toEqual([]);
});

test("a phase lowers the commitment like the prices", async () => {
	const phases = [{ id: "half", duration: { unit: "MONTH", count: 1 }, percentOff: 50 }];
	const ours = await sold([usd(500)], { body: { phases } });
	await ours.advance("2026-06-01T00:00:00Z");
	expect((await ours.books()).map((text) => text.replace(", half", ""))).toEqual([
		"2026-04-01: 150 = pro 150",
		"2026-05-01: 400 = pro 300 + Commitment 100",
		"2026-06-01: 500 = pro 300 + Commitment 200",
	]);
	expect(findings(ours)).toEqual([]);
});

test("a usage charge on demand settles no window", async () => {
	const ours = await sold([usd(500)]);
	await useAt(ours, 70, "2026-04-10T00:00:00Z");
	await ours.advance("2026-04-11T00:00:00Z");
	await ours.chargeUsage(ours.id);
	await useAt(ours, 50, "2026-04-20T00:00:00Z");
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-04-01: 300 = pro 300",
		"2026-04-11: 70 = 70 Calls (pro) 70",
		"2026-05-01: 430 = pro 300 + 50 Calls (pro) 50 + Commitment 80",
	]);
	expect(findings(ours)).toEqual([]);
});
