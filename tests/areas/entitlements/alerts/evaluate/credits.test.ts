import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AlertEvaluation } from "../../../../../src/areas/entitlements/alerts/evaluate";
import { highestUnrecorded } from "../../../../../src/areas/entitlements/alerts/rules";
import { toDecimal } from "../../../../../src/kernel/decimal";
import { meteredSite } from "../../../credits/charging/events/site";

/** The plan of `acme` grants 100 gold a month. */
async function site() {
	const ours = await meteredSite();
	const job = new AlertEvaluation(ours.thread);
	let keys = 0;
	const insist = async (method: string, path: string, body?: object) => {
		const answer = await ours.call(method, path, { body });
		if (answer.status > 201) throw new Error(JSON.stringify(answer.body));
		return answer.body.data;
	};
	return {
		...ours,
		insist,
		look: () => job.run(),
		alert: (body: object) => insist("POST", "/usage-alerts", { currencyId: "gold", type: "PERCENT", ...body }),
		use: async (amount: number, customerId = "acme") => {
			keys += 1;
			await insist("POST", "/credits/consumption", {
				customerId,
				currencyId: "gold",
				amount,
				idempotencyKey: `u${keys}`,
			});
			await job.run();
		},
		reached: async (query = "") =>
			(await insist("GET", `/usage-alerts/reached${query}`)).map(
				({ customerId, type, threshold, currentUsage }: Readonly<Record<string, unknown>>) =>
					`${customerId} ${type} ${threshold} at ${currentUsage}`,
			),
	};
}

describe("a threshold of credits", () => {
	test("is emitted once with its values, and again after new credits", async () => {
		const ours = await site();
		const { id } = await ours.alert({ threshold: 80 });
		for (const amount of [79, 1, 5]) await ours.use(amount);
		expect(await ours.insist("GET", "/usage-alerts/reached?currencyId=gold")).toEqual([
			{
				id: expect.any(String),
				alertId: id,
				customerId: "acme",
				featureId: null,
				currencyId: "gold",
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
		await ours.look();
		await ours.use(90);
		await ours.use(1);
		expect(await ours.reached()).toEqual(["acme PERCENT 80 at 90", "acme PERCENT 80 at 80"]);
	});

	test("is not emitted, then or later, if a higher one was reached with it", async () => {
		const ours = await site();
		for (const threshold of [50, 80, 100]) await ours.alert({ threshold });
		await ours.alert({ type: "ABSOLUTE", threshold: 60 });
		await ours.use(85);
		expect((await ours.reached()).sort()).toEqual(["acme ABSOLUTE 60 at 85", "acme PERCENT 80 at 85"]);
		await ours.use(1);
		await ours.use(30);
		expect((await ours.reached()).sort()).toEqual([
			"acme ABSOLUTE 60 at 85",
			"acme PERCENT 100 at 116",
			"acme PERCENT 80 at 85",
		]);
	});

	test("is reached by events, by reports, and by the end of a grant", async () => {
		const ours = await site();
		await ours.alert({ customerId: "acme", threshold: 50 });
		await ours.insist("POST", "/usage", {
			usages: [{ customerId: "acme", featureId: "images", value: 20, idempotencyKey: "r" }],
		});
		await ours.send({ eventName: "call", dimensions: { size: 38 } });
		await ours.job().run();
		await ours.look();
		expect(await ours.reached()).toEqual(["acme PERCENT 50 at 50"]);
		await ours.insist("POST", "/credits/grants", {
			...{ customerId: "writer", currencyId: "gold", displayName: "Gift", grantType: "PROMOTIONAL", amount: 150 },
			expireAt: "2026-02-02T00:00:00Z",
			priority: 90,
		});
		await ours.alert({ customerId: "writer", threshold: 60 });
		await ours.use(40, "writer");
		expect(await ours.reached("?customerId=writer")).toEqual([]);
		await ours.advance("2026-02-03T00:00:00Z");
		await ours.look();
		expect(await ours.reached("?customerId=writer")).toEqual(["writer PERCENT 60 at 40"]);
	});

	test("is emitted at once if already reached; a customer's own alerts replace those for all", async () => {
		const ours = await site();
		await ours.use(70);
		await ours.use(45, "writer");
		await ours.alert({ customerId: "acme", threshold: 60 });
		await ours.alert({ threshold: 40 });
		expect(await ours.reached()).toEqual(["acme PERCENT 60 at 70"]);
		await ours.use(1);
		await ours.use(1, "writer");
		expect(await ours.reached()).toEqual(["writer PERCENT 40 at 46", "acme PERCENT 60 at 70"]);
		expect(await ours.insist("GET", "/usage-alerts?currencyId=gold&customerId=acme")).toMatchObject([
			{ currencyId: "gold", featureId: null, customerId: "acme", threshold: 60 },
		]);
		expect(await ours.insist("GET", "/usage-alerts?currencyId=none")).toEqual([]);
		expect(await ours.insist("GET", "/usage-alerts?featureId=calls")).toEqual([]);
	});

	const bad: ReadonlyArray<readonly [string, object, number, string]> = [
		["of nothing", { type: "PERCENT", threshold: 5 }, 400, "BadUserInput"],
		["of two", { featureId: "images", currencyId: "gold", type: "PERCENT", threshold: 5 }, 400, "BadUserInput"],
		["of an unknown currency", { currencyId: "none", type: "PERCENT", threshold: 5 }, 404, "CustomCurrencyNotFound"],
		["of no text", { currencyId: 7, type: "PERCENT", threshold: 5 }, 400, "BadUserInput"],
		["of nothing used", { currencyId: "gold", type: "PERCENT", threshold: 0 }, 400, "BadUserInput"],
	];
	test.each(bad)("%s is refused", async (_, body, status, code) => {
		const ours = await meteredSite();
		expect(await ours.call("POST", "/usage-alerts", { body })).toMatchObject({ status, body: { code } });
	});

	test("is unique, and invisible to other environments", async () => {
		const ours = await site();
		await ours.alert({ threshold: 80 });
		const body = { currencyId: "gold", type: "PERCENT", threshold: 80 };
		expect(await ours.call("POST", "/usage-alerts", { body })).toMatchObject({
			body: { code: "DuplicatedEntityNotAllowed" },
		});
		expect(await ours.call("POST", "/usage-alerts", { body, key: ours.foreignKey })).toMatchObject({
			body: { code: "CustomCurrencyNotFound" },
		});
		expect((await ours.call("GET", "/usage-alerts", { key: ours.foreignKey })).body.data).toEqual([]);
	});
});

test("returns the highest reached threshold, unless one as high was recorded", () => {
	const threshold = fc.record({
		type: fc.constantFrom("PERCENT" as const, "ABSOLUTE" as const),
		threshold: fc.integer({ min: 1, max: 9 }),
	});
	const thresholdsOf = (of: readonly { type: string; threshold: number }[], type: string) =>
		of.filter((one) => one.type === type).map((one) => one.threshold);
	fc.assert(
		fc.property(fc.array(threshold), fc.array(threshold), (reached, before) => {
			const stored = (all: typeof reached) => all.map((one) => ({ ...one, threshold: toDecimal(one.threshold) }));
			const news = highestUnrecorded(stored(reached), stored(before));
			for (const type of ["PERCENT", "ABSOLUTE"]) {
				const [highest, known] = [
					Math.max(0, ...thresholdsOf(reached, type)),
					Math.max(0, ...thresholdsOf(before, type)),
				];
				expect(news.filter((one) => one.type === type).map((one) => Number(one.threshold))).toEqual(
					highest > known ? [highest] : [],
				);
			}
		}),
	);
});
