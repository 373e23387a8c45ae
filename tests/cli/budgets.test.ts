import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/process";
import { runOn } from "./every-command";

const { folder, remove } = temporaryFolder();
afterAll(remove);

test("the demo's budgets are exported as YAML, planned, and applied once", async () => {
	const data = join(folder, "data");
	expect((await runOn(data, "demo", [])).status).toBe(0);
	const customer = "customer-acme";
	const exported = await runOn(data, "budgets export", [customer]);
	expect(exported).toMatchObject({ status: 0, errors: "" });
	expect(exported.output).toContain("  - entityId: drafter\n");
	const file = join(folder, "budgets.yaml");
	const limit = /usageLimit: \d+/;
	writeFileSync(file, exported.output.replace(limit, "usageLimit: 1"));
	const plan = await runOn(data, "budgets plan", [customer, file]);
	expect(plan.output).toMatch(/^~ budget \S+ \S+\n {4}~ usageLimit: \d+ → 1\n\n0 to add, 1 to change\.\n$/);
	expect((await runOn(data, "budgets export", [customer])).output).toBe(exported.output);
	expect((await runOn(data, "budgets apply", [customer, file])).output).toContain("0 added, 1 changed.");
	expect((await runOn(data, "budgets apply", [customer, file])).output).toBe("no changes\n");
	writeFileSync(file, "budgets:\n  - entityId: drafter\n    limit: 1\n");
	const refused = await runOn(data, "budgets plan", [customer, file]);
	expect(refused.status).toBe(1);
	expect(refused.errors).toContain("budgets[0].limit (line 3): there is no such key here");
});
