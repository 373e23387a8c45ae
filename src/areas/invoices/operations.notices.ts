import type { Work } from "../../kernel/work";
import { invoiceOverdue } from "./events";
import { isOverdue } from "./rules";
import { findInvoice } from "./store";

/** Emits the event of an overdue invoice, unless it has been paid. */
export function tellOverdue(work: Work, id: string): void {
	const invoice = findInvoice(work, id);
	if (invoice && isOverdue(invoice, work.now)) invoiceOverdue(work, invoice);
}
