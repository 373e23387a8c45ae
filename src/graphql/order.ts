import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

export interface OrderKey {
	readonly value: SQLWrapper;
	readonly descending: boolean;
	/** The column of the value. Undefined for a calculated value. */
	readonly column?: SQLiteColumn | undefined;
	/** Set when the value is whether this column is null. Such a key precedes the key of the column itself. */
	readonly isNullOf?: SQLiteColumn | undefined;
}

/** The keys for `order by`. */
export const orderBy = (keys: readonly OrderKey[]): SQL =>
	sql.join(
		keys.map(({ value, descending }) => sql`${value} ${sql.raw(descending ? "desc" : "asc")}`),
		sql`, `,
	);

/** Selects rows of a list. */
export interface Wanted {
	readonly order: readonly OrderKey[];
	/** The id of the row before the first one. `beyond` is its place in the order. */
	readonly from: string | undefined;
	readonly beyond: SQL | undefined;
	readonly rowsMax: number;
}
