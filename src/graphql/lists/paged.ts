import type { SQL } from "drizzle-orm";
import type { Work } from "../../kernel/work";
import type { QueryField } from "../area";
import { connect } from "./connection";
import { type List, type ListedTable, tableList } from "./list";

type Values = Readonly<Record<string, unknown>>;

interface PagedQuery extends Pick<List, "type" | "scope" | "rows"> {
	/** In the schema language: `(input: ThingsInput!)`. The input, or the arguments, have the paging. */
	readonly args: string;
	readonly comment?: string;
	/** The condition of the listed rows. */
	readonly where?: (work: Work, input: Values) => SQL | undefined;
}

/** A field of the root that lists rows of a table, newest first, by arguments of its own instead of a filter. */
export const pagedQuery = (
	table: ListedTable,
	{ args: declared, comment, where, ...list }: PagedQuery,
): QueryField => ({
	...{ signature: `${declared}: ${list.type}Connection`, comment, scope: list.scope },
	resolve(args, context) {
		const input = (args.input ?? args) as Values;
		const rows = tableList(table, list, where?.(context.work, input));
		return connect(context, new Map(), rows, { paging: input.paging });
	},
});
