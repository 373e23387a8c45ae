import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { isRefusal } from "../../../packages/guards";
import { beyond, flat, till, used } from "../../billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

/**
 * Plans price reported usage: `jobs` accumulate, `seats` go up and down, `desks` too and are billed by their average.
 */
async function office(start: string) {
	const ours = await till(start);
	const feature = async (id: string, body: object) => {
		const answer = await ours.call("POST", "/features", {
			body: { id, displayName: id, featureType: "NUMBER", ...body },
		});
		if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
		return answer.body.data;
	};
	await feature("jobs", { meterType: "INCREMENTAL" });
	await feature("desks", { meterType: "FLUCTUATING", billedUsage: "TIME_WEIGHTED_AVERAGE" });
	return {
		...ours,
		feature,
		report: async (featureId: string, value: number, createdAt?: string, more: object = {}) => {
			const usage = { customerId: "acme", featureId, value, ...(createdAt && { createdAt }), ...more };
			const answer = await ours.call("POST", "/usage", { body: { usages: [usage] } });
			if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
		},
	};
}

describe("reported usage is invoiced", () => {
	test("by the period like metered usage, and late usage with the next invoice by its own period", async () => {
		const ours = await office("2026-04-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 5 }), used("jobs", { month: 2 })]);
		await ours.buy("pro");
		await ours.report("jobs", 3);
		await ours.report("jobs", -1);
		await ours.advance("2026-05-02T00:00:00Z");
		await ours.report("jobs", 4, "2026-04-30T23:59:59.999Z");
		await ours.report("jobs", 1, "2026-05-01T00:00:00Z");
		await ours.advance("2026-06-02T00:00:00Z");
		await ours.advance("2026-07-02T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 5 = pro 5",
			"2026-05-01: 9 = pro 5 + 2 jobs (pro) 4",
			"2026-06-01: 15 = pro 5 + jobs (pro) 2 + 4 jobs (pro) 8",
			"2026-07-01: 5 = pro 5",
		]);
	});

	test("beyond a limit by the limit's own periods", async () => {
		const ours = await office("2026-04-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 5 })], { overagePricingModels: [beyond("jobs", 10, { month: 1 })] });
		await ours.buy("pro");
		await ours.report("jobs", 14);
		await ours.advance("2026-05-02T00:00:00Z");
		await ours.report("jobs", 9);
		await ours.advance("2026-06-02T00:00:00Z");
		expect((await ours.books()).map((line) => line.split(" = ")[0])).toEqual([
			"2026-04-01: 5",
			"2026-05-01: 9",
			"2026-06-01: 5",
		]);
	});

	test("bills seats by their number at a period's end, also in months without a report", async () => {
		const ours = await office("2026-04-01T00:00:00Z");
		await ours.plan("team", [used("seats", { month: 10 })]);
		await ours.buy("team");
		await ours.report("seats", 3);
		await ours.report("seats", 2, "2026-04-01T12:00:00Z");
		await ours.advance("2026-05-15T00:00:00Z");
		await ours.report("seats", 4, undefined, { updateBehavior: "SET" });
		await ours.advance("2026-07-02T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-05-01: 50 = 5 Seats (team) 50",
			"2026-06-01: 40 = 4 Seats (team) 40",
			"2026-07-01: 40 = 4 Seats (team) 40",
		]);
	});

	test("adds late seats to every period since, and bills the difference of each", async () => {
		const ours = await office("2026-04-01T00:00:00Z");
		await ours.plan("team", [used("seats", { month: 10 })]);
		await ours.buy("team");
		await ours.report("seats", 3);
		await ours.advance("2026-07-15T00:00:00Z");
		await ours.report("seats", 1, "2026-05-10T00:00:00Z");
		await ours.advance("2026-09-02T00:00:00Z");
		expect((await ours.books()).map((line) => line.split(" = ")[0])).toEqual([
			"2026-05-01: 30",
			"2026-06-01: 30",
			"2026-07-01: 30",
			// Four seats of July, and the fourth of May and of June.
			"2026-08-01: 60",
			"2026-09-01: 40",
		]);
	});
});

describe("seats weighted by time", () => {
	test("bill their average over the period, exact to the millisecond", async () => {
		const ours = await office("2026-04-01T00:00:00Z");
		await ours.plan("team", [used("desks", { month: 10 })]);
		await ours.buy("team");
		await ours.report("desks", 10);
		await ours.advance("2026-04-21T00:00:00Z");
		// Ten of April's thirty days.
		await ours.report("desks", 3);
		await ours.advance("2026-06-02T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-05-01: 110 = 11 desks (team) 110",
			"2026-06-01: 130 = 13 desks (team) 130",
		]);
	});

	test("a period cut short costs its part", async () => {
		const ours = await office("2026-04-01T00:00:00Z");
		await ours.plan("team", [used("desks", { month: 10 })]);
		await ours.plan("large", [used("desks", { month: 20 })]);
		const id = await ours.buy("team");
		await ours.report("desks", 6);
		await ours.advance("2026-04-16T00:00:00Z");
		const body = { cancellationTime: "IMMEDIATE" };
		expect((await ours.call("POST", `/subscriptions/${id}/cancel`, { body })).status).toBe(200);
		await ours.advance("2026-06-02T00:00:00Z");
		// Half of April.
		expect((await ours.books()).map((line) => line.split(" = ")[0])).toEqual(["2026-04-16: 30"]);
	});

	test("raise the average of their own time when reported late, in every period since", async () => {
		const ours = await office("2026-04-01T00:00:00Z");
		await ours.plan("team", [used("desks", { month: 10 })]);
		await ours.buy("team");
		await ours.report("desks", 2);
		await ours.advance("2026-06-15T00:00:00Z");
		await ours.report("desks", 3, "2026-04-11T00:00:00Z");
		await ours.advance("2026-07-02T00:00:00Z");
		expect((await ours.books()).map((line) => line.split(" = ")[0])).toEqual([
			"2026-05-01: 20",
			"2026-06-01: 20",
			// June's five, twenty of April's thirty days of three, and May's three.
			"2026-07-01: 100",
		]);
	});

	test("are shown as such, and rejected where they have no meaning", async () => {
		const ours = await office("2026-04-01T00:00:00Z");
		expect((await ours.call("GET", "/features/desks")).body.data.billedUsage).toBe("TIME_WEIGHTED_AVERAGE");
		const create = (body: object) =>
			ours.call("POST", "/features", { body: { id: "more", displayName: "More", featureType: "NUMBER", ...body } });
		const billedUsage = "TIME_WEIGHTED_AVERAGE";
		isRefusal(await create({ meterType: "INCREMENTAL", billedUsage }), 400, "UnsupportedParameter", "FLUCTUATING");
		isRefusal(await create({ billedUsage }), 400, "UnsupportedParameter", "FLUCTUATING");
		const change = (body: object) => ours.call("PATCH", "/features/desks", { body });
		const meter = { aggregation: { function: "COUNT" }, filters: [] };
		isRefusal(await change({ meter }), 400, "UnsupportedParameter", "meter");
		expect((await change({ meter, billedUsage: "LAST_VALUE" })).body.data.billedUsage).toBeUndefined();
		isRefusal(await change({ billedUsage }), 400, "UnsupportedParameter", "meter");
	});

	test("cannot be changed while a subscription is active on them", async () => {
		const ours = await office("2026-04-01T00:00:00Z");
		await ours.plan("team", [used("desks", { month: 10 })]);
		await ours.buy("team");
		const change = (billedUsage: string) => ours.call("PATCH", "/features/desks", { body: { billedUsage } });
		isRefusal(await change("LAST_VALUE"), 400, "CannotUpdateMeterOfFeatureInUse", "billed");
		expect((await change("TIME_WEIGHTED_AVERAGE")).status).toBe(200);
	});
});

test("late usage before a window that another subscription continues is billed after an end", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const limit = {
		...beyond("calls", 10, { month: 1 }).entitlement,
		monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" },
	};
	const overagePricingModels = [{ ...beyond("calls", 10, { month: 1 }), entitlement: limit }];
	await ours.plan("basic", [flat({ month: 10 })], { overagePricingModels });
	await ours.plan("pro", [flat({ month: 20 })], { overagePricingModels });
	await ours.buy("basic");
	await ours.advance("2026-02-10T00:00:00Z");
	await ours.buy("pro");
	await ours.use("calls", 3, "2026-02-05T00:00:00Z");
	await ours.advance("2026-03-11T00:00:00Z");
	await ours.use("calls", 15, "2026-01-20T00:00:00Z");
	await ours.advance("2026-04-11T00:00:00Z");
	expect((await ours.books()).filter((line) => line.includes("(basic) 5"))).toEqual([
		"2026-04-10: 5 = 5 Calls (basic) 5",
	]);
});
