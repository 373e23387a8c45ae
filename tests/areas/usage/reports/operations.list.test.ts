import { describe, expect, test } from "bun:test";
import { type Site, site } from "../../entitlements/consumption/site";
import { isRefusal } from "../../packages/guards";

const list = async (ours: Site, featureId: string, query = "") =>
	(await ours.call("GET", `/usage/acme/reports/${featureId}?${query}`)).body;

interface Shown {
	readonly id: string;
	readonly idempotencyKey: string | null;
	readonly updateBehavior: string;
	readonly delta: number;
}

const keysOf = ({ data }: { data: readonly Shown[] }) => data.map(({ idempotencyKey }) => idempotencyKey);

/** One report on each day, sent in another order than their times. */
async function reported(ours: Site, days: readonly number[]): Promise<void> {
	for (const day of days)
		await ours.report({
			featureId: "tokens",
			value: day,
			idempotencyKey: `day-${day}`,
			createdAt: `2026-01-${10 + day}T00:00:00Z`,
		});
}

describe("the reports of a feature", () => {
	test("is listed with what it adds, its key, dimensions and times", async () => {
		const ours = await site();
		const sent = { value: 3, idempotencyKey: "trip-1", dimensions: { region: "eu", seats: 2, isNew: true } };
		const [stored] = (await ours.report({ featureId: "tokens", createdAt: "2026-01-30T12:00:00Z", ...sent })).body.data;
		expect(await list(ours, "tokens")).toEqual({
			data: [
				{
					id: stored.id,
					customerId: "acme",
					featureId: "tokens",
					resourceId: null,
					...sent,
					delta: 3,
					updateBehavior: "DELTA",
					timestamp: "2026-01-30T12:00:00.000Z",
					createdAt: "2026-01-31T00:00:00.000Z",
					reservationId: null,
				},
			],
			pagination: { next: null, prev: null },
		});
	});

	test("holds what was consumed, and what became of reservations", async () => {
		const ours = await site();
		await ours.consume("tokens", { amount: 2, idempotencyKey: "step" });
		const { id } = (await ours.reserve("tokens", { amount: 5 })).body.data.reservation;
		await ours.call("POST", `/reservations/${id}/commit`, { body: { amount: 4 } });
		expect((await list(ours, "tokens")).data).toMatchObject([
			{ delta: 4, reservationId: id, dimensions: {} },
			{ delta: 2, reservationId: null, idempotencyKey: "step" },
		]);
	});

	test("adds up to what is used, also where a SET ends what was reported of a time before it", async () => {
		const ours = await site();
		await ours.report({ featureId: "seats", value: 4, updateBehavior: "SET", createdAt: "2026-01-20T00:00:00Z" });
		await ours.report({ featureId: "seats", value: 1 });
		await ours.report({ featureId: "seats", value: 2, createdAt: "2026-01-19T00:00:00Z" });
		const { data } = await list(ours, "seats");
		expect(data.map(({ updateBehavior, delta }: Shown) => [updateBehavior, delta])).toEqual([
			["DELTA", 1],
			["CARRIED", -2],
			["SET", 4],
			["DELTA", 2],
		]);
		expect((await ours.check("seats")).currentUsage).toBe(5);
	});

	test("pages by the time of use, and of one time by arrival, both ways", async () => {
		const ours = await site();
		await reported(ours, [2, 4, 1, 3]);
		await ours.report({ featureId: "tokens", value: 1, idempotencyKey: "same", createdAt: "2026-01-13T00:00:00Z" });
		const first = await list(ours, "tokens", "limit=2");
		const second = await list(ours, "tokens", `limit=2&after=${first.pagination.next}`);
		const third = await list(ours, "tokens", `limit=2&after=${second.pagination.next}`);
		expect([first, second, third].map(keysOf)).toEqual([["day-4", "same"], ["day-3", "day-2"], ["day-1"]]);
		expect([first.pagination.prev, third.pagination.next]).toEqual([null, null]);
		expect(keysOf(await list(ours, "tokens", `limit=2&before=${third.pagination.prev}`))).toEqual(["day-3", "day-2"]);
	});

	test("by its key, and within a time", async () => {
		const ours = await site();
		await reported(ours, [2, 4, 1, 3]);
		const keys = async (query: string) => keysOf(await list(ours, "tokens", query));
		expect(await keys("idempotencyKey=day-2")).toEqual(["day-2"]);
		expect(await keys("idempotencyKey=day-9")).toEqual([]);
		expect(await keys("from=2026-01-12T00:00:00Z&to=2026-01-14T00:00:00Z")).toEqual(["day-3", "day-2"]);
		expect(await keys("idempotencyKey=day-2&from=2026-01-13T00:00:00Z")).toEqual([]);
	});

	test("is that of the customer, the resource, the feature and the environment alone", async () => {
		const ours = await site();
		await reported(ours, [1]);
		expect(keysOf(await list(ours, "mails"))).toEqual([]);
		expect(keysOf(await list(ours, "calls"))).toEqual([]);
		expect(keysOf(await list(ours, "tokens", "resourceId="))).toEqual(["day-1"]);
		expect(keysOf(await list(ours, "tokens", "resourceId=site-1"))).toEqual([]);
		const key = ours.foreignKey;
		isRefusal(await ours.call("GET", "/usage/acme/reports/tokens", { key }), 404, "CustomerNotFound");
		await ours.report({ featureId: "mails", value: 1 });
		const [{ id }] = (await list(ours, "mails")).data;
		for (const feature of ["tokens", "pages"])
			isRefusal(await ours.call("GET", `/usage/acme/reports/${feature}?after=${id}`), 400, "BadUserInput", "cursor");
	});

	test.each<[string, string]>([
		["surprise=1", "surprise"],
		["limit=0", "limit"],
		["after=1", "after"],
		["from=yesterday", "from"],
		["from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z", "from"],
		["idempotencyKey=", "idempotencyKey"],
		[`idempotencyKey=${"x".repeat(256)}`, "idempotencyKey"],
		["resourceId=a%20b", "resourceId"],
	])("refuses %s", async (query, named) => {
		const ours = await site();
		isRefusal(await ours.call("GET", `/usage/acme/reports/tokens?${query}`), 400, "BadUserInput", named);
	});

	test("asks for its scope, and is closed to publishable keys", async () => {
		const ours = await site();
		const send = (key: string) => ours.call("GET", "/usage/acme/reports/tokens", { key });
		isRefusal(await send(ours.scopedKey("CUSTOMER:READ")), 403, "AccessDeniedError", "USAGE:READ");
		isRefusal(await send(ours.publishableKey), 403, "IdentityForbidden");
		expect((await send(ours.scopedKey("USAGE:READ"))).status).toBe(200);
	});
});
