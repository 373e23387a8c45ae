import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import { issueDraft } from "../drafts/operations";
import type { CreditNoteRow, InvoiceRow } from "../table";
import { creditInvoice } from "./operations.credit";
import { creditableAmount } from "./rules";
import type { ReasonByCall } from "./schema";
import { creditNotesOf } from "./store";

/**
 * Credits everything that an invoice still charges, excluding usage. Returns undefined if nothing is left or the invoice is CANCELED.
 * A draft is issued first, so that the books contain both documents.
 */
export function creditRest(work: Work, invoice: InvoiceRow, reasonCode: ReasonByCall): CreditNoteRow | undefined {
	if (invoice.state === "DRAFT") return creditRest(work, issueDraft(work, invoice), reasonCode);
	if (invoice.state === "CANCELED" || creditableAmount(invoice, creditNotesOf(work, invoice)).lte(0)) return undefined;
	const refId = customersByIds(work, [invoice.customerId]).get(invoice.customerId)?.refId ?? "";
	return creditInvoice(work, refId, invoice.id, { reasonCode }, { waiting: [], reversed: new Set() });
}
