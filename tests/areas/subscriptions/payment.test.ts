import { describe, expect, test } from "bun:test";
import { isRefusal } from "../packages/guards";
import { lives } from "./lives";

const life = lives();
const seats = (quantity: number) => ({ charges: [{ id: "seats", quantity, type: "FEATURE" }] });
const pro = { planId: "pro", billingPeriod: "MONTHLY" };
const awaiting = { awaitPaymentConfirmation: true };

const paid = (id: string) => life.post(`/subscriptions/${id}/invoice/paid`);
const newestInvoice = async (customerId: string) =>
	(await life.world.call("GET", `/customers/${customerId}/invoices?limit=100`)).body.data.at(-1);

async function begun(body: object = {}) {
	const customerId = await life.customer();
	const { id, subscription } = await life.provision({ customerId, ...pro, ...body });
	return { customerId, id, subscription };
}

describe("a first payment that is waited for", () => {
	test("gives nothing until it is there, and everything from then on", async () => {
		const { customerId, id, subscription } = await begun(awaiting);
		expect(subscription).toMatchObject({
			status: "PAYMENT_PENDING",
			paymentCollection: "PROCESSING",
			latestInvoice: { status: "OPEN", total: 25, amountDue: 25, billingReason: "SUBSCRIPTION_CREATION" },
		});
		const check = async () =>
			(await life.world.call("GET", `/customers/${customerId}/entitlements/check?featureId=sso`)).body.data.isGranted;
		expect(await check()).toBe(false);
		life.at("2026-01-31T10:00:00Z");
		const answer = await paid(id);
		expect(answer.status).toBe(200);
		expect(answer.body).toEqual({ data: { id } });
		expect(await life.get(id)).toMatchObject({
			status: "ACTIVE",
			paymentCollection: "NOT_REQUIRED",
			billingCycleAnchor: "2026-01-31T00:00:00.000Z",
			latestInvoice: { status: "PAID", amountDue: 0 },
		});
		expect(await check()).toBe(true);
		life.turn(customerId, "2026-03-01T00:00:00Z");
		expect(await life.bills(customerId)).toEqual(["2026-01-31 25 PAID", "2026-02-28 25 OPEN"]);
	});

	test("may be recorded on the invoice itself", async () => {
		const { customerId, id } = await begun(awaiting);
		const { invoiceId } = await newestInvoice(customerId);
		const answer = await life.post(`/customers/${customerId}/invoices/${invoiceId}/paid`, {});
		expect(answer).toMatchObject({ status: 200, body: { data: { invoiceId, state: "PAID" } } });
		expect((await life.get(id)).status).toBe("ACTIVE");
	});

	const tooLate: Array<[string, (id: string, customerId: string) => Promise<Awaited<ReturnType<typeof paid>>>]> = [
		["by the subscription", (id) => paid(id)],
		[
			"by the invoice",
			async (_, customerId) =>
				life.post(`/customers/${customerId}/invoices/${(await newestInvoice(customerId)).invoiceId}/paid`, {}),
		],
	];
	test.each(tooLate)("comes too late after 23 hours, %s", async (_, pay) => {
		const { customerId, id } = await begun(awaiting);
		life.at("2026-01-31T23:00:00Z");
		isRefusal(await pay(id, customerId), 404, "BillingInvoiceStatusError");
		life.turn(customerId, "2026-01-31T23:00:00Z");
		expect(await life.get(id)).toMatchObject({
			status: "EXPIRED",
			cancelReason: "PENDING_PAYMENT_EXPIRED",
			effectiveEndDate: "2026-01-31T23:00:00.000Z",
			paymentCollection: "NOT_REQUIRED",
		});
		expect(await life.bills(customerId)).toEqual(["2026-01-31 25 CANCELED"]);
	});

	const nothingToPay: Array<[string, object]> = [
		["a free plan", { planId: "free" }],
		["a custom plan", { planId: "custom" }],
		["what is paid already", { billingInformation: { isInvoicePaid: true } }],
		["what is paid elsewhere", { paymentCollectionMethod: "NONE" }],
		["a start in the past", { startDate: "2026-01-10T00:00:00Z" }],
	];
	test.each(nothingToPay)("is not waited for with %s", async (_, body) => {
		const { subscription } = await begun({ ...awaiting, ...body });
		expect(subscription).toMatchObject({ status: "ACTIVE", paymentCollection: "NOT_REQUIRED" });
	});

	describe("while another plan runs", () => {
		const both = async () => {
			const customerId = await life.customer();
			await life.provision({ customerId, planId: "basic" });
			life.at("2026-02-14T00:00:00Z");
			const { id } = await life.provision({ customerId, ...pro, ...awaiting });
			expect(await life.states(customerId)).toEqual(["pro PAYMENT_PENDING", "basic ACTIVE"]);
			// Half of 25 less half of 9.99 (5.00).
			expect(await life.bills(customerId)).toEqual(["2026-01-31 9.99 OPEN", "2026-02-14 7.5 OPEN"]);
			return { customerId, id };
		};
		test("it goes on, and ends with the payment", async () => {
			const { customerId, id } = await both();
			life.at("2026-02-14T05:00:00Z");
			await paid(id);
			expect(await life.states(customerId)).toEqual(["pro ACTIVE", "basic CANCELED UPGRADE_OR_DOWNGRADE"]);
			life.turn(customerId, "2026-03-01T00:00:00Z");
			expect((await life.bills(customerId)).slice(1)).toEqual(["2026-02-14 7.5 PAID", "2026-02-28 25 OPEN"]);
			expect(await life.notes(customerId)).toEqual([]);
		});
		test("it goes on, and stays without one", async () => {
			const { customerId } = await both();
			life.turn(customerId, "2026-03-01T00:00:00Z");
			expect(await life.states(customerId)).toEqual(["pro EXPIRED PENDING_PAYMENT_EXPIRED", "basic ACTIVE"]);
			expect(await life.bills(customerId)).toEqual([
				"2026-01-31 9.99 OPEN",
				"2026-02-14 7.5 CANCELED",
				"2026-02-28 9.99 OPEN",
			]);
		});
		test("renewed meanwhile, it is given that period back, which the other is charged for", async () => {
			const customerId = await life.customer();
			await life.provision({ customerId, planId: "basic" });
			life.at("2026-02-27T12:00:00Z");
			const { id } = await life.provision({ customerId, ...pro, ...awaiting });
			life.turn(customerId, "2026-02-28T06:00:00Z");
			expect(await life.states(customerId)).toEqual(["pro PAYMENT_PENDING", "basic ACTIVE"]);
			expect((await life.bills(customerId)).at(-1)).toBe("2026-02-28 9.99 OPEN");
			await paid(id);
			life.turn(customerId, "2026-03-01T00:00:00Z");
			expect(await life.states(customerId)).toEqual(["pro ACTIVE", "basic CANCELED UPGRADE_OR_DOWNGRADE"]);
			expect(await life.notes(customerId)).toEqual(["2026-02-28 9.99 ORDER_CHANGE"]);
			expect((await life.bills(customerId)).filter((bill) => bill.includes(" 25 "))).toEqual(["2026-02-28 25 OPEN"]);
		});
		test("what waits for its next invoice is billed when it ends, once", async () => {
			const customerId = await life.customer();
			const { id: running } = await life.provision({ customerId, ...pro, ...seats(1) });
			life.at("2026-02-14T00:00:00Z");
			const later = { billingInformation: { prorationBehavior: "CREATE_PRORATIONS" } };
			// Half of a seat's 5.
			await life.patch(running, { ...seats(2), ...later });
			const { id } = await life.provision({
				customerId,
				planId: "basic",
				scheduleStrategy: "IMMEDIATE",
				...awaiting,
				billingInformation: { prorationBehavior: "NONE" },
				billingCycleAnchor: "NOW",
			});
			expect((await life.bills(customerId)).slice(1)).toEqual(["2026-02-14 9.99 OPEN"]);
			await paid(id);
			expect((await life.bills(customerId)).slice(1)).toEqual(["2026-02-14 9.99 PAID", "2026-02-14 2.5 OPEN"]);
		});
		test("and so does a trial", async () => {
			const customerId = await life.customer();
			await life.provision({ customerId, planId: "try" });
			const { id } = await life.provision({ customerId, planId: "plain", ...awaiting });
			expect(await life.states(customerId)).toEqual(["plain PAYMENT_PENDING", "try IN_TRIAL"]);
			await paid(id);
			expect(await life.states(customerId)).toEqual(["plain ACTIVE", "try CANCELED TRIAL_CONVERTED"]);
		});
		describe("what waits gives way, with its invoice, which gave back what that was charged", () => {
			const decidedAnew: Array<[string, (id: string) => Promise<unknown>, string[]]> = [
				["its end gives unused time back", (id) => life.cancel(id), ["basic CANCELED Immediate"]],
				[
					"its terms change",
					(id) => life.patch(id, { minimumSpend: { amount: 5, currency: "usd" } }),
					["basic ACTIVE"],
				],
				["its billing cycle begins anew", (id) => life.patch(id, { billingCycleAnchor: "NOW" }), ["basic ACTIVE"]],
			];
			test.each(decidedAnew)("once %s", async (_, decide, states) => {
				const { customerId, id } = await both();
				const running = (await life.world.call("GET", `/subscriptions?customerId=${customerId}&limit=5`)).body.data.at(
					-1,
				);
				await decide(running.id);
				expect((await life.get(id)).status).toBe("CANCELED");
				expect((await life.states(customerId)).slice(1)).toEqual(states);
				expect((await life.bills(customerId))[1]).toBe("2026-02-14 7.5 CANCELED");
				isRefusal(await paid(id), 404, "BillingInvoiceStatusError");
			});

			test("but not for what is only written down, and not where its end gives nothing back", async () => {
				const { customerId, id } = await both();
				const running = (await life.world.call("GET", `/subscriptions?customerId=${customerId}&limit=5`)).body.data.at(
					-1,
				);
				await life.patch(running.id, { metadata: { a: "1" } });
				await life.cancel(running.id, { cancellationTime: "IMMEDIATE", prorate: false });
				await paid(id);
				expect(await life.states(customerId)).toEqual(["pro ACTIVE", "basic CANCELED Immediate"]);
				expect(await life.notes(customerId)).toEqual([]);
			});

			test("once that is moved to another resource; what waits is not moved, and nothing to its place", async () => {
				const customerId = await life.customer();
				const { id: running } = await life.provision({ customerId, planId: "site", resourceId: "a" });
				life.at("2026-02-14T00:00:00Z");
				const again = { customerId, planId: "site", ...awaiting, billingInformation: { taxPercentage: 50 } };
				const { id } = await life.provision({ ...again, resourceId: "a" });
				const { id: other } = await life.provision({ ...again, resourceId: "b" });
				const transfer = (subscription: string, destinationResourceId: string) =>
					life.post(`/subscriptions/${subscription}/transfer`, { destinationResourceId });
				isRefusal(await transfer(id, "c"), 400, "InvalidSubscriptionStatus", id);
				isRefusal(await transfer(running, "b"), 409, "DuplicatedEntityNotAllowed", other);
				expect((await transfer(running, "a")).status).toBe(200);
				expect((await life.get(id)).status).toBe("PAYMENT_PENDING");
				expect((await transfer(running, "c")).status).toBe(200);
				expect((await life.get(id)).status).toBe("CANCELED");
				expect((await life.get(other)).status).toBe("PAYMENT_PENDING");
			});
		});

		test("a plan that is provisioned meanwhile takes both places, and the invoice is not to be paid", async () => {
			const { customerId } = await both();
			await life.provision({ customerId, planId: "free" });
			expect(await life.states(customerId)).toEqual([
				"free ACTIVE",
				"pro CANCELED UPGRADE_OR_DOWNGRADE",
				"basic CANCELED UPGRADE_OR_DOWNGRADE",
			]);
			expect((await life.bills(customerId))[1]).toBe("2026-02-14 7.5 CANCELED");
		});
	});

	test("cancelled, its invoice is not to be paid", async () => {
		const { customerId, id } = await begun(awaiting);
		await life.cancel(id);
		expect(await life.states(customerId)).toEqual(["pro CANCELED Immediate"]);
		expect(await life.bills(customerId)).toEqual(["2026-01-31 25 CANCELED"]);
	});
});

describe("a change that waits for its payment", () => {
	const waiting = async (body: object = seats(5)) => {
		const { customerId, id } = await begun(seats(3));
		life.at("2026-02-14T00:00:00Z");
		const { status, body: answer } = await life.patch(id, { ...awaiting, ...body });
		expect(status).toBe(200);
		return { customerId, id, shown: answer.data };
	};
	const seatsOf = async (customerId: string) =>
		(await life.world.call("GET", `/customers/${customerId}/entitlements/check?featureId=seats`)).body.data.usageLimit;
	const pending = {
		subscriptionScheduleType: "UNIT_AMOUNT",
		scheduleStatus: "PENDING_PAYMENT",
		scheduledExecutionTime: "2026-02-14T23:00:00.000Z",
		targetPackage: null,
	};

	test("is invoiced at once and made when it is paid", async () => {
		const { customerId, id, shown } = await waiting();
		expect(shown).toMatchObject({ status: "ACTIVE", paymentCollection: "PROCESSING", latestInvoice: { total: 5 } });
		expect(shown.futureUpdates).toEqual([pending]);
		expect(await seatsOf(customerId)).toBe(3);
		life.at("2026-02-14T10:00:00Z");
		expect((await paid(id)).status).toBe(200);
		expect(await seatsOf(customerId)).toBe(5);
		expect(await life.get(id)).toMatchObject({ paymentCollection: "NOT_REQUIRED", futureUpdates: [] });
		life.turn(customerId, "2026-03-01T00:00:00Z");
		expect(await life.bills(customerId)).toEqual(["2026-01-31 35 OPEN", "2026-02-14 5 PAID", "2026-02-28 45 OPEN"]);
		expect(await life.notes(customerId)).toEqual([]);
	});

	test("is given up when the payment does not come, with its invoice", async () => {
		const { customerId, id } = await waiting();
		life.turn(customerId, "2026-02-14T23:00:00Z");
		expect(await seatsOf(customerId)).toBe(3);
		expect(await life.get(id)).toMatchObject({
			status: "ACTIVE",
			paymentCollection: "NOT_REQUIRED",
			futureUpdates: [],
		});
		isRefusal(await paid(id), 404, "BillingInvoiceStatusError");
		life.turn(customerId, "2026-03-01T00:00:00Z");
		expect(await life.bills(customerId)).toEqual(["2026-01-31 35 OPEN", "2026-02-14 5 CANCELED", "2026-02-28 35 OPEN"]);
	});

	test("is dropped by its route, once", async () => {
		const { customerId, id } = await waiting();
		const path = `/subscriptions/${id}/future-update/pending-payment`;
		isRefusal(await life.remove(`/subscriptions/${id}/future-update/schedule`), 404, "FutureUpdateNotFound");
		const answer = await life.remove(path);
		expect(answer.status).toBe(200);
		expect(answer.body).toEqual({ data: { id } });
		expect(await life.get(id)).toMatchObject({ paymentCollection: "NOT_REQUIRED", futureUpdates: [] });
		expect((await life.bills(customerId)).at(-1)).toBe("2026-02-14 5 CANCELED");
		isRefusal(await life.remove(path), 404, "FutureUpdateNotFound");
		isRefusal(await life.remove("/subscriptions/none/future-update/pending-payment"), 404, "SubscriptionNotFound");
	});

	test("made after the renewal, it costs the difference of the period that has begun", async () => {
		const { customerId, id } = await begun(seats(3));
		life.at("2026-02-27T12:00:00Z");
		await life.patch(id, { ...awaiting, ...seats(31) });
		const { invoiceId } = await newestInvoice(customerId);
		life.turn(customerId, "2026-02-28T00:00:00Z");
		// At the very beginning of the period: 28 seats more, for all of it.
		await life.post(`/customers/${customerId}/invoices/${invoiceId}/paid`, {});
		expect(await life.bills(customerId)).toEqual([
			"2026-01-31 35 OPEN",
			"2026-02-27 2.5 PAID",
			"2026-02-28 35 OPEN",
			"2026-02-28 140 OPEN",
		]);
		life.turn(customerId, "2026-03-31T00:00:00Z");
		expect((await life.bills(customerId)).at(-1)).toBe("2026-03-31 175 OPEN");
	});

	test("gives way to a change that is made at once", async () => {
		const { customerId, id } = await waiting();
		const { body } = await life.patch(id, seats(4));
		expect(body.data).toMatchObject({ futureUpdates: [], paymentCollection: "NOT_REQUIRED" });
		expect((await life.bills(customerId)).slice(1)).toEqual(["2026-02-14 5 CANCELED", "2026-02-14 2.5 OPEN"]);
	});

	test("gives way to another that waits", async () => {
		const { customerId, id } = await waiting();
		const { body } = await life.patch(id, { ...awaiting, ...seats(7) });
		expect(body.data.futureUpdates).toEqual([pending]);
		expect((await life.bills(customerId)).slice(1)).toEqual(["2026-02-14 5 CANCELED", "2026-02-14 10 OPEN"]);
		await paid(id);
		expect(await seatsOf(customerId)).toBe(7);
	});

	describe("once it is paid, all that follows is as if it had been made at once", () => {
		const after: Array<[string, object, (id: string, customerId: string, invoiceId: string) => Promise<unknown>]> = [
			[
				"its invoice credited, then cancelled",
				seats(5),
				async (id, customerId, invoiceId) => {
					await life.post(`/customers/${customerId}/invoices/${invoiceId}/credit-note`, {});
					await life.cancel(id);
				},
			],
			["cancelled", seats(5), (id) => life.cancel(id)],
			["changed again", seats(5), (id) => life.patch(id, seats(2))],
			["a minimum spend, cancelled", { minimumSpend: { amount: 50, currency: "usd" } }, (id) => life.cancel(id)],
			["a new billing cycle, cancelled", { billingCycleAnchor: "NOW" }, (id) => life.cancel(id)],
			[
				"proration as the call says",
				{ ...seats(5), billingInformation: { prorationBehavior: "INVOICE_IMMEDIATELY" } },
				(id) => life.cancel(id),
			],
		];
		test.each(after)("%s", async (_, changes, then) => {
			const books = await Promise.all(
				[awaiting, {}].map(async (how) => {
					life.at("2026-01-31T00:00:00Z");
					const { customerId, id } = await begun({ ...seats(3), billingInformation: { prorationBehavior: "NONE" } });
					await life.patch(
						id,
						"billingInformation" in changes
							? { metadata: {} }
							: { billingInformation: { prorationBehavior: "INVOICE_IMMEDIATELY" } },
					);
					return { customerId, id, how };
				}),
			);
			const told: unknown[] = [];
			for (const { customerId, id, how } of books) {
				life.at("2026-02-14T00:00:00Z");
				await life.patch(id, { ...changes, ...how });
				const { invoiceId } = await newestInvoice(customerId);
				life.at("2026-02-14T10:00:00Z");
				await life.post(`/customers/${customerId}/invoices/${invoiceId}/paid`, {});
				life.at("2026-02-20T00:00:00Z");
				await then(id, customerId, invoiceId);
				life.turn(customerId, "2026-03-20T00:00:00Z");
				told.push([await life.bills(customerId), await life.notes(customerId)]);
			}
			expect(told[0]).toEqual(told[1]);
		});
	});

	test("gives way to what was scheduled and has come", async () => {
		const { customerId, id } = await begun(seats(3));
		await life.patch(id, { ...seats(4), scheduleStrategy: "END_OF_BILLING_PERIOD" });
		life.at("2026-02-27T12:00:00Z");
		const addon = { minimumSpend: { amount: 50, currency: "usd" }, ...awaiting };
		await life.patch(id, addon);
		life.turn(customerId, "2026-03-01T00:00:00Z");
		expect(await life.get(id)).toMatchObject({ futureUpdates: [], paymentCollection: "NOT_REQUIRED" });
	});

	test("ends with the subscription, and so does its invoice", async () => {
		const { customerId, id } = await waiting();
		await life.cancel(id, { prorate: false });
		expect(await life.get(id)).toMatchObject({
			status: "CANCELED",
			futureUpdates: [],
			paymentCollection: "NOT_REQUIRED",
		});
		expect((await life.bills(customerId)).slice(1)).toEqual(["2026-02-14 5 CANCELED"]);
	});

	test("what no update has a type for does not wait", async () => {
		const { shown } = await waiting({ ...seats(5), budget: { limit: 7, hasSoftLimit: false } });
		expect(shown).toMatchObject({ budget: { limit: 7, hasSoftLimit: false }, futureUpdates: [pending] });
	});

	const nothingToPay: Array<[string, object]> = [
		["words", { metadata: { a: "1" } }],
		["fewer seats", seats(1)],
		["what is paid already", { ...seats(5), billingInformation: { isInvoicePaid: true } }],
	];
	test.each(nothingToPay)("is not waited for with %s", async (_, body) => {
		const { shown } = await waiting(body);
		expect(shown).toMatchObject({ futureUpdates: [], paymentCollection: "NOT_REQUIRED" });
	});
});

describe("marking the latest invoice as paid", () => {
	test("once, and only where there is one that is open", async () => {
		const { id } = await begun();
		expect((await paid(id)).status).toBe(200);
		isRefusal(await paid(id), 404, "BillingInvoiceStatusError");
		const free = await begun({ planId: "free" });
		isRefusal(await paid(free.id), 404, "MissingBillingInvoiceError", free.id);
		isRefusal(await paid("none"), 404, "SubscriptionNotFound");
	});

	test("is for what was due by now: a renewal that is a moment late is the latest", async () => {
		const { customerId, id } = await begun();
		life.at("2026-02-28T00:00:00Z");
		await paid(id);
		expect(await life.bills(customerId)).toEqual(["2026-01-31 25 OPEN", "2026-02-28 25 PAID"]);
	});
});
