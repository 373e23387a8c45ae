import { describe, expect, test } from "bun:test";
import type { Answer } from "../../../support/world";
import { site } from "../site";

const rows = ({ body }: Answer): string[] =>
	body.data.map(
		({ eventType, amount, creditCurrencyId, resourceId }: Record<string, unknown>) =>
			`${String(eventType).replace("CREDITS_", "").replace("CONSUMPTION_", "")} ${amount} ${creditCurrencyId}${resourceId ? ` ${resourceId}` : ""}`,
	);

async function history() {
	const made = await site();
	const { grant, consume } = made;
	grant("given", 10);
	await consume(3, { dimensions: { model: "large" } });
	grant("site", 5, { resource: "site" });
	await consume(6, { resourceId: "site" });
	await consume(1, { currencyId: "coins" });
	grant("settles", 2, { resource: "site" });
	await consume(1, { customerId: "other" });
	const ledger = (query = "", key?: string) =>
		made.here.call("GET", `/credits/ledger?customerId=acme${query}`, key === undefined ? {} : { key });
	return { ...made, ledger };
}

const newestFirst = [
	"TRANSFER_TARGET 1 tokens site",
	"TRANSFER_SOURCE 1 tokens site",
	"GRANTED 2 tokens site",
	"CONSUMED 1 coins",
	"CONSUMED 1 tokens site",
	"CONSUMED 5 tokens site",
	"GRANTED 5 tokens site",
	"CONSUMED 3 tokens",
	"GRANTED 10 tokens",
];

describe("GET /credits/ledger", () => {
	test("lists all movements, the newest first, each with its grant", async () => {
		const { ledger, grants } = await history();
		const answer = await ledger();
		expect(answer.status).toBe(200);
		expect(rows(answer)).toEqual(newestFirst);
		const given = grants().find(({ displayName }) => displayName === "given");
		expect(answer.body.data[7]).toEqual({
			customerId: "acme",
			creditCurrencyId: "tokens",
			resourceId: null,
			creditGrantId: given?.id,
			eventType: "CREDITS_CONSUMED",
			amount: 3,
			featureId: null,
			eventId: expect.any(String),
			timestamp: "2026-01-31T00:00:00.000Z",
		});
		expect(answer.body.pagination).toEqual({ next: null, prev: null });
	});

	test.each([
		["", () => true],
		["&currencyId=tokens", (row: string) => row.includes("tokens")],
		["&resourceId=site", (row: string) => row.endsWith("site")],
		["&resourceId=", (row: string) => !row.endsWith("site")],
		["&currencyId=coins&resourceId=site", () => false],
		["&currencyId=tokens&resourceId=site", (row: string) => row.endsWith("tokens site")],
		["&eventType=CREDITS_CONSUMED", (row: string) => row.startsWith("CONSUMED")],
		["&eventType=CREDITS_GRANTED", (row: string) => row.startsWith("GRANTED")],
		[
			"&eventType=CREDITS_GRANTED,CREDITS_CONSUMPTION_TRANSFER_SOURCE",
			(row: string) => /^(GRANTED|TRANSFER_S)/.test(row),
		],
		["&eventType=CREDITS_GRANTED&resourceId=", (row: string) => row === "GRANTED 10 tokens"],
		["&eventType=CREDITS_CONSUMED,CREDITS_GRANTED&currencyId=tokens", (row: string) => /^[GC].*tokens/.test(row)],
		["&eventType=CREDITS_VOIDED", () => false],
	])("%s lists the matching entries, page by page in both directions", async (query, isMeant) => {
		const { ledger } = await history();
		const meant = newestFirst.filter(isMeant);
		expect(rows(await ledger(query))).toEqual(meant);
		for (const limit of [1, 2, 3]) {
			const forward: string[] = [];
			let page = await ledger(`${query}&limit=${limit}`);
			const firsts = [page];
			for (; page.body.pagination.next !== null; firsts.push(page)) {
				forward.push(...rows(page));
				page = await ledger(`${query}&limit=${limit}&after=${page.body.pagination.next}`);
			}
			expect([...forward, ...rows(page)]).toEqual(meant);
			for (const expected of firsts.slice(0, -1).reverse()) {
				page = await ledger(`${query}&limit=${limit}&before=${page.body.pagination.prev}`);
				expect(rows(page)).toEqual(rows(expected));
			}
		}
	});

	test("lists entries of many wallets, a few on each page", async () => {
		const { grant, ledger, consume } = await history();
		const answered: string[] = [];
		for (let count = 0; count < 30; count += 1) {
			const resource = `many-${count % 15}`;
			grant(resource, count + 1, { resource });
			answered.unshift(`GRANTED ${count + 1} tokens ${resource}`);
		}
		await consume(1, { currencyId: "coins" });
		expect(rows(await ledger("&currencyId=tokens&limit=4"))).toEqual(answered.slice(0, 4));
		const consumed = newestFirst.filter((row) => /^CONSUMED.*tokens/.test(row));
		expect(rows(await ledger("&currencyId=tokens&eventType=CREDITS_CONSUMED&limit=2"))).toEqual(consumed.slice(0, 2));
		const first = await ledger("&currencyId=tokens&limit=4");
		const second = await ledger(`&currencyId=tokens&limit=4&after=${first.body.pagination.next}`);
		expect(rows(second)).toEqual(answered.slice(4, 8));
		expect(rows(await ledger(`&currencyId=tokens&limit=4&before=${second.body.pagination.prev}`))).toEqual(
			answered.slice(0, 4),
		);
	});

	test("reads along indexes for every filter", async () => {
		const { here, ledger } = await history();
		const asked: string[] = [];
		const { prepare } = here.db.$client;
		here.db.$client.prepare = ((...args: Parameters<typeof prepare>) => {
			if (args[0].includes('from "credit_entries"')) asked.push(args[0]);
			return prepare.apply(here.db.$client, args);
		}) as typeof prepare;
		for (const query of [
			"",
			"&currencyId=tokens",
			"&eventType=CREDITS_CONSUMED",
			"&eventType=CREDITS_GRANTED&resourceId=site",
		])
			await ledger(query);
		here.db.$client.prepare = prepare;
		const steps = asked.flatMap((text) =>
			here.db.$client
				.query<{ detail: string }, []>(`explain query plan ${text.replaceAll("?", "1")}`)
				.all()
				.map(({ detail }) => detail),
		);
		expect(steps.filter((step) => /SCAN credit_entries|TEMP B-TREE/.test(step))).toEqual([]);
		expect(new Set(steps.flatMap((step) => /credit_entries_\w+/.exec(step)?.[0] ?? []))).toEqual(
			new Set(["credit_entries_customer", "credit_entries_wallet", "credit_entries_rare"]),
		);
	});

	test.each([
		["no customer", "/credits/ledger", 400, "BadUserInput", "customerId"],
		[
			"an unknown type",
			"/credits/ledger?customerId=acme&eventType=CREDITS_LOST",
			400,
			"BadUserInput",
			"CREDITS_CONSUMED",
		],
		[
			"a strange cursor",
			"/credits/ledger?customerId=acme&after=019c0000-0000-7000-8000-000000000000",
			400,
			"BadUserInput",
			"cursor",
		],
		["no cursor", "/credits/ledger?customerId=acme&after=x", 400, "BadUserInput", "after"],
		["an unknown customer", "/credits/ledger?customerId=nobody", 404, "CustomerNotFound", "'nobody'"],
		["an unknown currency", "/credits/ledger?customerId=acme&currencyId=gold", 404, "CustomCurrencyNotFound", "'gold'"],
		["an unknown customer's balances", "/credits/balances?customerId=nobody", 404, "CustomerNotFound", "'nobody'"],
		[
			"an unknown currency's balances",
			"/credits/balances?customerId=acme&currencyId=gold",
			404,
			"CustomCurrencyNotFound",
			"'gold'",
		],
	])("%s is refused", async (_, path, status, code, says) => {
		const { here } = await site();
		const answer = await here.call("GET", path);
		expect(answer).toMatchObject({ status, body: { code } });
		expect(answer.body.message).toContain(says);
	});

	test("refuses another customer's entry as cursor and other environments, and requires CREDIT:READ", async () => {
		const { here, ledger, entries } = await history();
		const theirs = entries().at(-1);
		expect(await ledger(`&after=${theirs?.id}`)).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
		for (const path of ["ledger", "usage", "balances"]) {
			const read = (key: string) => here.call("GET", `/credits/${path}?customerId=acme`, { key });
			expect(await read(here.foreignKey)).toMatchObject({ status: 404, body: { code: "CustomerNotFound" } });
			expect((await read(here.scopedKey("USAGE:READ", "CUSTOMER:WRITE"))).status).toBe(403);
			expect((await read(here.publishableKey)).status).toBe(403);
			expect((await read(here.scopedKey("CREDIT:READ"))).status).toBe(200);
			expect((await read(here.scopedKey("CREDIT:WRITE"))).status).toBe(200);
		}
	});

	test("shows entries of archived currencies", async () => {
		const { here, ledger } = await history();
		here.transactions.write(here.actor, ({ tx }) =>
			tx.run("update custom_currencies set archived_at = 1 where ref_id = 'coins'"),
		);
		expect(rows(await ledger("&currencyId=coins"))).toEqual(["CONSUMED 1 coins"]);
	});
});

describe("GET /credits/balances", () => {
	test("lists one balance for each wallet, with unsettled consumptions", async () => {
		const { here, consumeAsync, grant, at } = await history();
		grant("monthly", 4, { currency: "coins", grantType: "RECURRING", sourceType: "PRICE", expireAt: at(9) });
		await consumeAsync([{ amount: 2.5, idempotencyKey: "later" }]);
		const answer = await here.call("GET", "/credits/balances?customerId=acme");
		expect(answer.body.pagination).toEqual({ next: null, prev: null });
		expect(answer.body.data).toEqual([
			{
				customerId: "acme",
				currencyId: "coins",
				resourceId: null,
				usageLimit: 4,
				currentUsage: 1,
				currentBalance: 3,
				overdraft: 0,
				usagePeriodEnd: "2026-02-09T00:00:00.000Z",
				validUntil: "2026-02-09T00:00:00.000Z",
				timestamp: "2026-01-31T00:00:00.000Z",
			},
			expect.objectContaining({
				resourceId: "site",
				usageLimit: 7,
				currentUsage: 6,
				currentBalance: 1,
				validUntil: null,
			}),
			expect.objectContaining({ resourceId: null, currencyId: "tokens", usageLimit: 10, currentUsage: 5.5 }),
		]);
		const first = await here.call("GET", "/credits/balances?customerId=acme&limit=2");
		const rest = await here.call(
			"GET",
			`/credits/balances?customerId=acme&limit=2&after=${first.body.pagination.next}`,
		);
		expect([...first.body.data, ...rest.body.data]).toEqual(answer.body.data);
		const ofSite = await here.call("GET", "/credits/balances?customerId=acme&resourceId=site&currencyId=tokens");
		expect(ofSite.body.data).toEqual([answer.body.data[1]]);
	});
});
