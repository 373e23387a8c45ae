import { beforeEach, describe, expect, test } from "bun:test";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { getSubscription } from "../../../../src/areas/subscriptions/operations";
import { quantitiesOf } from "../../../../src/areas/subscriptions/operations.reading";
import { subscriptionVersionChanges } from "../../../../src/areas/subscriptions/table.changes";
import { saleOf } from "../../../../src/areas/subscriptions/terms/subscription-sale";
import { runMigration } from "../../../../src/areas/subscriptions/versions/migrate";
import type { Instant } from "../../../../src/kernel/clock";
import { claimTask, releaseTasks } from "../../../../src/tasks/operations";
import type { TaskRow } from "../../../../src/tasks/table";
import { dyingAt } from "../../../support/dying";
import { turnsOf } from "../../../support/turns";
import type { World } from "../../../support/world";
import { maker } from "../../packages/catalogue";
import { isRefusal } from "../../packages/guards";
import { flat, paid, perUnit, usd } from "../../packages/prices";
import { invoicesOf, provision, shop } from "../shop";

const queue = systemActor("");
let ours: World;
beforeEach(async () => {
	ours = await shop();
});

const claim = (): TaskRow | undefined =>
	ours.transactions.write(queue, (work) => claimTask(work, ["MIGRATE_SUBSCRIPTIONS"]));
/** Runs one task after the other, as the importer's thread does. */
async function work(): Promise<void> {
	for (let task = claim(); task; task = claim()) await runMigration(ours.thread, task);
}

const read = async (path: string) => (await ours.call("GET", path)).body.data;
const taskOf = (id: string) => read(`/tasks/${id}`);

/** Opens a draft, changes it and publishes it; returns the task. */
async function publish(path: string, change: () => Promise<unknown>, migrationType = "ALL_CUSTOMERS") {
	await ours.call("POST", `${path}/draft`);
	await change();
	const answer = await ours.call("POST", `${path}/publish`, { body: { migrationType } });
	expect(answer.status).toBe(200);
	expect(Object.keys(answer.body.data)).toEqual(["taskId"]);
	return answer.body.data.taskId as string | null;
}

const charge = (path: string, ...models: object[]) => maker(ours).charge(path, paid(...models));
const limit = (path: string, usageLimit: number) =>
	ours.call("PATCH", `${path}/entitlements/calls`, { body: { type: "FEATURE", usageLimit } });
const limitOf = async (customer = "acme") =>
	(await read(`/customers/${customer}/entitlements/check?featureId=calls`)).usageLimit;

const versionOf = (id: string) => ours.transactions.read(ours.actor, (work) => getSubscription(work, id).versionId);
const changes = () =>
	ours.transactions.read(ours.actor, (work) => work.tx.select().from(subscriptionVersionChanges).all());
/** The number of the plan's version that is charged at a time. */
const chargedAt = (id: string, at: number) =>
	ours.transactions.read(
		ours.actor,
		(work) => saleOf(work, getSubscription(work, id), at as Instant).plan.versionNumber,
	);

async function customers(count: number, planId: string): Promise<void> {
	for (let at = 0; at < count; at += 1) {
		await ours.call("POST", "/customers", { body: { id: `c${at}` } });
		await provision(ours, { id: `s${at}`, customerId: `c${at}`, planId });
	}
}

describe("publishing a plan to all customers", () => {
	test("queues a task that moves active subscriptions: entitlements at once, prices with the next period", async () => {
		await provision(ours, { id: "s1", planId: "pro", billingPeriod: "MONTHLY", charges: seats(7) });
		const before = await invoicesOf(ours);
		ours.woken.length = 0;
		const taskId = await publish("/plans/pro", async () => {
			await limit("/plans/pro", 5);
			await charge("/plans/pro", flat(30), perUnit({}, { price: usd(6) }));
		});
		expect(ours.woken).toContain("importer");
		expect(await taskOf(taskId ?? "")).toMatchObject({
			taskType: "MIGRATE_SUBSCRIPTIONS",
			status: "PENDING",
			totalSubtasksCount: 1,
		});
		expect(await limitOf()).toBe(1000);
		await work();
		expect(await taskOf(taskId ?? "")).toMatchObject({
			status: "COMPLETED",
			progress: 100,
			completedSubtasksCount: 1,
			failedSubtasksCount: 0,
		});
		expect(await limitOf()).toBe(5);
		expect(await read("/subscriptions/s1")).toMatchObject({ status: "ACTIVE", prices: [usd(30), usd(6)] });
		expect(await invoicesOf(ours)).toEqual(before);
		// The current period, from the 31st of January, was agreed on the first version.
		expect(chargedAt("s1", Date.UTC(2026, 0, 31))).toBe(1);
		expect(chargedAt("s1", Date.UTC(2026, 1, 28) - 1)).toBe(1);
		expect(chargedAt("s1", Date.UTC(2026, 1, 28))).toBe(2);
	});

	test("drops units that are no longer sold, and adds the minimum of new ones", async () => {
		await provision(ours, { id: "s1", planId: "pro", billingPeriod: "MONTHLY", charges: seats(7) });
		const units = () =>
			ours.transactions.read(ours.actor, (inner) => quantitiesOf(inner, [getSubscription(inner, "s1").id]));
		await publish("/plans/pro", () => charge("/plans/pro", flat(30)));
		await work();
		expect(units()).toEqual([]);
		await publish("/plans/pro", () => charge("/plans/pro", flat(30), perUnit({ minUnitQuantity: 3 })));
		await work();
		expect(units().map(({ quantity }) => Number(quantity))).toEqual([3]);
	});

	test("returns no task without active subscriptions, with NEW_CUSTOMERS, or if all have ended", async () => {
		const change = () => limit("/plans/free", 20);
		expect(await publish("/plans/free", change)).toBeNull();
		await provision(ours, { id: "s1", planId: "free" });
		const first = versionOf("s1");
		expect(await publish("/plans/free", change, "NEW_CUSTOMERS")).toBeNull();
		await work();
		expect(versionOf("s1")).toBe(first);
		await ours.call("POST", "/subscriptions/s1/cancel", { body: {} });
		expect(await publish("/plans/free", change)).toBeNull();
		expect(changes()).toEqual([]);
	});

	test("moves subscriptions that earlier publications left behind, and no others", async () => {
		await provision(ours, { id: "s1", planId: "free" });
		await publish("/plans/free", () => limit("/plans/free", 20), "NEW_CUSTOMERS");
		await ours.call("POST", "/customers", { body: { id: "other" } });
		await provision(ours, { id: "s2", customerId: "other", planId: "basic" });
		const basic = versionOf("s2");
		const taskId = await publish("/plans/free", () => limit("/plans/free", 30));
		expect(await taskOf(taskId ?? "")).toMatchObject({ totalSubtasksCount: 1 });
		await work();
		expect(await limitOf()).toBe(30);
		expect(versionOf("s2")).toBe(basic);
	});

	test("two publications in a row end with the second, also for subscriptions provisioned in between", async () => {
		await provision(ours, { id: "s1", planId: "free" });
		await publish("/plans/free", () => limit("/plans/free", 20));
		await ours.call("POST", "/customers", { body: { id: "between" } });
		await provision(ours, { id: "s2", customerId: "between", planId: "free" });
		await publish("/plans/free", () => limit("/plans/free", 30));
		await work();
		expect([await limitOf(), await limitOf("between")]).toEqual([30, 30]);
		expect(changes()).toHaveLength(3);
	});

	test("charges a newly priced plan from now on, and a free one no longer", async () => {
		await provision(ours, { id: "s1", planId: "free" });
		await publish("/plans/free", () => charge("/plans/free", flat(5)));
		ours.clock.at = Date.UTC(2026, 1, 10) as Instant;
		await work();
		const terms = () => ours.transactions.read(ours.actor, (work) => getSubscription(work, "s1"));
		const start = Date.UTC(2026, 1, 10);
		expect(terms()).toMatchObject({
			pricingType: "PAID",
			billingPeriod: "MONTHLY",
			billingAnchorAt: start,
			billedUntil: start,
		} as object);
		await publish("/plans/free", () => maker(ours).charge("/plans/free", { pricingType: "FREE" }));
		await work();
		const none = { billingPeriod: null, billingAnchorAt: null, billedUntil: null };
		expect(terms()).toMatchObject({ pricingType: "FREE", ...none } as object);
		expect((await read("/subscriptions/s1")).status).toBe("ACTIVE");
	});
});

const seats = (quantity: number) => [{ id: "seats", quantity, type: "FEATURE" }];

test("publishing an addon moves the subscriptions that have it, and keeps their quantity", async () => {
	const addons = [{ id: "extra", quantity: 2 }];
	await provision(ours, { id: "s1", planId: "pro", billingPeriod: "MONTHLY", addons });
	const plan = versionOf("s1");
	expect(await limitOf()).toBe(2000);
	const taskId = await publish("/addons/extra", () => limit("/addons/extra", 600));
	await work();
	expect((await taskOf(taskId ?? "")).status).toBe("COMPLETED");
	expect(await limitOf()).toBe(2200);
	expect(await read("/subscriptions/s1")).toMatchObject({ addons: [{ id: "extra", quantity: 2 }] });
	expect(versionOf("s1")).toBe(plan);
	expect(await publish("/addons/alien", () => Promise.resolve())).toBeNull();
});

describe("a subscription that cannot be sold on the new terms stays, with the reason in the task", () => {
	const cases: Array<[string, object, () => Promise<unknown>, string]> = [
		[
			"a period that is priced no more",
			{ billingPeriod: "ANNUALLY" },
			() => pro(flat(30)),
			"BillingPeriodMissingError",
		],
		[
			"more units than are sold",
			{ charges: seats(7) },
			() => pro(flat(30), perUnit({ maxUnitQuantity: 5 })),
			"InvalidQuantity",
		],
		[
			"a price of its own with nothing to override",
			{ priceOverrides: [{ featureId: "seats", amount: 1 }] },
			() => pro(flat(30)),
			"PriceNotFound",
		],
		[
			"an addon that goes with the plan no more",
			{ addons: [{ id: "extra", quantity: 1 }] },
			() => ours.call("PATCH", "/plans/pro", { body: { compatibleAddonIds: [] } }),
			"IncompatibleSubscriptionAddon",
		],
	];
	const pro = (...models: object[]) => charge("/plans/pro", ...models);

	test.each(cases)("%s", async (_, body, change, code) => {
		await provision(ours, { id: "s1", planId: "pro", billingPeriod: "MONTHLY", ...body });
		await ours.call("POST", "/customers", { body: { id: "plain" } });
		await provision(ours, { id: "s2", customerId: "plain", planId: "pro", billingPeriod: "MONTHLY" });
		if (code === "PriceNotFound")
			await ours.call("POST", "/subscriptions/s2/cancel", { body: { cancellationTime: "IMMEDIATE" } });
		const [version, shown] = [versionOf("s1"), await read("/subscriptions/s1")];
		const taskId = await publish("/plans/pro", change);
		await work();
		const task = await taskOf(taskId ?? "");
		expect(task.importErrors).toEqual([{ id: "s1", error: expect.stringContaining(`${code}: `) }]);
		expect(task.status).toBe(code === "PriceNotFound" ? "FAILED" : "PARTIALLY_FAILED");
		expect(versionOf("s1")).toBe(version);
		expect(await read("/subscriptions/s1")).toEqual(shown);
		expect(chargedAt("s2", Date.UTC(2027, 0, 1))).toBe(code === "PriceNotFound" ? 1 : 2);
	});
});

describe("POST /subscriptions/:id/migrate", () => {
	const migrate = (subscriptionMigrationTime?: string, id = "s1") =>
		ours.call(
			"POST",
			`/subscriptions/${id}/migrate`,
			subscriptionMigrationTime ? { body: { subscriptionMigrationTime } } : {},
		);
	const totals = async () => (await invoicesOf(ours)).map(({ total }) => total);
	const notes = async () => (await read("/customers/acme/credit-notes")).map(({ total }: { total: number }) => total);
	const republish = (...models: object[]) =>
		publish("/plans/pro", () => charge("/plans/pro", ...models), "NEW_CUSTOMERS");
	const dearer = async () => {
		await provision(ours, { id: "s1", planId: "pro", billingPeriod: "MONTHLY" });
		await republish(flat(30), perUnit({}, { price: usd(6) }));
		ours.clock.at = Date.UTC(2026, 1, 14) as Instant;
	};

	test.each([undefined, "END_OF_BILLING_PERIOD"])("at the end of the period, with %p", async (time) => {
		await dearer();
		const answer = await migrate(time);
		expect(answer.status).toBe(200);
		expect(answer.body.data).toMatchObject({
			prices: [usd(20), usd(5)],
			futureUpdates: [
				{
					subscriptionScheduleType: "MIGRATE_TO_LATEST",
					scheduleStatus: "SCHEDULED",
					scheduledExecutionTime: "2026-02-28T00:00:00.000Z",
					targetPackage: { id: "pro" },
				},
			],
		});
		expect(await totals()).toEqual([25]);
		await ours.advance("2026-03-01T00:00:00Z");
		expect(await read("/subscriptions/s1")).toMatchObject({ futureUpdates: [], prices: [usd(30), usd(6)] });
		expect(await totals()).toEqual([25, 36]);
	});

	test("at once, with the difference of the rest of the period: half of 36 less half of 25", async () => {
		await dearer();
		expect((await migrate("IMMEDIATE")).body.data).toMatchObject({ futureUpdates: [], prices: [usd(30), usd(6)] });
		expect(await totals()).toEqual([25, 5.5]);
		isRefusal(await migrate("IMMEDIATE"), 400, "SubscriptionAlreadyOnLatestPlan", "s1");
	});

	test("rejects a second migration until the first is canceled", async () => {
		await dearer();
		await migrate();
		for (const time of [undefined, "IMMEDIATE"])
			isRefusal(await migrate(time), 400, "ScheduledMigrationAlreadyExistsError", "s1");
		await ours.call("DELETE", "/subscriptions/s1/future-update/schedule");
		expect((await migrate("IMMEDIATE")).status).toBe(200);
	});

	test("moves an addon to its newest version too, and changes nothing without a newer one", async () => {
		await provision(ours, {
			id: "s1",
			planId: "pro",
			billingPeriod: "MONTHLY",
			addons: [{ id: "extra", quantity: 2 }],
		});
		isRefusal(await migrate(), 400, "SubscriptionAlreadyOnLatestPlan");
		await publish("/addons/extra", () => limit("/addons/extra", 600), "NEW_CUSTOMERS");
		expect((await migrate("IMMEDIATE")).body.data.addons).toEqual([{ id: "extra", quantity: 2 }]);
		expect(await limitOf()).toBe(2200);
		expect(await totals()).toEqual([31.66]);
	});

	const refused: Array<[string, object | string, number, string]> = [
		["another time", { subscriptionMigrationTime: "LATER" }, 400, "BadUserInput"],
		["what it does not know", { planId: "pro" }, 400, "BadUserInput"],
	];
	test.each(refused)("rejects %s", async (_, body, status, code) => {
		isRefusal(await ours.call("POST", "/subscriptions/none/migrate", { body }), status, code);
	});

	test("rejects ended and unknown subscriptions", async () => {
		await dearer();
		await ours.call("POST", "/subscriptions/s1/cancel");
		isRefusal(await migrate(), 400, "SubscriptionAlreadyCanceledOrExpired");
		isRefusal(await migrate(undefined, "none"), 404, "SubscriptionNotFound");
	});

	const kinds = { FREE: { pricingType: "FREE" }, CUSTOM: { pricingType: "CUSTOM" }, PAID: paid(flat(8)) };
	type Kind = keyof typeof kinds;
	const moves: Array<[Kind, Kind, string | null, number[]]> = [
		["PAID", "FREE", null, [4]],
		["PAID", "CUSTOM", null, [4]],
		["CUSTOM", "FREE", null, []],
		["FREE", "PAID", "InvalidArgumentError", []],
		["FREE", "CUSTOM", "InvalidArgumentError", []],
		["CUSTOM", "PAID", "InvalidArgumentError", []],
	];
	test.each(moves)("from %s to %s: %p", async (from, to, code, credited) => {
		await maker(ours).charge("/plans/draft", kinds[from]);
		await maker(ours).publish("/plans/draft");
		await provision(ours, { id: "s1", planId: "draft" });
		await publish("/plans/draft", () => maker(ours).charge("/plans/draft", kinds[to]), "NEW_CUSTOMERS");
		ours.clock.at = Date.UTC(2026, 1, 14) as Instant;
		const answer = await migrate("IMMEDIATE");
		if (code) isRefusal(answer, 400, code, to);
		else expect(answer.body.data).toMatchObject({ status: "ACTIVE", pricingType: to });
		expect((await read("/subscriptions/s1")).pricingType).toBe(code ? from : to);
		expect(await notes()).toEqual(credited);
		// Nothing is charged without a price.
		await ours.advance("2026-04-01T00:00:00Z");
		expect(await totals()).toEqual(from === "PAID" ? [8] : []);
	});
});

describe("when the job is killed", () => {
	const perTurn = 15;
	test.each([1, 2, 3])("continues in time slice %d after the last commit, and moves nothing twice", async (nth) => {
		await charge("/plans/draft", flat(1));
		await maker(ours).publish("/plans/draft");
		await customers(perTurn + 10, "draft");
		// It has a price override, and so cannot move.
		await provision(ours, { id: "own", planId: "draft", priceOverrides: [{ baseCharge: true, amount: 2 }] });
		const taskId = await publish("/plans/draft", () => maker(ours).charge("/plans/draft", { pricingType: "CUSTOM" }));
		const task = claim();
		if (!task) throw new Error("there is a task");
		const total = perTurn + 11;
		// Two time slices that move subscriptions, and one that finds no more and ends the task.
		const job = runMigration(
			{ ...ours.thread, transactions: dyingAt(ours.transactions, nth), turns: turnsOf(perTurn) },
			task,
		);
		expect(job).rejects.toThrow("killed");
		await job.catch(() => undefined);
		const done = nth === 1 ? 0 : nth === 2 ? perTurn : total;
		expect((await taskOf(taskId ?? "")).progress).toBe(Math.floor((done * 100) / total));
		const before = changes();
		expect(before).toHaveLength(nth === 1 ? 0 : nth === 2 ? perTurn : total - 1);
		ours.transactions.write(queue, (inner) => releaseTasks(inner, ["MIGRATE_SUBSCRIPTIONS"]));
		await work();
		expect(await taskOf(taskId ?? "")).toMatchObject({
			status: "PARTIALLY_FAILED",
			progress: 100,
			importErrors: [{ id: "own" }],
		});
		const after = changes();
		expect(after.slice(0, before.length)).toEqual(before);
		expect(new Set(after.map(({ subscriptionId }) => subscriptionId)).size).toBe(total - 1);
		expect(after).toHaveLength(total - 1);
	});
});

test("another environment's subscriptions and task are out of reach", async () => {
	await provision(ours, { id: "s1", planId: "free" });
	const taskId = await publish("/plans/free", () => limit("/plans/free", 20));
	expect((await ours.call("GET", `/tasks/${taskId}`, { key: ours.foreignKey })).status).toBe(404);
	expect((await ours.call("GET", `/tasks/${taskId}`, { key: ours.scopedKey("SUBSCRIPTION:READ") })).status).toBe(200);
	expect((await ours.call("GET", `/tasks/${taskId}`, { key: ours.scopedKey("INVOICE:READ") })).status).toBe(403);
});
