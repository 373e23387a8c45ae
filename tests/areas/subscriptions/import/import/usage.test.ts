import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { systemActor } from "../../../../../src/areas/access/rules.actors";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { runImport } from "../../../../../src/areas/subscriptions/import/import";
import { claimTask } from "../../../../../src/tasks/operations";
import { shop } from "../../../coupons/operations/shop";
import { flat, used } from "../../billing";

setDefaultTimeout(60_000);

const calls = used("calls", { month: 0.5 });
const variants = [{ match: { region: ["eu"] }, price: { amount: 2, currency: "usd" } }];
const hourly = { commitment: { amount: 5, interval: { unit: "DAY", count: 1 } } };

/** Sells plan `one` on 1 April, with 10 calls on 10 April. */
async function selling(other: object) {
	const ours = await shop();
	await ours.plan("one", [flat({ month: 30 }), calls]);
	await ours.plan("two", [flat({ month: 60 }), other]);
	const id = await ours.buy("one");
	await ours.advance("2026-04-10T00:00:00Z");
	await ours.use("calls", 10);
	await ours.advance("2026-04-12T00:00:00Z");
	return {
		...ours,
		id,
		drift: () => ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work)]),
		/** Returns the errors of the import. */
		send: async (terms: object): Promise<string[]> => {
			const item = { id, customerId: "acme", planId: "two", ...terms };
			const { taskId } = await ours.insist("POST", "/subscriptions/import", { subscriptions: [item] });
			const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["IMPORT_SUBSCRIPTIONS"]));
			if (task) await runImport(ours.thread, task);
			const { importErrors } = await ours.insist("GET", `/tasks/${taskId}`);
			return importErrors.map(({ error }: { error: string }) => error);
		},
	};
}

describe("an import to another plan within a window of usage that has a bill", () => {
	test.each([
		["variants", used("calls", { month: 1 }, { variants })],
		["commitments", used("calls", { month: 1 }, hourly)],
		["transactions", { ...calls, pricePeriods: [{ billingPeriod: "MONTHLY", transactionPrice: { percentRate: 10 } }] }],
	])(
		"is refused where the plan counts usage by %s, with the remedy, and works when the period is over",
		async (_, other) => {
			const ours = await selling(other);
			await ours.chargeUsage(ours.id);
			expect(await ours.send({})).toEqual([expect.stringContaining("sell it by POST /subscriptions")]);
			expect(await ours.send({ planId: "one", metadata: { a: "b" } })).toEqual([]);
			await ours.advance("2026-05-02T00:00:00Z");
			expect(await ours.send({})).toEqual([]);
			await ours.advance("2026-06-02T00:00:00Z");
			expect((await ours.books()).slice(0, 3)).toEqual([
				"2026-04-01: 30 = one 30",
				"2026-04-12: 5 = 10 Calls (one) 5",
				"2026-05-01: 30 = one 30",
			]);
			expect(ours.drift()).toEqual([]);
			// Late usage has the price of its window.
			await ours.use("calls", 7, "2026-04-20T00:00:00Z");
			await ours.advance("2026-07-02T00:00:00Z");
			expect((await ours.books()).at(-1)).toContain(" + 7 Calls (one) 3.5");
			expect(ours.drift()).toEqual([]);
		},
	);

	test("bills the rest of the usage where the plan only has another price", async () => {
		const ours = await selling(used("calls", { month: 1 }));
		await ours.chargeUsage(ours.id);
		expect(await ours.send({})).toEqual([]);
		await ours.use("calls", 4);
		await ours.advance("2026-05-02T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-05-01: 64 = two 60 + 4 Calls (two) 4");
		expect(ours.drift()).toEqual([]);
	});

	test("does not bill usage of earlier periods that the former plan did not price", async () => {
		const ours = await selling(used("tokens", { month: 1 }));
		await ours.use("tokens", 3000, "2026-04-11T00:00:00Z");
		await ours.advance("2026-05-02T00:00:00Z");
		expect(await ours.send({})).toEqual([]);
		await ours.use("tokens", 2000);
		await ours.advance("2026-06-02T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-06-01: 62 = two 60 + 2 Tokens (two) 2");
		expect(ours.drift()).toEqual([]);
	});

	test("is accepted without a bill, and bills all usage by the new plan", async () => {
		const ours = await selling(used("calls", { month: 1 }, { variants }));
		expect(await ours.send({})).toEqual([]);
		await ours.advance("2026-05-02T00:00:00Z");
		expect((await ours.books()).at(-1)).toBe("2026-05-01: 70 = two 60 + 10 Calls (two) 10");
		expect(ours.drift()).toEqual([]);
	});
});

test("an import with an earlier billing day does not bill usage again that is billed", async () => {
	const ours = await selling(calls);
	await ours.advance("2026-04-25T00:00:00Z");
	await ours.use("calls", 6);
	await ours.advance("2026-05-14T00:00:00Z");
	await ours.use("calls", 2);
	expect(await ours.send({ startDate: "2026-04-20T00:00:00Z" })).toEqual([]);
	await ours.advance("2026-06-21T00:00:00Z");
	expect(await ours.books()).toEqual([
		"2026-04-01: 30 = one 30",
		"2026-05-01: 38 = one 30 + 16 Calls (one) 8",
		"2026-05-20: 61 = two 60 + 2 Calls (two) 1",
		"2026-06-20: 60 = two 60",
	]);
	expect(ours.drift()).toEqual([]);
});
