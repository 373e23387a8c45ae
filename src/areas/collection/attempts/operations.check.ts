import type { Work } from "../../../kernel/work";
import { invoicesOfAttempts, selectAttemptsAfter } from "./store";
import type { AttemptInvoiceRow, AttemptRow } from "./table";

const pageRows = 500;

/** Returns the next attempts of this environment after an id, in the order of ids. */
export const readAttempts = (work: Work, after: string): AttemptRow[] => selectAttemptsAfter(work, after, pageRows);

export const invoicesByAttempt = (work: Work, rows: readonly AttemptRow[]): Map<string, AttemptInvoiceRow[]> =>
	Map.groupBy(
		invoicesOfAttempts(
			work,
			rows.map(({ id }) => id),
		),
		({ attemptId }) => attemptId,
	);
