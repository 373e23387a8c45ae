import { toDecimal } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { type JobThread, workThrough } from "../../../tasks/job";
import { completeTask, getClaimedTask, progressTask } from "../../../tasks/operations";
import type { TaskRow } from "../../../tasks/table";
import type { TimeSlices } from "../../../tasks/time-slices";
import { systemActor } from "../../access/rules.actors";
import { type OpenInvoices, openInvoicesAfter } from "../matching/operations.open-invoices";
import { Matcher } from "../matching/rules.match";
import { changeImport, deleteParts, findAccount, findAccountById, findImport, findPart, payersAfter } from "../store";
import type { BankAccountRow } from "../table";
import { ImportProgress } from "./progress";
import type { AccountIndex } from "./record";
import type { ImportItem } from "./rules.items";

/** The known payers that are read at once. */
const payersAtOnce = 500;

/**
 * Records and matches the entries of a file, as many in each time slice as fit. Entries, receipts and the task's progress are committed
 * together, so a job that is killed continues after the last commit, and no entry is recorded twice.
 */
export async function runBankImport(thread: JobThread, task: TaskRow): Promise<void> {
	const { transactions, turns, isStopping } = thread;
	const { importId } = task.payload as { readonly importId: string };
	const actor = systemActor(task.environmentId);
	let index: AccountIndex | undefined;
	const parts = new Parts(importId);
	for (;;) {
		await turns.next();
		if (isStopping()) return;
		const step = transactions.write(actor, (work) => {
			work.cause.operation = task.type;
			return recordNext(work, task, { importId, index, turns, parts });
		});
		if (step.fault) throw step.fault.error;
		if (step.isDone) return;
		if (step.needs) index = await indexOf(thread, task, step.needs);
		if (!index && step.needs) return;
	}
}

interface Step {
	readonly isDone: boolean;
	/** The account whose invoices the next item needs. */
	readonly needs?: BankAccountRow | undefined;
	readonly fault?: { readonly error: unknown } | undefined;
}

/** Records the items of one time slice. */
function recordNext(
	work: Work,
	{ id }: TaskRow,
	given: {
		readonly importId: string;
		readonly index: AccountIndex | undefined;
		readonly turns: TimeSlices;
		readonly parts: Parts;
	},
): Step {
	const { importId, index, turns, parts } = given;
	const task = getClaimedTask(work, id);
	const row = findImport(work, importId);
	assert(row, `the import ${importId} of a task is not removed`);
	const items = parts.itemsFrom(work, task.doneCount);
	const progress = new ImportProgress(work, row);
	const [first] = items;
	const needed = accountOf(work, first, progress);
	if (needed && index?.account.id !== needed.id) return { isDone: false, needs: needed };
	// A slice ends before the next statement: it may be of another account.
	const next = items.findIndex((item, at) => at > 0 && item.kind === "STATEMENT");
	const own = next === -1 ? items : items.slice(0, next);
	const { doneCount, fault } = workThrough(work, turns, own, (item) => progress.record(item, index));
	progress.save();
	const current = progressTask(work, task, task.doneCount + doneCount);
	if (fault) return { isDone: false, fault };
	if (current.doneCount < current.totalCount) return { isDone: false };
	deleteParts(work, importId, Number.MAX_SAFE_INTEGER);
	changeImport(work, importId, { state: "IMPORTED", current: null, endedAt: work.now });
	completeTask(work, current);
	return { isDone: true };
}

/** Returns the account of the next item. */
function accountOf(work: Work, item: ImportItem | undefined, progress: ImportProgress): BankAccountRow | undefined {
	if (item?.kind === "STATEMENT") return findAccount(work, item.iban);
	const { current } = progress;
	return current ? findAccountById(work, current.accountId) : undefined;
}

/** Reads the open invoices and the known payers of an account, a page in each time slice. Undefined if the thread stops. */
async function indexOf(
	{ transactions, turns, isStopping }: JobThread,
	{ environmentId }: TaskRow,
	account: BankAccountRow,
): Promise<AccountIndex | undefined> {
	const actor = systemActor(environmentId);
	const payers = new Map<string, string>();
	for (let after = ""; ; ) {
		await turns.next();
		if (isStopping()) return undefined;
		const page = transactions.read(actor, (work) => payersAfter(work, after, payersAtOnce));
		for (const { iban, customerId } of page) payers.set(iban, customerId);
		const last = page.at(-1);
		if (!last || page.length < payersAtOnce) break;
		after = last.iban;
	}
	const feeTolerance = Object.fromEntries(
		account.feeTolerance.map(({ currency, amount }) => [currency.toLowerCase(), toDecimal(amount)]),
	);
	const matcher = new Matcher({ payers, feeTolerance });
	for (let after: string | null = null; ; ) {
		await turns.next();
		if (isStopping()) return undefined;
		const from: string | null = after;
		const page: OpenInvoices = transactions.read(actor, (work) => openInvoicesAfter(work, account.legalEntityId, from));
		for (const invoice of page.invoices) matcher.add(invoice);
		if (page.next === null) return { account, matcher };
		after = page.next;
	}
}

/** The part of a file that is being recorded. Parts never change, so each is parsed once. */
class Parts {
	readonly #importId: string;
	#position = 0;
	#items: readonly ImportItem[] = [];

	constructor(importId: string) {
		this.#importId = importId;
	}

	/** Returns the items of a part from a position on, and deletes the parts before it. */
	itemsFrom(work: Work, position: number): readonly ImportItem[] {
		if (position < this.#position || position >= this.#position + this.#items.length) {
			const part = findPart(work, this.#importId, position);
			assert(part, "the parts of a file are stored before its task");
			deleteParts(work, this.#importId, part.position);
			this.#position = part.position;
			this.#items = JSON.parse(part.items);
		}
		return this.#items.slice(position - this.#position);
	}
}
