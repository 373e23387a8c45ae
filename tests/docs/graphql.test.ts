import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { start, startServer, temporaryFolder, testKey } from "../support/process";
import { textOf } from "./pages";

const { folder, remove } = temporaryFolder();
afterAll(remove);

test("docs/graphql.md: the client receives the documented answers", async () => {
	const page = await textOf("docs/graphql.md");
	const [, program = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(page) ?? [];
	const [, query = ""] = /^```graphql\n([\s\S]*?)^```$/m.exec(page) ?? [];
	const server = await startServer(folder, { TOLLGATE_DEMO: "1" });
	// Where it finds the library.
	const file = join(resolve(import.meta.dir, "../.."), `node_modules/.page-${process.pid}.ts`);
	writeFileSync(file, program);
	try {
		const child = start([process.execPath, file], { ADDRESS: new URL(server.url).host, KEY: testKey });
		let printed = "";
		const decoder = new TextDecoder();
		for await (const chunk of child.stdout) {
			printed += decoder.decode(chunk, { stream: true });
			if (/customer-graphql[^}]*currentUsage: 1,/.test(printed)) break;
		}
		expect(printed).toContain("read again");
		expect(printed).toMatch(/pushed[\s\S]*customer-graphql[\s\S]*feature-api-calls/);
		child.kill();
		const { data } = (await server.call("POST", "/graphql", { query })).body;
		expect(data.grantPromotionalEntitlementsGroup).toMatchObject([
			{ featureId: "feature-sso", featureGroupIds: ["group-start"], endDate: null },
			{ featureId: "feature-api-calls", featureGroupIds: ["group-start"] },
		]);
	} finally {
		await Bun.file(file).delete();
		await server.stop();
	}
}, 60_000);
