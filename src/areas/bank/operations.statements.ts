import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import type { BankStatementListQuery } from "./schema";
import { pageStatements, sequenceBefore } from "./store";
import type { BankStatementRow } from "./table";

/** Lists statements, newest first: of one account, or of all. */
export const listStatements = (
	work: Work,
	{ bankAccountId, ...query }: BankStatementListQuery,
): Page<BankStatementRow> => pageStatements(work, query, bankAccountId);

/** Returns the numbers that are missing between the former statement of the year and this one; null if none is. */
export function missingBefore(work: Work, row: BankStatementRow): { from: number; to: number } | null {
	if (row.sequence === null) return null;
	const before = sequenceBefore(work, row);
	if (before === undefined || before >= row.sequence - 1) return null;
	return { from: before + 1, to: row.sequence - 1 };
}
