import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { migrations } from "../../../../drizzle/main";
import { migrateFile } from "../../../../src/kernel/storage/migrate";
import { insertInto, type Value } from "../../../support/insert";

const at = migrations.findIndex(({ name }) => name.endsWith("usage-on-charges"));
const [january, february, march, april] = [0, 1, 2, 3].map((month) => Date.UTC(2026, month, 1)) as [
	number,
	number,
	number,
	number,
];

/** Subscriptions of the release before: calls whose price changed, overage that nobody billed, and a mark alone. */
function folderBefore(): Database {
	const db = new Database(":memory:");
	migrateFile(
		db,
		migrations.slice(0, at).map(({ name, sql }) => ({ name, sql })),
	);
	db.run("PRAGMA foreign_keys = OFF");
	insertInto(db, "subscriptions", {
		id: "s",
		environment_id: "e",
		billing_period: "MONTHLY",
		billing_anchor_at: january,
	});
	for (const id of ["old", "new"])
		insertInto(db, "subscription_usage_prices", {
			environment_id: "e",
			id,
			prices: JSON.stringify([{ description: id }]),
		});
	const window = (kind: string, feature_id: string, window_start: number, values: Record<string, Value>) =>
		insertInto(db, "subscription_usage_bills", {
			...{
				subscription_id: "s",
				kind,
				feature_id,
				window_start,
				updated_at: window_start + 1,
				quantity: "7",
				events: 3,
			},
			...values,
		});
	window("usage", "calls", january, { window_end: february, prices_id: "old" });
	window("usage", "calls", february, { window_end: march, prices_id: "old", averaged_over_ms: 9 });
	window("usage", "calls", march, { window_end: april, prices_id: "new", quantity: "8" });
	window("overage", "calls", january, { window_end: february });
	window("usage", "seats", january, { prices_id: "old" });
	const mark = (kind: string, feature_id: string, closed_until: number) =>
		insertInto(db, "subscription_usage_marks", {
			...{ subscription_id: "s", kind, feature_id, closed_until, events: 12, meter_id: "m" },
		});
	mark("usage", "calls", april);
	mark("usage", "seats", february);
	mark("usage", "unused", march);
	return db;
}

test("the usage bills of subscriptions become charges by their prices, with their periods", () => {
	const db = folderBefore();
	for (const sql of migrations[at]?.sql.split("--> statement-breakpoint") ?? []) db.run(sql);
	const charges = db
		.query<Record<string, Value>, []>('SELECT * FROM billing_charges ORDER BY "key", starts_at')
		.all()
		.map(({ key, owner_id, terms, starts_at, billed_until, usage_events, usage_meter_id, replaced_at }) => [
			...[key, owner_id, terms === null ? null : JSON.parse(String(terms)).prices[0].description, starts_at],
			...[billed_until, usage_events, usage_meter_id, replaced_at === null],
		]);
	expect(charges).toEqual([
		["overage/calls", "s", null, january, null, null, null, true],
		["usage/calls", "s", "old", january, null, null, null, false],
		["usage/calls", "s", "new", march, april, 12, "m", true],
		["usage/seats", "s", "old", january, february, 12, "m", true],
		["usage/unused", "s", null, march, march, 12, "m", true],
	]);
	const periods = db
		.query<Record<string, Value>, []>(
			`SELECT "key", charge_periods.* FROM charge_periods JOIN billing_charges ON id = charge_id ORDER BY "key", charge_periods.starts_at`,
		)
		.all()
		.map((row) => [
			...[row.key, row.starts_at, row.ends_at, row.state, row.usage_quantity, row.usage_events, row.averaged_over_ms],
			row.revision,
		]);
	expect(periods).toEqual([
		["overage/calls", january, february, "ELSEWHERE", "7", 3, null, 0],
		["usage/calls", january, february, "BILLED", "7", 3, null, 0],
		["usage/calls", february, march, "BILLED", "7", 3, 9, 0],
		["usage/calls", march, april, "BILLED", "8", 3, null, 0],
		// The end of this window is unknown, so nothing of it is checked again.
		["usage/seats", january, january, "BILLED", "7", null, null, 0],
	]);
	const left = db
		.query(
			"SELECT name FROM sqlite_schema WHERE name LIKE '%usage_bills%' OR name IN ('billed_windows', 'usage_charges')",
		)
		.all();
	expect(left).toEqual([]);
});
