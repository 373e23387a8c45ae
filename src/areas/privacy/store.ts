import { type SQL, sql } from "drizzle-orm";
import type { Work } from "../../kernel/work";
import type { Section } from "./rules.sections";

type Row = Readonly<Record<string, unknown>>;

export interface Rows {
	readonly rows: readonly Row[];
	/** The start of the next page; undefined at the end. */
	readonly next: readonly unknown[] | undefined;
}

/** Returns up to `rowsMax` rows of a customer after a place. */
export function selectRows(
	work: Work,
	{ table, where, order }: Section,
	customerId: string,
	after: readonly unknown[] | undefined,
	rowsMax: number,
): Rows {
	const keys = order ?? primaryKeyOf(work, table);
	const list = sql.raw(keys.join(", "));
	const beyond = after
		? sql` AND (${list}) > (${sql.join(
				after.map((value) => sql`${value}`),
				sql`, `,
			)})`
		: sql``;
	const found = work.tx.all<Row>(
		sql`SELECT *, ${sql.raw(keys.map((key, at) => `${key} AS key_${at}`).join(", "))} FROM ${sql.identifier(table)}
			WHERE ${conditionOf(work, where, customerId)}${beyond} ORDER BY ${list} LIMIT ${rowsMax}`,
	);
	const last = found.at(-1);
	return {
		rows: found.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !/^key_\d$/.test(name)))),
		next: last && found.length === rowsMax ? keys.map((_, at) => last[`key_${at}`]) : undefined,
	};
}

/** The unary `+` makes SQLite use the index of the condition, not that of the key. */
const primaryKeyOf = (work: Work, table: string): string[] =>
	work.tx
		.all<{ name: string }>(sql`SELECT name FROM pragma_table_info(${table}) WHERE pk > 0 ORDER BY pk`)
		.map(({ name }) => `+"${name}"`);

/** Replaces the placeholders of a condition with parameters of the statement. */
function conditionOf({ actor }: Work, where: string, customerId: string): SQL {
	const parts = where.split(/(:customer|:environment)/);
	return sql.join(
		parts.map((part) => {
			if (part === ":customer") return sql`${customerId}`;
			return part === ":environment" ? sql`${actor.environmentId}` : sql.raw(part);
		}),
	);
}
