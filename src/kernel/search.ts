import { Type } from "@sinclair/typebox";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** The text that a person types to search a list: the beginning of an id, a name or a number (our addition). */
export const SearchText = Type.String({ minLength: 1, maxLength: 255 });

/** The maximum number of results per column, found along its index. A user who needs fewer results types another letter. */
const foundMax = 100;

/** The condition for texts with this prefix, which uses an index in the column's collation. */
export const beginsWith = (column: SQLWrapper, text: string): SQL =>
	sql`(${column} >= ${text} and ${column} < ${`${text}\u{10FFFF}`})`;

/** Returns the ids that match any of the conditions. Each condition has an index that begins with the environment. */
export const foundIds = (id: SQLWrapper, table: SQLWrapper, conditions: readonly (SQL | undefined)[]): SQL =>
	foundAmong(
		id,
		conditions.map((condition) => idsWhere(id, table, condition)),
	);

/** Returns the same for several tables. */
export const foundAmong = (id: SQLWrapper, found: readonly SQL[]): SQL =>
	sql`${id} in (${sql.join([...found], sql` union `)})`;

export const idsWhere = (id: SQLWrapper, table: SQLWrapper, condition: SQL | undefined): SQL =>
	sql`select id from (select ${id} as id from ${table} where ${condition} limit ${foundMax})`;
