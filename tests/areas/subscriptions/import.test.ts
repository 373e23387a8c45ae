import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { runImport } from "../../../src/areas/subscriptions/import/import";
import type { Instant } from "../../../src/kernel/clock";
import { claimTask, releaseTasks } from "../../../src/tasks/operations";
import type { TaskRow } from "../../../src/tasks/table";
import { dyingAt } from "../../support/dying";
import { turnsOf } from "../../support/turns";
import type { World } from "../../support/world";
import { guard, isRefusal } from "../packages/guards";
import { invoicesOf, provision, shop, stock } from "./shop";

const item = (id: string, body: object = {}) => ({ id, customerId: "acme", planId: "free", ...body });

guard(
	[
		{
			method: "POST",
			path: "/subscriptions/import",
			scope: "SUBSCRIPTION:WRITE",
			body: { subscriptions: [item("i1")] },
		},
	],
	stock,
);

const queue = systemActor("");
const claim = ({ transactions }: World): TaskRow | undefined =>
	transactions.write(queue, (work) => claimTask(work, ["IMPORT_SUBSCRIPTIONS"]));

/** Runs one task after the other, as the importer's thread does. */
async function work(ours: World): Promise<void> {
	for (let task = claim(ours); task; task = claim(ours)) await runImport(ours.thread, task);
}

describe("an invalid import", () => {
	let ours: World;
	beforeAll(async () => {
		ours = await shop();
	});
	const wrong: Array<[string, object[], string]> = [
		["nothing", [], "subscriptions"],
		["too many", Array.from({ length: 1001 }, (_, at) => item(`i${at}`)), "subscriptions"],
		["an id twice", [item("i1"), item("i2"), item("i1")], "'i1' is in item 0"],
		["no plan", [{ id: "i1", customerId: "acme" }], "planId"],
		["an unknown period", [item("i1", { billingPeriod: "fortnightly" })], "billingPeriod"],
		["an unknown kind of charge", [item("i1", { charges: [{ id: "seats", quantity: 1, type: "seat" }] })], "type"],
		[
			"an end before the start",
			[item("i1", { startDate: "2026-01-02T00:00:00Z", endDate: "2026-01-01T00:00:00Z" })],
			"endDate",
		],
		["an unknown key", [item("i1", { status: "ACTIVE" })], "status"],
		["metadata that is not text", [item("i1", { metadata: { a: 1 } })], "metadata"],
	];
	test.each(wrong)("rejects %s", async (_, items, says) => {
		const answer = await ours.call("POST", "/subscriptions/import", { body: { subscriptions: items } });
		isRefusal(answer, 400, "BadUserInput", says);
		expect(claim(ours)).toBeUndefined();
	});
});

describe("POST /subscriptions/import", () => {
	let ours: World;
	beforeEach(async () => {
		ours = await shop();
	});
	const send = (subscriptions: object[], more: object = {}) =>
		ours.call("POST", "/subscriptions/import", { body: { subscriptions, ...more } });
	const taskOf = async (taskId: string) => (await ours.call("GET", `/tasks/${taskId}`)).body.data;
	const run = async (subscriptions: object[]) => {
		const { taskId } = (await send(subscriptions)).body.data;
		await work(ours);
		return taskOf(taskId);
	};
	const get = async (id: string) => (await ours.call("GET", `/subscriptions/${id}`)).body.data;
	/** Separate customers, since each has one active subscription. */
	const withCustomers = async (count: number) => {
		const items = Array.from({ length: count }, (_, at) => item(`s-${at}`, { customerId: `c-${at}` }));
		for (const { customerId } of items) await ours.call("POST", "/customers", { body: { id: customerId } });
		return items;
	};

	test("returns a task at once, which waits for its run", async () => {
		const answer = await send([item("i1")]);
		expect(answer.status).toBe(200);
		expect(Object.keys(answer.body.data)).toEqual(["taskId"]);
		expect(ours.woken).toContain("importer");
		expect(await taskOf(answer.body.data.taskId)).toMatchObject({
			status: "PENDING",
			progress: 0,
			totalSubtasksCount: 1,
		});
		isRefusal(await ours.call("GET", "/subscriptions/i1"), 404, "SubscriptionNotFound");
		await work(ours);
		expect(await taskOf(answer.body.data.taskId)).toMatchObject({
			status: "COMPLETED",
			progress: 100,
			importErrors: [],
		});
		expect((await get("i1")).status).toBe("ACTIVE");
	});

	test("rejects unknown customers, naming the first ten, and unconnected integrations", async () => {
		const items = [item("ok"), ...Array.from({ length: 12 }, (_, at) => item(`i${at}`, { customerId: `x${at}` }))];
		const { message } = (await send(items)).body;
		expect(message).toContain("'x9' (item 10)");
		expect(message).not.toContain("'x10'");
		isRefusal(await send(items), 404, "CustomerNotFound", "12 items");
		isRefusal(await send([item("i1")], { integrationId: "stripe" }), 404, "IntegrationNotFound", "stripe");
		expect((await send([item("i1")], { integrationId: null })).status).toBe(200);
		isRefusal(
			await ours.call("POST", "/subscriptions/import", { key: ours.foreignKey, body: { subscriptions: [item("i1")] } }),
			404,
			"CustomerNotFound",
		);
	});

	test("creates subscriptions with all fields of an item, in any letter case, and charges nothing", async () => {
		const task = await run([
			item("i1", {
				planId: "pro",
				billingPeriod: "Monthly",
				startDate: "2025-11-10T00:00:00Z",
				endDate: "2027-01-01T00:00:00Z",
				billingId: "b-1",
				resourceId: "site",
				metadata: { from: "old" },
				addons: [{ id: "extra", quantity: 2 }],
				charges: [{ id: "seats", quantity: 7, type: "Feature" }],
			}),
		]);
		expect(task).toMatchObject({ taskType: expect.any(String), status: "COMPLETED", importErrors: [] });
		expect(await get("i1")).toMatchObject({
			customerId: "acme",
			planId: "pro",
			status: "ACTIVE",
			startDate: "2025-11-10T00:00:00.000Z",
			endDate: "2027-01-01T00:00:00.000Z",
			effectiveEndDate: "2027-01-01T00:00:00.000Z",
			currentBillingPeriodStart: "2026-01-10T00:00:00.000Z",
			billingId: "b-1",
			resourceId: "site",
			metadata: { from: "old" },
			addons: [{ id: "extra", quantity: 2 }],
			latestInvoice: null,
		});
		expect(await invoicesOf(ours)).toEqual([]);
		const seats = await ours.call("GET", "/customers/acme/entitlements/check?featureId=seats&resourceId=site");
		expect(seats.body.data).toMatchObject({ isGranted: true, usageLimit: 7 });
	});

	test("updates subscriptions, keeps omitted fields, and issues no invoice", async () => {
		const made = await provision(ours, {
			id: "s1",
			planId: "pro",
			billingPeriod: "MONTHLY",
			unitQuantity: 4,
			addons: [{ id: "extra", quantity: 1 }],
			metadata: { a: "1" },
		});
		await run([item("s1", { planId: "pro", metadata: { b: "2" } })]);
		expect(await get("s1")).toEqual({ ...made.subscription, metadata: { b: "2" } });
		await run([
			item("s1", {
				planId: "pro",
				addons: [],
				charges: [{ id: "seats", quantity: 9, type: "FEATURE" }],
				endDate: "2026-06-01T00:00:00Z",
			}),
		]);
		expect(await get("s1")).toMatchObject({ addons: [], endDate: "2026-06-01T00:00:00.000Z", metadata: { b: "2" } });
		await run([item("s1", { planId: "basic", endDate: null })]);
		expect(await get("s1")).toMatchObject({ planId: "basic", endDate: null, status: "ACTIVE" });
		expect(await invoicesOf(ours)).toHaveLength(1);
		expect((await ours.call("GET", "/subscriptions")).body.data).toHaveLength(1);
	});

	test("has the same result when an item is imported twice", async () => {
		const items = [item("i1", { planId: "basic", startDate: "2025-01-31T00:00:00Z", resourceId: "site" })];
		await run(items);
		const first = await get("i1");
		await run(items);
		expect(await get("i1")).toEqual(first);
	});

	test("a rejected item fails alone with its index, and changes nothing", async () => {
		await provision(ours, { id: "gone", planId: "free" });
		await ours.call("POST", "/subscriptions/gone/cancel");
		await ours.call("POST", "/customers", { body: { id: "away" } });
		await ours.call("POST", "/customers/away/archive");
		const task = await run([
			item("a", { planId: "none" }),
			item("b", { planId: "draft" }),
			item("c", { planId: "pro", billingPeriod: "MONTHLY", addons: [{ id: "none", quantity: 1 }] }),
			item("d", { planId: "pro" }),
			item("f", { customerId: "away" }),
			item("gone"),
			item("ok", { resourceId: "site" }),
		]);
		expect(task).toMatchObject({ status: "PARTIALLY_FAILED", progress: 100, totalSubtasksCount: 7 });
		expect(
			task.importErrors.map(({ id, error }: { id: string; error: string }) => [
				id,
				error.split(": ").slice(0, 2).join(" "),
			]),
		).toEqual([
			["a", "Item 0 PlanNotFound"],
			["b", "Item 1 UnPublishedPackage"],
			["c", "Item 2 AddonNotFound"],
			["d", "Item 3 BillingPeriodMissingError"],
			["f", "Item 4 EntityIsArchivedError"],
			["gone", "Item 5 SubscriptionAlreadyCanceledOrExpired"],
		]);
		const left = (await ours.call("GET", "/subscriptions")).body.data.map(({ id }: { id: string }) => id);
		expect(left).toEqual(["ok", "gone"]);
		expect((await run([item("z", { planId: "none" })])).status).toBe("FAILED");
	});

	test("keeps an ended subscription as history, next to the active one", async () => {
		await provision(ours, { id: "now", planId: "basic" });
		await run([item("old", { startDate: "2024-01-01T00:00:00Z", endDate: "2025-01-01T00:00:00Z" })]);
		expect(await get("old")).toMatchObject({
			status: "EXPIRED",
			cancelReason: "EXPIRED",
			effectiveEndDate: "2025-01-01T00:00:00.000Z",
		});
		expect((await get("now")).status).toBe("ACTIVE");
	});

	test("an agreed end counts from its very instant, in reads, lists and entitlements", async () => {
		await run([item("i1", { endDate: "2026-02-01T00:00:00Z" })]);
		const check = async () => (await ours.call("GET", "/customers/acme/entitlements/check?featureId=calls")).body.data;
		expect(await check()).toMatchObject({ isGranted: true, validUntil: "2026-02-01T00:00:00.000Z" });
		ours.clock.at = Date.UTC(2026, 1, 1) as Instant;
		expect(await get("i1")).toMatchObject({ status: "EXPIRED", cancelReason: "EXPIRED" });
		expect(await check()).toMatchObject({ isGranted: false, accessDeniedReason: "NoActiveSubscription" });
		expect((await ours.call("GET", "/subscriptions?status=EXPIRED")).body.data).toHaveLength(1);
		expect((await ours.call("GET", "/subscriptions?status=ACTIVE")).body.data).toHaveLength(0);
		isRefusal(await ours.call("POST", "/subscriptions/i1/cancel"), 400, "SubscriptionAlreadyCanceledOrExpired");
		await provision(ours, { id: "next", planId: "free" });
		expect(await get("i1")).toMatchObject({ status: "EXPIRED", effectiveEndDate: "2026-02-01T00:00:00.000Z" });
	});

	test("a later start replaces the active subscription then, and is charged from its start", async () => {
		await provision(ours, { id: "now", planId: "free" });
		await run([item("later", { planId: "basic", startDate: "2026-03-01T00:00:00Z" })]);
		expect(await get("later")).toMatchObject({ status: "NOT_STARTED", currentBillingPeriodStart: null });
		expect((await get("now")).status).toBe("ACTIVE");
		await ours.advance("2026-03-01T00:00:00Z");
		expect(await get("now")).toMatchObject({ status: "CANCELED", cancelReason: "UPGRADE_OR_DOWNGRADE" });
		expect(await get("later")).toMatchObject({
			status: "ACTIVE",
			latestInvoice: { total: 9.99, createdAt: "2026-03-01T00:00:00.000Z" },
		});
	});

	test("renews an active subscription with its next period, and ends it at its agreed end", async () => {
		await run([item("i1", { planId: "basic", startDate: "2025-12-10T00:00:00Z", endDate: "2026-04-10T00:00:00Z" })]);
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await get("i1")).toMatchObject({
			status: "EXPIRED",
			cancelReason: "EXPIRED",
			effectiveEndDate: "2026-04-10T00:00:00.000Z",
		});
		expect((await invoicesOf(ours)).map(({ issueDate, total }) => [issueDate, total])).toEqual([
			["2026-02-10T00:00:00.000Z", 9.99],
			["2026-03-10T00:00:00.000Z", 9.99],
		]);
	});

	test("a change mid-cycle charges the difference; an end credits nothing of another system", async () => {
		await run([item("i1", { planId: "pro", billingPeriod: "MONTHLY", startDate: "2026-01-15T00:00:00Z" })]);
		ours.clock.at = Date.UTC(2026, 0, 30, 12) as Instant;
		const change = { charges: [{ id: "seats", quantity: 3, type: "FEATURE" }] };
		expect((await ours.call("PATCH", "/subscriptions/i1", { body: change })).status).toBe(200);
		expect((await invoicesOf(ours)).map(({ total }) => total)).toEqual([5]);
		const free = await run([item("i1", { planId: "pro", metadata: { a: "1" } })]);
		expect(free.status).toBe("COMPLETED");
		await ours.call("POST", "/customers", { body: { id: "other" } });
		await run([item("i2", { customerId: "other", planId: "basic", startDate: "2026-01-15T00:00:00Z" })]);
		expect((await ours.call("POST", "/subscriptions/i2/cancel")).body.data.status).toBe("CANCELED");
		expect((await ours.call("GET", "/customers/other/credit-notes")).body.data).toEqual([]);
	});

	test("runs several imports in the order of their requests", async () => {
		const [first, second] = [
			await send([item("a", { metadata: { n: "1" } })]),
			await send([item("a", { metadata: { n: "2" } })]),
		];
		await work(ours);
		expect((await get("a")).metadata).toEqual({ n: "2" });
		for (const { body } of [first, second]) expect((await taskOf(body.data.taskId)).status).toBe("COMPLETED");
	});

	describe("when the job is killed", () => {
		const itemsPerTurn = 15;
		test.each([1, 2, 3])("continues in time slice %d after the last commit, and imports nothing twice", async (nth) => {
			const items = [...(await withCustomers(itemsPerTurn + 10)), item("bad", { planId: "none" })];
			const { taskId } = (await send(items)).body.data;
			const task = claim(ours);
			if (!task) throw new Error("there is a task");
			const job = runImport(
				{ ...ours.thread, transactions: dyingAt(ours.transactions, nth), turns: turnsOf(itemsPerTurn) },
				task,
			);
			// Two time slices; the second ends the task.
			if (nth <= 2) expect(job).rejects.toThrow("killed");
			await job.catch(() => undefined);
			const done = nth === 1 ? 0 : nth === 2 ? itemsPerTurn : items.length;
			expect((await taskOf(taskId)).progress).toBe(Math.floor((done * 100) / items.length));
			ours.transactions.write(queue, (inner) => releaseTasks(inner, ["IMPORT_SUBSCRIPTIONS"]));
			const before = (await ours.call("GET", "/subscriptions?limit=100")).body.data;
			expect(before).toHaveLength(Math.min(done, itemsPerTurn + 10));
			ours.clock.at = (ours.clock.at + 1000) as Instant;
			await work(ours);
			expect(await taskOf(taskId)).toMatchObject({
				status: "PARTIALLY_FAILED",
				progress: 100,
				importErrors: [{ id: "bad" }],
			});
			const after = (await ours.call("GET", "/subscriptions?limit=100")).body.data;
			expect(after).toHaveLength(itemsPerTurn + 10);
			// The first run's committed items are unchanged.
			expect(after.slice(after.length - before.length)).toEqual(before);
		});
	});
});
