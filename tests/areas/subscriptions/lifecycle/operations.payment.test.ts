import { describe, expect, test } from "bun:test";
import { isRefusal } from "../../packages/guards";
import { awaiting, paymentScenario, pro, seats } from "./operations.payment/awaiting";

const { begun, mine, newestInvoice, paid } = paymentScenario();

describe("a pending first payment", () => {
	test("gives no access until it arrives, and full access then", async () => {
		const { customerId, id, subscription } = await begun(awaiting);
		expect(subscription).toMatchObject({
			status: "PAYMENT_PENDING",
			paymentCollection: "PROCESSING",
			latestInvoice: { status: "OPEN", total: 25, amountDue: 25, billingReason: "SUBSCRIPTION_CREATION" },
		});
		const check = async () =>
			(await mine.world.call("GET", `/customers/${customerId}/entitlements/check?featureId=sso`)).body.data.isGranted;
		expect(await check()).toBe(false);
		mine.at("2026-01-31T10:00:00Z");
		const answer = await paid(id);
		expect(answer.status).toBe(200);
		expect(answer.body).toEqual({ data: { id } });
		expect(await mine.get(id)).toMatchObject({
			status: "ACTIVE",
			paymentCollection: "NOT_REQUIRED",
			billingCycleAnchor: "2026-01-31T00:00:00.000Z",
			latestInvoice: { status: "PAID", amountDue: 0 },
		});
		expect(await check()).toBe(true);
		mine.turn(customerId, "2026-03-01T00:00:00Z");
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 25 PAID", "2026-02-28 25 OPEN"]);
	});

	test("can be recorded on the invoice itself", async () => {
		const { customerId, id } = await begun(awaiting);
		const { invoiceId } = await newestInvoice(customerId);
		const answer = await mine.post(`/customers/${customerId}/invoices/${invoiceId}/paid`, {});
		expect(answer).toMatchObject({ status: 200, body: { data: { invoiceId, state: "PAID" } } });
		expect((await mine.get(id)).status).toBe("ACTIVE");
	});

	const tooLate: Array<[string, (id: string, customerId: string) => Promise<Awaited<ReturnType<typeof paid>>>]> = [
		["by the subscription", (id) => paid(id)],
		[
			"by the invoice",
			async (_, customerId) =>
				mine.post(`/customers/${customerId}/invoices/${(await newestInvoice(customerId)).invoiceId}/paid`, {}),
		],
	];
	test.each(tooLate)("comes too late after 23 hours, %s", async (_, pay) => {
		const { customerId, id } = await begun(awaiting);
		mine.at("2026-01-31T23:00:00Z");
		isRefusal(await pay(id, customerId), 404, "BillingInvoiceStatusError");
		mine.turn(customerId, "2026-01-31T23:00:00Z");
		expect(await mine.get(id)).toMatchObject({
			status: "EXPIRED",
			cancelReason: "PENDING_PAYMENT_EXPIRED",
			effectiveEndDate: "2026-01-31T23:00:00.000Z",
			paymentCollection: "NOT_REQUIRED",
		});
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 25 CANCELED"]);
	});

	const nothingToPay: Array<[string, object]> = [
		["a free plan", { planId: "free" }],
		["a custom plan", { planId: "custom" }],
		["what is paid already", { billingInformation: { isInvoicePaid: true } }],
		["what is paid elsewhere", { paymentCollectionMethod: "NONE" }],
		["a start in the past", { startDate: "2026-01-10T00:00:00Z" }],
	];
	test.each(nothingToPay)("is not awaited with %s", async (_, body) => {
		const { subscription } = await begun({ ...awaiting, ...body });
		expect(subscription).toMatchObject({ status: "ACTIVE", paymentCollection: "NOT_REQUIRED" });
	});

	describe("while another plan is active", () => {
		const both = async () => {
			const customerId = await mine.customer();
			await mine.provision({ customerId, planId: "basic" });
			mine.at("2026-02-14T00:00:00Z");
			const { id } = await mine.provision({ customerId, ...pro, ...awaiting });
			expect(await mine.states(customerId)).toEqual(["pro PAYMENT_PENDING", "basic ACTIVE"]);
			// Half of 25 less half of 9.99 (5.00).
			expect(await mine.bills(customerId)).toEqual(["2026-01-31 9.99 OPEN", "2026-02-14 7.5 OPEN"]);
			return { customerId, id };
		};
		test("the other plan continues, and ends with the payment", async () => {
			const { customerId, id } = await both();
			mine.at("2026-02-14T05:00:00Z");
			await paid(id);
			expect(await mine.states(customerId)).toEqual(["pro ACTIVE", "basic CANCELED UPGRADE_OR_DOWNGRADE"]);
			mine.turn(customerId, "2026-03-01T00:00:00Z");
			expect((await mine.bills(customerId)).slice(1)).toEqual(["2026-02-14 7.5 PAID", "2026-02-28 25 OPEN"]);
			expect(await mine.notes(customerId)).toEqual([]);
		});
		test("the other plan continues, and stays without a payment", async () => {
			const { customerId } = await both();
			mine.turn(customerId, "2026-03-01T00:00:00Z");
			expect(await mine.states(customerId)).toEqual(["pro EXPIRED PENDING_PAYMENT_EXPIRED", "basic ACTIVE"]);
			expect(await mine.bills(customerId)).toEqual([
				"2026-01-31 9.99 OPEN",
				"2026-02-14 7.5 CANCELED",
				"2026-02-28 9.99 OPEN",
			]);
		});
		test("a renewal of the other plan is credited, since the new plan charges its period", async () => {
			const customerId = await mine.customer();
			await mine.provision({ customerId, planId: "basic" });
			mine.at("2026-02-27T12:00:00Z");
			const { id } = await mine.provision({ customerId, ...pro, ...awaiting });
			mine.turn(customerId, "2026-02-28T06:00:00Z");
			expect(await mine.states(customerId)).toEqual(["pro PAYMENT_PENDING", "basic ACTIVE"]);
			expect((await mine.bills(customerId)).at(-1)).toBe("2026-02-28 9.99 OPEN");
			await paid(id);
			mine.turn(customerId, "2026-03-01T00:00:00Z");
			expect(await mine.states(customerId)).toEqual(["pro ACTIVE", "basic CANCELED UPGRADE_OR_DOWNGRADE"]);
			expect(await mine.notes(customerId)).toEqual(["2026-02-28 9.99 ORDER_CHANGE"]);
			expect((await mine.bills(customerId)).filter((bill) => bill.includes(" 25 "))).toEqual(["2026-02-28 25 OPEN"]);
		});
		test("bills lines that wait for its next invoice at its end, once", async () => {
			const customerId = await mine.customer();
			const { id: running } = await mine.provision({ customerId, ...pro, ...seats(1) });
			mine.at("2026-02-14T00:00:00Z");
			const later = { billingInformation: { prorationBehavior: "CREATE_PRORATIONS" } };
			// Half of a seat's 5.
			await mine.patch(running, { ...seats(2), ...later });
			const { id } = await mine.provision({
				customerId,
				planId: "basic",
				scheduleStrategy: "IMMEDIATE",
				...awaiting,
				billingInformation: { prorationBehavior: "NONE" },
				billingCycleAnchor: "NOW",
			});
			expect((await mine.bills(customerId)).slice(1)).toEqual(["2026-02-14 9.99 OPEN"]);
			await paid(id);
			expect((await mine.bills(customerId)).slice(1)).toEqual(["2026-02-14 9.99 PAID", "2026-02-14 2.5 OPEN"]);
		});
		test("the same applies to a trial", async () => {
			const customerId = await mine.customer();
			await mine.provision({ customerId, planId: "try" });
			const { id } = await mine.provision({ customerId, planId: "plain", ...awaiting });
			expect(await mine.states(customerId)).toEqual(["plain PAYMENT_PENDING", "try IN_TRIAL"]);
			await paid(id);
			expect(await mine.states(customerId)).toEqual(["plain ACTIVE", "try CANCELED TRIAL_CONVERTED"]);
		});
		describe("cancels the pending subscription with its invoice, which credited former charges", () => {
			const decidedAgain: Array<[string, (id: string) => Promise<unknown>, string[]]> = [
				["its end gives unused time back", (id) => mine.cancel(id), ["basic CANCELED Immediate"]],
				[
					"its terms change",
					(id) => mine.patch(id, { minimumSpend: { amount: 5, currency: "usd" } }),
					["basic ACTIVE"],
				],
				["its billing cycle restarts", (id) => mine.patch(id, { billingCycleAnchor: "NOW" }), ["basic ACTIVE"]],
			];
			test.each(decidedAgain)("after %s", async (_, decide, states) => {
				const { customerId, id } = await both();
				const running = (await mine.world.call("GET", `/subscriptions?customerId=${customerId}&limit=5`)).body.data.at(
					-1,
				);
				await decide(running.id);
				expect((await mine.get(id)).status).toBe("CANCELED");
				expect((await mine.states(customerId)).slice(1)).toEqual(states);
				expect((await mine.bills(customerId))[1]).toBe("2026-02-14 7.5 CANCELED");
				isRefusal(await paid(id), 404, "BillingInvoiceStatusError");
			});

			test("except for metadata changes, and for an end without a credit", async () => {
				const { customerId, id } = await both();
				const running = (await mine.world.call("GET", `/subscriptions?customerId=${customerId}&limit=5`)).body.data.at(
					-1,
				);
				await mine.patch(running.id, { metadata: { a: "1" } });
				await mine.cancel(running.id, { cancellationTime: "IMMEDIATE", prorate: false });
				await paid(id);
				expect(await mine.states(customerId)).toEqual(["pro ACTIVE", "basic CANCELED Immediate"]);
				expect(await mine.notes(customerId)).toEqual([]);
			});

			test("after a move to another resource; a pending subscription is not moved, and nothing takes its slot", async () => {
				const customerId = await mine.customer();
				const { id: running } = await mine.provision({ customerId, planId: "site", resourceId: "a" });
				mine.at("2026-02-14T00:00:00Z");
				const again = { customerId, planId: "site", ...awaiting, billingInformation: { taxPercentage: 50 } };
				const { id } = await mine.provision({ ...again, resourceId: "a" });
				const { id: other } = await mine.provision({ ...again, resourceId: "b" });
				const transfer = (subscription: string, destinationResourceId: string) =>
					mine.post(`/subscriptions/${subscription}/transfer`, { destinationResourceId });
				isRefusal(await transfer(id, "c"), 400, "InvalidSubscriptionStatus", id);
				isRefusal(await transfer(running, "b"), 409, "DuplicatedEntityNotAllowed", other);
				expect((await transfer(running, "a")).status).toBe(200);
				expect((await mine.get(id)).status).toBe("PAYMENT_PENDING");
				expect((await transfer(running, "c")).status).toBe(200);
				expect((await mine.get(id)).status).toBe("CANCELED");
				expect((await mine.get(other)).status).toBe("PAYMENT_PENDING");
			});
		});

		test("a plan that is provisioned meanwhile replaces both, and cancels the invoice", async () => {
			const { customerId } = await both();
			await mine.provision({ customerId, planId: "free" });
			expect(await mine.states(customerId)).toEqual([
				"free ACTIVE",
				"pro CANCELED UPGRADE_OR_DOWNGRADE",
				"basic CANCELED UPGRADE_OR_DOWNGRADE",
			]);
			expect((await mine.bills(customerId))[1]).toBe("2026-02-14 7.5 CANCELED");
		});
	});

	test("a cancellation cancels its invoice", async () => {
		const { customerId, id } = await begun(awaiting);
		await mine.cancel(id);
		expect(await mine.states(customerId)).toEqual(["pro CANCELED Immediate"]);
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 25 CANCELED"]);
	});
});

describe("marking the latest invoice as paid", () => {
	test("works once, and only with an open invoice", async () => {
		const { id } = await begun();
		expect((await paid(id)).status).toBe(200);
		isRefusal(await paid(id), 404, "BillingInvoiceStatusError");
		const free = await begun({ planId: "free" });
		isRefusal(await paid(free.id), 404, "MissingBillingInvoiceError", free.id);
		isRefusal(await paid("none"), 404, "SubscriptionNotFound");
	});

	test("runs due steps first: a slightly late renewal is the latest invoice", async () => {
		const { customerId, id } = await begun();
		mine.at("2026-02-28T00:00:00Z");
		await paid(id);
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 25 OPEN", "2026-02-28 25 PAID"]);
	});
});
