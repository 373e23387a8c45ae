import type { Database as SqliteFile } from "bun:sqlite";

/**
 * The assumed number of rows of a table, and of distinct values of a column, over all environments. They are the same in every folder, empty
 * or full, so that a statement has the same query plan everywhere and tests can check it. Only the order of two indexes by selectivity
 * matters. A column that is not named here is assumed to be distinct in nearly every row
 * (docs/decisions/0015-plans-that-do-not-depend-on-the-data.md).
 */
const rowsOfTable = 1_000_000;

/** The catalogue and its users: each environment has few rows. */
const rowsOfSmallTable: Readonly<Record<string, number>> = {
	accounts: 100,
	environments: 100,
	roles: 100,
	api_keys: 1_000,
	coupons: 1_000,
	custom_currencies: 1_000,
	dunning_policies: 1_000,
	entity_types: 1_000,
	environment_roles: 1_000,
	features: 1_000,
	identities: 1_000,
	identity_providers: 100,
	invitations: 1_000,
	legal_entities: 1_000,
	memberships: 1_000,
	meters: 1_000,
	packages: 1_000,
	password_resets: 1_000,
	payment_accounts: 1_000,
	products: 1_000,
	scim_groups: 1_000,
	second_factors: 1_000,
	taxes: 1_000,
	users: 1_000,
	package_versions: 10_000,
	charges: 100_000,
	package_entitlements: 100_000,
};

const differentValues: Readonly<Record<string, number>> = {
	environment_id: 100,
	billing_country_code: 10,
	billing_period: 2,
	capability: 2,
	currency: 10,
	kind: 3,
	pricing_type: 3,
	role: 10,
	state: 3,
	status: 5,
	type: 5,
	// Ids of the catalogue: each was sold thousands of times.
	capability_id: 1_000,
	coupon_id: 1_000,
	currency_id: 1_000,
	dependency_feature_id: 1_000,
	feature_id: 1_000,
	from_version_id: 1_000,
	package_id: 1_000,
	plan_id: 1_000,
	product_id: 1_000,
	to_version_id: 1_000,
	version_id: 1_000,
};

/** The rows that share a value of a nearly distinct column: few, but more than in a unique index. */
const rowsOfValue = 2;

/** The share of a table's rows in a partial index, if it is not a tenth. */
const partOfTable: Readonly<Record<string, number>> = {
	customers_shown: 1,
	// Ended rows that are not recorded yet: few, since they are recorded soon.
	subscriptions_ends: 0.0001,
};

interface Index {
	readonly table: string;
	readonly name: string;
	readonly unique: number;
	readonly partial: number;
	/** The columns of the index in order, separated by commas. */
	readonly columns: string;
}

interface Statistic {
	readonly table: string;
	readonly index: string;
	/** SQLite's format: the rows of the index, then the rows that share the first column, the first two, and so on. */
	readonly stat: string;
}

/**
 * Writes the statistics of a file. Without them SQLite assumes ten rows for an environment, and searches one customer's subscriptions among
 * all of the environment. A connection reads them when it opens. A file that has them already stays unchanged.
 */
export function shipStatistics(sqlite: SqliteFile): void {
	const shipped = indexesOf(sqlite).map(statisticOf);
	if (sameAs(shipped, statisticsIn(sqlite))) return;
	sqlite
		.transaction(() => {
			// Only this statement creates the table of the statistics.
			sqlite.run("ANALYZE sqlite_schema");
			sqlite.run("DELETE FROM sqlite_stat1");
			const insert = sqlite.prepare<unknown, [string, string, string]>("INSERT INTO sqlite_stat1 VALUES (?, ?, ?)");
			for (const { table, index, stat } of shipped) insert.run(table, index, stat);
		})
		.immediate();
}

const indexesOf = (sqlite: SqliteFile): Index[] =>
	sqlite
		.query<Index, []>(
			`SELECT t.name AS "table", i.name, i."unique", i.partial,
				(SELECT group_concat(c.name) FROM pragma_index_info(i.name) AS c) AS columns
			FROM sqlite_schema AS t, pragma_index_list(t.name) AS i
			WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, i.name`,
		)
		.all();

function statisticOf({ table, name, unique, partial, columns }: Index): Statistic {
	const names = columns.split(",");
	const all = rowsOfSmallTable[table] ?? rowsOfTable;
	const rows = partial ? all * (partOfTable[name] ?? 0.1) : all;
	let sharing = rows;
	const shares = names.map((column, at) => {
		if (unique && at === names.length - 1) return 1;
		const few = differentValues[column];
		sharing = few === undefined ? Math.min(sharing, rowsOfValue) : Math.max(sharing / few, rowsOfValue);
		return Math.round(sharing);
	});
	return { table, index: name, stat: [rows, ...shares].join(" ") };
}

function statisticsIn(sqlite: SqliteFile): Statistic[] {
	const made = sqlite.query("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").get();
	if (!made) return [];
	return sqlite
		.query<Statistic, []>('SELECT tbl AS "table", idx AS "index", stat FROM sqlite_stat1 ORDER BY tbl, idx')
		.all();
}

const sameAs = (some: readonly Statistic[], others: readonly Statistic[]): boolean =>
	JSON.stringify(some) === JSON.stringify(others);
