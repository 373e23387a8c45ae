import { inArray, type SQL, sql } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import { linesMax } from "../schema";
import { creditNoteLines, invoiceLines } from "../table";

/** Lines in memory at once: those of one document of the greatest size, or of many small ones. */
const linesAtOnceMax = linesMax;

/**
 * Returns as many of these documents, from the first on, as have so many lines together, and at least one. `idOf` returns the id of the
 * invoice or credit note whose lines the caller reads for a row.
 */
export function withinLines<Row>(
	{ tx }: Work,
	kind: "invoices" | "credit notes",
	rows: readonly Row[],
	idOf: (row: Row) => string,
	most = linesAtOnceMax,
): Row[] {
	const [table, id] =
		kind === "invoices" ? [invoiceLines, invoiceLines.invoiceId] : [creditNoteLines, creditNoteLines.creditNoteId];
	const lines: SQL<number> = sql<number>`count(*)`;
	const counts = new Map(
		tx
			.select({ id, lines })
			.from(table)
			.where(inArray(id, [...new Set(rows.map(idOf))]))
			.groupBy(id)
			.all()
			.map((row) => [row.id, row.lines]),
	);
	let sum = 0;
	const end = rows.findIndex((row, at) => {
		sum += counts.get(idOf(row)) ?? 0;
		return at > 0 && sum > most;
	});
	return rows.slice(0, end < 0 ? rows.length : end);
}
