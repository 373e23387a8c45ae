import type { SQL, SQLWrapper } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

export interface OrderKey {
	readonly value: SQLWrapper;
	readonly descending: boolean;
	/** The column that is the value; undefined where it is reckoned. */
	readonly column?: SQLiteColumn | undefined;
	/** Where the value is whether this column is null, which comes before the column itself. */
	readonly isNullOf?: SQLiteColumn | undefined;
}

/** Which rows of a list are wanted. */
export interface Wanted {
	readonly order: readonly OrderKey[];
	/** Beyond this row, by its id; its place in the order is `beyond`. */
	readonly from: string | undefined;
	readonly beyond: SQL | undefined;
	readonly rowsMax: number;
}
