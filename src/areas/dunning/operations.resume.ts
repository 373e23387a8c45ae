import type { Work } from "../../kernel/work";
import { getInvoice } from "../invoices/operations";
import { endSettled, resumeCase } from "./operations";
import type { DunningCaseRow } from "./table";

/** Resumes a case whose promise or hold is over. */
export function resumeDue(work: Work, row: DunningCaseRow): void {
	const invoice = getInvoice(work, row.invoiceId);
	if (invoice.state === "OPEN") resumeCase(work, invoice);
	else endSettled(work, row, invoice);
}
