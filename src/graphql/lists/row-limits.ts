import { type SQL, sql } from "drizzle-orm";
import { costs } from "../request/budget";
import type { OperationContext } from "../request/context";
import { indexOf, type List } from "./list";

/** Up to this number, rows that an index finds are read at once. */
export const foundRowsMax = 1_000;

interface Counted {
	readonly source: SQL;
	readonly condition: SQL | undefined;
	/** For the message of the refusal. */
	readonly list: List;
	/** The cost of further work on each row. */
	readonly rowCost?: number;
}

/** Counts rows up to the budget and refuses more, before the work on these rows begins. */
export function countUpTo(
	context: OperationContext,
	{ source, condition, list, rowCost = costs.row }: Counted,
): number {
	const most = Math.floor(context.budget.left / (costs.step + rowCost));
	const counted = sql`select count(*) from (select 1 from ${source} where ${condition} limit ${most + 1})`;
	const rows = context.work.tx.values<[number]>(counted)[0]?.[0] ?? 0;
	context.spend(costs.statement + rows * costs.step, remedyOf(list));
	// One row above the budget is refused here.
	if (rows > most) context.spend(rows * rowCost, remedyOf(list));
	return rows;
}

/** As `countUpTo`, for at most `most` rows. Undefined for more. */
export function countFew(
	context: OperationContext,
	{ source, condition, list }: Counted,
	most: number,
): number | undefined {
	context.spend(costs.statement + most * costs.step, remedyOf(list));
	const counted = sql`select count(*) from (select 1 from ${source} where ${condition} limit ${most + 1})`;
	const rows = context.work.tx.values<[number]>(counted)[0]?.[0] ?? 0;
	return rows > most ? undefined : rows;
}

/** The same condition, for which the database uses no index. */
export const apart = (condition: SQL): SQL => sql`(${condition}) is true`;

/** Names the filters that would make a refused request cheaper. */
export function remedyOf(list: List): string {
	const known = remedies.get(list);
	if (known !== undefined) return known;
	const keys = Object.entries(list.fields).flatMap(([name, field]) => {
		if ("relation" in field) return [];
		return indexOf(field.through ? field.through.own : field.value) ? [name] : [];
	});
	const remedy = `Too many rows of ${list.type} would be read: narrow them down by 'eq' or 'in' of ${keys.join(", ")} (not under 'or'), use fewer conditions, omit 'sorting' and 'totalCount', or send several requests.`;
	remedies.set(list, remedy);
	return remedy;
}

const remedies = new WeakMap<List, string>();
