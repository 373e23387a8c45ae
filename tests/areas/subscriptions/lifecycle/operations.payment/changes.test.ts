import { beforeAll, describe, expect, test } from "bun:test";
import { maker } from "../../../packages/catalogue";
import { flat, paid as priced, usd } from "../../../packages/prices";
import { flat as flatOf, till, used } from "../../billing";
import { scenario } from "../../scenario";

/** The invoice of a change that waits for its payment stays valid, whatever changes until it is paid. */
const mine = scenario();
const seats = (quantity: number) => ({ charges: [{ id: "seats", quantity, type: "FEATURE" }] });
const awaiting = { awaitPaymentConfirmation: true };

async function begun(body: object = {}) {
	const customerId = await mine.customer();
	const { id } = await mine.provision({
		customerId,
		planId: "pro",
		billingPeriod: "MONTHLY",
		...seats(3),
		...body,
	});
	return { customerId, id };
}

async function change(id: string, body: object) {
	const { status, body: answer } = await mine.patch(id, body);
	expect({ status, answer }).toMatchObject({ status: 200 });
	return answer.data;
}

const newest = async (customerId: string) =>
	(await mine.world.call("GET", `/customers/${customerId}/invoices?limit=100`)).body.data.at(-1);
const pay = async (customerId: string, invoiceId: string) => {
	const { status } = await mine.post(`/customers/${customerId}/invoices/${invoiceId}/paid`, {});
	expect(status).toBe(200);
};

describe("a change that waits for its payment", () => {
	test("does not wait if the customer's balance pays it", async () => {
		const { customerId, id } = await begun();
		await mine.post(`/customers/${customerId}/balance/entries`, {
			amount: 7,
			currency: "usd",
			reason: "Goodwill",
		});
		mine.at("2026-02-14T00:00:00Z");
		const shown = await change(id, { ...awaiting, ...seats(5) });
		expect(shown).toMatchObject({ futureUpdates: [], paymentCollection: "NOT_REQUIRED" });
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 35 OPEN", "2026-02-14 5 PAID"]);
		mine.turn(customerId, "2026-03-01T00:00:00Z");
		expect((await mine.bills(customerId)).at(-1)).toBe("2026-02-28 45 OPEN");
	});

	test("is due by the net terms that it sets", async () => {
		const { customerId, id } = await begun();
		mine.at("2026-02-14T00:00:00Z");
		await change(id, { ...awaiting, ...seats(5), billingInformation: { invoiceDaysUntilDue: 10 } });
		expect((await newest(customerId)).dueDate).toBe("2026-02-24T00:00:00.000Z");
	});

	test("records the charge on the invoice that was paid for it", async () => {
		const { customerId, id } = await begun();
		mine.at("2026-02-14T00:00:00Z");
		await change(id, { ...awaiting, ...seats(5) });
		const { invoiceId } = await newest(customerId);
		await pay(customerId, invoiceId);
		const [period] = mine.world.db.$client
			.query<{ billedOn: string | null }, [string]>(
				`SELECT invoice_id AS billedOn FROM charge_periods JOIN billing_charges ON billing_charges.id = charge_id
				WHERE owner_id = (SELECT id FROM subscriptions WHERE ref_id = ?) AND replaced_at IS NULL AND "key" LIKE 'advance/%seats%'`,
			)
			.all(id);
		expect(period?.billedOn).toBe(invoiceId);
	});

	const meanwhile: Array<[string, object]> = [
		["another tax", { billingInformation: { taxPercentage: 19 } }],
		["a coupon", { appliedCoupon: { couponId: "TEN" } }],
		["other proration", { billingInformation: { prorationBehavior: "NONE" } }],
	];
	test.each(meanwhile)("with %s until its payment credits the amounts that were paid", async (_, terms) => {
		const { customerId, id } = await begun();
		mine.at("2026-02-14T00:00:00Z");
		await change(id, { ...awaiting, ...seats(5) });
		const { invoiceId, total } = await newest(customerId);
		expect(total).toBe(5);
		await change(id, terms);
		await pay(customerId, invoiceId);
		await mine.cancel(id);
		// Half of 45, by the two invoices that charged it.
		expect(await mine.notes(customerId)).toEqual([
			"2026-02-14 5 ORDER_CANCELLATION",
			"2026-02-14 17.5 ORDER_CANCELLATION",
		]);
	});

	test("to the same coupon continues it", async () => {
		const { customerId, id } = await begun();
		mine.at("2026-02-14T00:00:00Z");
		await change(id, { ...awaiting, ...seats(5), appliedCoupon: { couponId: "TEN" } });
		const { invoiceId } = await newest(customerId);
		await change(id, { appliedCoupon: { couponId: "TEN" } });
		await pay(customerId, invoiceId);
		expect(await mine.get(id)).toMatchObject({ futureUpdates: [], paymentCollection: "NOT_REQUIRED" });
	});

	describe("a plan with usage prices only", () => {
		beforeAll(async () => {
			const make = maker(mine.world);
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

		test("paid after the renewal charges the new period, and one-time items once", async () => {
			const customerId = await mine.customer();
			const { id } = await mine.provision({ customerId, planId: "by-use", billingPeriod: "MONTHLY" });
			mine.at("2026-02-27T12:00:00Z");
			await change(id, { ...awaiting, addons: ["support", "setup"].map((addon) => ({ id: addon, quantity: 1 })) });
			const { invoiceId } = await newest(customerId);
			mine.turn(customerId, "2026-02-28T00:00:00Z");
			await pay(customerId, invoiceId);
			mine.turn(customerId, "2026-04-01T00:00:00Z");
			const bills = (await mine.bills(customerId)).filter((bill) => !bill.includes(" 0 "));
			expect(bills).toEqual(["2026-02-27 90.54 PAID", "2026-02-28 30 OPEN", "2026-03-31 30 OPEN"]);
		});

		test("sells an addon as invoiced, even after a later publication", async () => {
			const make = maker(mine.world);
			const customerId = await mine.customer();
			const { id } = await mine.provision({ customerId, planId: "by-use", billingPeriod: "MONTHLY" });
			mine.at("2026-02-14T00:00:00Z");
			await change(id, { ...awaiting, addons: [{ id: "support", quantity: 1 }] });
			const { invoiceId, total } = await newest(customerId);
			expect(total).toBe(15);
			await mine.post("/addons/support/draft");
			await make.charge("/addons/support", priced(flat(80)));
			await make.publish("/addons/support");
			await pay(customerId, invoiceId);
			mine.turn(customerId, "2026-03-01T00:00:00Z");
			expect((await mine.bills(customerId)).at(-1)).toBe("2026-02-28 30 OPEN");
		});
	});

	test("to a new billing cycle: usage until the payment uses the rest of the former minimum, even if late", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("meter", [flatOf({ month: 10 }), used("calls", { month: 1 })]);
		const id = await ours.buy("meter", { minimumSpend: { amount: 31, currency: "usd" } });
		await ours.advance("2026-01-11T00:00:00Z");
		await ours.insist("PATCH", `/subscriptions/${id}`, { ...awaiting, billingCycleAnchor: "NOW" });
		const { invoiceId } = (await ours.insist("GET", "/customers/acme/invoices?limit=100")).at(-1);
		await ours.advance("2026-01-11T03:00:00Z");
		await ours.insist("POST", `/customers/acme/invoices/${invoiceId}/paid`, {});
		await ours.advance("2026-02-11T00:00:00Z");
		await ours.use("calls", 40, "2026-01-05T00:00:00Z");
		await ours.advance("2026-03-11T00:00:00Z");
		const late = (await ours.insist("GET", "/customers/acme/invoices?limit=100")).at(-1);
		// After the credit of 21 of the 31 days of January, 10 are left.
		expect(late.total).toBe(10 + 31 + 40 - 10);
	});

	test("is canceled if the charge that it credits is credited manually", async () => {
		const { customerId, id } = await begun();
		const { invoiceId } = await newest(customerId);
		mine.at("2026-02-14T00:00:00Z");
		await change(id, { ...awaiting, ...seats(5) });
		await mine.post(`/customers/${customerId}/invoices/${invoiceId}/credit-note`, {});
		expect(await mine.bills(customerId)).toEqual(["2026-01-31 35 PAID", "2026-02-14 5 CANCELED"]);
		expect(await mine.notes(customerId)).toEqual(["2026-02-14 35 ORDER_CHANGE"]);
		expect(await mine.get(id)).toMatchObject({ futureUpdates: [], paymentCollection: "NOT_REQUIRED" });
	});
});
