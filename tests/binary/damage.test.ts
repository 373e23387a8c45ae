import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { damagePages } from "../support/damage";
import { eventually, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
let count = 0;
const fresh = () => join(parent, String(++count));

const product = { id: "product", displayName: "Product" };

/** The lines that a server has logged. */
const linesOf = (output: string): Array<Record<string, unknown>> =>
	output
		.split("\n")
		.filter((line) => line.startsWith("{"))
		.map((line) => JSON.parse(line));

describe("API keys that cannot be read", () => {
	const asked: ReadonlyArray<readonly [method: string, path: string, body: unknown]> = [
		["POST", "/products", product],
		["PATCH", "/products/product", { displayName: "Other" }],
		["GET", "/products", undefined],
		["POST", "/events", { events: [{ eventName: "call", customerId: "customer", idempotencyKey: "1" }] }],
		["POST", "/graphql", { query: "{ products { edges { node { refId } } } }" }],
		["POST", "/graphql", { query: 'mutation { archiveCustomer(input: { refId: "c" }) { id } }' }],
	];

	test("answer 503 with Retry-After, and the log names the file in an error line", async () => {
		const folder = fresh();
		const first = await startServer(folder);
		await first.stop();
		damagePages(join(folder, "main.db"), "api_keys");
		const server = await startServer(folder);
		for (const [method, path, body] of asked) {
			const answer = await server.call(method, path, body);
			expect([method, path, answer.status, answer.headers.get("retry-after")]).toEqual([method, path, 503, "5"]);
			expect(answer.body).toEqual({ message: expect.stringContaining("could not be read"), code: null });
		}
		const lines = await eventually(async () => {
			const found = linesOf(server.output()).filter(({ msg }) => msg === "storage failed");
			return found.length > 0 ? found : undefined;
		});
		expect(lines[0]).toMatchObject({ level: "error" });
		expect(JSON.stringify(lines[0])).toContain("main.db could not be read (SQLITE_CORRUPT");
		await server.kill();
	}, 30_000);
});
