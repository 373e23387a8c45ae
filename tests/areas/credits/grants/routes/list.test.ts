import { describe, expect, test } from "bun:test";
import type { Instant } from "../../../../../src/kernel/clock";
import { ask, data } from "../../../../graphql/ask";
import { mutate } from "../../../../graphql/mutate";
import type { World } from "../../../../support/world";
import { guard, isRefusal } from "../../../packages/guards";
import { bank, fillBank, give, listed, nowhere, path, sold } from "../site";

guard([{ method: "GET", path: `${path}?customerId=acme`, scope: "CREDIT:READ" }], fillBank);

async function filled(): Promise<World> {
	const ours = await bank();
	await ours.call("POST", "/customers", { body: { id: "other" } });
	await give(ours, { displayName: "a" });
	await give(ours, { displayName: "b", resourceId: "site-1" });
	ours.clock.at = (ours.clock.at + 86_400_000) as Instant;
	await give(ours, { displayName: "c", currencyId: "silver" });
	await give(ours, { displayName: "d" });
	await give(ours, { displayName: "e", customerId: "other" });
	return ours;
}

const names = (rows: ReadonlyArray<{ readonly displayName: string }>) => rows.map(({ displayName }) => displayName);

describe("GET /credits/grants", () => {
	test.each([
		["", ["d", "c", "a"]],
		["&resourceId=", ["d", "c", "a"]],
		["&resourceId=site-1", ["b"]],
		["&resourceId=site-2", []],
		["&currencyId=gold", ["d", "a"]],
		["&currencyId=silver", ["c"]],
		["&currencyId=silver&resourceId=site-1", []],
		["&currencyId=gold&resourceId=site-1", ["b"]],
		["&createdAt%5Bgte%5D=2026-02-01T00:00:00Z", ["d", "c"]],
		["&createdAt%5Blt%5D=2026-02-01T00:00:00Z&currencyId=gold", ["a"]],
		["&limit=1", ["d"]],
	])("%s lists its grants, the newest first", async (query, expected) => {
		expect(names(await listed(await filled(), query))).toEqual(expected);
	});

	test("pages in both directions; a cursor must be a grant of this customer", async () => {
		const ours = await filled();
		const page = async (query: string) => (await ours.call("GET", `${path}?customerId=acme&limit=2${query}`)).body;
		const first = await page("");
		expect([names(first.data), first.pagination.prev]).toEqual([["d", "c"], null]);
		const second = await page(`&after=${first.pagination.next}`);
		expect([names(second.data), second.pagination.next]).toEqual([["a"], null]);
		expect(names((await page(`&before=${second.pagination.prev}`)).data)).toEqual(["d", "c"]);
		const others = (await ours.call("GET", `${path}?customerId=other`)).body.data[0].id;
		for (const cursor of [nowhere, others])
			isRefusal(await ours.call("GET", `${path}?customerId=acme&after=${cursor}`), 400, "BadUserInput", "cursor");
	});

	test("refuses unknown ids and a missing query", async () => {
		const ours = await filled();
		const refuse = async (query: string, status: number, code: string, message: string, key = ours.key) =>
			isRefusal(await ours.call("GET", `${path}?${query}`, { key }), status, code, message);
		await refuse("", 400, "BadUserInput", "customerId");
		await refuse("customerId=nobody", 404, "CustomerNotFound", "'nobody'");
		await refuse("customerId=acme", 404, "CustomerNotFound", "'acme'", ours.foreignKey);
		await refuse("customerId=acme&currencyId=lead", 404, "CustomCurrencyNotFound", "'lead'");
		await refuse("customerId=acme&limit=101", 400, "BadUserInput", "limit");
		await refuse("customerId=acme&createdAt%5Bgt%5D=soon", 400, "BadUserInput", "createdAt");
	});

	test("shows grants of an archived currency", async () => {
		const ours = await filled();
		const [grant] = await listed(ours, "&currencyId=silver");
		await ours.call("POST", `${path}/${grant.id}/void`);
		expect((await ours.call("POST", "/credits/custom-currencies/silver/archive")).status).toBe(200);
		expect(await listed(ours, "&currencyId=silver")).toMatchObject([{ currencyId: "silver", status: "VOIDED" }]);
	});
});

const selection = `{ id customerId currencyId resourceId displayName comment grantType sourceType status amount consumedAmount
	priority cost { amount currency } effectiveAt expireAt voidedAt paymentCollection invoiceId additionalMetaData createdAt updatedAt
	latestInvoice { billingId status billingReason currency subTotal tax total dueDate requiresAction errorMessage paymentUrl pdfUrl
		createdAt updatedAt } }`;

describe("GraphQL", () => {
	test("creates, changes, voids and lists as REST does", async () => {
		const ours = await bank();
		const input = {
			...sold,
			cost: { amount: 20, currency: "USD" },
			expireAt: "2026-03-01T00:00:00Z",
			additionalMetaData: { a: "1" },
			billingInformation: { billingAddress: { addressLine1: "Street 1" }, invoiceDaysUntilDue: 3 },
			environmentId: "whatever",
		};
		const { createCreditGrant: made } = (await mutate(ours, "createCreditGrant", input, { selection })).data;
		const [rest] = await listed(ours);
		const { syncStates: _, metadata, latestInvoice, ...same } = rest;
		expect(made).toEqual({
			...same,
			cost: { amount: 20, currency: "USD" },
			additionalMetaData: metadata,
			latestInvoice: { ...latestInvoice, currency: "USD" },
		});
		const change = { id: made.id, comment: "Noted", expireAt: null };
		const changed = (await mutate(ours, "updateCreditGrant", change, { selection })).data.updateCreditGrant;
		expect(changed).toMatchObject({ comment: "Noted", expireAt: null, additionalMetaData: { a: "1" } });
		const voided = (await mutate(ours, "voidCreditGrant", { id: made.id }, { selection })).data.voidCreditGrant;
		expect(voided).toMatchObject({ status: "VOIDED", latestInvoice: { status: "CANCELED" } });
		const again = await mutate(ours, "voidCreditGrant", { id: made.id });
		expect(again.errors[0].extensions.code).toBe("CreditGrantAlreadyVoided");
	});

	const query = `query ($input: CreditGrantsInput!) { creditGrants(input: $input) { totalCount edges { cursor node { displayName } }
		pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

	test("creditGrants pages as every list does", async () => {
		const ours = await filled();
		const page = async (input: object) => {
			const { creditGrants } = await data(ours, query, { input: { customerId: "acme", ...input } });
			const found = creditGrants.edges.map(({ node }: { node: { displayName: string } }) => node.displayName);
			return { ...creditGrants, found };
		};
		const first = await page({ paging: { first: 2 } });
		expect(first).toMatchObject({
			found: ["d", "c"],
			totalCount: 3,
			pageInfo: { hasNextPage: true, hasPreviousPage: false },
		});
		const next = await page({ paging: { first: 2, after: first.pageInfo.endCursor } });
		expect(next).toMatchObject({ found: ["a"], pageInfo: { hasNextPage: false, hasPreviousPage: true } });
		expect((await page({ currencyId: "gold", resourceId: "site-1" })).found).toEqual(["b"]);
		expect((await page({ currencyId: "silver" })).totalCount).toBe(1);
	});

	test("requires the scopes of REST, and refuses as REST does", async () => {
		const ours = await filled();
		const input = { customerId: "acme" };
		const code = async (body: Promise<{ errors: Array<{ extensions: { code: string } }> }>) =>
			(await body).errors[0]?.extensions.code;
		const blind = { key: ours.scopedKey("CUSTOMER:READ") };
		expect(await code(ask(ours, query, { input }, blind))).toBe("AccessDeniedError");
		expect(await code(ask(ours, query, { input: { customerId: "nobody" } }))).toBe("CustomerNotFound");
		expect(await code(ask(ours, query, { input }, { key: ours.foreignKey }))).toBe("CustomerNotFound");
		const reader = { key: ours.scopedKey("CREDIT:READ") };
		expect(await code(mutate(ours, "voidCreditGrant", { id: nowhere }, reader))).toBe("AccessDeniedError");
		expect(await code(mutate(ours, "voidCreditGrant", { id: nowhere }))).toBe("CreditGrantNotFound");
	});
});
