import { type SQL, sql } from "drizzle-orm";
import { costs } from "../request/budget";
import type { OperationContext } from "../request/context";
import { indexOf, type List } from "./list";

/** Our choice: rows that an index finds are taken all at once as long as they are few; of many, a part may do. */
export const foundRowsMax = 1_000;

interface Counted {
	readonly source: SQL;
	readonly condition: SQL | undefined;
	/** For the refusal. */
	readonly list: List;
	/** What else is done with each row. */
	readonly rowCost?: number;
}

/**
 * Counts rows by stepping along them, as far as the budget reaches; refused beyond. So what comes after it is known to be
 * affordable before it is begun.
 */
export function countUpTo(
	context: OperationContext,
	{ source, condition, list, rowCost = costs.row }: Counted,
): number {
	const most = Math.floor(context.budget.left / (costs.step + rowCost));
	const counted = sql`select count(*) from (select 1 from ${source} where ${condition} limit ${most + 1})`;
	const rows = context.work.tx.values<[number]>(counted)[0]?.[0] ?? 0;
	context.spend(costs.statement + rows * costs.step, remedyOf(list));
	// One more than can be paid for is refused here.
	if (rows > most) context.spend(rows * rowCost, remedyOf(list));
	return rows;
}

/** As `countUpTo`, of at most `most` rows; undefined where there are more. */
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

/** A condition that holds as before, but by which the database finds no rows. */
export const apart = (condition: SQL): SQL => sql`(${condition}) is true`;

/** What narrows a list down, for who has asked too much of it. */
export function remedyOf(list: List): string {
	const known = remedies.get(list);
	if (known !== undefined) return known;
	const keys = Object.entries(list.fields).flatMap(([name, field]) => {
		if ("relation" in field) return [];
		return indexOf(field.through ? field.through.own : field.value) ? [name] : [];
	});
	const remedy = `Too many rows of ${list.type} would have to be looked at: narrow them down by 'eq' or 'in' of ${keys.join(", ")} (not under 'or'), use fewer conditions, leave out 'sorting' and 'totalCount', or ask in several requests.`;
	remedies.set(list, remedy);
	return remedy;
}

const remedies = new WeakMap<List, string>();
