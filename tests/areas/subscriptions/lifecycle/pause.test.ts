import { describe, expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import { flat, perUnit, type Till, till, units, used } from "../billing";

const pause = (ours: Till, id: string, body: object = {}, query = "") =>
	ours.call("POST", `/subscriptions/${id}/pause${query}`, { body });
const resume = (ours: Till, id: string, body: object = {}, query = "") =>
	ours.call("POST", `/subscriptions/${id}/resume${query}`, { body });
const shown = async (ours: Till, id: string) => (await ours.call("GET", `/subscriptions/${id}`)).body.data;
const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

/** A plan of 31.00 from 1 January 2026. */
async function selling(models: readonly object[] = [flat({ month: 31 })], body: object = {}) {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", models);
	return { ours, id: await ours.buy("pro", body) };
}

describe("pause and resume (2.17)", () => {
	test("credits the unused time, charges nothing meanwhile, and charges the rest of the period that runs", async () => {
		const { ours, id } = await selling();
		await ours.advance("2026-01-11T00:00:00Z");
		const paused = await pause(ours, id);
		expect({ status: paused.status, data: paused.body.data }).toMatchObject({
			status: 200,
			data: {
				status: "PAUSED",
				pause: { date: "2026-01-11T00:00:00.000Z", resumeAt: null, prorate: true, billingCycleAnchor: "UNCHANGED" },
				currentBillingPeriodEnd: null,
			},
		});
		expect(found(ours)).toEqual([]);
		await ours.advance("2026-02-08T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-01-01: 31 = pro 31", "2026-01-11: -21 = Unused time: pro -21"]);
		const resumed = await resume(ours, id);
		expect(resumed.body.data).toMatchObject({
			status: "ACTIVE",
			currentBillingPeriodStart: "2026-02-01T00:00:00.000Z",
			currentBillingPeriodEnd: "2026-03-01T00:00:00.000Z",
		});
		expect(resumed.body.data.pause).toBeUndefined();
		expect((await ours.books()).at(-1)).toStartWith("2026-02-08: 23.25 = pro");
		expect(found(ours)).toEqual([]);
		await ours.advance("2026-03-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-03-01: 31 = pro 31");
		expect(found(ours)).toEqual([]);
	});

	test("starts a new period with the anchor NOW", async () => {
		const { ours, id } = await selling();
		await ours.advance("2026-01-11T00:00:00Z");
		await pause(ours, id);
		await ours.advance("2026-02-08T00:00:00Z");
		expect((await resume(ours, id, { billingCycleAnchor: "NOW" })).body.data).toMatchObject({
			billingCycleAnchor: "2026-02-08T00:00:00.000Z",
			currentBillingPeriodEnd: "2026-03-08T00:00:00.000Z",
		});
		expect((await ours.books()).at(-1)).toBe("2026-02-08: 31 = pro 31");
		await ours.advance("2026-03-08T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-03-08: 31 = pro 31");
		expect(found(ours)).toEqual([]);
	});

	test("runs a scheduled pause and its resumption as steps", async () => {
		const { ours, id } = await selling();
		const body = { at: "SPECIFIC_DATE", date: "2026-01-11T00:00:00Z", resumeAt: "2026-02-08T00:00:00Z" };
		expect((await pause(ours, id, body)).body.data).toMatchObject({
			status: "ACTIVE",
			pause: { date: "2026-01-11T00:00:00.000Z", resumeAt: "2026-02-08T00:00:00.000Z" },
		});
		await ours.advance("2026-01-20T00:00:00Z");
		expect((await shown(ours, id)).status).toBe("PAUSED");
		await ours.advance("2026-03-01T00:00:00Z");
		expect((await ours.books()).map((line) => line.slice(0, 18))).toEqual([
			"2026-01-01: 31 = p",
			"2026-01-11: -21 = ",
			"2026-02-08: 23.25 ",
			"2026-03-01: 31 = p",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("bills usage until the pause, and none of the pause", async () => {
		const { ours, id } = await selling([flat({ month: 31 }), used("calls", { month: 0.1 })]);
		await ours.advance("2026-01-10T00:00:00Z");
		await ours.use("calls", 100);
		await ours.advance("2026-01-11T00:00:00Z");
		await pause(ours, id);
		await ours.advance("2026-01-15T00:00:00Z");
		await ours.use("calls", 1000);
		await ours.advance("2026-01-20T00:00:00Z");
		await resume(ours, id);
		await ours.use("calls", 7);
		await ours.use("calls", 20, "2026-01-05T00:00:00Z");
		await ours.advance("2026-02-01T00:00:00Z");
		expect(await ours.books()).toMatchInlineSnapshot(`
		  [
		    "2026-01-01: 31 = pro 31",
		    "2026-01-11: -11 = Unused time: pro -21 + 100 Calls (pro) 10",
		    "2026-01-20: 12 = pro 12",
		    "2026-02-01: 33.7 = pro 31 + 7 Calls (pro) 0.7 + 20 Calls (pro) 2",
		  ]
		`);
		expect(found(ours)).toEqual([]);
	});

	test("does not charge again what the pause left: without proration, and for fees that are never credited", async () => {
		for (const [model, body] of [
			[flat({ month: 31 }), { prorate: false }],
			[flat({ month: 31 }, { prorationMode: "NONE" }), {}],
			[flat({ month: 31 }, { refundsUnusedTime: false }), {}],
		] as const) {
			const { ours, id } = await selling([model]);
			await ours.advance("2026-01-11T00:00:00Z");
			await pause(ours, id, body);
			await ours.advance("2026-01-20T00:00:00Z");
			await resume(ours, id);
			expect(await ours.books()).toEqual(["2026-01-01: 31 = pro 31"]);
			await ours.advance("2026-02-01T00:00:00Z");
			expect((await ours.books()).at(-1)).toBe("2026-02-01: 31 = pro 31");
			expect(found(ours)).toEqual([]);
		}
	});

	test("a pause of zero length changes no balance in any mode", async () => {
		for (const prorationMode of ["BY_TIME", "BY_DAY", "THIRTY_DAY_MONTH", "NONE"]) {
			const { ours, id } = await selling([flat({ month: 31 }, { prorationMode })]);
			await ours.advance("2026-01-30T12:00:00Z");
			await pause(ours, id);
			await resume(ours, id);
			const sums = (await ours.books()).slice(1).map((line) => Number(line.match(/: (-?[\d.]+)/)?.[1]));
			expect(sums.reduce((sum, one) => sum + one, 0)).toBe(0);
			expect(found(ours)).toEqual([]);
			const before = await ours.books();
			const at = "2026-01-30T12:00:00Z";
			await pause(ours, id, { at: "SPECIFIC_DATE", date: at, resumeAt: at });
			expect(await ours.books()).toEqual(before);
			expect((await shown(ours, id)).pause).toBeUndefined();
		}
	});

	test("keeps its place, and its end goes on running", async () => {
		const { ours, id } = await selling();
		await ours.plan("other", [flat({ month: 10 })]);
		await ours.cancel(id, { cancellationTime: "SPECIFIC_DATE", endDate: "2026-01-20T00:00:00Z", prorate: true });
		await ours.advance("2026-01-11T00:00:00Z");
		await pause(ours, id);
		const refused = await ours.call("POST", "/subscriptions", { body: { customerId: "acme", planId: "other" } });
		expect(refused.body).toMatchObject({ code: "InvalidSubscriptionStatus" });
		await ours.advance("2026-02-01T00:00:00Z");
		expect((await shown(ours, id)).status).toBe("CANCELED");
		expect((await ours.books()).length).toBe(2);
		expect(found(ours)).toEqual([]);
		await ours.buy("other");
	});

	test("changes of terms take effect at the resumption", async () => {
		const { ours, id } = await selling([perUnit("seats", { month: 31 })], units("seats", 1));
		await ours.advance("2026-01-11T00:00:00Z");
		await pause(ours, id);
		const changed = await ours.change(id, units("seats", 2));
		expect(changed.futureUpdates).toMatchObject([{ subscriptionScheduleType: "UNIT_AMOUNT" }]);
		await ours.advance("2026-02-08T00:00:00Z");
		expect((await ours.books()).length).toBe(2);
		await resume(ours, id);
		const sums = (await ours.books()).slice(2).map((line) => Number(line.match(/: (-?[\d.]+)/)?.[1]));
		expect(sums.reduce((sum, one) => sum + one, 0)).toBe(46.5);
		await ours.advance("2026-03-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toStartWith("2026-03-01: 62 =");
		expect(found(ours)).toEqual([]);
	});
});

describe("the check of invoices", () => {
	/** A subscription that was paused from 11 January to 8 February. */
	async function resumed() {
		const { ours, id } = await selling();
		await ours.advance("2026-01-11T00:00:00Z");
		await pause(ours, id);
		await ours.advance("2026-02-08T00:00:00Z");
		await resume(ours, id);
		expect(found(ours)).toEqual([]);
		return ours;
	}

	test("finds a charge within the pause", async () => {
		const ours = await resumed();
		const at = Date.parse("2026-02-01T00:00:00Z");
		ours.db.$client.run(`UPDATE invoice_lines SET period_start = ${at} WHERE amount = '23.25'`);
		expect(found(ours).join("\n")).toContain("charges time in the pause from 2026-01-11");
	});

	test("finds a missing credit, of the charge and on a document", async () => {
		const ours = await resumed();
		ours.db.$client.run("UPDATE credit_note_lines SET charge_id = 'another'");
		expect(found(ours).join("\n")).toContain("expected a credit on a document");
		ours.db.$client.run("DELETE FROM charge_credits");
		expect(found(ours).join("\n")).toContain("is not credited from the pause at 2026-01-11");
	});

	test("finds a wrong share of the resumption", async () => {
		const ours = await resumed();
		ours.db.$client.run(`UPDATE invoice_lines SET period_start = period_start + 86400000 WHERE amount = '23.25'`);
		expect(found(ours).join("\n")).toMatch(/charges 1814400000 \/ 2419200000 ms of .*, expected 1728000000/);
	});

	test("owes nothing back where another system has charged more of the period than its credits", async () => {
		const ours = await till("2026-03-01T00:00:00Z");
		await ours.plan("year", [flat({ year: 4 })]);
		await ours.addon("boost", flat({ year: 900 }));
		await ours.coupon("whole", { percent: 100, months: 2 });
		const body = { appliedCoupon: { couponId: "whole" }, startDate: "2026-02-03T00:00:00Z" };
		const id = await ours.buy("year", body);
		await ours.advance("2026-03-03T00:00:00Z");
		await ours.change(id, { addons: [{ id: "boost", quantity: 1 }] });
		await ours.advance("2026-05-03T00:00:00Z");
		expect((await pause(ours, id)).status).toBe(200);
		expect(await ours.books()).toEqual(["2026-03-03: 0 less 830.96 = boost 830.96"]);
		expect(found(ours)).toEqual([]);
	});

	test("an end after it credits nothing of what another system has charged", async () => {
		const ours = await till("2026-03-01T00:00:00Z");
		await ours.plan("year", [flat({ year: 365 })]);
		await ours.addon("boost", flat({ year: 730 }));
		const id = await ours.buy("year", { startDate: "2026-02-03T00:00:00Z" });
		await ours.change(id, {
			billingInformation: { prorationBehavior: "NONE" },
			addons: [{ id: "boost", quantity: 1 }],
		});
		await ours.advance("2026-05-03T00:00:00Z");
		await pause(ours, id);
		await ours.advance("2026-08-11T00:00:00Z");
		await resume(ours, id);
		expect(found(ours)).toEqual([]);
		await ours.advance("2026-09-01T00:00:00Z");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		expect(await ours.books()).toEqual([
			"2026-08-11: 352 = boost 352",
			"2026-09-01: -310 = Unused time: year -155 + Unused time: boost -310 + Not charged here: year 155",
		]);
		expect(found(ours)).toEqual([]);
	});
});
