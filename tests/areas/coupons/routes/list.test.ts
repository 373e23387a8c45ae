import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Instant } from "../../../../src/kernel/clock";
import { testNow, type World, world } from "../../../support/world";
import { isRefusal } from "../../packages/guards";

/** The test's own record of each coupon: the oracle filters and pages this plain array. */
interface Kept {
	readonly id: string;
	readonly type: "FIXED" | "PERCENTAGE";
	readonly status: "ACTIVE" | "ARCHIVED";
	readonly createdAt: number;
}

const couponCount = 24;
const stepMs = 3_600_000;
const kept: Kept[] = [];
let ours: World;

beforeAll(async () => {
	ours = world();
	for (let at = 0; at < couponCount; at += 1) {
		// Two coupons share each instant, so that bounds meet equals.
		ours.clock.at = (testNow + Math.floor(at / 2) * stepMs) as Instant;
		const type = at % 3 === 0 ? "FIXED" : "PERCENTAGE";
		const terms =
			type === "FIXED"
				? { percentOff: null, amountsOff: [{ amount: 1, currency: "eur" }] }
				: { percentOff: 5, amountsOff: null };
		const body = { id: `C${at}`, name: `C${at}`, description: null, durationInMonths: null, metadata: null, ...terms };
		await ours.call("POST", "/coupons", { body });
		await ours.call("POST", "/coupons", { body, key: ours.foreignKey });
		const status = at % 4 === 1 ? "ARCHIVED" : "ACTIVE";
		if (status === "ARCHIVED") await ours.call("POST", `/coupons/C${at}/archive`);
		kept.unshift({ id: `C${at}`, type, status, createdAt: ours.clock.at });
	}
});

interface Filter {
	readonly id?: string | undefined;
	readonly type?: Kept["type"] | undefined;
	readonly status?: readonly Kept["status"][] | undefined;
	readonly gt?: number | undefined;
	readonly gte?: number | undefined;
	readonly lt?: number | undefined;
	readonly lte?: number | undefined;
}

const matching = ({ id, type, status, gt, gte, lt, lte }: Filter): string[] =>
	kept
		.filter((coupon) => id === undefined || coupon.id === id)
		.filter((coupon) => type === undefined || coupon.type === type)
		.filter((coupon) => status === undefined || status.includes(coupon.status))
		.filter(({ createdAt }) => gt === undefined || createdAt > testNow + gt * stepMs)
		.filter(({ createdAt }) => gte === undefined || createdAt >= testNow + gte * stepMs)
		.filter(({ createdAt }) => lt === undefined || createdAt < testNow + lt * stepMs)
		.filter(({ createdAt }) => lte === undefined || createdAt <= testNow + lte * stepMs)
		.map(({ id: found }) => found);

const queryOf = ({ status, id, type, ...bounds }: Filter, repeated: boolean): URLSearchParams => {
	const query = new URLSearchParams();
	if (id !== undefined) query.set("id", id);
	if (type !== undefined) query.set("type", type);
	if (status && repeated) for (const one of status) query.append("status", one);
	else if (status) query.set("status", status.join(","));
	for (const [name, steps] of Object.entries(bounds))
		if (steps !== undefined) query.set(`createdAt[${name}]`, new Date(testNow + steps * stepMs).toISOString());
	return query;
};

const list = async (query: URLSearchParams) => {
	const { status, body } = await ours.call("GET", `/coupons?${query}`);
	expect({ status, body }).toMatchObject({ status: 200 });
	expect(Object.keys(body).sort()).toEqual(["data", "pagination"]);
	return {
		ids: body.data.map(({ id }: Kept) => id) as string[],
		...(body.pagination as { next: string | null; prev: string | null }),
	};
};

const steps = fc.option(fc.integer({ min: -1, max: couponCount / 2 }), { nil: undefined });
const filters: fc.Arbitrary<Filter> = fc.record({
	id: fc.option(
		fc.integer({ min: 0, max: couponCount }).map((at) => `C${at}`),
		{ nil: undefined, freq: 8 },
	),
	type: fc.option(fc.constantFrom("FIXED" as const, "PERCENTAGE" as const), { nil: undefined }),
	status: fc.option(fc.shuffledSubarray(["ACTIVE", "ARCHIVED"] as const, { minLength: 1 }), { nil: undefined }),
	gt: steps,
	gte: steps,
	lt: steps,
	lte: steps,
});

describe("GET /coupons", () => {
	test("walks any filter forward to its end and back to its beginning, in pages of any size", async () => {
		await fc.assert(
			fc.asyncProperty(filters, fc.integer({ min: 1, max: 7 }), fc.boolean(), async (filter, limit, repeated) => {
				const expected = matching(filter);
				const query = queryOf(filter, repeated);
				query.set("limit", String(limit));

				const forward: string[] = [];
				let page = await list(query);
				expect(page.prev).toBeNull();
				for (;;) {
					expect(page.ids.length).toBeLessThanOrEqual(limit);
					forward.push(...page.ids);
					if (page.next === null) break;
					query.set("after", page.next);
					page = await list(query);
				}
				expect(forward).toEqual(expected);

				query.delete("after");
				const backward = [...page.ids];
				while (page.prev !== null) {
					query.set("before", page.prev);
					page = await list(query);
					backward.unshift(...page.ids);
				}
				expect(backward).toEqual(expected);
			}),
			{ numRuns: 150 },
		);
	});

	test("shows twenty, newest first, when no limit is given, and a hundred at most", async () => {
		const { ids, next } = await list(new URLSearchParams());
		expect(ids).toEqual(matching({}).slice(0, 20));
		expect(next).not.toBeNull();
		expect((await list(new URLSearchParams({ limit: "100" }))).ids).toHaveLength(couponCount);
	});

	test("shows nothing of another environment, nor takes its cursors", async () => {
		const foreign = await ours.call("GET", "/coupons?limit=1", { key: ours.foreignKey });
		expect(foreign.body.data).toMatchObject([{ id: `C${couponCount - 1}`, status: "ACTIVE" }]);
		isRefusal(await ours.call("GET", `/coupons?after=${foreign.body.pagination.next}`), 400, "BadUserInput", "cursor");
	});

	test.each([
		["a limit of nothing", "limit=0", "limit"],
		["a limit above a hundred", "limit=101", "limit"],
		["a limit that is no number", "limit=ten", "limit"],
		["a cursor that is no UUID", "after=abc", "after"],
		["a cursor nobody has", "before=018f0000-0000-7000-8000-000000000000", "cursor"],
		[
			"both cursors",
			"before=018f0000-0000-7000-8000-000000000000&after=018f0000-0000-7000-8000-000000000000",
			"not both",
		],
		["an unknown status", "status=ACTIVE,GONE", "status"],
		["an unknown type", "type=HALF", "type"],
		["a lower-case type", "type=fixed", "type"],
		["an id that is too long", `id=${"x".repeat(256)}`, "id"],
		["a date alone", "createdAt[gt]=2026-01-31", "createdAt"],
		["the 30th of February", "createdAt[lt]=2026-02-30T00:00:00Z", "createdAt"],
		["an unknown operator", "createdAt[eq]=2026-01-31T00:00:00Z", "createdAt"],
	])("refuses %s", async (_, query, message) => {
		isRefusal(await ours.call("GET", `/coupons?${query}`), 400, "BadUserInput", message);
	});
});
