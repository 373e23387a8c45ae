import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Transactions } from "../../kernel/work";
import type { Write } from "../../server/writer-calls";
import type { TaskRow } from "../../tasks/table";
import { systemActor } from "../access/rules.actors";
import type { CustomerRow } from "../customers/table";
import { deletePdfs } from "../invoices/operations.pdf";
import { type ErasedPiece, findPlace } from "./operations.steps";
import type { StepElsewhere } from "./rules.erasure";
import { documentsAfter } from "./store.erasures";

const Payload = Type.Object({ erasureId: Type.String() }, { additionalProperties: false });
type Payload = Static<typeof Payload>;

export interface ElsewhereThread {
	/** Reads main.db. */
	readonly transactions: Transactions;
	/** Calls the thread that writes main.db. */
	readonly write: Write;
	readonly isStopping: () => boolean;
}

/**
 * Erases one batch of a customer's data in a file, starting at `place` ("" for the beginning). Idempotent. `key`
 * belongs to the erasure.
 */
export type ErasePiece = (customer: CustomerRow, place: string, key: string) => Promise<ErasedPiece> | ErasedPiece;

/**
 * Carries out a step of an erasure in the file that this thread writes. Each batch is erased first and then recorded in
 * main.db, so a batch that was erased and not recorded is repeated without effect. `finish` removes what the file still contains of the
 * erased data; the task is completed after it, so that a kill repeats it.
 */
export async function runElsewhere(
	{ transactions, write, isStopping }: ElsewhereThread,
	task: TaskRow,
	step: StepElsewhere,
	erasePiece: ErasePiece,
	finish: () => Promise<void> | void = () => {},
): Promise<void> {
	const { erasureId }: Payload = Value.Parse(Payload, task.payload);
	const actor = systemActor(task.environmentId);
	for (;;) {
		if (isStopping()) return;
		const left = transactions.read(actor, (work) => findPlace(work, erasureId, step));
		if (!left) break;
		const { place, key } = left;
		const { changed, next } = await erasePiece(left.customer, place, key);
		await write(actor, "keepErased", { erasureId, step, place, changed, next });
	}
	await finish();
	await write(actor, "completeTask", task);
}

/** Documents whose PDFs are deleted in one batch. */
const documentsMax = 100;

/** Deletes the PDFs of a customer's documents, and of those of its parents, which name it. `renders` is the file of finished PDFs. */
export const erasePdfs =
	(transactions: Transactions, renders: Transactions): ErasePiece =>
	({ id, environmentId }, place) => {
		const actor = systemActor(environmentId);
		const { ids, next } = transactions.read(actor, (work) => documentsAfter(work, id, place, documentsMax));
		return { changed: ids.length === 0 ? 0 : renders.write(actor, (work) => deletePdfs(work, ids)), next };
	};
