import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Transactions } from "../../kernel/work";
import type { Write } from "../../server/writer-calls";
import type { TaskRow } from "../../tasks/table";
import { systemActor } from "../access/rules.actors";
import type { CustomerRow } from "../customers/table";
import { forgetPdfs } from "../invoices/operations.pdf";
import { type ErasedPiece, findPlace } from "./operations.steps";
import type { StepElsewhere } from "./rules.erasure";
import { documentsAfter } from "./store.erasures";

const Payload = Type.Object({ erasureId: Type.String() }, { additionalProperties: false });
type Payload = Static<typeof Payload>;

export interface ElsewhereThread {
	/** They read the main file. */
	readonly transactions: Transactions;
	/** Asks the thread that writes the main file. */
	readonly write: Write;
	readonly isStopping: () => boolean;
}

/**
 * Erases a piece of what a file holds of a customer, from a place on; the beginning is "". Doing it twice changes nothing more.
 * The key is the erasure's own.
 */
export type ErasePiece = (customer: CustomerRow, place: string, key: string) => Promise<ErasedPiece> | ErasedPiece;

/**
 * The body of a task that carries out a step of an erasure in a file of its thread's own. Each piece is done, and then written
 * down in the main file: what was done and not written down is found done.
 */
export async function runElsewhere(
	{ transactions, write, isStopping }: ElsewhereThread,
	task: TaskRow,
	step: StepElsewhere,
	erasePiece: ErasePiece,
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
	await write(actor, "completeTask", task);
}

/** Our choice: documents whose PDFs are forgotten at once. */
const documentsMax = 100;

/** Forgets what was drawn of a customer's invoices, credit notes and contracts; `renders` is the file of the finished PDFs. */
export const erasePdfs =
	(transactions: Transactions, renders: Transactions): ErasePiece =>
	({ id, environmentId }, place) => {
		const actor = systemActor(environmentId);
		const { ids, next } = transactions.read(actor, (work) => documentsAfter(work, id, place, documentsMax));
		return { changed: ids.length === 0 ? 0 : renders.write(actor, (work) => forgetPdfs(work, ids)), next };
	};
