import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const linesMax = 400;

/** Files that are longer and are to be split by rule. Do not add to this list. */
const longFiles = [
	"areas/contracts/amendments.api.test.ts",
	"areas/contracts/invoicing.api.test.ts",
	"areas/invoices/api.test.ts",
	"areas/invoices/drafts.test.ts",
	"areas/promotional-entitlements/api.test.ts",
	"areas/scim/scim.test.ts",
	"areas/simulations/simulate.test.ts",
	"areas/subscriptions/billing.changes.test.ts",
	"areas/subscriptions/billing.usage.test.ts",
	"areas/subscriptions/payment.test.ts",
	"areas/subscriptions/provision.test.ts",
	"areas/subscriptions/schedule.test.ts",
	"areas/usage/cancel.test.ts",
	"areas/usage/event-log.test.ts",
	"contract/scenario.ts",
	"graphql/subscriptions.test.ts",
	"simulated-subscriptions/invoicing.ts",
	"simulated-subscriptions/history.ts",
	"simulated-subscriptions/oracle.ts",
];

test(`no test file has more than ${linesMax} lines, except the listed ones`, () => {
	const tests = resolve(import.meta.dir, "..");
	const long = readdirSync(tests, { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".ts"))
		.filter((file) => readFileSync(join(tests, file), "utf8").trimEnd().split("\n").length > linesMax);
	expect(long.filter((file) => !longFiles.includes(file))).toEqual([]);
});
