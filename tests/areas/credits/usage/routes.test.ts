import { describe, expect, test } from "bun:test";
import { consumeFromWallets } from "../../../../src/areas/credits/operations.consume";
import { getCurrency } from "../../../../src/areas/currencies/operations";
import { getCustomer } from "../../../../src/areas/customers/operations";
import { getFeature } from "../../../../src/areas/features/operations";
import { type Instant, instantOf } from "../../../../src/kernel/clock";
import type { Decimal } from "../../../../src/kernel/decimal";
import { site } from "../site";

async function used() {
	const made = await site();
	const { here, grant, consume } = made;
	for (const id of ["chat", "images"])
		await here.call("POST", "/features", {
			body: { id, displayName: id.toUpperCase(), featureType: "NUMBER", meterType: "INCREMENTAL" },
		});
	grant("small", 1);
	grant("large", 1000);
	const draw = (
		feature: string,
		amount: number,
		at: string,
		{
			dimensions = null,
			event = `${feature} ${at} ${amount}`,
		}: { dimensions?: Record<string, string> | null; event?: string } = {},
	) =>
		here.transactions.write(here.actor, (work) =>
			consumeFromWallets(work, [
				{
					wallet: {
						customerId: getCustomer(work, "acme").id,
						currencyId: getCurrency(work, "tokens").id,
						resourceRef: "",
					},
					featureId: getFeature(work, feature).id,
					amount: String(amount) as Decimal,
					at: instantOf(at),
					eventId: event,
					dimensions,
				},
			]),
		);
	// Two grants cover one use.
	draw("chat", 4, "2026-01-30T10:10:00Z", { dimensions: { model: "large", region: "eu" }, event: "both" });
	draw("images", 2, "2026-01-30T10:10:00Z", { dimensions: { model: "large", region: "eu" }, event: "both" });
	draw("chat", 0.1, "2026-01-30T10:50:00Z", { dimensions: { model: "small" } });
	draw("chat", 0.2, "2026-01-30T10:55:00Z", { dimensions: { model: "small", region: "us" } });
	draw("chat", 7, "2026-01-10T00:00:00Z");
	draw("chat", 100, "2025-12-01T00:00:00Z", { dimensions: { region: "eu" } });
	await consume(3, { createdAt: "2026-01-30T23:59:59.999Z" });
	await consume(5, { createdAt: "2026-01-29T00:00:00Z", resourceId: "site", dimensions: { model: "large" } });
	const usage = (query = "") => here.call("GET", `/credits/usage?customerId=acme${query}`);
	return { ...made, usage, draw };
}

const at = (timestamp: string, value: number, eventCount: number) => ({ timestamp, value, eventCount });

describe("GET /credits/usage", () => {
	test("shows a month by days and features by default", async () => {
		const { usage } = await used();
		const answer = await usage();
		expect(answer).toMatchObject({ status: 200 });
		expect(answer.body.data).toEqual({
			currency: { currencyId: "tokens", displayName: "TOKENS", singular: null, plural: null, symbol: null },
			pagination: { next: null, prev: null },
			series: [
				{
					featureId: "chat",
					featureName: "CHAT",
					totalCredits: 11.3,
					eventCount: 4,
					points: [at("2026-01-10T00:00:00.000Z", 7, 1), at("2026-01-30T00:00:00.000Z", 4.3, 3)],
				},
				{
					featureId: "images",
					featureName: "IMAGES",
					totalCredits: 2,
					eventCount: 1,
					points: [at("2026-01-30T00:00:00.000Z", 2, 1)],
				},
				{
					featureId: null,
					featureName: null,
					totalCredits: 8,
					eventCount: 2,
					points: [at("2026-01-29T00:00:00.000Z", 5, 1), at("2026-01-30T00:00:00.000Z", 3, 1)],
				},
			],
		});
	});

	test.each([
		["&timeRange=LAST_DAY", 9.3],
		["&timeRange=LAST_WEEK", 14.3],
		["&timeRange=LAST_MONTH", 21.3],
		["&timeRange=LAST_YEAR", 121.3],
		["&timeRange=LAST_DAY&startDate=2025-12-01T00:00:00Z", 121.3],
		["&startDate=2025-12-01T12:00:00Z&endDate=2026-01-10T00:00:00Z", 100],
		["&startDate=2025-12-01T12:00:00Z&endDate=2026-01-10T00:00:00.001Z", 107],
		["&timeRange=LAST_DAY&endDate=2026-01-10T00:30:00Z", 7],
		["&resourceId=", 16.3],
		["&resourceId=site", 5],
		["&currencyId=coins", 0],
		["&currencyId=tokens&resourceId=site", 5],
	])("%s totals %d", async (query, total) => {
		const { usage } = await used();
		const { series } = (await usage(query)).body.data;
		const sum = series.reduce((so: number, { totalCredits }: { totalCredits: number }) => so + totalCredits, 0);
		expect(sum).toBeCloseTo(total, 9);
	});

	test("shows hours for ranges of up to a day", async () => {
		const { usage } = await used();
		const [chat] = (await usage("&startDate=2026-01-30T10:30:00Z&endDate=2026-01-31T00:00:00Z")).body.data.series;
		expect(chat.points).toEqual([at("2026-01-30T10:00:00.000Z", 4.3, 3)]);
		const [, , none] = (await usage("&timeRange=LAST_DAY")).body.data.series;
		expect(none.points).toEqual([at("2026-01-30T23:00:00.000Z", 3, 1)]);
	});

	test("groups by values of dimensions, including entries with some or no dimensions", async () => {
		const { usage } = await used();
		const { currency, series } = (await usage("&groupBy=model,region")).body.data;
		expect(currency.currencyId).toBe("tokens");
		const tag = (key: string, value: string) => ({ key, value });
		const featureless = { featureId: null, featureName: null };
		expect(series).toHaveLength(5);
		expect(series).toEqual(
			expect.arrayContaining([
				{
					...featureless,
					// One event of two features.
					...{ totalCredits: 6, eventCount: 1, points: [at("2026-01-30T00:00:00.000Z", 6, 1)] },
					tags: [tag("model", "large"), tag("region", "eu")],
				},
				expect.objectContaining({ totalCredits: 5, tags: [tag("model", "large")] }),
				expect.objectContaining({ totalCredits: 0.1, tags: [tag("model", "small")] }),
				expect.objectContaining({ totalCredits: 0.2, tags: [tag("model", "small"), tag("region", "us")] }),
			]),
		);
		expect(series.at(-1)).toEqual({
			...featureless,
			...{ totalCredits: 10, eventCount: 2, tags: [] },
			points: [at("2026-01-10T00:00:00.000Z", 7, 1), at("2026-01-30T00:00:00.000Z", 3, 1)],
		});
		const [onlyEu] = (await usage("&groupBy=region&timeRange=LAST_YEAR")).body.data.series;
		expect(onlyEu).toMatchObject({ totalCredits: 106, tags: [tag("region", "eu")] });
	});

	test("a page contains series", async () => {
		const { usage } = await used();
		for (const query of ["", "&groupBy=model,region"]) {
			const all = (await usage(query)).body.data.series;
			const seen: unknown[] = [];
			let page = (await usage(`${query}&limit=1`)).body.data;
			const back: unknown[] = [];
			for (;;) {
				seen.push(...page.series);
				if (page.pagination.next === null) break;
				page = (await usage(`${query}&limit=1&after=${page.pagination.next}`)).body.data;
			}
			expect(seen).toEqual(all);
			while (page.pagination.prev !== null) {
				back.unshift(...page.series);
				page = (await usage(`${query}&limit=1&before=${page.pagination.prev}`)).body.data;
			}
			expect([...page.series, ...back]).toEqual(all);
		}
	});

	test("names the currency if only one applies", async () => {
		const { usage, consume } = await used();
		await consume(1, { currencyId: "coins" });
		expect((await usage()).body.data.currency).toBeNull();
		expect((await usage("&currencyId=coins")).body.data.currency.currencyId).toBe("coins");
		expect((await usage("&resourceId=site")).body.data.currency.currencyId).toBe("tokens");
		expect((await usage("&startDate=2020-01-01T00:00:00Z&endDate=2020-01-02T00:00:00Z")).body.data).toEqual({
			currency: null,
			pagination: { next: null, prev: null },
			series: [],
		});
	});

	test("refuses ranges with too many entries with dimensions, but not a shorter range", async () => {
		const { usage, here } = await used();
		here.transactions.write(here.actor, ({ tx }) =>
			tx.run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
				insert into credit_entries (sequence, id, environment_id, wallet_id, customer_id, grant_id, event_type,
				amount, from_account, to_account, feature_id, event_id, dimensions, at, hash, events)
				select 1000 + i, 'x' || i, environment_id, wallet_id, customer_id, grant_id, event_type,
				amount, from_account, to_account, feature_id, event_id, dimensions, at, hash, events
				from n, (select * from credit_entries where event_type = 'CREDITS_CONSUMED' and dimensions is not null limit 1)`),
		);
		const answer = await usage("&groupBy=model&timeRange=LAST_YEAR");
		expect(answer).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
		expect(answer.body.message).toContain("more than 20000 entries with dimensions");
		expect((await usage("&groupBy=model&startDate=2026-01-10T00:00:00Z&endDate=2026-01-11T00:00:00Z")).status).toBe(
			200,
		);
		expect((await usage()).status).toBe(200);
	});

	test.each([
		["&groupBy=a,b,c,d", "groupBy"],
		["&groupBy=a b", "groupBy"],
		["&groupBy=", "groupBy"],
		["&timeRange=LAST_HOUR", "timeRange"],
		["&startDate=2026-01-02T00:00:00Z&endDate=2026-01-01T00:00:00Z", "query/startDate"],
		["&startDate=2026-03-01T00:00:00Z", "query/startDate"],
		["&startDate=soon", "startDate"],
		["&after=x", "after"],
		["&after=019c0000-0000-7000-8000-000000000000", "cursor"],
		["&surprise=1", "surprise"],
	])("%s is 400 with its name", async (query, says) => {
		const { usage } = await used();
		const answer = await usage(query);
		expect(answer).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
		expect(answer.body.message).toContain(says);
	});

	test("uses the clock of the environment", async () => {
		const { usage, here } = await used();
		here.clock.at = (here.clock.at + 40 * 86_400_000) as Instant;
		expect((await usage()).body.data.series).toEqual([]);
		expect((await usage("&timeRange=LAST_YEAR")).body.data.series).toHaveLength(3);
	});
});
