import { describe, expect, test } from "bun:test";
import { longText } from "../../../support/world";
import { site } from "../site";

describe("POST /credits/consumption", () => {
	test("consumes credits, and returns the totals of the wallet", async () => {
		const { grant, consume, at, here } = await site();
		grant("given", 10);
		grant("monthly", 5, { grantType: "RECURRING", sourceType: "PRICE", expireAt: at(20) });
		grant("sooner", 1, { grantType: "RECURRING", sourceType: "PRICE", expireAt: at(10) });
		grant("promotion", 1, { expireAt: at(5) });
		const answer = await consume(2.5, { dimensions: { model: "large" }, createdAt: "2026-01-30T12:00:00+01:00" });
		expect(answer.status).toBe(200);
		expect(answer.body).toEqual({
			data: {
				customerId: "acme",
				currencyId: "tokens",
				resourceId: null,
				amount: 2.5,
				timestamp: "2026-01-30T11:00:00.000Z",
				credit: {
					currencyId: "tokens",
					currentUsage: 2.5,
					usageLimit: 17,
					timestamp: "2026-01-31T00:00:00.000Z",
					usagePeriodEnd: "2026-02-10T00:00:00.000Z",
				},
			},
		});
		here.clock.at = at(1);
		expect((await consume(1)).body.data).toMatchObject({
			timestamp: "2026-02-01T00:00:00.000Z",
			credit: { currentUsage: 3.5, timestamp: "2026-02-01T00:00:00.000Z" },
		});
	});

	test("consumes the last credit of a grant and nothing of the next; then across both", async () => {
		const { grant, consume, grants, entries, wallet, at } = await site();
		grant("first", 10, { expireAt: at(5) });
		grant("second", 4, { expireAt: at(9) });
		grant("third", 3);
		const consumed = () => grants().map((one) => [one.displayName, one.consumed]);
		expect((await consume(10)).body.data.credit).toMatchObject({ currentUsage: 10, usageLimit: 17 });
		expect(consumed()).toEqual([
			["first", "10"],
			["second", "0"],
			["third", "0"],
		]);
		expect(entries().filter(({ eventType }) => eventType === "CREDITS_CONSUMED")).toHaveLength(1);
		await consume(0.5);
		expect(consumed()).toEqual([
			["first", "10"],
			["second", "0.5"],
			["third", "0"],
		]);
		await consume(6.5);
		expect(consumed()).toEqual([
			["first", "10"],
			["second", "4"],
			["third", "3"],
		]);
		expect(wallet()).toMatchObject({ balance: "0", overdraft: "0" });
		await consume(1);
		expect(wallet()).toMatchObject({ balance: "0", overdraft: "1" });
	});

	test("is never refused for lack of credits; wallets of resources and other currencies are separate", async () => {
		const { grant, consume, wallet } = await site();
		grant("given", 1);
		expect((await consume(3)).body.data.credit).toMatchObject({ currentUsage: 3, usageLimit: 1, usagePeriodEnd: null });
		expect((await consume(2, { resourceId: "site" })).body.data).toMatchObject({
			resourceId: "site",
			credit: { currentUsage: 2, usageLimit: 0 },
		});
		expect((await consume(4, { currencyId: "coins" })).body.data.credit).toMatchObject({ currentUsage: 4 });
		expect(wallet()).toMatchObject({ balance: "0", consumed: "3", overdraft: "2" });
		expect(wallet("tokens", "site")).toMatchObject({ consumed: "2", overdraft: "2" });
	});

	test("a repeated key consumes nothing and repeats the first answer, even after other changes", async () => {
		const { grant, consume, entries, here, at } = await site();
		grant("given", 10, { grantType: "RECURRING", sourceType: "PRICE", expireAt: at(3) });
		const first = await consume(2, { idempotencyKey: "k", dimensions: { a: 1, b: "x" } });
		await consume(5);
		here.clock.at = at(4);
		const again = await consume(2, { idempotencyKey: "k", dimensions: { b: "x", a: 1 } });
		expect(again).toMatchObject({ status: 200, body: first.body });
		expect(entries().filter(({ eventType }) => eventType === "CREDITS_CONSUMED").length).toBe(2);
		// The key belongs to the customer: another customer can use it too.
		expect((await consume(2, { idempotencyKey: "k", customerId: "other" })).body.data.credit.currentUsage).toBe(2);
	});

	test.each([
		["amount", { amount: 3 }, "another amount;"],
		["currency", { currencyId: "coins" }, "another currencyId;"],
		["resource", { resourceId: "site" }, "another resourceId;"],
		["time", { createdAt: "2026-01-30T00:00:00Z" }, "another createdAt;"],
		["dimensions", { dimensions: { a: 2 } }, "another dimensions;"],
		["everything", { amount: 3, dimensions: {} }, "another amount, dimensions;"],
	])("the same key with another %s is 400 with its name, and consumes nothing", async (_, changed, says) => {
		const { consume, wallet } = await site();
		const body = { idempotencyKey: "k", dimensions: { a: 1 } };
		await consume(2, body);
		const answer = await consume(2, { ...body, ...changed });
		expect(answer).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
		expect(answer.body.message).toContain("body/idempotencyKey: 'k'");
		expect(answer.body.message).toContain(says);
		expect(wallet()).toMatchObject({ consumed: "2" });
	});

	test("concurrent requests with one key consume once; with different keys, exactly their sum", async () => {
		const { grant, consume, wallet } = await site();
		grant("given", 30);
		const same = await Promise.all(Array.from({ length: 32 }, () => consume(1, { idempotencyKey: "one" })));
		expect(new Set(same.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
		await Promise.all(Array.from({ length: 64 }, () => consume(0.1)));
		expect(wallet()).toMatchObject({ consumed: "7.4", balance: "22.6", overdraft: "0" });
	});

	test.each([
		["no amount", { amount: undefined }, 400, "BadUserInput", "/amount"],
		["nothing", { amount: 0 }, 400, "BadUserInput", "/amount"],
		["less than nothing", { amount: -1 }, 400, "BadUserInput", "/amount"],
		["a text for the amount", { amount: "1" }, 400, "BadUserInput", "/amount"],
		["too much", { amount: 1e15 }, 400, "BadUserInput", "/amount"],
		[
			"too fine an amount",
			{ amount: 0.1234567890123 },
			400,
			"BadUserInput",
			"body/amount: has more than 12 decimal places",
		],
		["no key", { idempotencyKey: undefined }, 400, "BadUserInput", "/idempotencyKey"],
		["an empty key", { idempotencyKey: "" }, 400, "BadUserInput", "/idempotencyKey"],
		["too long a key", { idempotencyKey: longText(256) }, 400, "BadUserInput", "/idempotencyKey"],
		["an unknown field", { surprise: 1 }, 400, "BadUserInput", "/surprise"],
		["a list for a dimension", { dimensions: { a: [] } }, 400, "BadUserInput", "/dimensions/a"],
		["what is no time", { createdAt: "yesterday" }, 400, "BadUserInput", "/createdAt"],
		[
			"more than a day ahead",
			{ createdAt: "2026-02-01T00:00:00.001Z" },
			400,
			"BadUserInput",
			"body/createdAt: is more than 24 hours ahead",
		],
		["an unknown customer", { customerId: "nobody" }, 404, "CustomerNotFound", "'nobody'"],
		["an unknown currency", { currencyId: "gold" }, 404, "CustomCurrencyNotFound", "'gold'"],
		["an unknown resource", { resourceId: "none" }, 404, "CustomerResourceNotFound", "'none'"],
	])("%s is refused", async (_, body, status, code, says) => {
		const { consume, entries } = await site();
		const answer = await consume(1, body);
		expect(answer).toMatchObject({ status, body: { code } });
		expect(answer.body.message).toContain(says);
		expect(entries()).toEqual([]);
	});

	test("needs CREDIT:WRITE, and sees its own environment only", async () => {
		const { consume, consumeAsync, here } = await site();
		for (const call of [
			(key: string) => consume(1, {}, { key }),
			(key: string) => consumeAsync([{ amount: 1, idempotencyKey: "x" }], { key }),
		]) {
			expect(await call(here.foreignKey)).toMatchObject({ status: 404, body: { code: "CustomerNotFound" } });
			expect(await call(here.scopedKey("CREDIT:READ", "USAGE:WRITE"))).toMatchObject({ status: 403 });
			expect(await call(here.publishableKey)).toMatchObject({ status: 403 });
			expect(await call("")).toMatchObject({ status: 401 });
			expect(await call(here.scopedKey("CREDIT:WRITE"))).toMatchObject({ status: 200 });
		}
	});

	test("refuses an archived currency, but still answers a repeated key", async () => {
		const { consume, here } = await site();
		const first = await consume(1, { currencyId: "coins", idempotencyKey: "k" });
		here.transactions.write(here.actor, ({ tx }) =>
			tx.run("update custom_currencies set archived_at = 1 where ref_id = 'coins'"),
		);
		expect(await consume(1, { currencyId: "coins", idempotencyKey: "k" })).toMatchObject({
			status: 200,
			body: first.body,
		});
		expect(await consume(1, { currencyId: "coins" })).toMatchObject({
			status: 404,
			body: { code: "CustomCurrencyNotFound" },
		});
	});

	test("the header Idempotency-Key repeats the answer as on every route", async () => {
		const { consume, wallet } = await site();
		const headers = { "idempotency-key": "header" };
		const first = await consume(1, { idempotencyKey: "k" }, { headers });
		const again = await consume(1, { idempotencyKey: "k" }, { headers });
		expect(again.body).toEqual(first.body);
		expect(again.headers.get("idempotent-replayed")).toBe("true");
		expect(wallet()).toMatchObject({ consumed: "1" });
	});
});

describe("POST /credits/consumption/async", () => {
	const items = (count: number, amount = 1) =>
		Array.from({ length: count }, (_, at) => ({ amount, idempotencyKey: `item-${at}` }));

	test("returns an empty object, counts at once, and is settled once by the job", async () => {
		const { grant, consume, consumeAsync, settle, wallet, entries, here, at } = await site();
		grant("given", 10);
		const answer = await consumeAsync([
			{ amount: 1, idempotencyKey: "a", createdAt: "2026-01-30T00:00:00Z", dimensions: { model: "small" } },
			{ amount: 2, idempotencyKey: "b" },
			{ amount: 4, idempotencyKey: "c", currencyId: "coins", resourceId: "site" },
		]);
		expect(answer).toMatchObject({ status: 200, body: { data: {} } });
		expect(here.woken).toContain("credits");
		expect(wallet()).toMatchObject({ waiting: "3", consumed: "0" });
		expect((await consume(5)).body.data.credit).toMatchObject({ currentUsage: 8, usageLimit: 10 });
		here.clock.at = at(1);
		await settle();
		await settle();
		expect(wallet()).toMatchObject({ waiting: "0", consumed: "8", balance: "2" });
		expect(wallet("coins", "site")).toMatchObject({ waiting: "0", overdraft: "4" });
		const consumed = entries().filter(({ eventType }) => eventType === "CREDITS_CONSUMED");
		expect(consumed.map(({ amount, at: when, dimensions }): unknown => [amount, when, dimensions])).toEqual([
			["5", at(0), null],
			["1", at(-1), { model: "small" }],
			["2", at(0), null],
			["4", at(0), null],
		]);
		expect((await consume(1)).body.data.credit).toMatchObject({ currentUsage: 9 });
	});

	test("settles a thousand in time slices; the same list again consumes nothing", async () => {
		const { grant, consumeAsync, settle, wallet, entries } = await site();
		grant("given", 600);
		expect((await consumeAsync(items(1000))).status).toBe(200);
		expect((await consumeAsync(items(1000))).status).toBe(200);
		await settle();
		expect((await consumeAsync(items(1000))).status).toBe(200);
		await settle();
		expect(wallet()).toMatchObject({ waiting: "0", consumed: "1000", balance: "0", overdraft: "400" });
		expect(entries().length).toBe(1001);
	});

	test("shares keys with the synchronous route: within a list, across lists, before and after settling", async () => {
		const { consume, consumeAsync, settle, wallet } = await site();
		const item = { amount: 2, idempotencyKey: "k" };
		await consumeAsync([item, item]);
		const early = await consume(2, { idempotencyKey: "k" });
		expect(early.body.data.credit).toMatchObject({ currentUsage: 2 });
		await settle();
		await consume(7);
		expect((await consume(2, { idempotencyKey: "k" })).body).toEqual(early.body);
		for (const list of [[item, { ...item, amount: 3 }], [{ ...item, amount: 3 }]]) {
			const answer = await consumeAsync(list);
			expect(answer).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
			expect(answer.body.message).toContain(`body/consumptions/${list.length - 1}/idempotencyKey: 'k'`);
			expect(answer.body.message).toContain("another amount;");
		}
		expect(wallet()).toMatchObject({ consumed: "9", waiting: "0" });
	});

	test.each([
		["an unknown customer", { customerId: "nobody" }, 404, "CustomerNotFound", "'nobody'"],
		["an unknown currency", { currencyId: "gold" }, 404, "CustomCurrencyNotFound", "'gold'"],
		["an unknown resource", { resourceId: "none" }, 404, "CustomerResourceNotFound", "body/consumptions/2/resourceId"],
		["too fine an amount", { amount: 1e-13 }, 400, "BadUserInput", "body/consumptions/2/amount"],
		["a time ahead", { createdAt: "2026-02-02T00:00:00Z" }, 400, "BadUserInput", "body/consumptions/2/createdAt"],
		["no amount", { amount: null }, 400, "BadUserInput", "body/consumptions/2/amount"],
	])("one item with %s refuses all items, and records none", async (_, fault, status, code, says) => {
		const { consumeAsync, settle, wallet, here } = await site();
		const [one, two, three] = items(3);
		const answer = await consumeAsync([one ?? {}, two ?? {}, { ...three, ...fault }]);
		expect(answer).toMatchObject({ status, body: { code } });
		expect(answer.body.message).toContain(says);
		await settle();
		expect(wallet()).toBeUndefined();
		expect(here.woken).not.toContain("credits");
	});

	test("accepts 1 to 1000 items", async () => {
		const { consumeAsync } = await site();
		for (const list of [[], items(1001)])
			expect(await consumeAsync(list)).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
	});

	test("a wallet that fails to settle delays no other, and is settled by the next attempt", async () => {
		const { grant, consumeAsync, settle, wallet, at, here } = await site();
		for (let count = 0; count < 102; count += 1) grant(`grant ${count}`, 1, { effectiveAt: at(1) });
		await consumeAsync([
			{ amount: 1, idempotencyKey: "stuck" },
			{ amount: 2, idempotencyKey: "free", customerId: "other" },
		]);
		here.clock.at = at(2);
		await expect(settle()).rejects.toThrow("Many grants of this customer are due");
		expect(wallet("tokens", "", "other")).toMatchObject({ consumed: "2", waiting: "0" });
		expect(wallet()).toMatchObject({ consumed: "0", waiting: "1" });
		// The scheduler carries out due steps.
		here.transactions.write(here.actor, ({ tx }) =>
			tx.run(`update credit_grants set next_due_at = null where rowid in (select rowid from credit_grants limit 50)`),
		);
		await settle();
		expect(wallet()).toMatchObject({ consumed: "1", waiting: "0" });
	});

	test("settles under a frozen clock", async () => {
		const { grant, consumeAsync, settle, wallet, here, at } = await site();
		await here.advance(at(0));
		grant("given", 10, { expireAt: at(1) });
		await consumeAsync(items(3));
		here.clock.at = at(30);
		await settle();
		expect(wallet()).toMatchObject({ balance: "7", waiting: "0", consumed: "3" });
	});
});
