import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { extract } from "tar";
import { schemas } from "../../src/files";
import { prepareFiles } from "../../src/kernel/storage/db";
import { eventually, runTollgate, startServer, temporaryFolder } from "../support/process";

const releases = [...new Glob("*.tar.gz").scanSync(import.meta.dir)].map((name) => name.replace(".tar.gz", "")).sort();

const files = ["main", "events", "usage"] as const;

interface TaskBefore {
	readonly id: string;
	readonly status: string;
	/** JSON. */
	readonly errors: string;
}

/** Tables whose rows are in another one since. */
const nameNow: Readonly<Record<string, string>> = {
	usage_members: "usage_values",
	usage_postings: "usage_events_by_hour",
	contract_billed_cycles: "charge_periods",
	subscription_usage_bills: "charge_periods",
	invoice_payments: "allocations",
};

/** Tables whose rows are columns of others since, and counts that are counted again, without those of none. */
const merged: ReadonlySet<string> = new Set([
	"main.subscription_usage_marks",
	"main.subscription_usage_prices",
	"main.subscription_counts",
]);

/** Tables with new rows for columns of others, or for rows that are counted since. */
const grown: readonly string[] = ["main.billing_charges", "main.charge_periods", "main.number_sequences"];

/** The content of a folder, by plain SQL: how many rows by table, and the invoices with their amounts. */
function contentsOf(folder: string) {
	const rows: Record<string, number> = {};
	for (const file of files) {
		const db = new Database(join(folder, `${file}.db`), { readonly: true });
		const tables = db.query<{ name: string }, []>(
			"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
		);
		for (const { name } of tables.all()) {
			const now = `${file}.${nameNow[name] ?? name}`;
			const count = db.query<{ count: number }, []>(`SELECT count(*) AS count FROM "${name}"`).get()?.count ?? 0;
			rows[now] = (rows[now] ?? 0) + count;
		}
		db.close();
	}
	const main = new Database(join(folder, "main.db"), { readonly: true });
	const invoices = main
		.query("SELECT id, number, state, currency, sub_total, discount, tax, total FROM invoices ORDER BY id")
		.values();
	main.close();
	return { rows, invoices };
}

const tasksOf = (folder: string): TaskBefore[] => {
	const main = new Database(join(folder, "main.db"), { readonly: true });
	const hasOwnErrors = main.query("SELECT 1 FROM pragma_table_info('tasks') WHERE name = 'errors'").get() !== null;
	const ofTask = `SELECT json_group_array(json_object('id', item_id, 'error', error) ORDER BY position)
		FROM task_errors WHERE task_id = tasks.id`;
	const errors = hasOwnErrors ? "errors" : `(${ofTask})`;
	const tasks = main.query<TaskBefore, []>(`SELECT id, status, ${errors} AS errors FROM tasks`).all();
	main.close();
	return tasks;
};

/** The files with a schema that is older than this version's. */
const olderFiles = (folder: string) =>
	files.filter((file) => {
		const db = new Database(join(folder, `${file}.db`), { readonly: true });
		const version = db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
		db.close();
		return version < schemas[file].length;
	});

/** Pretends that its tasks have ended just now: tasks that ended long ago are deleted soon after the start. */
function endedNow(folder: string): void {
	const main = new Database(join(folder, "main.db"));
	main.run("UPDATE tasks SET ended_at = ? WHERE ended_at IS NOT NULL", [Date.now()]);
	main.close();
}

/** A released version's folder, as it was left, and the keys to it. */
async function unpack(release: string) {
	const { folder } = temporaryFolder();
	await extract({ file: join(import.meta.dir, `${release}.tar.gz`), cwd: folder });
	const { key, demoKey }: { key: string; demoKey: string } = await Bun.file(
		join(import.meta.dir, `${release}.json`),
	).json();
	return { folder, key, demoKey };
}

test("there is a folder of every release", () => {
	expect(releases).toEqual(["0.1.0", "0.2.0"]);
});

describe.each(releases)("a full folder of version %s", (release) => {
	test("keeps every row and every amount", async () => {
		const { folder } = await unpack(release);
		const before = contentsOf(folder);
		prepareFiles(folder, schemas);
		const after = contentsOf(folder);
		// A table without rows may be dropped.
		const rows = Object.entries(before.rows).filter(
			([name, count]) => count > 0 && !merged.has(name) && !grown.includes(name),
		);
		for (const name of grown) expect(after.rows[name] ?? 0).toBeGreaterThan(before.rows[name] ?? 0);
		expect(after.rows).toMatchObject(Object.fromEntries(rows));
		expect(before.invoices.length).toBeGreaterThan(50);
		expect(after.invoices).toEqual(before.invoices);
	});

	test("goes on after an upgrade that the log reports: tasks are read and carried out, what is due is billed, and the check finds it sound", async () => {
		const { folder, key, demoKey } = await unpack(release);
		endedNow(folder);
		const tasks = tasksOf(folder);
		const older = olderFiles(folder);
		const server = await startServer(folder);
		for (const file of older) {
			expect(server.output()).toMatch(
				new RegExp(`"file":"${file}.db","from":\\d+,"to":\\d+,"msg":"upgrading the schema"`),
			);
			expect(server.output()).toMatch(
				new RegExp(`"file":"${file}.db","from":\\d+,"to":\\d+,"tookMs":\\d+,"msg":"upgraded the schema"`),
			);
		}
		const call = async (method: string, path: string, body?: unknown, asked = key) => {
			const answer = await server.call(method, path, body, asked);
			if (answer.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
			return answer.body.data;
		};
		for (const { id, errors } of tasks.filter(({ status }) => status === "PARTIALLY_FAILED")) {
			const read = await call("GET", `/tasks/${id}`);
			expect(read.importErrors).toEqual(JSON.parse(errors));
			expect(read.failedSubtasksCount).toBe(JSON.parse(errors).length);
		}
		for (const { id } of tasks.filter(({ status }) => status === "PENDING"))
			await eventually(async () => ((await call("GET", `/tasks/${id}`)).status === "COMPLETED" ? true : undefined));

		const invoices = async () => (await call("GET", "/customers/active/invoices?limit=100")).length;
		const invoicesBefore = await invoices();
		const turned = await call("POST", "/environments/current/clock", { advanceBy: "P1M" });
		expect(turned).not.toHaveProperty("failures");
		expect(turned.steps).toBeGreaterThan(20);
		expect(await invoices()).toBe(invoicesBefore + 1);
		expect((await call("GET", "/subscriptions/shop-trial")).status).toBe("IN_TRIAL");
		expect((await call("GET", "/subscriptions/shop-later")).status).toBe("NOT_STARTED");

		const demo = await call("POST", "/environments/current/clock", { advanceBy: "P1M" }, demoKey);
		expect(demo).not.toHaveProperty("failures");
		expect(demo.steps).toBeGreaterThan(0);
		expect(await server.stop()).toBe(0);
		expect(await runTollgate(folder, ["check", "--billing"])).toEqual({ status: 0, output: "sound\n", errors: "" });
	}, 60_000);
});
