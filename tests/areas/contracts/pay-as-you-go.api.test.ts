import { describe, expect, test } from "bun:test";
import { day, invoicesOf, publish, summaryOf, term, type World } from "./invoicing";
import { contractWorld, fee, items } from "./support";

describe("pay as you go", () => {
	const usage = {
		name: "Calls",
		externalId: "calls",
		itemName: "calls",
		pricingModelId: "usage-tiered",
		rows: [{ to: 100, price: 0.1 }, { price: 0.05 }],
		netTerms: 10,
	};

	async function metered(lines: object[] = [usage]): Promise<World> {
		const here = await contractWorld();
		const feature = { id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" };
		await here.call("POST", "/features", { body: feature });
		const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "call" }] }];
		const meter = { filters, aggregation: { function: "SUM", field: "n" } };
		const set = await here.call("PATCH", "/features/calls", { body: { meter } });
		if (set.status !== 200) throw new Error(JSON.stringify(set.body));
		await here.call("POST", "/contracts", {
			body: { customerId: "acme", contractId: "C-1", subscriptions: [{ existingSubscriptionId: "sub-platform" }] },
		});
		const added = await here.call("POST", items, { body: { items: lines, ...term } });
		if (added.status !== 201) throw new Error(JSON.stringify(added.body));
		const live = await here.call("POST", publish);
		if (live.status !== 200) throw new Error(JSON.stringify(live.body));
		return here;
	}

	let events = 0;
	async function used(here: World, timestamp: string, n: number): Promise<void> {
		events += 1;
		const event = {
			eventName: "call",
			customerId: "acme",
			idempotencyKey: `e-${events}`,
			timestamp,
			dimensions: { n },
		};
		const { status, body } = await here.call("POST", "/events", { body: { events: [event] } });
		if (status !== 200) throw new Error(JSON.stringify(body));
		here.countUsage();
	}

	test("reads the usage so far on demand: the reported usage, and the usage that has no cycle yet", async () => {
		const later = { activationStartDate: "2026-06-01T00:00:00Z", activationEndDate: "2026-12-01T00:00:00Z" };
		const here = await metered([usage, { ...usage, externalId: "later", ...later }, fee]);
		await here.advance("2026-02-10T00:00:00Z");
		await used(here, "2026-02-05T00:00:00Z", 42);
		const read = async () => (await here.call("POST", "/contracts/C-1/usage/refresh")).body.data;
		const item = { itemId: expect.any(String), featureId: "calls" };
		const february = { periodStart: "2026-02-01T00:00:00.000Z", periodEnd: "2026-03-01T00:00:00.000Z" };
		expect(await read()).toEqual({
			reported: [{ ...item, quantity: 42, ...february }],
			failed: [],
			skipped: [{ ...item, message: expect.stringContaining("begun") }],
		});
		here.db.$client.run("UPDATE features SET meter_type = 'None' WHERE ref_id = 'calls'");
		expect((await read()).failed).toEqual([{ ...item, message: expect.stringContaining("'calls' is not metered") }]);
	});

	test("is rated from the meter when a cycle ends; nothing used is no invoice", async () => {
		const here = await metered();
		await here.advance("2026-02-20T00:00:00Z");
		await used(here, "2026-02-10T00:00:00Z", 120);
		expect((await here.call("GET", "/contracts/C-1")).body.data.nextInvoice.amount.amount).toBe(11);
		await here.advance("2026-05-02T00:00:00Z");
		const invoices = await invoicesOf(here);
		expect(summaryOf(invoices)).toEqual(["2026-03-01 due 2026-03-11: 11"]);
		expect(invoices[0]?.lineItems).toMatchObject([{ description: "Calls", quantity: 120, amount: 11 }]);
	});

	test("puts late usage on the next invoice, as the difference of its own cycle, once", async () => {
		const here = await metered([usage, { ...fee, paymentTime: "IN_ARREARS", netTerms: 10 }]);
		await here.advance("2026-02-20T00:00:00Z");
		await used(here, "2026-02-10T00:00:00Z", 90);
		await here.advance("2026-03-20T00:00:00Z");
		await used(here, "2026-02-11T00:00:00Z", 30);
		await used(here, "2026-03-11T00:00:00Z", 10);
		await here.advance("2026-05-02T00:00:00Z");
		expect(
			(await invoicesOf(here)).map(({ issueDate, lineItems }) => [
				day(issueDate),
				...lineItems.map(({ quantity, amount }) => [quantity, amount]),
			]),
		).toEqual([
			["2026-03-01", [90, 9], [1, 100]],
			["2026-04-01", [10, 1], [30, 2], [1, 100]],
			["2026-05-01", [1, 100]],
		]);
	});

	test("invoices usage reported after the end separately, at the next monthly check", async () => {
		const here = await metered();
		await here.advance("2027-02-10T00:00:00Z");
		expect((await here.call("GET", "/contracts/C-1")).body.data.billingState).toBe("END_BILLING");
		await used(here, "2027-01-15T00:00:00Z", 50);
		await here.advance("2027-06-01T00:00:00Z");
		expect(summaryOf(await invoicesOf(here))).toEqual(["2027-03-01 due 2027-03-11: 5"]);
	});

	test("invoices late usage of an ended item separately while the contract goes on", async () => {
		const ended = { activationStartDate: "2026-02-01T00:00:00Z", activationEndDate: "2026-04-01T00:00:00Z" };
		const here = await metered([
			{ ...usage, ...ended },
			{ ...fee, billingCycleUnit: "yearly" },
		]);
		await here.advance("2026-04-10T00:00:00Z");
		await used(here, "2026-03-15T00:00:00Z", 50);
		await here.advance("2026-12-01T00:00:00Z");
		expect(summaryOf(await invoicesOf(here))).toEqual([
			"2026-02-01 due 2026-03-03: 100",
			"2026-05-01 due 2026-05-11: 5",
		]);
	});

	test("keeps late usage of items after their last invoice separate where those items are invoiced separately", async () => {
		const here = await metered([usage, { ...usage, externalId: "apart", separateInvoice: true }]);
		await here.advance("2027-02-10T00:00:00Z");
		await used(here, "2027-01-15T00:00:00Z", 50);
		await here.advance("2027-03-02T00:00:00Z");
		expect(summaryOf(await invoicesOf(here))).toEqual(["2027-03-01 due 2027-03-11: 5", "2027-03-01 due 2027-03-11: 5"]);
	});

	test("taken out, what is charged once for all that is used is charged for what was used until then", async () => {
		const here = await metered([{ ...usage, billingCycleUnit: "one_time" }, fee]);
		await used(here, "2026-01-31T00:00:00Z", 7);
		await here.advance("2026-02-15T00:00:00Z");
		await used(here, "2026-02-10T00:00:00Z", 50);
		await here.call("POST", "/contracts/C-1/billing/edit-active");
		await here.call("DELETE", `${items}/calls`);
		expect((await here.call("POST", publish)).status).toBe(200);
		expect(summaryOf(await invoicesOf(here))).toEqual([
			"2026-02-01 due 2026-03-03: 100",
			"2026-02-15 due 2026-02-25: 5",
		]);
	});

	test("counts no usage where more was canceled than was used; late usage counts from there", async () => {
		const here = await metered();
		await here.advance("2026-02-10T00:00:00Z");
		await used(here, "2026-02-05T00:00:00Z", -3);
		await here.advance("2026-03-10T00:00:00Z");
		await used(here, "2026-02-06T00:00:00Z", 10);
		await here.advance("2026-04-01T00:00:00Z");
		const [invoice] = await invoicesOf(here);
		expect(invoice?.lineItems).toMatchObject([{ quantity: 7, amount: 0.7 }]);
	});
});
