import { beforeAll, describe, expect, test } from "bun:test";
import { maker } from "../packages/catalogue";
import { flat, paid as priced, usd } from "../packages/prices";
import { lives } from "./lives";

/** What a change that waits for its payment has invoiced holds, whatever has changed by the time it is paid. */
const life = lives();
const seats = (quantity: number) => ({ charges: [{ id: "seats", quantity, type: "FEATURE" }] });
const awaiting = { awaitPaymentConfirmation: true };

async function begun(body: object = {}) {
	const customerId = await life.customer();
	const { id } = await life.provision({ customerId, planId: "pro", billingPeriod: "MONTHLY", ...seats(3), ...body });
	return { customerId, id };
}

async function change(id: string, body: object) {
	const { status, body: answer } = await life.patch(id, body);
	expect({ status, answer }).toMatchObject({ status: 200 });
	return answer.data;
}

const newest = async (customerId: string) =>
	(await life.world.call("GET", `/customers/${customerId}/invoices?limit=100`)).body.data.at(-1);
const pay = async (customerId: string, invoiceId: string) => {
	const { status } = await life.post(`/customers/${customerId}/invoices/${invoiceId}/paid`, {});
	expect(status).toBe(200);
};

describe("a change that waits for its payment", () => {
	test("does not wait where the customer's balance pays it", async () => {
		const { customerId, id } = await begun();
		await life.post(`/customers/${customerId}/balance/entries`, { amount: 7, currency: "usd", reason: "Goodwill" });
		life.at("2026-02-14T00:00:00Z");
		const shown = await change(id, { ...awaiting, ...seats(5) });
		expect(shown).toMatchObject({ futureUpdates: [], paymentCollection: "NOT_REQUIRED" });
		expect(await life.bills(customerId)).toEqual(["2026-01-31 35 OPEN", "2026-02-14 5 PAID"]);
		life.turn(customerId, "2026-03-01T00:00:00Z");
		expect((await life.bills(customerId)).at(-1)).toBe("2026-02-28 45 OPEN");
	});

	test("is due by the net terms that it brings", async () => {
		const { customerId, id } = await begun();
		life.at("2026-02-14T00:00:00Z");
		await change(id, { ...awaiting, ...seats(5), billingInformation: { invoiceDaysUntilDue: 10 } });
		expect((await newest(customerId)).dueDate).toBe("2026-02-24T00:00:00.000Z");
	});

	const meanwhile: Array<[string, object]> = [
		["another tax", { billingInformation: { taxPercentage: 19 } }],
		["a coupon", { appliedCoupon: { couponId: "TEN" } }],
		["other proration", { billingInformation: { prorationBehavior: "NONE" } }],
	];
	test.each(meanwhile)("with %s by the time it is paid, gives back what was paid", async (_, terms) => {
		const { customerId, id } = await begun();
		life.at("2026-02-14T00:00:00Z");
		await change(id, { ...awaiting, ...seats(5) });
		const { invoiceId, total } = await newest(customerId);
		expect(total).toBe(5);
		await change(id, terms);
		await pay(customerId, invoiceId);
		await life.cancel(id);
		// Half of 45, by the two invoices that charged it.
		expect(await life.notes(customerId)).toEqual([
			"2026-02-14 5 ORDER_CANCELLATION",
			"2026-02-14 17.5 ORDER_CANCELLATION",
		]);
	});

	test("with the very coupon that it brings, goes on with it", async () => {
		const { customerId, id } = await begun();
		life.at("2026-02-14T00:00:00Z");
		await change(id, { ...awaiting, ...seats(5), appliedCoupon: { couponId: "TEN" } });
		const { invoiceId } = await newest(customerId);
		await change(id, { appliedCoupon: { couponId: "TEN" } });
		await pay(customerId, invoiceId);
		expect(await life.get(id)).toMatchObject({ futureUpdates: [], paymentCollection: "NOT_REQUIRED" });
	});

	describe("of a plan that is paid by use only", () => {
		beforeAll(async () => {
			const make = maker(life.world);
			await make.product("use");
			await make.plan("by-use", { displayName: "by-use", productId: "use" });
			await make.charge(
				"/plans/by-use",
				priced({
					billingModel: "USAGE_BASED",
					featureId: "calls",
					pricePeriods: [{ billingPeriod: "MONTHLY", price: usd(1) }],
				}),
			);
			await make.publish("/plans/by-use");
			for (const [id, price] of [
				["support", flat(30)],
				["setup", { ...flat(90), billingCadence: "ONE_OFF" }],
			] as const) {
				await make.addon(id, { displayName: id, productId: "use" });
				await make.charge(`/addons/${id}`, priced(price));
				await make.publish(`/addons/${id}`);
			}
		});

		test("paid after the renewal, charges the period that has begun, and what is paid once only once", async () => {
			const customerId = await life.customer();
			const { id } = await life.provision({ customerId, planId: "by-use", billingPeriod: "MONTHLY" });
			life.at("2026-02-27T12:00:00Z");
			await change(id, { ...awaiting, addons: ["support", "setup"].map((addon) => ({ id: addon, quantity: 1 })) });
			const { invoiceId } = await newest(customerId);
			life.turn(customerId, "2026-02-28T00:00:00Z");
			await pay(customerId, invoiceId);
			life.turn(customerId, "2026-04-01T00:00:00Z");
			const bills = (await life.bills(customerId)).filter((bill) => !bill.includes(" 0 "));
			expect(bills).toEqual(["2026-02-27 90.54 PAID", "2026-02-28 30 OPEN", "2026-03-31 30 OPEN"]);
		});

		test("sells an addon as it was invoiced, whatever has been published since", async () => {
			const make = maker(life.world);
			const customerId = await life.customer();
			const { id } = await life.provision({ customerId, planId: "by-use", billingPeriod: "MONTHLY" });
			life.at("2026-02-14T00:00:00Z");
			await change(id, { ...awaiting, addons: [{ id: "support", quantity: 1 }] });
			const { invoiceId, total } = await newest(customerId);
			expect(total).toBe(15);
			await life.post("/addons/support/draft");
			await make.charge("/addons/support", priced(flat(80)));
			await make.publish("/addons/support");
			await pay(customerId, invoiceId);
			life.turn(customerId, "2026-03-01T00:00:00Z");
			expect((await life.bills(customerId)).at(-1)).toBe("2026-02-28 30 OPEN");
		});
	});

	test("gives way where what it gives back is credited by hand", async () => {
		const { customerId, id } = await begun();
		const { invoiceId } = await newest(customerId);
		life.at("2026-02-14T00:00:00Z");
		await change(id, { ...awaiting, ...seats(5) });
		await life.post(`/customers/${customerId}/invoices/${invoiceId}/credit-note`, {});
		expect(await life.bills(customerId)).toEqual(["2026-01-31 35 PAID", "2026-02-14 5 CANCELED"]);
		expect(await life.notes(customerId)).toEqual(["2026-02-14 35 ORDER_CHANGE"]);
		expect(await life.get(id)).toMatchObject({ futureUpdates: [], paymentCollection: "NOT_REQUIRED" });
	});
});
