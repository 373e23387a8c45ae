import { and, asc, desc, eq, gte } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import { ofInvoice } from "./store";
import { type AttemptRow, attempts } from "./table";

/** Our bound on the attempts that one read of an invoice returns. */
const readMax = 100;

/** Returns the attempts of an invoice from an id on, oldest first. */
export const selectAttemptsOfInvoice = (work: Work, invoiceId: string, since: string): AttemptRow[] =>
	work.tx
		.select()
		.from(attempts)
		.where(and(ofInvoice(work, invoiceId), gte(attempts.id, since)))
		.orderBy(asc(attempts.id))
		.limit(readMax)
		.all();

export const hasAttemptBy = (work: Work, invoiceId: string, methodId: string): boolean =>
	work.tx
		.select({ id: attempts.id })
		.from(attempts)
		.where(and(ofInvoice(work, invoiceId), eq(attempts.methodId, methodId)))
		.limit(1)
		.get() !== undefined;

/** Returns the latest attempts with a method in a state, newest first. */
export const selectLatestOfMethod = (
	{ tx, actor }: Work,
	methodId: string,
	state: AttemptRow["state"],
	rowsMax: number,
): AttemptRow[] =>
	tx
		.select()
		.from(attempts)
		.where(
			and(eq(attempts.environmentId, actor.environmentId), eq(attempts.methodId, methodId), eq(attempts.state, state)),
		)
		.orderBy(desc(attempts.id))
		.limit(rowsMax)
		.all();

/** Returns the latest attempt of an invoice. */
export const selectLatestOfInvoice = (work: Work, invoiceId: string): AttemptRow | undefined =>
	work.tx.select().from(attempts).where(ofInvoice(work, invoiceId)).orderBy(desc(attempts.id)).limit(1).get();
