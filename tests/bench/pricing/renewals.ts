import { Database } from "bun:sqlite";
import { join } from "node:path";
import { addCustomers, digits, publish, stock, subscribe } from "../catalogue";
import type { Row } from "../row";
import { cpuMs, ok, type Serving, us, whole, withServer } from "../serving";

const subscriptions = Math.ceil(Number(process.env.BENCH_SUBSCRIPTIONS ?? 10_000) / 2);
const richSubscriptions = Math.ceil(subscriptions / 5);

/**
 * Renewals of a plan with one fee, next to bare SQLite that writes the same rows; and of one with ten charges, three taxes and three
 * coupons, next to the first.
 */
export async function measureRenewals(): Promise<Row[]> {
	const simple = await withServer(async (server, folder) => {
		await start(server);
		await stock(server);
		await addCustomers(server, subscriptions);
		await subscribe(server, "pro", subscriptions);
		const renewed = await renew(server, folder, subscriptions);
		return { ...renewed, bare: writeBare(folder, renewed.rows, subscriptions) };
	});
	const rich = await withServer(async (server, folder) => {
		await start(server);
		await stockRich(server);
		await addCustomers(server, richSubscriptions);
		for (let at = 0; at < richSubscriptions; at += 1) await buyRich(server, `c-${digits(at)}`);
		return renew(server, folder, richSubscriptions);
	});
	return [
		{
			work: `renewals of ${whole(subscriptions)} subscriptions`,
			here: textOf(simple),
			ceiling: `${whole(simple.bare)}/s, bare SQLite`,
			ratio: simple.perSecond / simple.bare,
			goal: "0.95 of the version before",
		},
		{
			work: "renewals with ten charges, three taxes and three coupons",
			here: textOf(rich),
			ceiling: `${whole(simple.perSecond)}/s with one charge`,
			ratio: rich.perSecond / simple.perSecond,
		},
	];
}

const start = (server: Serving) => ok(server, "POST", "/environments/current/clock", { now: "2030-01-31T00:00:00Z" });

/** The rows that a table has gained. */
type Gained = ReadonlyMap<string, number>;

interface Renewed {
	readonly perSecond: number;
	readonly cpuUs: number;
	readonly rows: Gained;
}

const textOf = ({ perSecond, cpuUs }: Renewed): string => `${whole(perSecond)}/s, ${us(cpuUs)}`;

/** The first month compiles the code. */
async function renew(server: Serving, folder: string, count: number): Promise<Renewed> {
	await advance(server, "2030-02-28T01:00:00.000Z");
	const before = rowCounts(folder);
	const cpu = cpuMs(server.pid);
	const began = performance.now();
	await advance(server, "2030-03-31T01:00:00.000Z");
	const seconds = (performance.now() - began) / 1000;
	const cpuUs = ((cpuMs(server.pid) - cpu) * 1000) / count;
	const rows = new Map(
		[...rowCounts(folder)].flatMap(([table, after]): Array<[string, number]> => {
			const gained = after - (before.get(table) ?? 0);
			return gained >= count / 2 ? [[table, gained]] : [];
		}),
	);
	return { perSecond: count / seconds, cpuUs, rows };
}

/** A call answers in parts: it is sent again until the clock has arrived. */
async function advance(server: Serving, now: string): Promise<void> {
	while ((await ok(server, "POST", "/environments/current/clock", { now })).now !== now);
}

const mainOf = (folder: string): Database => new Database(join(folder, "main.db"), { readonly: true });

function rowCounts(folder: string): Map<string, number> {
	const main = mainOf(folder);
	const tables = main.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
	const counts = tables
		.filter(({ name }) => !name.startsWith("sqlite_"))
		.map(({ name }): [string, number] => [
			name,
			main.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM "${name}"`).get()?.rows ?? 0,
		]);
	main.close();
	return new Map(counts);
}

/** The writer's time slice holds about so many renewals, and so does a commit. */
const renewalsPerCommit = 4;

/** Returns how many renewals a second bare SQLite writes: the same rows with their indexes, and the change of the subscription. */
function writeBare(folder: string, rows: Gained, count: number): number {
	const main = mainOf(folder);
	const bare = new Database(join(folder, "bare.db"), { create: true });
	for (const pragma of ["journal_mode = WAL", "synchronous = FULL"]) bare.run(`PRAGMA ${pragma}`);
	const schemaOf = (table: string) =>
		main
			.query<{ sql: string }, [string]>(
				"SELECT sql FROM sqlite_master WHERE tbl_name = ? AND type IN ('table', 'index') AND sql IS NOT NULL ORDER BY type DESC",
			)
			.all(table);
	for (const table of [...rows.keys(), "subscriptions"]) for (const { sql } of schemaOf(table)) bare.run(sql);
	const copied = main.query<Record<string, string>, []>("SELECT * FROM subscriptions").all();
	insertAll(bare, "subscriptions", copied);
	const tables = [...rows].map(([table, gained]) => {
		const all = main.query<Record<string, string>, []>(`SELECT * FROM "${table}" LIMIT ${gained}`).all();
		return { insert: inserting(bare, table, all), all, each: gained / count };
	});
	const change = bare.prepare(
		"UPDATE subscriptions SET billed_until = billed_until + 1, next_due_at = next_due_at + 1 WHERE id = ?",
	);
	const began = performance.now();
	for (let at = 0; at < count; at += 1) {
		if (at % renewalsPerCommit === 0) bare.run("BEGIN IMMEDIATE");
		for (const { insert, all, each } of tables)
			for (let row = Math.floor(at * each); row < Math.floor((at + 1) * each); row += 1) insert(all[row]);
		change.run(copied[at]?.id ?? "");
		if (at % renewalsPerCommit === renewalsPerCommit - 1) bare.run("COMMIT");
	}
	if (bare.inTransaction) bare.run("COMMIT");
	const perSecond = count / ((performance.now() - began) / 1000);
	bare.close();
	main.close();
	return perSecond;
}

function inserting(bare: Database, table: string, rows: ReadonlyArray<Record<string, string>>) {
	const columns = Object.keys(rows[0] ?? {});
	const statement = bare.prepare(
		`INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join()}) VALUES (${columns.map(() => "?").join()})`,
	);
	return (row: Record<string, string> | undefined): void => {
		if (row) statement.run(...columns.map((name) => row[name] ?? null));
	};
}

function insertAll(bare: Database, table: string, rows: ReadonlyArray<Record<string, string>>): void {
	const insert = inserting(bare, table, rows);
	bare.transaction(() => {
		for (const row of rows) insert(row);
	})();
}

const features = Array.from({ length: 9 }, (_, at) => `units-${at}`);
const coupons = ["one", "two", "three"];
const taxes = ["state", "county", "city"];

async function stockRich(server: Serving): Promise<void> {
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	for (const id of features)
		await ok(server, "POST", "/features", { id, displayName: id, featureType: "NUMBER", meterType: "None" });
	for (const [at, id] of taxes.entries())
		await ok(server, "POST", "/taxes", { id, displayName: id, percentage: 2 + at });
	for (const [at, id] of coupons.entries())
		await ok(server, "POST", "/coupons", {
			...{ id, name: id, description: null, metadata: null },
			...{ percentOff: 5 + at, amountsOff: null, durationInMonths: null },
		});
	await ok(server, "POST", "/plans", { id: "rich", displayName: "Rich", productId: "app" });
	const pricePeriods = [{ billingPeriod: "MONTHLY", price: { amount: 7, currency: "usd" } }];
	await ok(server, "PATCH", "/plans/rich", {
		charges: {
			pricingType: "PAID",
			taxes,
			pricingModels: [
				{ billingModel: "FLAT_FEE", pricePeriods },
				...features.map((featureId) => ({ billingModel: "PER_UNIT", featureId, pricePeriods })),
			],
		},
	});
	await publish(server, "rich");
}

const buyRich = (server: Serving, customerId: string) =>
	ok(server, "POST", "/subscriptions", {
		...{ customerId, planId: "rich", billingPeriod: "MONTHLY" },
		charges: features.map((id, at) => ({ id, quantity: at + 1, type: "FEATURE" })),
		appliedCoupons: coupons.map((couponId) => ({ couponId })),
	});
