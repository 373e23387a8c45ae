import type { Work } from "../../kernel/work";
import type { JobThread } from "../../tasks/job";
import { completeTask, deletePayload, getClaimedTask } from "../../tasks/operations";
import type { TaskRow } from "../../tasks/table";
import { systemActor } from "../access/rules.actors";
import { erasePersonal } from "../audit/operations";
import { getCustomerById } from "../customers/operations";
import type { CustomerRow } from "../customers/table";
import { eraseCustomerEvents } from "../outbox/operations";
import { certify } from "./operations.erase";
import { type ErasedPiece, keepPiece, leaveToOthers, stepIndex } from "./operations.steps";
import { erasings, erasureSteps, isElsewhere, tokenOf } from "./rules.erasure";
import { auditedParts, eraseAnswers, erasePiece, getErasure, overwriting } from "./store.erasures";

/** Rows that the writer changes in one step of a few milliseconds. */
const rowsMax = 100;
/** The batch is small, because the audit log's subjects are looked up one by one. */
const partsMax = 10;

/**
 * Runs an ERASE_CUSTOMER task. Each step erases a batch and records its progress in the same transaction. After a crash
 * the job continues from there, and repeats nothing.
 */
export async function runErasure({ transactions, turns, isStopping }: JobThread, task: TaskRow): Promise<void> {
	const actor = systemActor(task.environmentId);
	for (let isDone = false; !isDone; ) {
		await turns.next();
		if (isStopping()) return;
		isDone = transactions.write(actor, (work) => nextStep(work, task.id));
	}
}

/** Returns whether the task has ended or waits for other threads. */
function nextStep(work: Work, id: string): boolean {
	const task = getClaimedTask(work, id);
	const erasure = getErasure(work, id);
	const step = erasureSteps[stepIndex(erasure)];
	if (erasure.step === "done" || step === undefined) {
		certify(work, erasure);
		completeTask(work, deletePayload(work, task));
		return true;
	}
	if (isElsewhere(step)) {
		leaveToOthers(work, erasure, task, step);
		return true;
	}
	const piece = overwriting(work, () => carryOut(work, getCustomerById(work, erasure.customerId), step, erasure.place));
	keepPiece(work, { ...erasure, step }, task, piece);
	return false;
}

function carryOut(work: Work, customer: CustomerRow, step: string, place: string): ErasedPiece {
	if (step === "audit_personal") return eraseFromLog(work, customer, place);
	if (step === "idempotency_keys") {
		const { changed, next } = eraseAnswers(work, customer, Number(place), rowsMax);
		return { changed, next: next === undefined ? undefined : String(next) };
	}
	if (step === "outbox_events") {
		const erasing = { customerRef: customer.refId, token: tokenOf(customer.id) };
		const { changed, next } = eraseCustomerEvents(work, erasing, Number(place), rowsMax);
		return { changed, next: next === undefined ? undefined : String(next) };
	}
	const erasing = erasings.find(({ table }) => table === step);
	const changed = erasing ? erasePiece(work, customer, erasing, rowsMax) : 0;
	return { changed, next: changed === rowsMax ? "more" : undefined };
}

/** Erases the audit log's data about the customer, then about its subscriptions, contracts and invoices. */
function eraseFromLog(work: Work, customer: CustomerRow, place: string): ErasedPiece {
	const [kind, after = ""] = place.split(" ");
	if (kind !== "parts") {
		const { erased, next } = erasePersonal(work, customer.id, after);
		return { changed: erased, next: next === undefined ? "parts " : `customer ${next}` };
	}
	const parts = auditedParts(work, customer, after, partsMax);
	let changed = 0;
	for (const part of parts)
		for (let entry: string | undefined = ""; entry !== undefined; ) {
			const { erased, next } = erasePersonal(work, part, entry);
			changed += erased;
			entry = next;
		}
	return { changed, next: parts.length === partsMax ? `parts ${parts.at(-1)}` : undefined };
}
