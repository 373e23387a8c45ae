import type { Work } from "../../kernel/work";
import { invoiceOverdue } from "./events";
import { isOverdue } from "./rules";
import { findInvoice } from "./store";

/** Tells of an invoice whose day has passed, where nobody has paid it. */
export function tellOverdue(work: Work, id: string): void {
	const invoice = findInvoice(work, id);
	if (invoice && isOverdue(invoice, work.now)) invoiceOverdue(work, invoice);
}
