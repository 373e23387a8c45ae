import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { migrations } from "../../../../drizzle/main";
import { migrateFile } from "../../../../src/kernel/storage/migrate";
import { insertInto, type Value } from "../../../support/insert";

const at = migrations.findIndex(({ name }) => name.endsWith("contracts-on-charges"));

const [january, february, march, april] = [0, 1, 2, 3].map((month) => Date.UTC(2026, month, 1)) as [
	number,
	number,
	number,
	number,
];
const rows = (price: string) => [{ quantity: "1", price, from: null, to: null, packageSize: null }];
const billed = { subTotal: "10", discount: "0", tax: "0", total: "10" };
const window = { activation_start_at: january, activation_end_at: april, prorate_cut_cycles: 0 };

/** A contract of the release before: an amended fee, usage whose price changed, and items that hold other surprises. */
function folderBefore(): Database {
	const db = new Database(":memory:");
	migrateFile(
		db,
		migrations.slice(0, at).map(({ name, sql }) => ({ name, sql })),
	);
	db.run("PRAGMA foreign_keys = OFF");
	for (const id of ["open", "live"])
		insertInto(db, "contracts", { id, ref_id: id, environment_id: "e", customer_id: "acme", billing_state: "ACTIVE" });
	const item = (id: string, values: Record<string, Value>) =>
		insertInto(db, "contract_items", {
			...{ id, environment_id: "e", contract_id: "live", rows: JSON.stringify(rows("10")), currency: "usd", tax: "20" },
			...{
				pricing_model_id: "flat",
				billing_cycle_unit: "monthly",
				billing_cycle_count: 1,
				payment_time: "IN_ADVANCE",
			},
			...{ ...window, billed_until: april, updated_at: january + 5, ...values },
		});
	const cycle = (item_id: string, cycle_start: number, cycle_end: number, values: Record<string, Value> = {}) =>
		insertInto(db, "contract_billed_cycles", {
			...{ item_id, cycle_start, cycle_end, environment_id: "e", contract_id: "live", created_at: cycle_start },
			...{ billed: JSON.stringify(billed), ...values },
		});
	// Its last change came between its first two cycles.
	item("fee", { billed_until: april, discount: "12.5" });
	cycle("fee", january, february);
	cycle("fee", february, march);
	cycle("fee", march, april);
	const terms = (price: string) => ({ pricingModelId: "usage-flat", rows: rows(price), discount: null, tax: null });
	const usage = (price: string) => ({
		...{ quantity: "7", events: 3 },
		terms: JSON.stringify({ ...terms(price), unitTransformation: { divide: "1000", round: "UP" } }),
	});
	item("calls", {
		pricing_model_id: "usage-flat",
		billing_cycle_unit: "quarterly",
		usage_events: 9,
		usage_meter_id: "m",
	});
	cycle("calls", january, february, usage("1"));
	cycle("calls", february, march, usage("1"));
	cycle("calls", march, april, usage("2"));
	item("elsewhere", { billing_cycle_unit: "one_time" });
	cycle("elsewhere", january, april, { is_elsewhere: 1 });
	// Nothing of it is invoiced, and it says so.
	item("new", { billed_until: null });
	// It says that it is invoiced, and has no cycle: nothing of it may be invoiced again.
	item("lost", { billed_until: march, billing_cycle_unit: "weekly", billing_cycle_count: 2 });
	cycle("gone", january, february);
	// Amended, and not in force yet.
	item("amended", { contract_id: "open", billed_until: april, activation_end_at: april });
	const inForce = { id: "amended", environmentId: "e", contractId: "open", pricingModelId: "flat", rows: rows("5") };
	insertInto(db, "contract_amendments", {
		...{ contract_id: "open", environment_id: "e" },
		items: JSON.stringify([
			{
				...{
					...inForce,
					discount: null,
					tax: null,
					currency: "usd",
					billingCycleUnit: "monthly",
					billingCycleCount: 1,
				},
				...{ paymentTime: "IN_ADVANCE", prorateCutCycles: true, activationStartAt: january, activationEndAt: march },
				...{ cyclesFrom: null, billedUntil: march, createdAt: 0, updatedAt: 0 },
			},
		]),
	});
	cycle("amended", january, march, { contract_id: "open" });
	return db;
}

interface MadeCharge {
	readonly key: string;
	readonly terms: string | null;
	readonly starts_at: number;
	readonly ends_at: number;
	readonly interval: string | null;
	readonly billed_until: number;
	readonly usage_events: number | null;
	readonly replaced_at: number | null;
}

interface MadePeriod {
	readonly key: string;
	readonly starts_at: number;
	readonly ends_at: number;
	readonly state: string;
	readonly rated: string;
	readonly revision: number;
	readonly usage_quantity: string | null;
	readonly usage_events: number | null;
}

const priceOf = (terms: string | null) => (terms === null ? null : JSON.parse(terms).price.rows[0].price);

test("the cycles of contracts become charges on unchanged terms, with their periods", () => {
	const db = folderBefore();
	for (const sql of migrations[at]?.sql.split("--> statement-breakpoint") ?? []) db.run(sql);
	const charges = db
		.query<MadeCharge, []>('SELECT * FROM billing_charges ORDER BY "key", starts_at')
		.all()
		.map(({ key, terms, starts_at, ends_at, interval, billed_until, usage_events, replaced_at }) => [
			...[key, priceOf(terms), starts_at, ends_at, interval === null ? null : JSON.parse(interval)],
			...[billed_until, usage_events, replaced_at === null],
		]);
	const month = { unit: "MONTH", count: 1 };
	expect(charges).toEqual([
		["amended", "5", january, march, month, march, null, true],
		["calls", "1", january, march, { unit: "MONTH", count: 3 }, march, null, false],
		["calls", "2", march, april, { unit: "MONTH", count: 3 }, april, 9, true],
		["elsewhere", null, january, april, null, april, null, true],
		["fee", null, january, february, month, february, null, false],
		["fee", "10", february, april, month, april, null, true],
		["gone", null, january, february, null, february, null, true],
		["lost", null, january, april, { unit: "DAY", count: 14 }, march, null, true],
	]);
	const [fee] = db
		.query<{ terms: string }, []>(`SELECT terms FROM billing_charges WHERE "key" = 'fee' AND replaced_at IS NULL`)
		.all();
	expect(JSON.parse(fee?.terms ?? "")).toEqual({
		price: { model: "flat", isPayAsYouGo: false, rows: rows("10") },
		unitTransformation: null,
		currency: "usd",
		discount: { percentOff: "12.5", amountsOff: null },
		taxPercentage: "20",
	});
	const [calls] = db.query<{ terms: string }, []>(`SELECT terms FROM billing_charges WHERE "key" = 'calls'`).all();
	expect(JSON.parse(calls?.terms ?? "")).toMatchObject({
		price: { model: "flat", isPayAsYouGo: true },
		unitTransformation: { divide: "1000", round: "UP" },
		discount: null,
		taxPercentage: null,
	});
	const periods = db
		.query<MadePeriod, []>(
			`SELECT "key", charge_periods.* FROM charge_periods JOIN billing_charges ON id = charge_id ORDER BY "key", charge_periods.starts_at`,
		)
		.all();
	expect(periods.map(({ key, starts_at, ends_at, state }) => `${key} ${starts_at} ${ends_at} ${state}`)).toEqual([
		`amended ${january} ${march} BILLED`,
		`calls ${january} ${february} BILLED`,
		`calls ${february} ${march} BILLED`,
		`calls ${march} ${april} BILLED`,
		`elsewhere ${january} ${april} ELSEWHERE`,
		`fee ${january} ${february} BILLED`,
		`fee ${february} ${march} BILLED`,
		`fee ${march} ${april} BILLED`,
		`gone ${january} ${february} BILLED`,
	]);
	for (const { rated, revision, usage_quantity, usage_events, key } of periods) {
		expect([JSON.parse(rated), revision]).toEqual([billed, 0]);
		expect([usage_quantity, usage_events]).toEqual(key === "calls" ? ["7", 3] : [null, null]);
	}
	const left = db
		.query("SELECT name FROM sqlite_schema WHERE name LIKE '%billed_cycles%' OR name LIKE 'invoiced%'")
		.all();
	expect(left).toEqual([]);
});
