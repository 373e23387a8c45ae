import { Type } from "@sinclair/typebox";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** What a person types to find something in a list: the beginning of an id, a name, a number. (Our addition.) */
export const SearchText = Type.String({ minLength: 1, maxLength: 255 });

/** Our choice: who finds more than these types another letter. Of each column so many are looked up, along its index. */
const foundMax = 100;

/** True of texts that begin with this one, by an index of the column in its own collation. */
export const beginsWith = (column: SQLWrapper, text: string): SQL =>
	sql`(${column} >= ${text} and ${column} < ${`${text}\u{10FFFF}`})`;

/** The ids that are found under any of these conditions, each of which has an index of its own that begins with the environment. */
export const foundIds = (id: SQLWrapper, table: SQLWrapper, conditions: readonly (SQL | undefined)[]): SQL =>
	foundAmong(
		id,
		conditions.map((condition) => idsWhere(id, table, condition)),
	);

/** The same where several tables are looked through. */
export const foundAmong = (id: SQLWrapper, found: readonly SQL[]): SQL =>
	sql`${id} in (${sql.join([...found], sql` union `)})`;

export const idsWhere = (id: SQLWrapper, table: SQLWrapper, condition: SQL | undefined): SQL =>
	sql`select id from (select ${id} as id from ${table} where ${condition} limit ${foundMax})`;
