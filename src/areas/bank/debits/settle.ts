import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { type JobThread, workThrough } from "../../../tasks/job";
import { completeTask, getClaimedTask, progressTask } from "../../../tasks/operations";
import type { TaskRow } from "../../../tasks/table";
import { systemActor } from "../../access/rules.actors";
import { findFile, inFileOfGroup } from "../../direct-debit/operations.rows";
import { endToEndIdOf } from "../../direct-debit/rules";
import type { Day } from "../../direct-debit/rules.target";
import type { DebitFileRow } from "../../direct-debit/table";
import { ensureBankAccount } from "../operations.accounts";
import { settleDebit } from "./operations";

/** The debits that are read at once: about as many as a time slice takes. */
const rowsAtOnce = 16;

/** A place in a file: the group by its position, and the last debit before it. */
interface Place {
	readonly group: number;
	readonly after: string;
}

/**
 * Records the money of the debits of a file that are neither settled nor returned, as many in each time slice as fit. The money, the debits and
 * the progress are committed together, so a job that is killed goes on after its last commit.
 */
export async function settleDebits({ transactions, turns, isStopping }: JobThread, task: TaskRow): Promise<void> {
	const actor = systemActor(task.environmentId);
	let place: Place = { group: 0, after: "" };
	for (;;) {
		await turns.next();
		if (isStopping()) return;
		const from = place;
		const step = transactions.write(actor, (work) => {
			work.cause.operation = task.type;
			return settleNext(work, task, from, turns);
		});
		if (step.fault) throw step.fault.error;
		if (!step.place) return;
		place = step.place;
	}
}

function settleNext(work: Work, task: TaskRow, place: Place, turns: JobThread["turns"]) {
	const { fileId, bookedOn } = task.payload as { readonly fileId: string; readonly bookedOn: Day };
	const current = getClaimedTask(work, task.id);
	const file = findFile(work, fileId);
	assert(file, "a file of a task is never deleted");
	const group = file.groups[place.group];
	if (!group) {
		completeTask(work, current);
		return {};
	}
	const debits = inFileOfGroup(work, { fileId, group: group.key, after: place.after }, rowsAtOnce);
	if (debits.length === 0) return { place: { group: place.group + 1, after: "" } };
	const account = accountOf(work, file);
	const { doneCount, refused, fault } = workThrough(work, turns, debits, (debit) =>
		settleDebit(work, debit, account, { reference: endToEndIdOf(debit.id), bookedOn }),
	);
	const errors = refused.map(({ item, refusal }) => ({ id: item.id, error: refusal.message }));
	progressTask(work, current, Math.min(current.doneCount + doneCount, current.totalCount), errors);
	if (fault) return { fault };
	return { place: { ...place, after: debits[doneCount - 1]?.id ?? place.after } };
}

const accountOf = (work: Work, { creditor, legalEntityId }: DebitFileRow) =>
	ensureBankAccount(work, { iban: creditor.iban, legalEntityId });
