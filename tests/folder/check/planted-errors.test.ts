import { Database as SqliteFile } from "bun:sqlite";
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { checkFolder } from "../../../src/folder/check";
import type { Instant } from "../../../src/kernel/clock";
import { flat, till, used } from "../../areas/subscriptions/billing";
import { demoFolder } from "../../support/demo";
import { testsFolder } from "../../support/folders";
import { writePricesPlain } from "../../support/plain-prices";
import { plantedErrors } from "../planted-errors";
import { type FolderName, folders } from "../planted-folders";

setDefaultTimeout(120_000);

function copyOf(folder: string): string {
	const copy = mkdtempSync(join(testsFolder, "planted-"));
	cpSync(folder, copy, { recursive: true });
	return copy;
}

function plant(folder: string, statements: readonly string[]): void {
	const db = new SqliteFile(join(folder, "main.db"));
	const before = db.query<{ rows: number }, []>("SELECT total_changes() AS rows").get();
	writePricesPlain(db);
	for (const statement of statements) db.run(statement);
	const after = db.query<{ rows: number }, []>("SELECT total_changes() AS rows").get();
	db.close();
	expect(after?.rows).toBeGreaterThan(before?.rows ?? 0);
}

describe.each(Object.keys(folders) as FolderName[])("in a folder of %s, a check with --billing", (name) => {
	let sound = "";
	beforeAll(async () => {
		sound = await folders[name]();
	});

	test("finds nothing as long as nothing is planted", async () => {
		expect(await checkFolder(copyOf(sound), { billing: true })).toEqual({ findings: [], notes: [] });
	});

	test.each(plantedErrors[name].map((error) => [error.name, error] as const))("finds %s", async (_, { sql, finds }) => {
		const folder = copyOf(sound);
		plant(folder, sql);
		expect((await checkFolder(folder, { billing: true })).findings.join("\n")).toContain(finds);
	});
});

describe("a check with --billing finds nothing", () => {
	test("in a folder with demo data", async () => {
		expect(await checkFolder(await demoFolder(), { billing: true })).toEqual({ findings: [], notes: [] });
	});

	test("after a clock was frozen, advanced and released, while subscriptions wait, are free, are tried and end", async () => {
		const ours = await till("2026-01-31T00:00:00Z", "wall");
		await ours.plan("free", []);
		await ours.plan("pro", [flat({ month: 10, year: 100 }), used("calls", { month: 1 })]);
		for (const id of ["free", "later", "tried", "awaiting", "ending"]) await ours.customer(id);
		const sell = (body: object) => ours.buy("pro", { billingPeriod: "MONTHLY", ...body });
		await sell({});
		await ours.buy("free", { customerId: "free" });
		await sell({ customerId: "later", startDate: "2026-06-01T00:00:00Z" });
		await sell({
			customerId: "tried",
			trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-03-03T00:00:00Z" },
		});
		await sell({ customerId: "awaiting", billingPeriod: "ANNUALLY", awaitPaymentConfirmation: true });
		const ending = await sell({ customerId: "ending" });
		await ours.cancel(ending, { cancellationTime: "END_OF_BILLING_PERIOD" });
		await ours.insist("POST", "/environments/current/clock", { now: "2026-01-31T00:00:00Z" });
		await ours.advance("2026-03-15T00:00:00Z");
		const copy = () => checkFolder(copyOf(ours.folder), { billing: true });
		expect(await copy()).toEqual({ findings: [], notes: [] });
		// The wall clock has gone further than the steps: nothing is carried out yet.
		ours.clock.at = Date.parse("2026-05-20T00:00:00Z") as Instant;
		await ours.insist("DELETE", "/environments/current/clock");
		expect(await copy()).toEqual({ findings: [], notes: [] });
	});
});
