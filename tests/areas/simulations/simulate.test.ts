import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { runSimulation } from "../../../src/areas/simulations/simulate";
import { runMigration } from "../../../src/areas/subscriptions/versions/migrate";
import { claimTask, releaseTasks } from "../../../src/tasks/operations";
import { dyingAt } from "../../support/dying";
import { turnsOf } from "../../support/turns";
import type { World } from "../../support/world";
import { beyond, flat, perUnit, type Till, tiered, till, units, used } from "../subscriptions/billing";
import { answerOf, ask, claim, draft, queue, simulate, total, usd, work } from "./simulation";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(120_000);

/** The last two count the writes of the file, and the emitted events. */
const writtenByTheTask = new Set([
	...["tasks", "idempotency_keys", "main_revision", "sqlite_sequence"],
	...["audit_chains", "audit_subjects", "audit_personal"],
]);
/** The rows among these that a simulation and its task write. */
const ofTheTask: Readonly<Record<string, string>> = {
	outbox_events: "type = 'task.completed'",
	audit_entries: "entity_type IN ('Task', 'PlanSimulation')",
};

/** Everything in the main file but what a simulation itself keeps. */
const untouched = ({ db }: World): string => {
	const tables = db.$client
		.query<{ name: string }, []>("SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY name")
		.all()
		.map(({ name }) => name)
		.filter((name) => !name.startsWith("plan_simulation") && !writtenByTheTask.has(name));
	const hash = createHash("sha256");
	const rowsOf = (name: string) => `SELECT * FROM "${name}" WHERE NOT (${ofTheTask[name] ?? "false"})`;
	for (const name of tables) hash.update(JSON.stringify(db.$client.query(rowsOf(name)).all()));
	return hash.digest("hex");
};

describe("the simulated cost", () => {
	test("the last period, flat and by the unit, with addons, prices of its own and coupons; nothing is changed by it", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 20 }), perUnit("seats", { month: 5 })]);
		await ours.addon("extra", flat({ month: 3 }));
		await ours.coupon("TEN", { percent: 10 });
		for (const id of ["plain", "more", "own", "less"]) await ours.customer(id);
		const plain = await ours.buy("pro", { customerId: "plain" });
		const more = await ours.buy("pro", {
			customerId: "more",
			...units("seats", 4),
			addons: [{ id: "extra", quantity: 2 }],
		});
		const own = await ours.buy("pro", { customerId: "own", priceOverrides: [{ baseCharge: true, amount: 7 }] });
		const less = await ours.buy("pro", { customerId: "less", appliedCoupon: { couponId: "TEN" } });
		await ours.advance("2026-02-10T00:00:00Z");
		await draft(ours, "pro", flat({ month: 30 }), perUnit("seats", { month: 4 }));
		const before = untouched(ours);
		const taskId = await ask(ours, "pro");
		expect(await answerOf(ours, "pro", taskId)).toMatchObject({ status: "PENDING", progress: 0, customers: [] });
		await work(ours);
		expect(untouched(ours)).toBe(before);
		expect(await ours.insist("GET", `/tasks/${taskId}`)).toMatchObject({
			taskType: "SIMULATE_PLAN",
			status: "COMPLETED",
			progress: 100,
			totalSubtasksCount: 4,
			completedSubtasksCount: 4,
			importErrors: [],
		});
		expect(await answerOf(ours, "pro", taskId)).toEqual({
			status: "COMPLETED",
			progress: 100,
			versionNumber: 2,
			startDate: null,
			endDate: null,
			currencyTotals: [total(25 + 46 + 12 + 22.5, 34 + 52 + 11 + 30.6, 4)],
			customers: [
				{ customerId: "plain", subscriptionId: plain, ...usd(25, 34) },
				{ customerId: "less", subscriptionId: less, ...usd(22.5, 30.6) },
				{ customerId: "more", subscriptionId: more, ...usd(46, 52) },
				{ customerId: "own", subscriptionId: own, ...usd(12, 11) },
			],
			customersCount: 4,
			failures: [],
			failuresCount: 0,
		});
	});

	test("usage is that of the period itself, beyond the limit of either version; `before` is what was invoiced", async () => {
		const ours = await till("2026-01-15T00:00:00Z");
		const limited = (limit: number, price: number) => ({
			overagePricingModels: [beyond("calls", limit, { month: price })],
		});
		await ours.plan("mix", [flat({ month: 10 }), used("tokens", { month: 2 })], limited(100, 0.5));
		await ours.buy("mix");
		await ours.advance("2026-01-21T00:00:00Z");
		await ours.use("calls", 130, "2026-01-20T00:00:00Z");
		await ours.use("tokens", 2500);
		await ours.advance("2026-02-20T00:00:00Z");
		// Usage of the current period: in no answer yet.
		await ours.use("calls", 1000, "2026-02-19T00:00:00Z");
		await draft(ours, "mix");
		await ours.insist("PATCH", "/plans/mix", {
			charges: {
				pricingType: "PAID",
				pricingModels: [flat({ month: 10 }), used("tokens", { month: 3 })],
				...limited(50, 1),
			},
		});
		expect((await simulate(ours, "mix")).currencyTotals).toEqual([total(10 + 6 + 15, 10 + 9 + 80)]);
		const [opening, renewal] = await ours.books();
		expect([opening, renewal]).toEqual([
			"2026-01-15: 10 = mix 10",
			"2026-02-15: 31 = mix 10 + 3 Tokens (mix) 6 + 30 Calls (mix) 15",
		]);
	});

	test("a limit that starts again within the period counts earlier usage as billed before", async () => {
		const ours = await till("2026-01-15T00:00:00Z");
		const calendar = (price: number) => ({
			overagePricingModels: [
				{
					...beyond("calls", 100, { month: price }),
					entitlement: {
						featureId: "calls",
						usageLimit: 100,
						resetPeriod: "MONTH",
						monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" },
					},
				},
			],
		});
		await ours.plan("mix", [flat({ month: 10 })], calendar(1));
		await ours.buy("mix");
		// January: 120, of which 20 are too much. February: 90 before the next period, 40 in it.
		for (const [n, at] of [
			[120, "2026-01-20T00:00:00Z"],
			[90, "2026-02-10T00:00:00Z"],
			[40, "2026-02-16T00:00:00Z"],
		] as const) {
			await ours.advance(at);
			await ours.use("calls", n);
		}
		await ours.advance("2026-03-20T00:00:00Z");
		await draft(ours, "mix");
		const charges = { pricingType: "PAID", pricingModels: [flat({ month: 10 })], ...calendar(2) };
		await ours.insist("PATCH", "/plans/mix", { charges });
		const period = (startDate: string, endDate: string) => simulate(ours, "mix", { startDate, endDate });
		expect((await period("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z")).currencyTotals).toEqual([total(30, 50)]);
		expect((await period("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z")).currencyTotals).toEqual([total(40, 70)]);
		expect((await period("2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z")).currencyTotals).toEqual([total(70, 120)]);
		expect((await simulate(ours, "mix")).currencyTotals).toEqual([total(40, 70)]);
	});

	test("usage by the month within a year is calculated month by month, as it was invoiced", async () => {
		const ours = await till("2026-01-15T00:00:00Z");
		const byTiers = tiered("calls", "GRADUATED", [
			[10, 1],
			[null, 0.5],
		]);
		const overage = (price: number) => ({ overagePricingModels: [beyond("tokens", 3, { month: price })] });
		await ours.plan("pro", [flat({ year: 365 }), byTiers], overage(2));
		await ours.buy("pro");
		for (const [n, thousands, at] of [
			[8, 5, "2026-02-10T00:00:00Z"],
			[12, 2, "2026-02-20T00:00:00Z"],
			[0, 4, "2027-01-14T00:00:00Z"],
		] as const) {
			await ours.advance(at);
			await ours.use("calls", n);
			await ours.use("tokens", thousands * 1000);
		}
		await ours.advance("2027-02-20T00:00:00Z");
		// Usage of the next year: in no answer yet.
		await ours.use("calls", 1000);
		await draft(ours, "pro");
		const charges = {
			pricingType: "PAID",
			pricingModels: [flat({ year: 400 }), used("calls", { month: 2 })],
			...overage(3),
		};
		await ours.insist("PATCH", "/plans/pro", { charges });
		// Calls: 8, then 10 and 2 of the second tier. Tokens beyond three thousand: 2, none, 1.
		expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(365 + 8 + 11 + 4 + 2, 400 + 16 + 24 + 6 + 3)]);
		expect(await ours.books()).toEqual([
			"2026-01-15: 365 = pro 365",
			"2026-02-15: 12 = 8 Calls (pro) 8 + 2 Tokens (pro) 4",
			"2026-03-15: 11 = 12 Calls (pro) 11",
			"2027-01-15: 367 = pro 365 + Tokens (pro) 2",
		]);
	});

	test("a minimum spend is paid in advance and consumed by usage, on both sides", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		const minimum = (amount: number) => ({
			billingModel: "MINIMUM_SPEND",
			pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount, currency: "usd" } }],
		});
		await ours.plan("least", [used("calls", { month: 1 }), minimum(50)]);
		await ours.buy("least");
		await ours.advance("2026-01-10T00:00:00Z");
		await ours.use("calls", 70);
		await ours.advance("2026-02-10T00:00:00Z");
		await draft(ours, "least", used("calls", { month: 1 }), minimum(100));
		expect((await simulate(ours, "least")).currencyTotals).toEqual([total(70, 100)]);
	});

	test("before is by the version that was charged then; a published version may be compared too", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 10 })]);
		await ours.buy("pro");
		await draft(ours, "pro", flat({ month: 20 }));
		const { taskId } = await ours.insist("POST", "/plans/pro/publish", { migrationType: "ALL_CUSTOMERS" });
		const task = ours.transactions.write(queue, (inner) => claimTask(inner, ["MIGRATE_SUBSCRIPTIONS"]));
		expect(task?.id).toBe(taskId);
		if (task) await runMigration(ours.thread, task);
		await ours.advance("2026-03-10T00:00:00Z");
		await draft(ours, "pro", flat({ month: 50 }));
		const span = { startDate: "2026-01-01T00:00:00Z", endDate: "2026-12-01T00:00:00Z" };
		expect(await simulate(ours, "pro", span)).toMatchObject({
			versionNumber: 3,
			startDate: "2026-01-01T00:00:00.000Z",
			endDate: "2026-12-01T00:00:00.000Z",
			currencyTotals: [total(10 + 20, 100)],
		});
		expect(await simulate(ours, "pro", { ...span, versionNumber: 1 })).toMatchObject({
			versionNumber: 1,
			currencyTotals: [total(30, 20)],
		});
		expect((await simulate(ours, "pro", { versionNumber: 2 })).currencyTotals).toEqual([total(20, 20)]);
	});

	test("another currency is its own total, and a subscription that becomes free costs nothing", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 10 })]);
		const id = await ours.buy("pro");
		await ours.advance("2026-02-10T00:00:00Z");
		await draft(ours, "pro", flat({ month: [9, "eur"] }));
		const euros = { currency: "eur", before: 0, after: 9, difference: 9 };
		expect(await simulate(ours, "pro")).toMatchObject({
			currencyTotals: [{ ...euros, subscriptionsCount: 1 }, total(10, 0)],
			customers: [
				{ customerId: "acme", subscriptionId: id, ...usd(10, 0) },
				{ customerId: "acme", subscriptionId: id, ...euros },
			],
			customersCount: 1,
		});
		await ours.insist("PATCH", "/plans/pro", { charges: { pricingType: "FREE" } });
		expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(10, 0)]);
	});
});

describe("which periods count", () => {
	test("only what was charged here: not a trial, not what was imported as running, not what has not passed", async () => {
		const ours = await till("2026-01-10T00:00:00Z");
		await ours.plan("pro", [flat({ month: 31 })]);
		await ours.plan("other", [flat({ month: 5 })]);
		await ours.plan("free", []);
		for (const id of ["tried", "imported", "past", "fresh", "ended", "elsewhere", "unpaid"]) await ours.customer(id);
		const trial = { isTrial: true, trialEndDate: "2026-01-25T00:00:00Z", trialEndBehavior: "CONVERT_TO_PAID" };
		await ours.buy("pro", { customerId: "tried", trialOverrideConfiguration: trial });
		await ours.buy("pro", { customerId: "past", startDate: "2025-12-20T00:00:00Z" });
		const ended = await ours.buy("pro", { customerId: "ended" });
		await ours.buy("other", { customerId: "elsewhere" });
		await ours.buy("pro", { customerId: "unpaid", paymentCollectionMethod: "NONE" });
		await ours.advance("2026-02-24T00:00:00Z");
		await ours.cancel(ended, { cancellationTime: "IMMEDIATE" });
		await ours.buy("pro", { customerId: "fresh" });
		await draft(ours, "pro", flat({ month: 62 }));
		const span = { startDate: "2025-12-01T00:00:00Z", endDate: "2026-06-01T00:00:00Z" };
		const those = (answer: { customers: Array<{ customerId: string; before: number }> }) =>
			Object.fromEntries(answer.customers.map(({ customerId, before }) => [customerId, before]));
		// The period that the start in the past fell into was charged elsewhere; the trial is not charged for.
		expect(those(await simulate(ours, "pro", span))).toEqual({ past: 31 });
		await ours.advance("2026-02-26T00:00:00Z");
		expect(those(await simulate(ours, "pro", span))).toEqual({ past: 31, tried: 31 });
		expect(those(await simulate(ours, "pro"))).toEqual({ past: 31, tried: 31 });
		// Nobody's period began then.
		const none = { startDate: "2025-06-01T00:00:00Z", endDate: "2025-07-01T00:00:00Z" };
		expect(await simulate(ours, "pro", none)).toMatchObject({
			status: "COMPLETED",
			progress: 100,
			currencyTotals: [],
			customersCount: 0,
		});
		expect(await simulate(ours, "free", { versionNumber: 1 })).toMatchObject({ status: "COMPLETED", progress: 100 });
	});

	test("the charged part of a first period that began during its month", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("basic", [flat({ month: 28 })]);
		await ours.plan("pro", [flat({ month: 56 })]);
		await ours.buy("basic");
		await ours.advance("2026-02-15T00:00:00Z");
		await ours.buy("pro");
		await ours.advance("2026-03-10T00:00:00Z");
		await draft(ours, "pro", flat({ month: 112 }));
		// It goes on with the cycle of the plan whose place it took: half of February.
		expect((await simulate(ours, "pro")).currencyTotals).toEqual([total(28, 56)]);
	});
});

test("a subscription that cannot be sold on the version is reported with its code, and in no total", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 20, year: 200 }), perUnit("seats", { month: 5, year: 50 })]);
	for (const id of ["yearly", "many", "own", "fine"]) await ours.customer(id);
	await ours.buy("pro", { id: "yearly", customerId: "yearly", billingPeriod: "ANNUALLY" });
	await ours.buy("pro", { id: "many", customerId: "many", billingPeriod: "MONTHLY", ...units("seats", 9) });
	const override = { featureId: "seats", amount: 1 };
	await ours.buy("pro", { id: "own", customerId: "own", billingPeriod: "MONTHLY", priceOverrides: [override] });
	await ours.buy("pro", { id: "fine", customerId: "fine", billingPeriod: "MONTHLY" });
	await ours.advance("2027-01-10T00:00:00Z");
	await draft(ours, "pro", flat({ month: 20 }), perUnit("seats", { month: 5 }, { maxUnitQuantity: 3 }));
	const answer = await simulate(ours, "pro");
	expect(answer.failures.map(({ subscriptionId, code }: Record<string, string>) => [subscriptionId, code])).toEqual([
		["yearly", "BillingPeriodMissingError"],
		["many", "InvalidQuantity"],
	]);
	expect(answer).toMatchObject({ status: "COMPLETED", failuresCount: 2, currencyTotals: [total(25 + 21, 25 + 21, 2)] });
	await ours.insist("PATCH", "/plans/pro", { charges: { pricingType: "PAID", pricingModels: [flat({ month: 20 })] } });
	const { failures } = await simulate(ours, "pro");
	expect(failures).toMatchObject([{ subscriptionId: "yearly" }, { subscriptionId: "own", code: "PriceNotFound" }]);
});

describe("when the job is killed", () => {
	const perTurn = 5;
	const count = perTurn + 3;
	async function many(): Promise<Till> {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 10 })]);
		for (let at = 0; at < count; at += 1) {
			await ours.customer(`c${at}`);
			await ours.buy("pro", { customerId: `c${at}` });
		}
		await ours.advance("2026-02-10T00:00:00Z");
		await draft(ours, "pro", flat({ month: 15 }));
		return ours;
	}

	test("in any of its writes, it goes on from what is committed, and counts nothing twice", async () => {
		const ours = await many();
		// The first run has no rows to delete, in one write; the others delete the former rows in two. Then come two writes with
		// results, and the one that ends the task. A turn lasts for two pieces of each subscription.
		for (const [nth, done] of [
			[1, 0],
			[2, 0],
			[4, perTurn],
			[5, count],
		] as const) {
			const taskId = await ask(ours, "pro");
			const task = claim(ours);
			if (!task) throw new Error("there is a task");
			const job = runSimulation(
				{ ...ours.thread, transactions: dyingAt(ours.transactions, nth), turns: turnsOf(2 * perTurn) },
				task,
			);
			expect(job).rejects.toThrow("killed");
			await job.catch(() => undefined);
			const { customersCount, status } = await answerOf(ours, "pro", taskId);
			expect(status).toBe("IN_PROGRESS");
			expect(customersCount).toBe(done);
			ours.transactions.write(queue, (inner) => releaseTasks(inner, ["SIMULATE_PLAN"]));
			await work(ours);
			expect(await answerOf(ours, "pro", taskId)).toMatchObject({
				status: "COMPLETED",
				progress: 100,
				customersCount: count,
				currencyTotals: [total(10 * count, 15 * count, count)],
			});
		}
	});
});
