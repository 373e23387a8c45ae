/**
 * `bun run migrations`: lets drizzle-kit write the next step of each file's schema from the areas' tables, and lists the
 * steps in drizzle/<file>/index.ts, from where they are embedded in the executable. A step that has landed is never edited.
 */

import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { $, Glob } from "bun";
import { migrateFile } from "../src/kernel/storage/migrate";

/** Our choice: the steps of a file with fewer take a few milliseconds. */
const longMin = 20;

const files = ["main", "events", "usage", "renders", "deliveries"] as const;

for (const file of files) {
	mkdirSync(`drizzle/${file}`, { recursive: true });
	const tables = file === "main" ? "src/**/table.ts" : `src/**/table.${file}.ts`;
	if ([...new Glob(tables).scanSync(".")].length > 0)
		await $`${process.execPath} --bun node_modules/.bin/drizzle-kit generate --name ${process.argv[2] ?? "step"} --config drizzle/${file}.config.ts`;
	await withoutRowid(file);
	await carriedOver(file);
	if (file === "main") await withTriggers();
	const steps = [...new Glob("0*.sql").scanSync(`drizzle/${file}`)].sort();
	const isLong = steps.length >= longMin;
	if (isLong) await Bun.write(`drizzle/${file}/whole.sql`, await wholeOf(file, steps));
	const moves = new Set([...new Glob("0*.ts").scanSync(`drizzle/${file}`)].map((name) => name.replace(".ts", ".sql")));
	const lines = [
		"// Written by `bun run migrations`.",
		'import type { Migration } from "../../src/kernel/storage/migrate";',
		...steps.map((step, at) => `import step${at} from "./${step}" with { type: "text" };`),
		...steps.flatMap((step, at) =>
			moves.has(step) ? [`import { move as move${at} } from "./${step.replace(".sql", "")}";`] : [],
		),
		...(isLong ? ['import whole from "./whole.sql" with { type: "text" };'] : []),
		"",
		"export const migrations: readonly Migration[] = [",
		...steps.map((step, at) => {
			const whole = isLong && at === steps.length - 1 ? ", whole" : "";
			const move = moves.has(step) ? `, move: move${at}` : "";
			return `\t{ name: "${step.replace(".sql", "")}", sql: step${at}${move}${whole} },`;
		}),
		"];",
		"",
	];
	await Bun.write(`drizzle/${file}/index.ts`, lines.join("\n"));
}

/** Returns the statements that build an empty file as all steps would: its tables, indexes, triggers, and rows of steps. */
async function wholeOf(file: string, steps: readonly string[]): Promise<string> {
	const db = new Database(":memory:");
	const sql = await Promise.all(steps.map((step) => Bun.file(`drizzle/${file}/${step}`).text()));
	migrateFile(
		db,
		steps.map((name, at) => ({ name, sql: sql[at] ?? "" })),
	);
	const made = db
		.query<{ type: string; name: string; sql: string }, []>(
			`SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
			ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, rowid`,
		)
		.all();
	const rows = made
		.filter(({ type }) => type === "table")
		.flatMap(({ name }) =>
			db
				.query(`SELECT * FROM "${name}"`)
				.values()
				.map((values) => `INSERT INTO "${name}" VALUES (${values.map(literal).join(", ")})`),
		);
	const statements = [...made.filter(({ type }) => type !== "trigger").map(({ sql }) => sql), ...rows];
	const triggers = made.filter(({ type }) => type === "trigger").map(({ sql }) => sql);
	return `-- Written by \`bun run migrations\`.\n${[...statements, ...triggers].join(";\n--> statement-breakpoint\n")};\n`;
}

function literal(value: unknown): string {
	if (value === null || typeof value === "number") return String(value ?? "NULL");
	if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
	throw new Error(`A step writes a value that cannot be written as SQL yet: ${value}`);
}

/**
 * Adds WITHOUT ROWID, which drizzle-kit does not support: these tables would store their primary key twice. Changes only
 * the step just written, since a table is created once.
 */
async function withoutRowid(file: string): Promise<void> {
	const clustered = [
		"audit_subjects",
		"audit_personal",
		"usage_cuts",
		"credit_usage",
		"credit_priced_units",
		"credit_report_draws",
		"credit_revenue",
		"usage_alert_changes",
		"subscription_counts",
		"invoice_days",
		"usage_event_days",
		"charge_periods",
		"charge_credits",
		"subscription_usage_bills",
		"subscription_usage_marks",
		"subscription_unspent_minimums",
		"usage_totals",
		"usage_report_totals",
		"usage_events_by_hour",
		"usage_events_by_hour_next",
		"usage_values",
	];
	for (const step of new Glob("0*.sql").scanSync(`drizzle/${file}`)) {
		const path = `drizzle/${file}/${step}`;
		const sql = await Bun.file(path).text();
		const changed = clustered.reduce(
			(text, table) => text.replace(new RegExp(`(CREATE TABLE \`${table}\` \\([^;]*\\n\\));`), "$1 WITHOUT ROWID;"),
			sql,
		);
		if (changed !== sql) await Bun.write(path, changed);
	}
}

/** Statements that drizzle-kit does not know: they move the contents of a column before it is dropped, and fill a new one. */
async function carriedOver(file: string): Promise<void> {
	const fills: Readonly<Record<string, string>> = {
		// Active subscriptions grant the credits of the current period immediately, by the clock of each environment.
		"ALTER TABLE `subscriptions` ADD `credits_due_at` integer;": [
			"UPDATE subscriptions SET credits_due_at = (SELECT coalesce(clock_at, unixepoch() * 1000) FROM environments WHERE id = environment_id)",
			"WHERE status IN ('ACTIVE', 'IN_TRIAL') AND (",
			"id IN (SELECT subscription_id FROM subscription_entitlements WHERE currency_id IS NOT NULL)",
			"OR id IN (SELECT subscription_id FROM subscription_quantities WHERE currency_id IS NOT NULL)",
			"OR id IN (SELECT subscription_id FROM subscription_addons JOIN package_entitlements USING (version_id) WHERE currency_id IS NOT NULL)",
			"OR version_id IN (SELECT version_id FROM package_entitlements WHERE currency_id IS NOT NULL)",
			"OR version_id IN (SELECT id FROM package_versions WHERE parent_id IS NOT NULL));",
			"--> statement-breakpoint",
			"UPDATE subscriptions SET next_due_at = min(coalesce(next_due_at, credits_due_at), credits_due_at) WHERE credits_due_at IS NOT NULL AND problem IS NULL;",
		].join("\n"),
		// A member without a password was created by an identity provider.
		"ALTER TABLE `memberships` ADD `is_provided` integer DEFAULT false NOT NULL;":
			"UPDATE memberships SET is_provided = 1 WHERE user_id IN (SELECT id FROM users WHERE password_hash IS NULL);",
		// One that ended at the very instant at which another of its customer and product began, or was sold with a start in the past.
		"ALTER TABLE `subscriptions` ADD `replaces_id` text;": [
			"UPDATE subscriptions AS it SET replaces_id = (SELECT id FROM subscriptions AS ended",
			"WHERE ended.customer_id = it.customer_id AND ended.status = 'CANCELED' AND ended.product_id = it.product_id",
			"AND ended.cancel_reason = 'UPGRADE_OR_DOWNGRADE' AND ended.ended_at IN (it.start_at, it.created_at) AND ended.id <> it.id",
			"ORDER BY ended.resource_id IS it.resource_id DESC, ended.id DESC LIMIT 1);",
		].join("\n"),
	};
	const moves: Readonly<Record<string, string>> = {
		"ALTER TABLE `tasks` DROP COLUMN `errors`;":
			"INSERT INTO task_errors (task_id, position, item_id, error) SELECT tasks.id, json_each.key, json_each.value ->> '$.id', json_each.value ->> '$.error' FROM tasks, json_each(tasks.errors);",
		// The usage bills of subscriptions become charges with their periods.
		"DROP TABLE `subscription_usage_bills`;": await Bun.file("drizzle/fills/usage-charges.sql").text(),
		// The cycles of contracts become charges with their periods.
		"DROP TABLE `contract_billed_cycles`;": await Bun.file("drizzle/fills/charges.sql").text(),
	};
	// By a statement of the step at whose end they stand.
	const ends: Readonly<Record<string, string>> = {
		// Counted again from the log, with their days.
		"CREATE TABLE `usage_event_days`":
			"DELETE FROM usage_event_names;\n--> statement-breakpoint\nUPDATE usage_cursor SET named_to = 0;",
		"CREATE TABLE `outbox_notices`": await Bun.file("drizzle/fills/notices.sql").text(),
		"CREATE TABLE `budget_tree`": await Bun.file("drizzle/fills/budget-tree.sql").text(),
		"CREATE TABLE `number_sequences`": await Bun.file("drizzle/fills/legal-entities.sql").text(),
		// Members with read access get a role of this name.
		"CREATE TABLE `environment_roles`": "UPDATE memberships SET role = 'READ_ONLY' WHERE role = 'VIEWER';",
	};
	// A column that a rebuilt table did not have: SQLite reads its name as a text.
	const added = /(SELECT [^;]*)"currency_id"([^;]*FROM `(?:usage|reached)_alerts`;)/g;
	for (const step of new Glob("0*.sql").scanSync(`drizzle/${file}`)) {
		const path = `drizzle/${file}/${step}`;
		const read = await Bun.file(path).text();
		let sql = read.includes("CREATE TABLE `credit_alert_changes`") ? read.replaceAll(added, "$1''$2") : read;
		if (sql.includes("CREATE TABLE `environment_roles`"))
			sql = sql.replace(/(SELECT [^;]*)"deactivated_at"([^;]*FROM `memberships`;)/, "$1NULL$2");
		for (const [drop, move] of Object.entries(moves))
			if (sql.includes(drop) && !sql.includes(move))
				sql = sql.replace(drop, `${move}--> statement-breakpoint\n${drop}`);
		for (const [add, fill] of Object.entries(fills))
			if (sql.includes(add) && !sql.includes(fill)) sql = sql.replace(add, `${add}--> statement-breakpoint\n${fill}`);
		for (const [mark, fill] of Object.entries(ends))
			if (sql.includes(mark) && !sql.includes(fill)) sql = filledBeforeIndexes(sql, fill);
		sql = countsByCurrency(sql);
		if (sql !== read) await Bun.write(path, sql);
	}
}

/** The stored counts of subscriptions are made again, so the triggers that write them make way and come again (`withTriggers`). */
function countsByCurrency(sql: string): string {
	const rebuilt =
		/PRAGMA foreign_keys=OFF;--> statement-breakpoint\nCREATE TABLE `__new_subscription_counts` (\([^;]*\n\));[\s\S]*?PRAGMA foreign_keys=ON;/;
	const breakpoint = "--> statement-breakpoint\n";
	const dropped = ["insert", "delete", "update"].map(
		(on) => `DROP TRIGGER subscriptions_counted_${on};\n${breakpoint}`,
	);
	return sql.replace(
		rebuilt,
		(_, columns) =>
			`${dropped.join("")}DROP TABLE \`subscription_counts\`;\n${breakpoint}CREATE TABLE \`subscription_counts\` ${columns} WITHOUT ROWID;`,
	);
}

/** Unique indexes come after the fill, which makes the rows differ. */
function filledBeforeIndexes(sql: string, fill: string): string {
	const breakpoint = "--> statement-breakpoint";
	const statements = sql.split(breakpoint).map((statement) => statement.trim());
	const isIndex = (statement: string): boolean => statement.startsWith("CREATE UNIQUE INDEX");
	return [...statements.filter((statement) => !isIndex(statement)), fill.trim(), ...statements.filter(isIndex)].join(
		`\n${breakpoint}\n`,
	);
}

/** Triggers that only make way for a table come again. */
function withoutDrops(sql: string): string {
	return sql.replaceAll(/DROP TRIGGER \w+;/g, "");
}

/**
 * Nor triggers: each set of them comes with a table that it writes, and again after a step has rebuilt a table that it stands on,
 * since they are dropped with the former one.
 */
async function withTriggers(): Promise<void> {
	const sets = [
		{ file: "audit", comesWith: "audit_entries", on: ["audit_entries"], first: "audit_entries_stay" },
		{ file: "customers", comesWith: "customer_counts", on: ["customers"], first: "customers_counted" },
		{ file: "subscriptions", comesWith: "subscription_counts", on: ["subscriptions"], first: "subscriptions_counted" },
		{ file: "invoices", comesWith: "invoice_days", on: ["invoices"], first: "invoices_by_day" },
		{
			file: "alerts",
			comesWith: "usage_alert_changes",
			on: ["subscriptions", "promotional_entitlements", "credit_wallets"],
			reads: ["usage_alerts"],
			first: "subscriptions_alerted",
		},
		{
			file: "told",
			comesWith: "entitlement_changes",
			on: ["subscriptions", "promotional_entitlements"],
			reads: ["webhooks"],
			first: "subscriptions_told",
		},
	];
	for (const { file, comesWith, on, reads = [], first } of sets) {
		let isThere = false;
		for (const step of [...new Glob("0*.sql").scanSync("drizzle/main")].sort()) {
			const path = `drizzle/main/${step}`;
			const sql = await Bun.file(path).text();
			const comes = sql.includes(`CREATE TABLE \`${comesWith}\``);
			const rebuilds = (tables: readonly string[]) => tables.some((table) => sql.includes(`RENAME TO \`${table}\``));
			const isRebuilt = isThere && rebuilds([...on, ...reads]);
			isThere ||= comes;
			if (!(comes || isRebuilt) || [`${first}_`, `${first} `].some((name) => withoutDrops(sql).includes(name)))
				continue;
			const triggers = await Bun.file(`drizzle/triggers/${file}.sql`).text();
			// While a table that they read is away, they would keep the new one from taking its name.
			const drops = isThere && rebuilds(reads) ? dropsOf(triggers) : "";
			await Bun.write(path, `${drops}${sql.trimEnd()}\n--> statement-breakpoint\n${triggers}`);
		}
	}
}

function dropsOf(triggers: string): string {
	return [...triggers.matchAll(/CREATE TRIGGER IF NOT EXISTS (\w+)/g)]
		.map(([, name]) => `DROP TRIGGER IF EXISTS ${name};\n--> statement-breakpoint\n`)
		.join("");
}
