import { describe, expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { perUnit, till, units, used } from "../../billing";

const date = "2026-04-11T00:00:00Z";

async function selling() {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [perUnit("seats", { month: 30, year: 300 }), used("calls", { month: 0.5 })]);
	await ours.plan("free", []);
	await ours.coupon("half", { percent: 50 });
	const id = await ours.buy("pro", { ...units("seats", 1), billingPeriod: "MONTHLY" });
	const tried = async (body: object) => (await ours.call("PATCH", `/subscriptions/${id}`, { body })).body;
	return { ours, id, tried };
}

describe("the date of a change", () => {
	test("is refused with other times, and with terms that it cannot apply to", async () => {
		const { ours, tried } = await selling();
		await ours.advance("2026-04-21T00:00:00Z");
		const seats = { effectiveDate: date, ...units("seats", 2) };
		const next = { effectiveDate: "2026-04-25T00:00:00Z", ...units("seats", 2) };
		for (const [body, code, said] of [
			[{ ...seats, scheduleStrategy: "END_OF_BILLING_PERIOD" }, "BadUserInput", "scheduleStrategy"],
			[{ ...next, scheduleStrategy: "IMMEDIATE" }, "BadUserInput", "scheduleStrategy"],
			[{ ...seats, awaitPaymentConfirmation: true }, "BadUserInput", "awaitPaymentConfirmation"],
			[{ effectiveDate: date }, "BadUserInput", "'addons'"],
			[{ effectiveDate: date, metadata: { a: "b" } }, "BadUserInput", "'addons'"],
			[{ ...seats, billingInformation: { prorationBehavior: "NONE" } }, "BadUserInput", "INVOICE_IMMEDIATELY"],
			[{ ...seats, appliedCoupon: { couponId: "half" } }, "UnsupportedParameter", "appliedCoupon"],
			[{ ...seats, billingInformation: { taxPercentage: 5 } }, "UnsupportedParameter", "taxPercentage"],
			[{ ...seats, minimumSpend: { amount: 5 } }, "UnsupportedParameter", "minimumSpend"],
			[{ ...seats, phases: null }, "UnsupportedParameter", "phases"],
			[{ ...seats, prorationMode: "BY_DAY" }, "UnsupportedParameter", "prorationMode"],
			[{ ...next, timeZone: "Europe/Berlin" }, "UnsupportedParameter", "timeZone"],
			[{ ...next, billingCycleAnchor: "NOW" }, "UnsupportedParameter", "billingCycleAnchor"],
			[{ effectiveDate: "2026-04-25T00:00:00Z" }, "BadUserInput", "no change"],
			[{ ...seats, effectiveDate: "2026-04-31T00:00:00Z" }, "BadUserInput", "effectiveDate"],
			[{ ...seats, effectiveDate: "2026-04-11" }, "BadUserInput", "effectiveDate"],
			[{ ...seats, effectiveDate: null }, "BadUserInput", "effectiveDate"],
			[{ ...seats, effectiveDate: 5 }, "BadUserInput", "effectiveDate"],
			[{ ...seats, effectiveDates: date }, "BadUserInput", "effectiveDates"],
		] as const)
			expect({ body, ...(await tried(body)) }).toMatchObject({ code, message: expect.stringContaining(said) });
		expect(await ours.books()).toHaveLength(1);
	});

	test("cannot precede the start, a later change or the close of the books", async () => {
		const { ours, id, tried } = await selling();
		await ours.advance("2026-04-21T00:00:00Z");
		const at = (effectiveDate: string) => tried({ effectiveDate, ...units("seats", 2) });
		const refused = (message: string) => ({ code: "InvalidArgumentError", message: expect.stringContaining(message) });
		expect(await at("2026-03-31T23:59:59.999Z")).toMatchObject(refused("2026-04-01T00:00:00.000Z, the start"));
		await ours.insist("PATCH", "/environments/current", { booksClosedUntil: "2026-04-12T00:00:00Z" });
		expect(await ours.insist("GET", "/environments/current")).toMatchObject({
			booksClosedUntil: "2026-04-12T00:00:00.000Z",
		});
		expect(await at(date)).toMatchObject(refused("2026-04-12T00:00:00.000Z, until when the books are closed"));
		await ours.insist("PATCH", "/environments/current", { booksClosedUntil: null });
		expect((await ours.insist("GET", "/environments/current")).booksClosedUntil).toBeUndefined();
		await ours.change(id, units("seats", 3));
		expect(await at(date)).toMatchObject(refused("2026-04-21T00:00:00.000Z, when the subscription"));
		expect(await ours.books()).toHaveLength(2);
		// A change that charges nothing does not count.
		await ours.advance("2026-04-25T00:00:00Z");
		await ours.change(id, { metadata: { a: "b" } });
		expect((await at("2026-04-21T00:00:00Z")).data).toMatchObject({ id, status: "ACTIVE" });
		expect(transactionsFound(ours)).toEqual([]);
	});

	test("is refused where nothing is charged", async () => {
		const { ours, id } = await selling();
		await ours.insist("POST", `/subscriptions/${id}/pause`, {});
		await ours.advance("2026-04-21T00:00:00Z");
		const body = { effectiveDate: date, ...units("seats", 2) };
		expect((await ours.call("PATCH", `/subscriptions/${id}`, { body })).body).toMatchObject({
			code: "InvalidSubscriptionStatus",
		});
		await ours.insist("POST", `/subscriptions/${id}/resume`, {});
		expect((await ours.call("PATCH", `/subscriptions/${id}`, { body })).body).toMatchObject({
			code: "InvalidArgumentError",
			message: expect.stringContaining("2026-04-21T00:00:00.000Z"),
		});
		await ours.insist("POST", "/customers", { id: "other" });
		const bought = { customerId: "other", planId: "free" };
		const free = await ours.insist("POST", "/subscriptions", bought);
		await ours.advance("2026-04-25T00:00:00Z");
		const dated = { effectiveDate: "2026-04-23T00:00:00Z", addons: [] };
		expect((await ours.call("PATCH", `/subscriptions/${free.id}`, { body: dated })).body).toMatchObject({
			code: "BadUserInput",
			message: expect.stringContaining("does not bill"),
		});
		for (const [sold, code, said] of [
			[{ customerId: "new", planId: "pro", ...units("seats", 1) }, "BadUserInput", "startDate"],
			[{ ...bought, startDate: date }, "BadUserInput", "startDate"],
			[{ ...bought, scheduleStrategy: "IMMEDIATE" }, "BadUserInput", "scheduleStrategy"],
		] as const) {
			if (sold.customerId === "new") await ours.insist("POST", "/customers", { id: "new" });
			const answer = await ours.call("POST", "/subscriptions", {
				body: { billingPeriod: "MONTHLY", ...sold, effectiveDate: date },
			});
			expect(answer.body).toMatchObject({ code, message: expect.stringContaining(said) });
		}
	});
});

const transactionsFound = ({ transactions, actor }: Awaited<ReturnType<typeof till>>) =>
	transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);
