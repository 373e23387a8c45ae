import { describe, expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import { data } from "../../../graphql/ask";
import { flat, type Till, till, used } from "../billing";

const trial = (more: object = {}) => ({
	defaultTrialConfig: { duration: 14, units: "DAY", billsUsage: true, ...more },
});

/** A plan of 30.00 with a trial of 14 days that bills usage at 0.02, and a plan `other` without a trial. */
async function trying(more: object = {}, start = "2026-04-01T00:00:00Z") {
	const ours = await till(start);
	await ours.insist("POST", "/plans", { id: "try", displayName: "try", productId: "app", ...trial(more) });
	const charges = { pricingType: "PAID", pricingModels: [flat({ month: 30 }), used("calls", { month: 0.02 })] };
	await ours.insist("PATCH", "/plans/try", { charges });
	await ours.insist("POST", "/plans/try/publish", { migrationType: "NEW_CUSTOMERS" });
	await ours.plan("other", [flat({ month: 10 }), used("calls", { month: 0.05 })]);
	return ours;
}

const end = (ours: Till, id: string, query = "") => ours.call("POST", `/subscriptions/${id}/trial/end${query}`);
const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

describe("a trial that bills its usage (2.25)", () => {
	test("bills the usage of the trial with the first period when it converts", async () => {
		const ours = await trying();
		const id = await ours.buy("try");
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.use("calls", 400);
		await ours.advance("2026-04-15T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-04-15: 38 = 400 Calls (try) 8 + try 30"]);
		await ours.use("calls", 100);
		await ours.advance("2026-05-15T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-05-15: 32 = try 30 + 100 Calls (try) 2");
		// Usage of the trial that comes late is billed with the next invoice.
		await ours.use("calls", 50, "2026-04-12T00:00:00Z");
		await ours.advance("2026-06-15T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-06-15: 31 = try 30 + 50 Calls (try) 1");
		expect(found(ours)).toEqual([]);
		expect((await ours.call("GET", `/subscriptions/${id}`)).body.data.status).toBe("ACTIVE");
	});

	test("ended by a call on 9 April: the first period is 9 April to 9 May", async () => {
		const ours = await trying({ trialEndBehavior: "CANCEL_SUBSCRIPTION" });
		const id = await ours.buy("try");
		await ours.use("calls", 400);
		await ours.advance("2026-04-09T00:00:00Z");
		const preview = await end(ours, id, "?dryRun=true");
		expect(preview.body.data).toMatchObject({
			immediateInvoice: { total: 38 },
			recurringInvoice: { total: 30 },
			billingPeriodRange: { start: "2026-04-09T00:00:00.000Z", end: "2026-05-09T00:00:00.000Z" },
		});
		expect(await ours.books()).toEqual([]);
		const { status, body } = await end(ours, id);
		expect({ status, data: body.data }).toMatchObject({
			status: 200,
			data: {
				status: "ACTIVE",
				trialEndDate: "2026-04-09T00:00:00.000Z",
				billingCycleAnchor: "2026-04-09T00:00:00.000Z",
				currentBillingPeriodStart: "2026-04-09T00:00:00.000Z",
				currentBillingPeriodEnd: "2026-05-09T00:00:00.000Z",
			},
		});
		expect(await ours.books()).toEqual(["2026-04-09: 38 = 400 Calls (try) 8 + try 30"]);
		expect(found(ours)).toEqual([]);
		expect((await end(ours, id)).body).toMatchObject({ code: "InvalidSubscriptionStatus" });
	});

	test("converts by GraphQL, which also previews the invoice", async () => {
		const ours = await trying();
		const subscriptionId = await ours.buy("try");
		await ours.use("calls", 400);
		await ours.advance("2026-04-09T00:00:00Z");
		const ask = async (field: string, selection: string) => {
			const query = `mutation { ${field}(input: { subscriptionId: "${subscriptionId}" }) { ${selection} } }`;
			return (await data(ours, query))[field];
		};
		expect(await ask("previewEndSubscriptionTrial", "immediateInvoice { total { amount } }")).toEqual({
			immediateInvoice: { total: { amount: 38 } },
		});
		expect(await ask("endSubscriptionTrial", "status")).toEqual({ status: "ACTIVE" });
		expect(await ours.books()).toEqual(["2026-04-09: 38 = 400 Calls (try) 8 + try 30"]);
	});

	test("bills its usage alone when it is canceled, or expires", async () => {
		for (const isCanceled of [true, false]) {
			const ours = await trying({ trialEndBehavior: "CANCEL_SUBSCRIPTION" });
			const id = await ours.buy("try");
			await ours.use("calls", 400);
			await ours.advance("2026-04-05T00:00:00Z");
			if (isCanceled) await ours.cancel(id);
			await ours.advance("2026-04-15T00:00:00Z");
			expect(await ours.books()).toEqual([`2026-04-${isCanceled ? "05" : "15"}: 8 = 400 Calls (try) 8`]);
			expect(found(ours)).toEqual([]);
		}
	});

	test("bills its usage on the invoice of the plan that replaces it", async () => {
		const ours = await trying();
		await ours.buy("try");
		await ours.use("calls", 400);
		await ours.advance("2026-04-05T00:00:00Z");
		await ours.buy("other");
		expect(await ours.books()).toEqual(["2026-04-05: 18 = 400 Calls (try) 8 + other 10"]);
		await ours.use("calls", 10);
		await ours.advance("2026-05-05T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-05-05: 10.5 = other 10 + 10 Calls (other) 0.5");
		expect(found(ours)).toEqual([]);
	});

	test("finds a planted amount of a trial's window", async () => {
		const ours = await trying();
		await ours.buy("try");
		await ours.use("calls", 400);
		await ours.advance("2026-04-15T00:00:00Z");
		ours.db.$client.run(`UPDATE charge_periods SET usage_quantity = '300' WHERE usage_quantity = '400'`);
		expect(found(ours).length).toBeGreaterThan(0);
	});
});

describe("a trial whose usage is free", () => {
	test("bills as before, and the configuration shows no new field", async () => {
		const ours = await trying({ billsUsage: false });
		const id = await ours.buy("try");
		await ours.use("calls", 400);
		await ours.advance("2026-04-09T00:00:00Z");
		await end(ours, id);
		expect(await ours.books()).toEqual(["2026-04-09: 30 = try 30"]);
		const { defaultTrialConfig } = (await ours.call("GET", "/plans/try")).body.data;
		expect(defaultTrialConfig).toEqual({ duration: 14, units: "DAY", budget: null, trialEndBehavior: null });
	});
});

describe("a call that ends a trial is refused", () => {
	test("while the customer pays for another plan, and without the right", async () => {
		const ours = await trying();
		const id = await ours.buy("try");
		await ours.buy("other", { trialOverrideConfiguration: { isTrial: false } });
		const refused = await end(ours, id);
		expect(refused).toMatchObject({ status: 400, body: { code: "InvalidSubscriptionStatus" } });
		expect(refused.body.message).toContain("cancel that first");
		expect((await end(ours, "none")).body).toMatchObject({ code: "SubscriptionNotFound" });
		expect((await end(ours, id, "?dryRun=maybe")).status).toBe(400);
	});
});
