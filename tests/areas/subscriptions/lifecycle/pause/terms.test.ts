import { describe, expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { beyond, flat, type Till, till } from "../../billing";

const call = async (ours: Till, id: string, action: "pause" | "resume", body: object = {}) =>
	ours.insist("POST", `/subscriptions/${id}/${action}`, body);
const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

async function selling(models: readonly object[], more: object = {}) {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", models, more);
	return { ours, id: await ours.buy("pro") };
}

describe("a paused subscription", () => {
	test("bills fees in arrears up to the pause and from the resumption on", async () => {
		const { ours, id } = await selling([flat({ month: 31 }, { paymentTime: "IN_ARREARS" })]);
		await ours.advance("2026-01-11T00:00:00Z");
		await call(ours, id, "pause");
		expect(await ours.books()).toEqual(["2026-01-11: 10 = pro 10"]);
		await ours.advance("2026-02-08T00:00:00Z");
		await call(ours, id, "resume");
		expect(found(ours)).toEqual([]);
		await ours.advance("2026-03-01T00:00:00Z");
		expect((await ours.books()).slice(1)).toEqual(["2026-03-01: 23.25 = pro 23.25"]);
		expect(found(ours)).toEqual([]);
	});

	test("bills overage up to the pause, and none that is used during it", async () => {
		const { ours, id } = await selling([flat({ month: 31 })], {
			overagePricingModels: [beyond("calls", 10, { month: 1 })],
		});
		await ours.use("calls", 15);
		await ours.advance("2026-01-11T00:00:00Z");
		await call(ours, id, "pause");
		expect((await ours.books()).at(-1)).toBe("2026-01-11: -16 = Unused time: pro -21 + 5 Calls (pro) 5");
		await ours.use("calls", 100);
		await ours.advance("2026-01-21T00:00:00Z");
		await call(ours, id, "resume");
		await ours.use("calls", 3);
		await ours.advance("2026-02-01T00:00:00Z");
		expect((await ours.books()).slice(2)).toEqual([
			"2026-01-21: 11 = pro 11",
			"2026-02-01: 34 = pro 31 + 3 Calls (pro) 3",
		]);
		expect(found(ours)).toEqual([]);
	});

	test("holds the plan that is scheduled to replace it until it resumes", async () => {
		const { ours, id } = await selling([flat({ month: 31 })]);
		await ours.plan("other", [flat({ month: 62 })]);
		const next = await ours.buy("other", { startDate: "2026-01-15T00:00:00Z" });
		await ours.advance("2026-01-11T00:00:00Z");
		await call(ours, id, "pause");
		await ours.advance("2026-01-21T00:00:00Z");
		expect((await ours.call("GET", `/subscriptions/${next}`)).body.data.status).toBe("NOT_STARTED");
		await call(ours, id, "resume");
		await ours.advance("2026-01-21T00:00:01Z");
		expect((await ours.call("GET", `/subscriptions/${next}`)).body.data.status).toBe("ACTIVE");
		expect(found(ours)).toEqual([]);
	});
});
