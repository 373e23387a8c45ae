import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { systemActor } from "../../../../../src/areas/access/rules.actors";
import { runImport } from "../../../../../src/areas/subscriptions/import/import";
import { claimTask } from "../../../../../src/tasks/operations";
import { data } from "../../../../graphql/ask";
import { applied, shop } from "../../../coupons/operations/shop";
import { flat, used } from "../../billing";

setDefaultTimeout(60_000);

/** A shop on 1 April whose plan costs 100 a month; imports start in January, so the running period is charged elsewhere. */
async function importing() {
	const ours = await shop();
	await ours.plan("pro", [flat({ month: 100 })]);
	await ours.percent("half", 50);
	await ours.percent("tenth", 10);
	const work = async () => {
		const task = ours.transactions.write(systemActor(""), (one) => claimTask(one, ["IMPORT_SUBSCRIPTIONS"]));
		if (task) await runImport(ours.thread, task);
	};
	return {
		...ours,
		work,
		/** Returns the errors of the import. */
		send: async (terms: object): Promise<string[]> => {
			const item = { id: "s", customerId: "acme", planId: "pro", startDate: "2026-01-01T00:00:00Z", ...terms };
			const { taskId } = await ours.insist("POST", "/subscriptions/import", { subscriptions: [item] });
			await work();
			const { importErrors } = await ours.insist("GET", `/tasks/${taskId}`);
			return importErrors.map(({ error }: { error: string }) => error);
		},
		discountsOn: async (...days: string[]) => {
			for (const day of days) await ours.advance(`2026-${day}T00:00:00Z`);
			return (await ours.discounted()).map((text) => text.split(": ")[1]);
		},
	};
}

describe("an import with appliedCoupons", () => {
	test("applies all of them from the first period that is billed here", async () => {
		const ours = await importing();
		expect(await ours.send(applied("half", "tenth"))).toEqual([]);
		expect(await ours.discountsOn("05-01")).toEqual(["pro 100 | half 50 | tenth 5"]);
		expect(ours.faults()).toEqual([]);
	});

	test("gives free units to usage that is billed here, and refuses those of features without a usage price", async () => {
		const ours = await importing();
		await ours.plan("metered", [used("calls", { month: 1 })]);
		await ours.createCoupon("gift", { freeUnits: [{ featureId: "calls", quantity: 500 }] });
		expect(await ours.send(applied("gift"))).toEqual([expect.stringContaining("appliedCoupons/0: the coupon 'gift'")]);
		expect(await ours.send({ planId: "metered", ...applied("gift") })).toEqual([]);
		await ours.use("calls", 530);
		expect(await ours.discountsOn("05-01")).toEqual(["With free units"]);
		expect(ours.faults()).toEqual([]);
	});

	test("counts durationInPeriods from the running period, which another system charged", async () => {
		const ours = await importing();
		await ours.percent("start", 20, { durationInPeriods: 2 });
		expect(await ours.send(applied("start"))).toEqual([]);
		expect(await ours.discountsOn("05-01", "06-01")).toEqual(["pro 100 | start 20", "pro 100"]);
		expect(ours.faults()).toEqual([]);
	});

	test("has the same result twice, also after the coupon was archived and a period was billed", async () => {
		const ours = await importing();
		await ours.percent("start", 20, { durationInPeriods: 3 });
		const item = applied("start", "half");
		await ours.send(item);
		await ours.send(item);
		await ours.insist("POST", "/coupons/start/archive");
		expect(await ours.discountsOn("05-01")).toEqual(["pro 100 | start 20 | half 40"]);
		expect(await ours.send(item)).toEqual([]);
		expect((await ours.discountsOn("06-01", "07-01")).slice(1)).toEqual([
			"pro 100 | start 20 | half 40",
			"pro 100 | half 50",
		]);
		expect(ours.faults()).toEqual([]);
	});

	test("replaces the coupons of a subscription, and keeps them without the field", async () => {
		const ours = await importing();
		await ours.send(applied("half"));
		await ours.send({});
		expect(await ours.discountsOn("05-01")).toEqual(["pro 100 | half 50"]);
		await ours.send(applied("tenth"));
		expect((await ours.discountsOn("06-01")).at(-1)).toBe("pro 100 | tenth 10");
		await ours.send({ appliedCoupons: [] });
		expect((await ours.discountsOn("07-01")).at(-1)).toBe("pro 100");
		expect(ours.faults()).toEqual([]);
	});

	test("counts durationInPeriods of a later start from that start", async () => {
		const ours = await importing();
		await ours.percent("start", 20, { durationInPeriods: 1 });
		await ours.send({ startDate: "2026-05-10T00:00:00Z", ...applied("start") });
		expect(await ours.discountsOn("05-10", "06-10")).toEqual(["pro 100 | start 20", "pro 100"]);
		expect(ours.faults()).toEqual([]);
	});

	test.each([
		[
			"one coupon twice",
			applied("half", "half"),
			"CustomerAlreadyUsesCouponError: The subscription 's'/appliedCoupons/1",
		],
		["an unknown coupon", applied("half", "none"), "CouponNotFound: "],
		["an archived coupon", applied("half", "old"), "ArchivedCouponCantBeApplied: "],
	])("rejects the item for %s, without a trace", async (_, terms, error) => {
		const ours = await importing();
		await ours.percent("old", 5);
		await ours.insist("POST", "/coupons/old/archive");
		expect(await ours.send(terms)).toEqual([expect.stringContaining(`Item 0: ${error}`)]);
		expect((await ours.call("GET", "/subscriptions/s")).status).toBe(404);
		await ours.send(applied("tenth"));
		expect(await ours.send(terms)).toEqual([expect.stringContaining(`Item 0: ${error}`)]);
		expect(await ours.discountsOn("05-01")).toEqual(["pro 100 | tenth 10"]);
	});

	test("is rejected as a whole for more than 20 coupons", async () => {
		const ours = await importing();
		const item = { id: "s", customerId: "acme", planId: "pro", ...applied(...Array(21).fill("half")) };
		const { status, body } = await ours.call("POST", "/subscriptions/import", { body: { subscriptions: [item] } });
		expect([status, body.code]).toEqual([400, "BadUserInput"]);
		expect(body.message).toContain("appliedCoupons");
	});

	test("works in GraphQL too", async () => {
		const ours = await importing();
		await data(
			ours,
			`mutation { importSubscriptionsBulk(input: { subscriptions: [{ refId: "s", customerId: "acme", planId: "pro",
				startDate: "2026-01-01T00:00:00Z", appliedCoupons: [{ couponId: "half" }, { couponId: "tenth" }] }] }) }`,
		);
		await ours.work();
		expect(await ours.discountsOn("05-01")).toEqual(["pro 100 | half 50 | tenth 5"]);
	});
});
