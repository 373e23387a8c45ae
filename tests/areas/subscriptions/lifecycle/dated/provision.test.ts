import { describe, expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, type Till, till, used } from "../../billing";

const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);
const preview = async (ours: Till, body: object) =>
	(await ours.call("POST", "/subscriptions/preview", { body: { customerId: "acme", ...body } })).body.data
		.immediateInvoice;

/** A plan of 30.00 a month from 1 April 2026, and one of 60.00. */
async function selling(models: readonly object[] = []) {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("basic", [flat({ month: 30 }), ...models]);
	await ours.plan("pro", [flat({ month: 60, year: 600 }), ...models]);
	return { ours, id: await ours.buy("basic") };
}

const dated = { effectiveDate: "2026-04-11T00:00:00Z", billingPeriod: "MONTHLY" };

describe("a change of plan dated in the past (2.22)", () => {
	for (const [at, total, books] of [
		["2026-04-21T00:00:00Z", 20, "2026-04-21: 20 = Unused time: basic -20 + pro 40"],
		["2026-05-05T00:00:00Z", 50, "2026-05-05: 50 = Unused time: basic -20 + pro 40 + Unused time: basic -30 + pro 60"],
	] as const)
		test(`rates the time since again when it is requested on ${at}, as its preview shows`, async () => {
			const { ours, id } = await selling();
			await ours.advance(at);
			const shown = await preview(ours, { planId: "pro", ...dated });
			expect(shown).toMatchObject({ total });
			await ours.buy("pro", dated);
			expect((await ours.books()).at(-1)).toBe(books);
			expect(shown.lines.length).toBe(books.split(" + ").length);
			expect((await ours.insist("GET", `/subscriptions/${id}`)).status).toBe("CANCELED");
			expect(found(ours)).toEqual([]);
			await ours.advance("2026-06-01T00:00:00Z");
			expect((await ours.books()).at(-1)).toBe("2026-06-01: 60 = pro 60");
			expect(found(ours)).toEqual([]);
		});

	test("bills usage of the running period at the prices of each plan", async () => {
		const ours = await till("2026-04-01T00:00:00Z");
		await ours.plan("basic", [flat({ month: 30 }), used("calls", { month: 0.5 })]);
		await ours.plan("pro", [flat({ month: 60 }), used("calls", { month: 0.1 })]);
		await ours.buy("basic");
		await ours.advance("2026-04-21T00:00:00Z");
		await ours.use("calls", 10, "2026-04-05T00:00:00Z");
		await ours.use("calls", 20, "2026-04-15T00:00:00Z");
		await ours.buy("pro", dated);
		expect((await ours.books()).at(-1)).toBe("2026-04-21: 25 = Unused time: basic -20 + 10 Calls (basic) 5 + pro 40");
		await ours.advance("2026-05-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-05-01: 62 = pro 60 + 20 Calls (pro) 2");
		expect(found(ours)).toEqual([]);
	});

	test("starts a yearly cycle from a date in the running month", async () => {
		const { ours } = await selling();
		await ours.advance("2026-04-21T00:00:00Z");
		await ours.buy("pro", { ...dated, billingPeriod: "ANNUALLY" });
		expect((await ours.books()).at(-1)).toBe("2026-04-21: 580 = Unused time: basic -20 + pro 600");
		expect(found(ours)).toEqual([]);
		await ours.advance("2027-04-11T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2027-04-11: 600 = pro 600");
		expect(found(ours)).toEqual([]);
	});

	test("is scheduled for a date in the future", async () => {
		const { ours } = await selling();
		await ours.buy("pro", dated);
		expect(await ours.books()).toHaveLength(1);
		await ours.advance("2026-04-11T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-04-11: 20 = Unused time: basic -20 + pro 40");
		expect(found(ours)).toEqual([]);
	});

	test("is refused for a plan that Tollgate does not bill, and for one that begins with phases", async () => {
		const { ours } = await selling();
		await ours.plan("free", []);
		const phases = [{ id: "ramp", displayName: "Ramp", duration: { unit: "MONTH", count: 2 }, percentOff: 50 }];
		await ours.plan("ramped", [flat({ month: 60 })], { phases });
		await ours.advance("2026-05-05T00:00:00Z");
		for (const [planId, said] of [
			["free", "isBackdated"],
			["ramped", "phases"],
		] as const) {
			const body = { customerId: "acme", planId, effectiveDate: "2026-04-11T00:00:00Z" };
			expect((await ours.call("POST", "/subscriptions", { body })).body).toMatchObject({
				code: "UnsupportedParameter",
				message: expect.stringContaining(said),
			});
		}
		expect(await ours.books()).toHaveLength(2);
	});
});
