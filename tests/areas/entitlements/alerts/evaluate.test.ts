import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { allCustomers, applicable, isReached } from "../../../../src/areas/entitlements/alerts/rules";
import { toDecimal } from "../../../../src/kernel/decimal";
import { eventually, startServer, temporaryFolder } from "../../../support/process";
import { maker } from "../../packages/catalogue";
import { item } from "../../promotional-entitlements/grants";
import { site } from "./site";

describe("a threshold", () => {
	test("is emitted once in each usage period, with its values", async () => {
		const ours = await site();
		const { id } = await ours.alert({ customerId: "acme", type: "PERCENT", threshold: 80 });
		const job = ours.job();
		for (const n of [79, 1, 5]) {
			await ours.report(n);
			expect(await job.run()).toBeGreaterThan(0);
		}
		expect((await ours.call("GET", "/usage-alerts/reached?customerId=acme&featureId=calls")).body.data).toEqual([
			{
				id: expect.any(String),
				alertId: id,
				customerId: "acme",
				featureId: "calls",
				currencyId: null,
				resourceId: null,
				entityId: null,
				scopeEntityIds: [],
				type: "PERCENT",
				threshold: 80,
				currentUsage: 80,
				usageLimit: 100,
				usagePeriodStart: "2026-01-31T00:00:00.000Z",
				usagePeriodEnd: "2026-02-28T00:00:00.000Z",
				reachedAt: "2026-01-31T00:00:00.000Z",
			},
		]);
		await ours.advance("2026-03-01T00:00:00Z");
		await ours.report(85);
		await job.run();
		expect(await ours.reached()).toEqual(["acme PERCENT 80 at 85", "acme PERCENT 80 at 80"]);
	});

	test("for all customers applies without an own alert, in percent also above the limit, or in units", async () => {
		const ours = await site();
		await ours.alert({ type: "PERCENT", threshold: 50 });
		await ours.alert({ type: "ABSOLUTE", threshold: 120 });
		await ours.alert({ customerId: "beta", type: "PERCENT", threshold: 110 });
		const job = ours.job();
		for (const [n, customerId] of [
			[60, "acme"],
			[60, "beta"],
			[60, "acme"],
			[60, "beta"],
		] as const) {
			await ours.report(n, customerId);
			await job.run();
		}
		expect((await ours.reached()).sort()).toEqual([
			"acme ABSOLUTE 120 at 120",
			"acme PERCENT 50 at 60",
			"beta PERCENT 110 at 120",
		]);
		expect(await ours.reached("?customerId=beta")).toEqual(["beta PERCENT 110 at 120"]);
		expect(await ours.reached("?customerId=nobody")).toEqual([]);
	});

	test("is emitted at once if already reached; a changed one can be reached again", async () => {
		const ours = await site();
		await ours.report(90);
		const { id } = await ours.alert({ customerId: "acme", type: "PERCENT", threshold: 80 });
		expect(await ours.reached()).toEqual(["acme PERCENT 80 at 90"]);
		await ours.insist("PATCH", `/usage-alerts/${id}`, { threshold: 90 });
		expect(await ours.reached()).toEqual(["acme PERCENT 90 at 90", "acme PERCENT 80 at 90"]);
		await ours.insist("DELETE", `/usage-alerts/${id}`);
		expect((await ours.call("GET", "/usage-alerts")).body.data).toEqual([]);
		expect(await ours.reached()).toHaveLength(2);
	});

	test("evaluates each resource separately", async () => {
		const ours = await site({ multipleSubscriptions: true });
		await ours.insist("POST", "/subscriptions", {
			customerId: "acme",
			planId: "pro",
			billingPeriod: "MONTHLY",
			resourceId: "site",
		});
		await ours.alert({ type: "PERCENT", threshold: 50 });
		const job = ours.job();
		await ours.report(40);
		await ours.report(55, "acme", { resourceId: "site" });
		await job.run();
		const { data } = (await ours.call("GET", "/usage-alerts/reached")).body;
		expect(data).toMatchObject([{ resourceId: "site", currentUsage: 55 }]);
	});

	test("is evaluated in the transaction of a report or consumption", async () => {
		const ours = await site();
		await ours.insist("POST", "/features", {
			id: "tasks",
			displayName: "Tasks",
			featureType: "NUMBER",
			meterType: "INCREMENTAL",
		});
		const gift = item("tasks", { usageLimit: 10, period: "lifetime" });
		await ours.insist("POST", "/customers/acme/promotional-entitlements", { promotionalEntitlements: [gift] });
		await ours.insist("POST", "/usage-alerts", { featureId: "tasks", type: "PERCENT", threshold: 50 });
		await ours.insist("POST", "/usage-alerts", { featureId: "tasks", type: "PERCENT", threshold: 60 });
		await ours.insist("POST", "/usage", { usages: [{ customerId: "acme", featureId: "tasks", value: 5 }] });
		expect(await ours.reached()).toEqual(["acme PERCENT 50 at 5"]);
		await ours.insist("POST", "/customers/acme/entitlements/tasks/consume", { amount: 1 });
		expect(await ours.reached()).toEqual(["acme PERCENT 60 at 6", "acme PERCENT 50 at 5"]);
	});

	test("is refused if nothing could reach it, or if it already exists", async () => {
		const ours = await site();
		await maker(ours).feature("sso");
		const post = async (body: object) => {
			const answer = await ours.call("POST", "/usage-alerts", { body: { type: "PERCENT", threshold: 80, ...body } });
			return [answer.status, answer.body.code];
		};
		expect(await post({ featureId: "sso" })).toEqual([400, "MeteringNotAvailableForFeatureType"]);
		expect(await post({ featureId: "calls", threshold: 0 })).toEqual([400, "BadUserInput"]);
		expect(await post({ featureId: "calls" })).toEqual([201, undefined]);
		expect(await post({ featureId: "calls" })).toEqual([409, "DuplicatedEntityNotAllowed"]);
		expect(await post({ featureId: "calls", customerId: "acme" })).toEqual([201, undefined]);
	});
});

describe("evaluation", () => {
	test("continues after a stop, and emits an alert once even if it evaluates usage twice", async () => {
		const ours = await site();
		await ours.alert({ type: "ABSOLUTE", threshold: 10 });
		await ours.report(10);
		await ours.job().run();
		// Another process continues from the stored cursor, and evaluates the previous event again.
		await ours.report(10, "beta");
		await ours.job().run();
		expect((await ours.reached()).sort()).toEqual(["acme ABSOLUTE 10 at 10", "beta ABSOLUTE 10 at 10"]);
		await ours.job().run();
		expect(await ours.reached()).toHaveLength(2);
	});

	test("rests without alerts, and ignores usage from before the first alert for all customers", async () => {
		const ours = await site();
		await ours.report(99);
		const job = ours.job();
		expect(await job.run()).toBeUndefined();
		await ours.alert({ type: "PERCENT", threshold: 50 });
		expect(ours.woken).toContain("alerts");
		await job.run();
		expect(await ours.reached()).toEqual([]);
		await ours.report(0);
		await job.run();
		expect(await ours.reached()).toEqual(["acme PERCENT 50 at 99"]);
	});

	test("in a running server: kill -9 between any two steps loses no alert and emits none twice", async () => {
		const data = temporaryFolder();
		let server = await startServer(data.folder, { TOLLGATE_DEMO: "1" });
		const insist = async (method: string, path: string, body?: unknown) => {
			const answer = await server.call(method, path, body);
			if (answer.status > 201) throw new Error(JSON.stringify(answer.body));
			return answer.body;
		};
		try {
			await insist("POST", "/customers", { id: "ada" });
			const gift = item("feature-api-calls", { usageLimit: 1000, period: "lifetime" });
			await insist("POST", "/customers/ada/promotional-entitlements", { promotionalEntitlements: [gift] });
			const thresholds = [3, 6, 9];
			for (const threshold of thresholds)
				await insist("POST", "/usage-alerts", { featureId: "feature-api-calls", type: "ABSOLUTE", threshold });
			for (let round = 1; round <= 3; round += 1) {
				const events = Array.from({ length: 3 }, (_, at) => ({
					eventName: "api_call",
					customerId: "ada",
					idempotencyKey: `${round}-${at}`,
				}));
				await insist("POST", "/events", { events });
				if (round < 3) {
					await server.kill();
					server = await startServer(data.folder);
				}
			}
			const reached = await eventually(async () => {
				const { data: found } = await insist("GET", "/usage-alerts/reached?customerId=ada");
				return found.length >= thresholds.length ? found : undefined;
			});
			expect(reached.map(({ threshold }: { threshold: number }) => threshold).sort()).toEqual(thresholds);
		} finally {
			await server.stop();
			data.remove();
		}
	}, 60_000);
});

describe("the rules", () => {
	test("more usage never undoes a threshold, and a percentage is never reached without a limit", () => {
		const amount = fc.nat(1000);
		fc.assert(
			fc.property(
				fc.constantFrom("PERCENT" as const, "ABSOLUTE" as const),
				amount,
				amount,
				amount,
				fc.option(amount),
				(type, threshold, usage, more, limit) => {
					const alert = { type, threshold: toDecimal(threshold + 1) };
					const at = (used: number) =>
						isReached(alert, { usage: toDecimal(used), limit: limit === null ? null : toDecimal(limit) });
					if (at(usage)) expect(at(usage + more)).toBe(true);
					if (type === "PERCENT" && limit === null) expect(at(usage)).toBe(false);
					expect(at(0)).toBe(false);
				},
			),
		);
	});

	test("a customer's own alerts replace those for all, by feature", () => {
		const alert = (customerId: string, featureId: string) => ({ customerId, featureId, currencyId: "" });
		const own = alert("acme", "a");
		expect(applicable([alert(allCustomers, "a"), alert(allCustomers, "b"), own])).toEqual([
			alert(allCustomers, "b"),
			own,
		]);
	});
});
