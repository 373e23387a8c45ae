import { beforeAll, describe, expect, test } from "bun:test";
import { createApp } from "../../../src/app";
import { HttpRefusal } from "../../../src/http/refusal";
import { UnreadAnswers } from "../../../src/http/responses/unread";
import { pageBytesMax } from "../../../src/kernel/page";
import { longText, type World, world } from "../../support/world";

const count = 14;
const metadata = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`key-${at}`, longText(4000)]));

describe("pages of customers with much metadata", () => {
	let w: World;
	const made = Array.from({ length: count }, (_, at) => `customer-${at}`).reverse();
	beforeAll(async () => {
		w = world();
		for (const id of made.toReversed()) await w.call("POST", "/customers", { body: { id, metadata } });
	}, 30_000);

	interface Row {
		readonly id: string;
	}

	test("end at four megabytes, and every page goes on with the row that did not fit", async () => {
		const pages: string[][] = [];
		let back = "";
		for (let after = ""; ; ) {
			const { body } = await w.call("GET", `/customers?limit=100${after}`);
			pages.push(body.data.map(({ id }: Row) => id));
			expect(JSON.stringify(body).length).toBeLessThan(pageBytesMax + 20_000);
			back = body.pagination.prev;
			if (body.pagination.next === null) break;
			after = `&after=${body.pagination.next}`;
		}
		expect(pages.flat()).toEqual(made);
		expect(pages.length).toBe(2);

		const { body } = await w.call("GET", `/customers?limit=100&before=${back}`);
		const read = body.data.map(({ id }: Row) => id);
		// The rows next to the cursor are those that fit.
		expect(read).toEqual(pages[0]?.slice(-read.length));
		expect(read.length).toBeGreaterThan(5);
	});

	test("end at four megabytes by GraphQL, and the connection says that there is more", async () => {
		const query = `query ($paging: CursorPaging) { customers(paging: $paging) {
			pageInfo { hasNextPage endCursor } edges { cursor node { refId additionalMetaData } } } }`;
		const refs: string[] = [];
		let pages = 0;
		for (let after: string | undefined; ; ) {
			const paging = { first: 100, ...(after !== undefined && { after }) };
			const { body } = await w.call("POST", "/graphql", { body: { query, variables: { paging } } });
			expect(body.errors).toBeUndefined();
			const { edges, pageInfo } = body.data.customers;
			expect(pageInfo.endCursor).toBe(edges.at(-1).cursor);
			refs.push(...edges.map(({ node }: { node: { refId: string } }) => node.refId));
			pages += 1;
			if (!pageInfo.hasNextPage) break;
			after = pageInfo.endCursor;
		}
		expect(refs).toEqual(made);
		expect(pages).toBe(2);
	});

	test("are refused by GraphQL where one request answers the same page many times", async () => {
		const page =
			"customers(paging: { first: 100 }) { edges { node { a: additionalMetaData b: additionalMetaData c: additionalMetaData } } }";
		const { body } = await w.call("POST", "/graphql", { body: { query: `{ ${page} }` } });
		expect(body.errors[0]).toMatchObject({ extensions: { code: "BadUserInput" } });
		expect(body.errors[0].message).toContain("smaller pages");
	});
});

describe("large answers that clients do not read", () => {
	const large = longText(100_000);

	test("are refused beyond their bound with 503, and count until they are read or left", async () => {
		const unread = new UnreadAnswers(250_000);
		const answers = [unread.respond(large, {}), unread.respond(large, {})];
		expect(unread.bytes).toBe(200_000);
		expect(() => unread.respond(large, {})).toThrow(HttpRefusal);
		expect(await unread.respond("small", {}).text()).toBe("small");
		expect((await answers[0]?.text())?.length).toBe(100_000);
		expect(unread.bytes).toBe(100_000);
		await answers[1]?.body?.cancel();
		expect(unread.bytes).toBe(0);
	});

	test("are not refused to the caller of a write", async () => {
		const unread = new UnreadAnswers(0);
		expect((await unread.respond(large, {}, true).text()).length).toBe(100_000);
	});

	test("REST and GraphQL answer 503 with Retry-After, and small answers go on", async () => {
		const w = world();
		await w.call("POST", "/customers", { body: { id: "large", metadata } });
		const app = createApp({ ...w.services, unread: new UnreadAnswers(100_000) });
		await app.modules;
		const ask = (path: string, body?: object) =>
			app.handle(
				new Request(`http://localhost${path}`, {
					headers: { "x-api-key": w.key, "content-type": "application/json" },
					...(body && { method: "POST", body: JSON.stringify(body) }),
				}),
			);
		const query = "{ customers { edges { node { additionalMetaData } } } }";
		for (const answer of [await ask("/api/v1/customers"), await ask("/graphql", { query })]) {
			expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
			expect(await answer.json()).toMatchObject({ code: null, message: expect.stringContaining("wait to be read") });
		}
		expect((await ask("/api/v1/products")).status).toBe(200);
	});

	test("keep their status and headers when they are sent in pieces", async () => {
		const w = world();
		const { status, headers, body } = await w.call("POST", "/customers", { body: { id: "large", metadata } });
		expect([status, headers.get("content-type")]).toEqual([201, "application/json;charset=utf-8"]);
		expect(body.data.metadata).toEqual(metadata);
		expect(headers.get("x-request-id")).not.toBeNull();
	});
});
