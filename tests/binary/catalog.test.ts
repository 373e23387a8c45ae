import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runTollgate, startServer, temporaryFolder } from "../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
const source = resolve(import.meta.dir, "../catalogues/freemium.yaml");

describe("tollgate catalog, alongside a running server", () => {
	test("plan, apply, see it at once, apply again, export, edit, refuse", async () => {
		const folder = join(parent, "data");
		const file = join(parent, "prices.yaml");
		copyFileSync(source, file);
		const server = await startServer(folder);
		const catalog = (...args: string[]) => runTollgate(folder, ["catalog", ...args]);
		try {
			const planned = await catalog("plan", file);
			expect(planned).toMatchObject({ status: 0, errors: "" });
			expect(planned.output).toContain('+ plan vault-home  "Home"');
			expect(planned.output).toEndWith("\n11 to add, 0 to change, 0 to archive.\n");
			// A rehearsal leaves nothing.
			expect((await server.call("GET", "/plans")).body.data).toEqual([]);

			const applied = await catalog("apply", file, "--environment", "sandbox");
			expect(applied).toMatchObject({ status: 0, errors: "" });
			expect(applied.output).toEndWith("\n11 added, 0 changed, 0 archived.\n");
			expect((await server.call("GET", "/plans/vault-home")).body.data).toMatchObject({
				status: "PUBLISHED",
				versionNumber: 1,
				parentPlanId: "vault-free",
			});

			expect(await catalog("apply", file)).toEqual({ status: 0, output: "no changes\n", errors: "" });
			expect(JSON.parse((await catalog("plan", file, "--json")).output)).toEqual({
				changes: [],
				kept: [],
				taskIds: [],
			});
			expect((await catalog("export")).output).toBe(readFileSync(source, "utf8"));

			const copy = join(parent, "copy.json");
			expect((await catalog("export", copy)).output).toBe(`wrote ${copy}\n`);
			expect(JSON.parse(readFileSync(copy, "utf8")).plans).toHaveLength(3);

			writeFileSync(file, readFileSync(file, "utf8").replace("amount: 4.99", "amount: 5.49"));
			expect((await catalog("apply", file, "--migration", "NEW_CUSTOMERS")).output).toBe(
				"~ plan vault-home\n    ~ charges.pricingModels[FLAT_FEE].pricePeriods[MONTHLY].price: 4.99 eur → 5.49 eur\n\n0 added, 1 changed, 0 archived.\n",
			);
			expect((await server.call("GET", "/plans/vault-home")).body.data.versionNumber).toBe(2);

			writeFileSync(file, readFileSync(file, "utf8").replace("        id: links", "        id: missing"));
			const refused = await catalog("plan", file);
			expect(refused).toMatchObject({ status: 1, output: "" });
			expect(refused.errors).toContain("There is no feature 'missing' in this environment");
			expect(refused.errors).toContain("plans[1] (line 102), 'vault-home'");
		} finally {
			await server.stop();
		}
	}, 60_000);

	test("wrong usage and files that are not there", async () => {
		const folder = join(parent, "other");
		expect((await runTollgate(folder, ["catalog", "apply"])).status).toBe(2);
		const missing = await runTollgate(folder, ["catalog", "plan", "nowhere.yaml"]);
		expect(missing).toMatchObject({ status: 1, output: "" });
		expect(missing.errors).toBe("tollgate: There is no file 'nowhere.yaml'.\n");
		expect((await runTollgate(folder, ["catalog", "apply", source, "--migration", "SOME"])).status).toBe(2);
		const empty = await runTollgate(folder, ["catalog", "export"]);
		expect(empty.status).toBe(1);
		expect(empty.errors).toContain("There is no Tollgate data in");
	}, 30_000);
});
