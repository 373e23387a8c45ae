import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { flat, perUnit, type Till, till, units, used } from "../billing";
import { april, purchased } from "./change/april";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

describe("a change mid-cycle", () => {
	test("is prorated at once, several times in a row", async () => {
		const ours = await april();
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(ours.id, units("seats", 3));
		await ours.advance("2026-04-22T00:00:00Z");
		await ours.change(ours.id, { ...units("seats", 2), addons: [{ id: "extra", quantity: 2 }] });
		await ours.change(ours.id, { addons: [] });
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			purchased,
			"2026-04-16: 3 = Unused time: Seats (pro) -1.5 + 3 Seats (pro) 4.5",
			"2026-04-22: 2.7 = 3 Unused time: Seats (pro) -2.7 + 2 Seats (pro) 1.8 + 2 extra 3.6",
			// At most the rest of that invoice; the remainder reduces the one before.
			"2026-04-22: -2.7 = 2 Unused time: extra -2.7",
			"2026-04-22: -0.9 = 2 Unused time: extra -0.9",
			"2026-05-01: 36 = pro 30 + 2 Seats (pro) 6",
		]);
	});

	test("waits for the next invoice, rated at the time of the change", async () => {
		const ours = await april({ behavior: "CREATE_PRORATIONS" });
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(ours.id, units("seats", 3));
		await ours.advance("2026-04-22T00:00:00Z");
		await ours.change(ours.id, units("seats", 2));
		expect(await ours.books()).toEqual([purchased]);
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			purchased,
			"2026-05-01: 38.1 = Unused time: Seats (pro) -1.5 + 3 Seats (pro) 4.5 + 3 Unused time: Seats (pro) -2.7 + 2 Seats (pro) 1.8 + pro 30 + 2 Seats (pro) 6",
			"2026-06-01: 36 = pro 30 + 2 Seats (pro) 6",
		]);
	});

	test("to another plan continues the cycle, even if nothing was charged in advance", async () => {
		const ours = await april();
		await ours.plan("metered", [used("calls", { month: 0.5 })]);
		await ours.customer("usage");
		await ours.buy("metered", { customerId: "usage" });
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.use("calls", 4, "2026-04-10T00:00:00Z", "usage");
		const id = await ours.buy("basic", { customerId: "usage", billingPeriod: "MONTHLY" });
		const { data } = (await ours.call("GET", `/subscriptions/${id}`)).body;
		expect([data.currentBillingPeriodStart, data.currentBillingPeriodEnd]).toEqual([
			"2026-04-01T00:00:00.000Z",
			"2026-05-01T00:00:00.000Z",
		]);
		await ours.advance("2026-05-16T00:00:00Z");
		await ours.buy("metered", { customerId: "usage" });
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await ours.books("usage")).toEqual([
			"2026-04-16: 8 = 4 Calls (metered) 2 + basic 6",
			"2026-05-01: 12 = basic 12",
			"2026-05-16: -6.19 = Unused time: basic -6.19",
		]);
	});

	test("credits unused time at a scheduled end if requested", async () => {
		const ours = await april();
		await ours.plan("single", [flat({ month: 30 })]);
		const date = { cancellationTime: "SPECIFIC_DATE", endDate: "2026-04-16T00:00:00Z" };
		for (const [customerId, prorate] of Object.entries({ yes: true, not: false, silent: undefined, undone: true })) {
			await ours.customer(customerId);
			const id = await ours.buy("single", { customerId });
			await ours.cancel(id, { ...date, prorate });
			if (customerId === "undone") await ours.change(id, { cancellationDate: date.endDate });
		}
		await ours.advance("2026-05-02T00:00:00Z");
		expect(await ours.books("yes")).toEqual([
			"2026-04-01: 30 = single 30",
			"2026-04-16: -15 = Unused time: single -15",
		]);
		for (const customerId of ["not", "silent", "undone"])
			expect(await ours.books(customerId)).toEqual(["2026-04-01: 30 = single 30"]);
	});

	test("settles waiting lines with any kind of end", async () => {
		const ours = await april({ behavior: "CREATE_PRORATIONS" });
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(ours.id, units("seats", 3));
		await ours.cancel(ours.id);
		expect(await ours.books()).toEqual([
			purchased,
			"2026-04-16: -16.5 = Unused time: Seats (pro) -1.5 + 3 Seats (pro) 4.5 + Unused time: pro -15 + 3 Unused time: Seats (pro) -4.5",
		]);
	});

	test("is not charged before the next period, nor credited, without proration", async () => {
		const ours = await april({ behavior: "NONE" });
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(ours.id, { ...units("seats", 3), addons: [{ id: "setup", quantity: 1 }] });
		await ours.change(ours.id, units("seats", 2));
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			purchased,
			"2026-04-16: 50 = setup 50",
			"2026-05-01: 36 = pro 30 + 2 Seats (pro) 6",
		]);
	});

	test("starts a new cycle with the anchor NOW, or with another billing period", async () => {
		const ours = await april();
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(ours.id, { ...units("seats", 2), billingCycleAnchor: "NOW" });
		await ours.advance("2026-05-31T00:00:00Z");
		await ours.change(ours.id, { billingPeriod: "ANNUALLY" });
		await ours.advance("2027-05-31T00:00:00Z");
		expect(await ours.books()).toEqual([
			purchased,
			"2026-04-16: 19.5 = Unused time: pro -15 + Unused time: Seats (pro) -1.5 + pro 30 + 2 Seats (pro) 6",
			"2026-05-16: 36 = pro 30 + 2 Seats (pro) 6",
			// 16 of 31 days are left.
			"2026-05-31: 341.42 = Unused time: pro -15.48 + 2 Unused time: Seats (pro) -3.1 + pro 300 + 2 Seats (pro) 60",
			"2027-05-31: 360 = pro 300 + 2 Seats (pro) 60",
		]);
	});

	test("costs nothing if nothing is repriced: the same items, another order, or metadata", async () => {
		const ours = await april();
		await ours.change(ours.id, {
			addons: [
				{ id: "extra", quantity: 1 },
				{ id: "other", quantity: 1 },
			],
		});
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.coupon("TEN", { percent: 10 });
		await ours.change(ours.id, { ...units("seats", 1), appliedCoupon: { couponId: "TEN" } });
		await ours.change(ours.id, {
			addons: [
				{ id: "other", quantity: 1 },
				{ id: "extra", quantity: 1 },
			],
		});
		await ours.change(ours.id, { metadata: { a: "b" }, billingInformation: { taxPercentage: 10 } });
		expect(await ours.books()).toEqual([purchased, "2026-04-01: 15 = extra 6 + other 9"]);
	});
});

describe("a change at the end of the period", () => {
	test.each(["INVOICE_IMMEDIATELY", "CREATE_PRORATIONS", "NONE"])(
		"is charged with the renewal: %s",
		async (behavior) => {
			const ours = await april({ behavior });
			await ours.advance("2026-04-16T00:00:00Z");
			const later = { scheduleStrategy: "END_OF_BILLING_PERIOD" };
			await ours.change(ours.id, { ...units("seats", 2), addons: [{ id: "setup", quantity: 1 }], ...later });
			await ours.change(ours.id, { metadata: { a: "b" }, ...later });
			await ours.advance("2026-06-01T00:00:00Z");
			expect(await ours.books()).toEqual([
				purchased,
				"2026-05-01: 86 = setup 50 + pro 30 + 2 Seats (pro) 6",
				"2026-06-01: 36 = pro 30 + 2 Seats (pro) 6",
			]);
		},
	);

	test("keeps a scheduled discount when another coupon replaces it before the renewal", async () => {
		const ours = await april();
		await ours.coupon("TEN", { percent: 10 });
		const coupon = { appliedCoupon: { couponId: "TEN" } };
		await ours.change(ours.id, { ...units("seats", 2), ...coupon, scheduleStrategy: "END_OF_BILLING_PERIOD" });
		await ours.change(ours.id, coupon);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([purchased, "2026-05-01: 32.4 less 3.6 = pro 30 + 2 Seats (pro) 6"]);
	});

	test("bills the usage of the ended period at its own prices", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 10 }), used("calls", { month: 0.5 })]);
		await ours.addon("more", flat({ month: 1 }));
		const id = await ours.buy("pro");
		await ours.advance("2026-04-21T00:00:00Z");
		await ours.use("calls", 7, "2026-04-20T00:00:00Z");
		await ours.change(id, {
			scheduleStrategy: "END_OF_BILLING_PERIOD",
			addons: [{ id: "more", quantity: 1 }],
			priceOverrides: [{ featureId: "calls", amount: 2 }],
		});
		await ours.advance("2026-05-10T00:00:00Z");
		await ours.use("calls", 3, "2026-05-09T00:00:00Z");
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 10 = pro 10",
			"2026-05-01: 14.5 = 7 Calls (pro) 3.5 + pro 10 + more 1",
			"2026-06-01: 17 = pro 10 + more 1 + 3 Calls (pro) 6",
		]);
	});
});

describe("a change that waits for its payment", () => {
	const awaited = { awaitPaymentConfirmation: true };
	const pay = (ours: Till, id: string, number: string) =>
		ours
			.insist("GET", "/customers/acme/invoices")
			.then((invoices) => invoices.find((one: { invoiceNumber: string }) => one.invoiceNumber === number))
			.then(({ invoiceId }) => ours.insist("POST", `/customers/acme/invoices/${invoiceId}/paid`, {}))
			.then(() => ours.insist("GET", `/subscriptions/${id}`));

	test("is charged once if it starts a new cycle, with lines that waited for an invoice", async () => {
		const ours = await april({ behavior: "CREATE_PRORATIONS" });
		await ours.advance("2026-04-10T00:00:00Z");
		await ours.change(ours.id, { addons: [{ id: "extra", quantity: 1 }] });
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(ours.id, { ...units("seats", 2), billingCycleAnchor: "NOW", ...awaited });
		await pay(ours, ours.id, "INV-000002");
		await ours.advance("2026-05-16T00:00:00Z");
		expect(await ours.books()).toEqual([
			purchased,
			"2026-04-16: 22.5 = Unused time: pro -15 + Unused time: Seats (pro) -1.5 + Unused time: extra -3 + pro 30 + 2 Seats (pro) 6 + extra 6",
			"2026-04-16: 4.2 = extra 4.2",
			"2026-05-16: 42 = pro 30 + 2 Seats (pro) 6 + extra 6",
		]);
	});

	test("after a renewal is charged for the difference, or credits the renewal", async () => {
		const ours = await april();
		await ours.advance("2026-04-30T12:00:00Z");
		await ours.change(ours.id, { ...units("seats", 31), ...awaited });
		await ours.advance("2026-05-01T00:00:00Z");
		await pay(ours, ours.id, "INV-000002");
		await ours.advance("2026-05-31T12:00:00Z");
		await ours.change(ours.id, { billingPeriod: "ANNUALLY", ...awaited });
		await ours.advance("2026-06-01T00:00:00Z");
		await pay(ours, ours.id, "INV-000005");
		await ours.advance("2027-06-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			purchased,
			"2026-04-30T12:00: 1.5 = Unused time: Seats (pro) -0.05 + 31 Seats (pro) 1.55",
			"2026-05-01: 33 = pro 30 + Seats (pro) 3",
			"2026-05-01: 90 = Unused time: Seats (pro) -3 + 31 Seats (pro) 93",
			// Half a day of 31 is left: 0.48 and 1.5.
			"2026-05-31T12:00: 1228.02 = Unused time: pro -0.48 + 31 Unused time: Seats (pro) -1.5 + pro 300 + 31 Seats (pro) 930",
			"2026-06-01: 123 = pro 30 + 31 Seats (pro) 93",
			"2026-06-01: -123 = Unused time: pro -30 + 31 Unused time: Seats (pro) -93",
			// A year from when it was charged, as its invoice says.
			"2027-05-31T12:00: 1230 = pro 300 + 31 Seats (pro) 930",
		]);
	});
});

test("a change at the very instant of a migration has the prices of the new version", async () => {
	const ours = await april();
	const charges = {
		pricingType: "PAID",
		pricingModels: [flat({ month: 60, year: 600 }), perUnit("seats", { month: 3, year: 30 })],
	};
	await ours.insist("POST", "/plans/pro/draft");
	await ours.insist("PATCH", "/plans/pro", { charges });
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	await ours.advance("2026-04-16T00:00:00Z");
	await ours.insist("POST", `/subscriptions/${ours.id}/migrate`, { subscriptionMigrationTime: "IMMEDIATE" });
	const moved = await ours.books();
	await ours.insist("PATCH", `/subscriptions/${ours.id}`, { billingInformation: { taxPercentage: 10 } });
	expect(moved).toHaveLength(2);
	expect(await ours.books()).toEqual(moved);
});
