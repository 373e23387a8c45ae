import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { textOf } from "./pages";

const root = resolve(import.meta.dir, "../..");

test("the table of areas in ARCHITECTURE.md names each folder of src/areas once", async () => {
	const table = /^\| Area \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(await textOf("ARCHITECTURE.md"))?.[1] ?? "";
	const named = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names = ""]) => names.split(","));
	const folders = readdirSync(join(root, "src/areas"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
	expect(named.map((name) => name.replaceAll("`", "").trim()).sort()).toEqual(folders.map(({ name }) => name).sort());
});

/** The file that a newcomer opens first for a change. The file exists and contains the name that the change is about. */
const firstGuesses: ReadonlyArray<readonly [change: string, file: string, contains: string]> = [
	["add an aggregation to meters", "src/areas/usage/aggregation/aggregate.ts", "aggregate"],
	["change the retries of webhooks", "src/areas/webhooks/retry-policy.ts", "nextAttemptAt"],
	["add an event type", "src/areas/outbox/event-types.ts", "customer.created"],
	["change how long the audit log is kept", "src/areas/audit/retention.ts", "purgeEntries"],
	["add a scope for API keys", "src/areas/access/rules.actors.ts", "Scope"],
	["change the permissions of a role", "src/areas/access/members/rules.ts", "ADMIN"],
	["add an error code", "src/kernel/error-codes.ts", "PlanNotFound"],
	["change the largest page of a list", "src/kernel/page.ts", "Max"],
	["change the rate limit of calls", "src/http/limits/limits.ts", "minute"],
	["allow a larger request body", "src/http/body-sizes.ts", "KiB"],
	["change the format of invoice numbers", "src/areas/invoices/rules.ts", "umber"],
	["change the priority of credit grants", "src/areas/credits/burn-down.ts", "grant"],
	["change the retries of background tasks", "src/tasks/rules.ts", "attempt"],
	["add a setting", "src/config/server.ts", "TOLLGATE_"],
	["change the rounding of amounts", "src/kernel/money.ts", "round"],
	["change how a fixed discount is split over lines", "src/areas/pricing/discount.ts", "discount"],
	["change the header of the invoice PDF", "src/areas/invoices/pdf/layout.ts", "head"],
	["accept another SCIM filter", "src/areas/scim/rules.filter.ts", "filter"],
	[
		"change the entitlement that wins among several sources",
		"src/areas/entitlement-sources/rules.precedence.ts",
		"source",
	],
	["change how an Idempotency-Key works", "src/http/responses/idempotency.ts", "idempotency-key"],
];

test.each(firstGuesses)("a newcomer finds where to %s: %s", async (_change, file, contains) => {
	expect(existsSync(join(root, file))).toBe(true);
	expect((await textOf(file)).toLowerCase()).toContain(contains.toLowerCase());
});

test("there are twenty first guesses", () => expect(firstGuesses).toHaveLength(20));
