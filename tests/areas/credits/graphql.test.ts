import { describe, expect, test } from "bun:test";
import { ask, codes, data } from "../../graphql/ask";
import { mutate } from "../../graphql/mutate";
import type { World } from "../../support/world";
import { site } from "./site";

const read = async (here: World, name: string, type: string, selection: string, input: object, key = here.key) =>
	ask(here, `query ($input: ${type}!) { ${name}(input: $input) ${selection} }`, { input }, { key });

const consumed = `{ customerId currencyId resourceId amount timestamp
	credit { currencyId currentUsage usageLimit timestamp usagePeriodEnd } }`;

const wallet = { customerId: "acme", currencyId: "tokens" };

describe("consumption", () => {
	test("consumeCredits consumes and answers as REST does, and keeps the keys of dimensions", async () => {
		const { here, grant, entries } = await site();
		grant("given", 10);
		const input = {
			...{ ...wallet, amount: 2.5, idempotencyKey: "one", resourceId: null },
			createdAt: "2026-01-30T00:00:00Z",
			dimensions: { refId: "a", currency: "EUR" },
			environmentId: "any",
		};
		const first = (await mutate(here, "consumeCredits", input, { selection: consumed })).data.consumeCredits;
		const { environmentId: _, resourceId: __, ...body } = input;
		const rest = await here.call("POST", "/credits/consumption", { body });
		expect(rest.status).toBe(200);
		expect(first).toEqual(rest.body.data);
		expect(first).toMatchObject({ amount: 2.5, credit: { currentUsage: 2.5, usageLimit: 10 } });
		expect(entries().map(({ amount, dimensions }) => [`${amount}`, dimensions])).toEqual([
			["10", null],
			["2.5", input.dimensions],
		]);
	});

	test("consumeCreditsAsync consumes all or none, after settling", async () => {
		const { here, grant, settle, wallet: walletOf } = await site();
		grant("given", 10);
		const item = (amount: number, key: string) => ({ ...wallet, amount, idempotencyKey: key });
		const send = async (consumptions: object[]) =>
			mutate(here, "consumeCreditsAsync", { consumptions }, { selection: "" });
		expect(await send([item(1, "a"), item(2, "b")])).toEqual({ data: { consumeCreditsAsync: {} } });
		await settle();
		const refused = await send([item(1, "c"), { ...item(1, "d"), currencyId: "lead" }]);
		expect(codes(refused)).toEqual(["CustomCurrencyNotFound"]);
		expect(codes(await send([]))).toEqual(["BadUserInput"]);
		await settle();
		expect(`${walletOf()?.consumed}`).toBe("3");
	});

	test("refuses as REST does, with the same codes", async () => {
		const { here } = await site();
		const code = async (change: object, key = here.key) =>
			codes(
				await mutate(
					here,
					"consumeCredits",
					{ ...wallet, amount: 1, idempotencyKey: "k", ...change },
					{ selection: consumed, key },
				),
			);
		expect(await code({ customerId: "nobody" })).toEqual(["CustomerNotFound"]);
		expect(await code({ currencyId: "lead" })).toEqual(["CustomCurrencyNotFound"]);
		expect(await code({ resourceId: "nowhere" })).toEqual(["CustomerResourceNotFound"]);
		expect(await code({ amount: 0 })).toEqual(["BadUserInput"]);
		expect(await code({ dimensions: { a: [1] } })).toEqual(["BadUserInput"]);
		expect(await code({}, here.scopedKey("CREDIT:READ"))).toEqual(["AccessDeniedError"]);
		expect(await code({}, here.foreignKey)).toEqual(["CustomerNotFound"]);
	});
});

const entry = "id customerId creditCurrencyId resourceId creditGrantId eventType amount featureId eventId timestamp";
const ledger = `{ totalCount edges { cursor node { ${entry} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;

async function history() {
	const made = await site();
	const { grant, consume } = made;
	grant("given", 10);
	await consume(3);
	grant("site", 5, { resource: "site" });
	await consume(6, { resourceId: "site" });
	await consume(1, { currencyId: "coins" });
	await consume(1, { customerId: "other" });
	return made;
}

describe("creditsLedger", () => {
	const page = async (here: World, input: object = {}) =>
		(
			await data(here, `query ($input: CreditsLedgerInput!) { creditsLedger(input: $input) ${ledger} }`, {
				input: { customerId: "acme", ...input },
			})
		).creditsLedger;

	test.each([
		[{}, ""],
		[{ currencyId: "tokens" }, "&currencyId=tokens"],
		[{ resourceId: "site" }, "&resourceId=site"],
		[{ resourceId: "" }, "&resourceId="],
		[{ currencyId: "coins", resourceId: "site" }, "&currencyId=coins&resourceId=site"],
		[{ eventTypes: ["CREDITS_GRANTED"] }, "&eventType=CREDITS_GRANTED"],
		[{ eventTypes: ["CREDITS_CONSUMED"], currencyId: "tokens" }, "&eventType=CREDITS_CONSUMED&currencyId=tokens"],
		[{ eventTypes: ["CREDITS_CONSUMED"] }, "&eventType=CREDITS_CONSUMED"],
		[
			{ eventTypes: ["CREDITS_GRANTED", "CREDITS_EXPIRED"], resourceId: "site" },
			"&eventType=CREDITS_GRANTED&resourceId=site",
		],
		[{ eventTypes: ["CREDITS_GRANTED", "CREDITS_CONSUMED"] }, "&eventType=CREDITS_GRANTED,CREDITS_CONSUMED"],
	])("%j shows and counts the same as the REST list with '%s'", async (input, query) => {
		const { here } = await history();
		const { edges, totalCount } = await page(here, input);
		const rest = (await here.call("GET", `/credits/ledger?customerId=acme${query}`)).body.data;
		expect(edges.map(({ node: { id: _, ...node } }: { node: { id: string } }) => node)).toEqual(rest);
		expect(totalCount).toBe(rest.length);
	});

	test("pages in both directions", async () => {
		const { here } = await history();
		const ids = (found: { edges: Array<{ node: { id: string } }> }) => found.edges.map(({ node }) => node.id);
		const all = await page(here);
		expect(all.totalCount).toBe(6);
		const first = await page(here, { paging: { first: 4 } });
		expect(ids(first)).toEqual(ids(all).slice(0, 4));
		expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
		const second = await page(here, { paging: { first: 4, after: first.pageInfo.endCursor } });
		expect(ids(second)).toEqual(ids(all).slice(4));
		expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
		const back = await page(here, { paging: { last: 3, before: second.pageInfo.startCursor } });
		expect(ids(back)).toEqual(ids(all).slice(1, 4));
		expect(ids(await page(here, { paging: { last: 2 } }))).toEqual(ids(all).slice(-2));
	});

	test("refuses cursors of another customer, unknown customers, and callers without the scope", async () => {
		const { here } = await history();
		const asking = (input: object, key?: string) =>
			read(here, "creditsLedger", "CreditsLedgerInput", "{ edges { node { id } } }", input, key);
		const theirs = (await asking({ customerId: "other" })).data.creditsLedger.edges[0].node.id;
		expect(codes(await asking({ customerId: "acme", paging: { after: theirs } }))).toEqual(["BadUserInput"]);
		expect(codes(await asking({ customerId: "nobody" }))).toEqual(["CustomerNotFound"]);
		expect(codes(await asking({ customerId: "acme", currencyId: "lead" }))).toEqual(["CustomCurrencyNotFound"]);
		expect(codes(await asking({ customerId: "acme" }, here.foreignKey))).toEqual(["CustomerNotFound"]);
		expect(codes(await asking({ customerId: "acme" }, here.scopedKey("CUSTOMER:READ")))).toEqual(["AccessDeniedError"]);
	});
});

const usage = `{ currency { currencyId displayName singular plural symbol } pagination { next prev }
	series { featureId featureName totalCredits eventCount points { timestamp value eventCount } tags { key value } } }`;

describe("creditUsage", () => {
	test.each([
		[{}, ""],
		[{ timeRange: "LAST_DAY", currencyId: "tokens" }, "&timeRange=LAST_DAY&currencyId=tokens"],
		[{ groupBy: ["model", "region"] }, "&groupBy=model,region"],
		[{ groupBy: "model", limit: 1 }, "&groupBy=model&limit=1"],
		[
			{ startDate: "2026-01-30T00:00:00Z", endDate: "2026-02-01T00:00:00Z" },
			"&startDate=2026-01-30T00:00:00Z&endDate=2026-02-01T00:00:00Z",
		],
	])("%j answers as REST does", async (input, query) => {
		const { here, consume } = await site();
		await consume(3, { dimensions: { model: "large", region: "eu" } });
		await consume(4, { dimensions: { model: "small" }, createdAt: "2026-01-29T10:00:00Z" });
		await consume(1, { currencyId: "coins", createdAt: "2026-01-30T10:00:00Z" });
		const answer = await read(here, "creditUsage", "CreditUsageInput", usage, { customerId: "acme", ...input });
		const rest = (await here.call("GET", `/credits/usage?customerId=acme${query}`)).body.data;
		expect(rest.series.length).toBeGreaterThan(0);
		const series = rest.series.map((one: object) => ({ tags: null, ...one }));
		expect(answer.data.creditUsage).toEqual({ ...rest, series });
	});

	test("refuses as REST does", async () => {
		const { here } = await site();
		const code = async (input: object, key?: string) =>
			codes(
				await read(
					here,
					"creditUsage",
					"CreditUsageInput",
					"{ currency { currencyId } }",
					{ customerId: "acme", ...input },
					key,
				),
			);
		expect(await code({ customerId: "nobody" })).toEqual(["CustomerNotFound"]);
		expect(await code({ groupBy: ["a", "b", "c", "d"] })).toEqual(["BadUserInput"]);
		expect(await code({ limit: 101 })).toEqual(["BadUserInput"]);
		expect(await code({ startDate: "2027-01-01T00:00:00Z" })).toEqual(["BadUserInput"]);
		expect(await code({}, here.scopedKey("CUSTOMER:READ"))).toEqual(["AccessDeniedError"]);
	});
});

describe("creditBalanceSummary", () => {
	const fields = `{ customerId currencyId resourceId usageLimit currentUsage currentBalance overdraft usagePeriodEnd validUntil timestamp
		currency { currencyId } totalGranted totalConsumed }`;
	const balance = (here: World, input: object, key?: string) =>
		read(here, "creditBalanceSummary", "CreditBalanceSummaryInput", fields, input, key);

	test("shows one wallet as the REST list does, and zero without a wallet", async () => {
		const { here } = await history();
		const rest = (await here.call("GET", "/credits/balances?customerId=acme&currencyId=tokens&resourceId=")).body.data;
		const shown = (await balance(here, wallet)).data.creditBalanceSummary;
		expect(shown).toEqual({ ...rest[0], currency: { currencyId: "tokens" }, totalGranted: 10, totalConsumed: 3 });
		const onSite = await balance(here, { ...wallet, resourceId: "site" });
		expect(onSite.data.creditBalanceSummary).toMatchObject({ resourceId: "site", currentBalance: -1, overdraft: 1 });
		const none = await balance(here, { customerId: "other", currencyId: "coins" });
		expect(none.data.creditBalanceSummary).toMatchObject({ currentBalance: 0, totalGranted: 0, resourceId: null });
	});

	test("refuses unknown customers and currencies, and callers without the scope", async () => {
		const { here } = await site();
		expect(codes(await balance(here, { ...wallet, customerId: "nobody" }))).toEqual(["CustomerNotFound"]);
		expect(codes(await balance(here, { ...wallet, currencyId: "lead" }))).toEqual(["CustomCurrencyNotFound"]);
		expect(codes(await balance(here, wallet, here.foreignKey))).toEqual(["CustomerNotFound"]);
		expect(codes(await balance(here, wallet, here.scopedKey("CUSTOMER:READ")))).toEqual(["AccessDeniedError"]);
	});
});

describe("auto-recharge settings", () => {
	const selection = `{ id customerId currencyId isEnabled thresholdType thresholdValue targetBalance maxSpendLimit
		grantExpirationPeriod unitPrice { amount currency } currentMonthlySpend problem { message } createdAt updatedAt }`;
	const stored = (here: World, key?: string) =>
		read(here, "getAutoRechargeSettings", "AutoRechargeSettingsInput", selection, wallet, key);
	const input = {
		...wallet,
		isEnabled: true,
		thresholdType: "CREDIT_AMOUNT",
		thresholdValue: 10,
		targetBalance: 100,
		maxSpendLimit: null,
		grantExpirationPeriod: "ONE_MONTH",
		unitPrice: { amount: 0.5, currency: "USD" },
	};

	test("are the defaults, then the saved values, the same as by REST", async () => {
		const { here } = await site();
		expect((await stored(here)).data.getAutoRechargeSettings).toMatchObject({
			...wallet,
			id: null,
			isEnabled: false,
			grantExpirationPeriod: "ONE_YEAR",
		});
		const made = (await mutate(here, "saveAutoRechargeSettings", input, { selection })).data.saveAutoRechargeSettings;
		expect(made).toMatchObject({ ...input, currentMonthlySpend: 0, problem: null });
		expect((await stored(here)).data.getAutoRechargeSettings).toEqual(made);
		const rest = await here.call("GET", "/credits/auto-recharge?customerId=acme&currencyId=tokens");
		expect(rest.body.data).toMatchObject({ id: made.id, grantExpirationPeriod: "1_MONTH", targetBalance: 100 });
	});

	test("refuses as REST does", async () => {
		const { here } = await site();
		const code = async (change: object, key = here.key) =>
			codes(await mutate(here, "saveAutoRechargeSettings", { ...input, ...change }, { selection, key }));
		expect(await code({ targetBalance: 10 })).toEqual(["BadUserInput"]);
		expect(await code({ currencyId: "lead" })).toEqual(["CustomCurrencyNotFound"]);
		expect(await code({ grantExpirationPeriod: "1_MONTH" })).toEqual(["BadUserInput"]);
		expect(await code({}, here.scopedKey("CREDIT:READ"))).toEqual(["AccessDeniedError"]);
		expect(codes(await stored(here, here.foreignKey))).toEqual(["CustomerNotFound"]);
		expect(codes(await stored(here, here.scopedKey("CUSTOMER:READ")))).toEqual(["AccessDeniedError"]);
	});
});
