import { describe, expect, test } from "bun:test";
import { longText, world } from "../support/world";

describe("a full disk", () => {
	test("refuses what needs room, hides why, changes nothing, and goes on when there is room again", async () => {
		const { call, db } = world();
		const pages = db.$client.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
		const metadata = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`key-${at}`, longText(4000)]));
		// SQLite answers a file that may not grow as it answers a disk that is full.
		db.$client.run(`PRAGMA max_page_count = ${pages + 1}`);
		const refused = await call("POST", "/products", { body: { id: "large", displayName: "Large", metadata } });
		expect(refused.status).toBe(503);
		const message = "The service cannot write now; nothing of this call was kept. Repeat it shortly.";
		expect(refused.body).toEqual({ message, code: null });
		expect(refused.headers.get("retry-after")).toBe("5");
		const mutation = `mutation ($input: ProductCreate!) { createOneProduct(input: $input) { id } }`;
		const input = { refId: "large", displayName: "Large", additionalMetaData: metadata };
		expect((await call("POST", "/graphql", { body: { query: mutation, variables: { input } } })).body).toMatchObject({
			data: { createOneProduct: null },
			errors: [{ message, extensions: { code: "UnexpectedError" } }],
		});
		expect((await call("GET", "/products")).body.data).toEqual([]);

		db.$client.run("PRAGMA max_page_count = 1073741823");
		expect((await call("POST", "/products", { body: { id: "large", displayName: "Large", metadata } })).status).toBe(
			201,
		);
		expect(db.$client.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
	});
});

describe("a bug of ours", () => {
	test("answers 500 with nothing internal", async () => {
		const { call, db } = world();
		db.$client.run("PRAGMA foreign_keys = OFF");
		db.$client.run("ALTER TABLE products RENAME TO products_gone");
		const answer = await call("GET", "/products");
		expect(answer.status).toBe(500);
		expect(answer.body).toEqual({ message: "Internal error", code: null });
	});
});
