import { HttpRefusal } from "../../../http/refusal";
import { zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Page, PageQuery } from "../../../kernel/page";
import type { Actor, Transactions, Work } from "../../../kernel/work";
import { enqueueTask } from "../../../tasks/operations";
import { fileCreditorOf, getCreditor } from "../../direct-debit/operations.creditors";
import { mandatesByIds } from "../../direct-debit/operations.mandates";
import {
	countPlanned,
	debitsOfGroup,
	findFile,
	findMaking,
	insertFile,
	pageFiles,
} from "../../direct-debit/operations.rows";
import { addBankingDays, addDaysTo, type Day, dayOf } from "../../direct-debit/rules.target";
import type { DebitFileCreate, DebitFileSettlement } from "../../direct-debit/schema";
import type { DebitFileRow } from "../../direct-debit/table";
import { issuerOf, namedLegalEntity } from "../../legal-entities/operations";
import { debitOf, groupHeadOf, groupTail, headOf, tail } from "./rules.pain008";

/** Our bound: the debits of one file. A further call makes the next one. */
const debitsMax = 100_000;

/** Our bound: the days ahead. Banks take files at most some weeks before the collection. */
const aheadDaysMax = 60;

/** The banking days ahead of a file by default. */
const aheadDefault = 5;

/** The banking days that a bank needs before the collection, in both schemes. */
const submissionDays = 1;

/** The debits that are read at once for the text of a file. */
const textRows = 250;

/** Returns a file of this environment. The catalogue of errors has no code for an unknown one. */
export function getFile(work: Work, fileId: string): DebitFileRow {
	const found = findFile(work, fileId);
	if (!found) throw new HttpRefusal(404, `There is no direct-debit file '${fileId}' in this environment.`);
	return found;
}

/** Lists files, newest first. */
export const listFiles = (work: Work, query: PageQuery): Page<DebitFileRow> => pageFiles(work, query);

/**
 * Lets a task put the PLANNED debits of a legal entity into a file. While the task makes a file, a second call returns the same one. Throws
 * InvalidArgumentError for a legal entity that does not collect, a day out of range, and if no debit is planned until then.
 */
export function createFile(work: Work, { legalEntityId, collectUntil }: DebitFileCreate): DebitFileRow {
	const entityId = legalEntityId === undefined ? issuerOf(work, null).entity.id : namedLegalEntity(work, legalEntityId);
	const making = findMaking(work, entityId);
	if (making) return making;
	const creditor = getCreditor(work, entityId);
	const today = dayOf(work.now);
	const until = collectUntil ?? addBankingDays(today, aheadDefault);
	assertUntil(today, until);
	const count = countPlanned(work, entityId, until, debitsMax);
	if (count === 0)
		throw fail(
			"InvalidArgumentError",
			`No direct debit is planned until ${until}; see GET /api/v1/direct-debits?state=PLANNED, and GET /api/v1/direct-debit-files for the files that were made.`,
		);
	const id = work.newId();
	const payload = { fileId: id };
	const task = enqueueTask(work, { type: "MAKE_DIRECT_DEBIT_FILE", payload, totalCount: count });
	return insertFile(work, {
		...{ id, legalEntityId: entityId, taskId: task.id, state: "MAKING", format: creditor.format },
		...{ creditor: fileCreditorOf(work, creditor), collectUntil: until },
		...{ earliestOn: addBankingDays(today, submissionDays), debitsCount: 0, total: zero, groups: [] },
	});
}

function assertUntil(today: Day, until: Day): void {
	if (until < today || until > addDaysTo(today, aheadDaysMax) || Number.isNaN(Date.parse(`${until}T00:00:00Z`)))
		throw fail(
			"InvalidArgumentError",
			`'collectUntil': give a day from ${today} to ${addDaysTo(today, aheadDaysMax)}; got ${until}.`,
		);
}

/** Throws BillingInvoiceStatusError unless a file has its debits. */
export function assertReady({ id, state, debitsCount }: DebitFileRow): void {
	if (state !== "READY")
		throw fail(
			"BillingInvoiceStatusError",
			`The direct-debit file '${id}' is being made; repeat the call when it is READY.`,
		);
	if (debitsCount === 0)
		throw fail("BillingInvoiceStatusError", `The direct-debit file '${id}' has no debit: each was canceled before.`);
}

/** Lets a task record the money of all debits of a file whose return is not known. The codes of `assertReady`. */
export function settleFile(work: Work, fileId: string, { bookedOn }: DebitFileSettlement): DebitFileRow {
	const file = getFile(work, fileId);
	assertReady(file);
	const today = dayOf(work.now);
	if (bookedOn !== undefined && bookedOn > today)
		throw fail("InvalidArgumentError", "'bookedOn' lies in the future; give the day of the bank's entry.");
	enqueueTask(work, {
		...{ type: "SETTLE_DIRECT_DEBITS", payload: { fileId, bookedOn: bookedOn ?? today } },
		...{ dedupeKey: fileId, totalCount: file.debitsCount },
	});
	return file;
}

/** Yields the text of a READY file, in parts of some debits. It follows from rows that never change, so it is always the same. */
export function* textOf(transactions: Pick<Transactions, "read">, actor: Actor, file: DebitFileRow): Generator<string> {
	yield headOf(file);
	for (const [position, group] of file.groups.entries()) {
		yield groupHeadOf(file, group, position);
		for (let after = ""; ; ) {
			const from = after;
			const { text, last } = transactions.read(actor, (work) => partOf(work, file, group.key, from));
			if (last === undefined) break;
			yield text;
			after = last;
		}
		yield groupTail;
	}
	yield tail;
}

function partOf(work: Work, { id, format }: DebitFileRow, group: string, after: string) {
	const debits = debitsOfGroup(work, { fileId: id, group, after }, textRows);
	const mandates = mandatesByIds(
		work,
		debits.map(({ mandateId }) => mandateId),
	);
	const texts = debits.map((debit) => {
		const mandate = mandates.get(debit.mandateId);
		return mandate ? debitOf(debit, mandate, format) : "";
	});
	return { text: texts.join(""), last: debits.at(-1)?.id };
}
