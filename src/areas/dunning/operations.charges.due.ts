import type { Work } from "../../kernel/work";
import { getInvoice } from "../invoices/operations";
import { endSettled } from "./operations";
import { endWaiting, runRetry } from "./operations.charges";
import type { DunningCaseRow } from "./table";

/** Makes the try of a case that is due, or ends the wait for the customer. A case whose invoice is settled ends. */
export function tryOrEnd(work: Work, row: DunningCaseRow): void {
	const invoice = getInvoice(work, row.invoiceId);
	if (invoice.state !== "OPEN") endSettled(work, row, invoice);
	else if (row.state === "WAITING") endWaiting(work, row);
	else runRetry(work, row, invoice);
}
