import type { Work } from "../../kernel/work";
import { cancelAttemptOf } from "../collection/attempts/operations";
import { invoicesByIds } from "../invoices/operations";
import { tryNewMethod } from "./operations.charges";
import { selectTrying } from "./store";

/** Our bound on the cases that one step of the loop reads. */
const readMax = 100;

/**
 * Charges the open invoices of a customer by the method that it has just saved. A charge that waits for an authentication is canceled; its
 * end tries the new method. A notice of the customer calls it.
 */
export function tryMethodOf(work: Work, customerId: string): void {
	let after = "";
	for (;;) {
		const cases = selectTrying(work, customerId, after, readMax);
		const invoices = invoicesByIds(
			work,
			cases.map(({ invoiceId }) => invoiceId),
		);
		for (const row of cases) {
			const invoice = invoices.get(row.invoiceId);
			if (invoice?.state !== "OPEN") continue;
			if (row.attemptPhase === "ACTION") cancelAttemptOf(work, invoice.id);
			else tryNewMethod(work, row, invoice);
		}
		const last = cases.at(-1);
		if (!last || cases.length < readMax) return;
		after = last.id;
	}
}
