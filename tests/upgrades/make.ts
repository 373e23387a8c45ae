/**
 * `bun tests/upgrades/make.ts VERSION`: writes a full folder of the version that is checked out to
 * tests/upgrades/VERSION.tar.gz, with the keys to it in VERSION.json. Run once for each release, on its own sources, and never
 * again: upgrade.test.ts brings each of these folders to the newest version.
 *
 * The folder holds what the contract's scenario calls for, then subscriptions in every state, a task that failed in part and
 * tasks that still wait; and in a second environment the demo. Both clocks are frozen, so that the folder stays as it is
 * until a test turns them.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runImport } from "../../src/areas/subscriptions/import/import";
import { seedDemo } from "../../src/demo/seed";
import { backUp } from "../../src/folder/backup";
import { recordSecret } from "../../src/folder/secret";
import { openLog } from "../../src/http/log";
import { wallClock } from "../../src/kernel/clock";
import { drainTasks } from "../../src/workers/task-thread";
import { published, usd } from "../contract/bodies";
import { play } from "../contract/scenario";
import { testsFolder } from "../support/folders";
import { folderSecret } from "../support/world";

const version = process.argv[2];
if (version === undefined) throw new Error("Name the version, such as 0.1.0.");

const { here } = await play();
const send = async (method: string, path: string, body?: unknown, key = here.key) => {
	const answer = await here.call(method, path, { key, ...(body !== undefined && { body }) });
	if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
	return answer.body.data;
};

await send("POST", "/products", { id: "shop", displayName: "Shop" });
for (const [id, amount] of [
	["basic", 10],
	["better", 25.5],
] as const) {
	await send("POST", "/plans", { id, displayName: id, productId: "shop" });
	const pricePeriods = [{ billingPeriod: "MONTHLY", price: usd(amount) }];
	const charges = { pricingType: "PAID", pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods }] };
	await send("PATCH", `/plans/${id}`, { charges });
	await send("POST", `/plans/${id}/publish`, published);
}
const states: Record<string, object> = {
	active: {},
	unpaid: { awaitPaymentConfirmation: true },
	trial: { trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-05-20T00:00:00Z" } },
	later: { startDate: "2026-06-01T00:00:00Z" },
	canceled: {},
	ending: {},
	changing: {},
	ended: { cancellationDate: "2026-03-05T00:00:00Z" },
};
for (const [id, more] of Object.entries(states)) {
	await send("POST", "/customers", { id, name: id, email: `${id}@example.test` });
	const terms = { customerId: id, planId: id === "changing" ? "better" : "basic", billingPeriod: "MONTHLY" };
	await send("POST", "/subscriptions", { id: `shop-${id}`, ...terms, ...more });
}
await send("POST", "/subscriptions/shop-canceled/cancel", { cancellationTime: "IMMEDIATE" });
await send("POST", "/subscriptions/shop-ending/cancel", { cancellationTime: "END_OF_BILLING_PERIOD" });

const importOf = async (ids: readonly string[]) => {
	for (const id of ids) await send("POST", "/customers", { id });
	const items = ids.map((id, at) => ({
		id: `imported-${id}`,
		customerId: id,
		planId: at % 5 === 4 ? "none" : "basic",
	}));
	await send("POST", "/subscriptions/import", {
		subscriptions: items.map((item) => ({ ...item, billingPeriod: "MONTHLY" })),
	});
};
await importOf(Array.from({ length: 30 }, (_, at) => `moved-${at}`));
await drainTasks(
	here.transactions,
	["IMPORT_SUBSCRIPTIONS"],
	(task) => runImport(here.thread, task),
	openLog("silent"),
);

await here.advance("2026-04-15T12:00:00Z");
await send("POST", "/subscriptions", {
	customerId: "changing",
	planId: "basic",
	billingPeriod: "MONTHLY",
	scheduleStrategy: "END_OF_BILLING_PERIOD",
});
await send("POST", "/customers", { id: "pending" });
await send("POST", "/subscriptions", {
	id: "shop-pending",
	customerId: "pending",
	planId: "basic",
	billingPeriod: "MONTHLY",
	awaitPaymentConfirmation: true,
});
const events = Array.from({ length: 500 }, (_, at) => ({
	eventName: "call",
	customerId: "acme",
	resourceId: "site-usage",
	idempotencyKey: `many-${at}`,
	dimensions: { size: at % 7, host: "a" },
}));
await send("POST", "/events", { events });
here.countUsage();

// Tasks that wait: the version that opens this folder carries them out.
await importOf(["waiting-1", "waiting-2"]);
const [invoice] = await send("GET", "/customers/active/invoices?limit=1");
await send("POST", `/customers/active/invoices/${invoice.invoiceId}/pdf/generate`);

// The demo's story ends with the wall clock's today.
here.clock.at = wallClock.now();
seedDemo(here.folder, here.db, {
	environmentId: here.foreignEnvironmentId,
	accountId: here.foreignActor.accountId,
});
here.countUsage();
await send("POST", "/environments/current/clock", {}, here.foreignKey);

writeFileSync(join(here.folder, "secret"), folderSecret);
recordSecret(here.db.$client, here.folder);
const target = join(import.meta.dir, `${version}.tar.gz`);
const { bytes } = await backUp(here.folder, target);
await Bun.write(
	join(import.meta.dir, `${version}.json`),
	`${JSON.stringify({ key: here.key, demoKey: here.foreignKey }, null, "\t")}\n`,
);
rmSync(testsFolder, { recursive: true });
// An operator keeps the list of erasures next to the backups; no test reads it.
rmSync(join(import.meta.dir, "tollgate-erasures.json"), { force: true });
process.stdout.write(`wrote ${target} (${bytes} bytes)\n`);
