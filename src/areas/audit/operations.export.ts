import type { Work } from "../../kernel/work";
import { exportEntries } from "./operations";
import type { AuditLogFilter } from "./schema";
import { lineOf } from "./view";

/**
 * Returns a part of the log as lines, oldest first, after an entry (undefined for the first part). `next` is missing at
 * the end.
 */
export function exportLines(work: Work, query: AuditLogFilter, afterId: string | undefined, rowsMax: number) {
	const { entries, next } = exportEntries(work, query, afterId, rowsMax);
	return {
		text: entries.map(lineOf).join(""),
		count: entries.length,
		lastHash: entries.at(-1)?.row.hash,
		next,
	};
}
