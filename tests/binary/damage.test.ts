import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { damagePages, overwrite } from "../support/damage";
import { eventually, type RunningServer, runTollgate, startServer, temporaryFolder } from "../support/process";

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

describe("a damaged file that Tollgate makes again", () => {
	/** A folder whose server has counted three events. */
	async function filled(): Promise<string> {
		const folder = fresh();
		const server = await startServer(folder);
		await server.call("POST", "/customers", { id: "customer" });
		await server.call("POST", "/features", {
			id: "calls",
			displayName: "Calls",
			featureType: "NUMBER",
			meterType: "INCREMENTAL",
		});
		const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "call" }] }];
		await server.call("PATCH", "/features/calls", { meter: { aggregation: { function: "COUNT" }, filters } });
		const events = Array.from({ length: 3 }, (_, at) => ({
			eventName: "call",
			customerId: "customer",
			idempotencyKey: `${at}`,
		}));
		expect((await server.call("POST", "/events", { events })).status).toBe(200);
		await server.stop();
		return folder;
	}

	/** The events that the customer has used in this hour; the status of an answer that is none. */
	const usageOf = async (server: RunningServer): Promise<number> => {
		const [start, end] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
		const { status, body } = await server.call(
			"GET",
			`/usage/customer/history/calls?startDate=${start}&endDate=${end}`,
		);
		return status === 200 ? (body.data.series[0]?.points.at(-1).value ?? 0) : status;
	};

	async function expectRebuilt(folder: string, file: string): Promise<void> {
		const server = await startServer(folder);
		expect(linesOf(server.output())).toContainEqual(
			expect.objectContaining({ level: "warn", file, movedTo: expect.stringContaining(`${file}.damaged-`) }),
		);
		await eventually(async () => ((await usageOf(server)) === 3 ? true : undefined));
		expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
		await server.stop();
		expect(
			readdirSync(folder).filter((name) => name.startsWith(`${file}.damaged-`) && name.endsWith("Z")),
		).toHaveLength(1);
		expect(await runTollgate(folder, ["check"])).toMatchObject({ status: 0, output: "sound\n" });
	}

	const damages: ReadonlyArray<readonly [name: string, damage: (path: string) => void]> = [
		["header", (path) => overwrite(path, 0, 100)],
		["list of tables", (path) => overwrite(path, 100, 3996)],
		["missing end", (path) => truncateSync(path, statSync(path).size - 4096)],
	];
	for (const file of ["usage.db", "renders.db"])
		for (const [name, damage] of damages)
			test(`${file}, ${name}: the start moves it aside, names it, and makes it again`, async () => {
				const folder = await filled();
				damage(join(folder, file));
				await expectRebuilt(folder, file);
			}, 60_000);

	test("usage.db, a page found malformed while the server runs: it ends, and the next start makes the file again", async () => {
		const folder = await filled();
		damagePages(join(folder, "usage.db"), "usage_totals");
		const server = await startServer(folder);
		await Promise.race([
			server.ended,
			eventually(async () => ((await usageOf(server)) === 3 ? true : undefined)),
		]).catch(() => {});
		expect(await server.ended).toBe(1);
		expect(linesOf(server.output())).toContainEqual(expect.objectContaining({ level: "fatal", file: "usage.db" }));
		await expectRebuilt(folder, "usage.db");
	}, 60_000);
});
