import { describe, expect, test } from "bun:test";
import { isRefusal } from "../../../packages/guards";
import { awaiting, paymentScenario, seats } from "./awaiting";

const { begun, mine, newestInvoice, paid } = paymentScenario();

describe("a change that waits for its payment", () => {
	const waiting = async (body: object = seats(5)) => {
		const { customerId, id } = await begun(seats(3));
		mine.at("2026-02-14T00:00:00Z");
		const { status, body: answer } = await mine.patch(id, { ...awaiting, ...body });
		expect(status).toBe(200);
		return { customerId, id, shown: answer.data };
	};
	const seatsOf = async (customerId: string) =>
		(await mine.world.call("GET", `/customers/${customerId}/entitlements/check?featureId=seats`)).body.data.usageLimit;
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
		mine.at("2026-02-14T10:00:00Z");
		expect((await paid(id)).status).toBe(200);
		expect(await seatsOf(customerId)).toBe(5);
		expect(await mine.get(id)).toMatchObject({ paymentCollection: "NOT_REQUIRED", futureUpdates: [] });
		mine.turn(customerId, "2026-03-01T00:00:00Z");
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 35 OPEN", "2026-02-14 5 PAID", "2026-02-28 45 OPEN"]);
		expect(await mine.notes(customerId)).toEqual([]);
	});

	test("expires with its invoice without a payment", async () => {
		const { customerId, id } = await waiting();
		mine.turn(customerId, "2026-02-14T23:00:00Z");
		expect(await seatsOf(customerId)).toBe(3);
		expect(await mine.get(id)).toMatchObject({
			status: "ACTIVE",
			paymentCollection: "NOT_REQUIRED",
			futureUpdates: [],
		});
		isRefusal(await paid(id), 404, "BillingInvoiceStatusError");
		mine.turn(customerId, "2026-03-01T00:00:00Z");
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 35 OPEN", "2026-02-14 5 CANCELED", "2026-02-28 35 OPEN"]);
	});

	test("is canceled by its route, once", async () => {
		const { customerId, id } = await waiting();
		const path = `/subscriptions/${id}/future-update/pending-payment`;
		isRefusal(await mine.remove(`/subscriptions/${id}/future-update/schedule`), 404, "FutureUpdateNotFound");
		const answer = await mine.remove(path);
		expect(answer.status).toBe(200);
		expect(answer.body).toEqual({ data: { id } });
		expect(await mine.get(id)).toMatchObject({ paymentCollection: "NOT_REQUIRED", futureUpdates: [] });
		expect((await mine.bills(customerId)).at(-1)).toBe("2026-02-14 5 CANCELED");
		isRefusal(await mine.remove(path), 404, "FutureUpdateNotFound");
		isRefusal(await mine.remove("/subscriptions/none/future-update/pending-payment"), 404, "SubscriptionNotFound");
	});

	test("made after the renewal costs the difference of the new period", async () => {
		const { customerId, id } = await begun(seats(3));
		mine.at("2026-02-27T12:00:00Z");
		await mine.patch(id, { ...awaiting, ...seats(31) });
		const { invoiceId } = await newestInvoice(customerId);
		mine.turn(customerId, "2026-02-28T00:00:00Z");
		// At the very start of the period: 28 more seats, for all of it.
		await mine.post(`/customers/${customerId}/invoices/${invoiceId}/paid`, {});
		expect(await mine.bills(customerId)).toEqual([
			"2026-01-31 35 OPEN",
			"2026-02-27 2.5 PAID",
			"2026-02-28 35 OPEN",
			"2026-02-28 140 OPEN",
		]);
		mine.turn(customerId, "2026-03-31T00:00:00Z");
		expect((await mine.bills(customerId)).at(-1)).toBe("2026-03-31 175 OPEN");
	});

	test("is canceled by an immediate change", async () => {
		const { customerId, id } = await waiting();
		const { body } = await mine.patch(id, seats(4));
		expect(body.data).toMatchObject({ futureUpdates: [], paymentCollection: "NOT_REQUIRED" });
		expect((await mine.bills(customerId)).slice(1)).toEqual(["2026-02-14 5 CANCELED", "2026-02-14 2.5 OPEN"]);
	});

	test("is canceled by another change that waits", async () => {
		const { customerId, id } = await waiting();
		const { body } = await mine.patch(id, { ...awaiting, ...seats(7) });
		expect(body.data.futureUpdates).toEqual([pending]);
		expect((await mine.bills(customerId)).slice(1)).toEqual(["2026-02-14 5 CANCELED", "2026-02-14 10 OPEN"]);
		await paid(id);
		expect(await seatsOf(customerId)).toBe(7);
	});

	describe("has the same result as an immediate change once it is paid", () => {
		const after: Array<[string, object, (id: string, customerId: string, invoiceId: string) => Promise<unknown>]> = [
			[
				"its invoice credited, then cancelled",
				seats(5),
				async (id, customerId, invoiceId) => {
					await mine.post(`/customers/${customerId}/invoices/${invoiceId}/credit-note`, {});
					await mine.cancel(id);
				},
			],
			["cancelled", seats(5), (id) => mine.cancel(id)],
			["changed again", seats(5), (id) => mine.patch(id, seats(2))],
			["a minimum spend, cancelled", { minimumSpend: { amount: 50, currency: "usd" } }, (id) => mine.cancel(id)],
			["a new billing cycle, cancelled", { billingCycleAnchor: "NOW" }, (id) => mine.cancel(id)],
			[
				"proration as the call says",
				{ ...seats(5), billingInformation: { prorationBehavior: "INVOICE_IMMEDIATELY" } },
				(id) => mine.cancel(id),
			],
		];
		test.each(after)("%s", async (_, changes, then) => {
			const books = await Promise.all(
				[awaiting, {}].map(async (how) => {
					mine.at("2026-01-31T00:00:00Z");
					const { customerId, id } = await begun({ ...seats(3), billingInformation: { prorationBehavior: "NONE" } });
					await mine.patch(
						id,
						"billingInformation" in changes
							? { metadata: {} }
							: { billingInformation: { prorationBehavior: "INVOICE_IMMEDIATELY" } },
					);
					return { customerId, id, how };
				}),
			);
			const previews: unknown[] = [];
			for (const { customerId, id, how } of books) {
				mine.at("2026-02-14T00:00:00Z");
				await mine.patch(id, { ...changes, ...how });
				const { invoiceId } = await newestInvoice(customerId);
				mine.at("2026-02-14T10:00:00Z");
				await mine.post(`/customers/${customerId}/invoices/${invoiceId}/paid`, {});
				mine.at("2026-02-20T00:00:00Z");
				await then(id, customerId, invoiceId);
				mine.turn(customerId, "2026-03-20T00:00:00Z");
				previews.push([await mine.bills(customerId), await mine.notes(customerId)]);
			}
			expect(previews[0]).toEqual(previews[1]);
		});
	});

	test("is canceled by a scheduled change that takes effect", async () => {
		const { customerId, id } = await begun(seats(3));
		await mine.patch(id, { ...seats(4), scheduleStrategy: "END_OF_BILLING_PERIOD" });
		mine.at("2026-02-27T12:00:00Z");
		const addon = { minimumSpend: { amount: 50, currency: "usd" }, ...awaiting };
		await mine.patch(id, addon);
		mine.turn(customerId, "2026-03-01T00:00:00Z");
		expect(await mine.get(id)).toMatchObject({ futureUpdates: [], paymentCollection: "NOT_REQUIRED" });
	});

	test("ends with the subscription, and so does its invoice", async () => {
		const { customerId, id } = await waiting();
		await mine.cancel(id, { prorate: false });
		expect(await mine.get(id)).toMatchObject({
			status: "CANCELED",
			futureUpdates: [],
			paymentCollection: "NOT_REQUIRED",
		});
		expect((await mine.bills(customerId)).slice(1)).toEqual(["2026-02-14 5 CANCELED"]);
	});

	test("does not delay fields without a type of future update", async () => {
		const { shown } = await waiting({ ...seats(5), budget: { limit: 7, hasSoftLimit: false } });
		expect(shown).toMatchObject({ budget: { limit: 7, hasSoftLimit: false }, futureUpdates: [pending] });
	});

	const nothingToPay: Array<[string, object]> = [
		["words", { metadata: { a: "1" } }],
		["fewer seats", seats(1)],
		["what is paid already", { ...seats(5), billingInformation: { isInvoicePaid: true } }],
	];
	test.each(nothingToPay)("is not awaited with %s", async (_, body) => {
		const { shown } = await waiting(body);
		expect(shown).toMatchObject({ futureUpdates: [], paymentCollection: "NOT_REQUIRED" });
	});
});
