import { HttpRefusal } from "../../../http/refusal";
import type { Instant } from "../../../kernel/clock";
import type { Page, PageQuery } from "../../../kernel/page";
import type { Cause, Work } from "../../../kernel/work";
import { enqueueTask } from "../../../tasks/operations";
import { ensureBankAccount, ownAccount } from "../operations.accounts";
import type { BankImport } from "../schema";
import type { StatementFormat } from "../statements/rules.statement";
import { deleteAbandonedParts, deleteParts, findImport, insertImport, insertPart, pageImports } from "../store";
import type { BankImportRow } from "../table";
import { viewImport } from "../view";

/** A part of a file: a JSON array of `ImportItem`, and the number of items before it. */
export interface ImportPart {
	readonly importId: string;
	readonly position: number;
	readonly items: string;
}

/** The last part of a file, and what the file contains. */
export interface ImportStart extends ImportPart {
	readonly format: StatementFormat;
	readonly statementsCount: number;
	readonly entriesCount: number;
	readonly itemsCount: number;
	/** The accounts of its statements; the environment has them. */
	readonly ibans: readonly string[];
}

/** Our bound: parts of a file that never arrived whole are deleted by an import after that time. */
const abandonedAfterMs = 60 * 60 * 1000;

/** Stores a part of a file that is being received. Nobody sees it before `startImport`. */
export const keepPart = (work: Work, part: ImportPart): void => insertPart(work, part);

/** Deletes the parts of a file that was rejected. */
export const dropParts = (work: Work, importId: string): void => deleteParts(work, importId, Number.MAX_SAFE_INTEGER);

/** Accepts a file whose parts are stored, and queues the task that records and matches its entries. */
export function startImport(work: Work, start: ImportStart): BankImportRow {
	const { importId, position, items, format, statementsCount, entriesCount, itemsCount, ibans } = start;
	deleteAbandonedParts(work, (work.machineNow - abandonedAfterMs) as Instant);
	for (const iban of ibans) ensureBankAccount(work, ownAccount(work, iban));
	insertPart(work, { importId, position, items });
	const task = enqueueTask(work, { type: "IMPORT_BANK_STATEMENTS", payload: { importId }, totalCount: itemsCount });
	return insertImport(work, { id: importId, taskId: task.id, format, statementsCount, entriesCount });
}

/** Accepts a file, by the request that caused it, and returns the import as the API shows it. */
export function acceptImport(work: Work, { cause, ...start }: ImportStart & { readonly cause: Cause }): BankImport {
	Object.assign(work.cause, cause);
	return viewImport(startImport(work, start));
}

/** Returns an import of this environment. The catalogue of errors has no code for an unknown one. */
export function getImport(work: Work, importId: string): BankImportRow {
	const found = findImport(work, importId);
	if (!found) throw new HttpRefusal(404, `There is no bank import '${importId}' in this environment.`);
	return found;
}

/** Lists imports, newest first. */
export const listImports = (work: Work, query: PageQuery): Page<BankImportRow> => pageImports(work, query);
