import { type Decimal, exact, isLess, plus, toDecimal, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { type JobThread, workThrough } from "../../../tasks/job";
import { completeTask, getClaimedTask, progressTask } from "../../../tasks/operations";
import type { TaskRow } from "../../../tasks/table";
import { systemActor } from "../../access/rules.actors";
import { finishFile, moveDebit } from "../../direct-debit/operations";
import { mandatesByIds, useMandate } from "../../direct-debit/operations.mandates";
import { changeFile, findFile, plannedUntil } from "../../direct-debit/operations.rows";
import { nextSequence, stateOn } from "../../direct-debit/rules.mandate";
import { laterOf } from "../../direct-debit/rules.target";
import type { DebitFileRow, DebitRow, FileGroup, MandateRow } from "../../direct-debit/table";
import { amountsDue, invoicesByIds } from "../../invoices/operations";
import type { InvoiceRow } from "../../invoices/table";

/** The debits that are read at once: about as many as a time slice takes. */
const rowsAtOnce = 32;

/**
 * Puts PLANNED debits into a file, as many in each time slice as fit. The debits, the sums of the file and the progress are committed
 * together, so a job that is killed continues after the last commit. A debit of which nothing is due any more is canceled.
 */
export async function makeDebitFile({ transactions, turns, isStopping }: JobThread, task: TaskRow): Promise<void> {
	const { fileId } = task.payload as { readonly fileId: string };
	const actor = systemActor(task.environmentId);
	for (;;) {
		await turns.next();
		if (isStopping()) return;
		const step = transactions.write(actor, (work) => {
			work.cause.operation = task.type;
			const current = getClaimedTask(work, task.id);
			const file = findFile(work, fileId);
			assert(file, "a file of a task is never deleted");
			const left = current.totalCount - current.doneCount;
			const debits = plannedUntil(work, file.legalEntityId, file.collectUntil, Math.min(rowsAtOnce, left));
			const filling = new Filling(work, file, debits);
			const { doneCount, fault } = workThrough(work, turns, debits, (debit) => filling.add(debit));
			filling.save();
			const done = progressTask(work, current, current.doneCount + doneCount);
			if (fault) return { fault };
			if (debits.length > 0 && done.doneCount < done.totalCount) return {};
			finishFile(work, fileId);
			completeTask(work, done);
			return { isDone: true };
		});
		if (step.fault) throw step.fault.error;
		if (step.isDone) return;
	}
}

/** Fills a file within one time slice. */
class Filling {
	readonly #work: Work;
	readonly #file: DebitFileRow;
	readonly #mandates: Map<string, MandateRow>;
	readonly #invoices: Map<string, InvoiceRow>;
	readonly #dues: Map<string, Decimal>;
	readonly #groups: Map<string, FileGroup>;

	constructor(work: Work, file: DebitFileRow, debits: readonly DebitRow[]) {
		this.#work = work;
		this.#file = file;
		this.#mandates = mandatesByIds(
			work,
			debits.map(({ mandateId }) => mandateId),
		);
		this.#invoices = invoicesByIds(
			work,
			debits.map(({ invoiceId }) => invoiceId),
		);
		this.#dues = amountsDue(work, [...this.#invoices.values()]);
		this.#groups = new Map(file.groups.map((group) => [group.key, group]));
	}

	/** Puts a debit into the file, or cancels it. It never collects more than was announced. */
	add(debit: DebitRow): void {
		const mandate = this.#mandates.get(debit.mandateId);
		assert(mandate, "a mandate is never deleted");
		const collectionOn = laterOf(debit.collectionOn, this.#file.earliestOn);
		const isOpen = this.#invoices.get(debit.invoiceId)?.state === "OPEN";
		const due = isOpen ? (this.#dues.get(debit.invoiceId) ?? zero) : zero;
		if (!isLess(zero, due) || stateOn(mandate, collectionOn) !== "ACTIVE") {
			moveDebit(this.#work, debit, "CANCELED");
			return;
		}
		const amount = isLess(due, debit.amount) ? due : debit.amount;
		const isOneOff = mandate.kind === "ONE_OFF";
		const sequence = nextSequence({ isOneOff, lastCollectedOn: mandate.lastCollectedOn });
		const key = `${collectionOn} ${mandate.scheme} ${sequence}`;
		const { id: fileId } = this.#file;
		moveDebit(this.#work, debit, "IN_FILE", { amount, collectionOn, sequence, fileId, fileGroup: key });
		this.#mandates.set(mandate.id, useMandate(this.#work, mandate, collectionOn));
		const group = this.#groups.get(key) ?? { key, count: 0, sum: zero };
		this.#groups.set(key, { key, count: group.count + 1, sum: plus(group.sum, amount) });
	}

	save(): void {
		const groups = [...this.#groups.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
		changeFile(this.#work, this.#file.id, {
			groups,
			debitsCount: groups.reduce((count, group) => count + group.count, 0),
			total: toDecimal(groups.reduce((total, group) => total.plus(group.sum), exact(zero))),
		});
	}
}
