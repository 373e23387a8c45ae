import { HttpRefusal } from "../../http/refusal";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { enqueueTask, getTask } from "../../tasks/operations";
import type { TaskState } from "../../tasks/table";
import { findCustomerByRefOrBillingId } from "../customers/operations";
import { creditNoteRevision } from "./credit-notes/rules";
import { findCreditNote } from "./credit-notes/store";
import { getCustomersInvoice, getInvoicedCustomer, invoiceNotFound } from "./operations";
import type { InvoicePdfGeneration } from "./schema";
import { findCustomersInvoice } from "./store";
import { deleteRenders, findRender, findRenderBytes, type Printed } from "./store.renders";
import type { CreditNoteRow, InvoiceRow } from "./table";

export const printedNote = (note: CreditNoteRow): Printed => ({ ...note, revision: creditNoteRevision(note) });

/**
 * Answers one poll (interface, endpoint 1): the invoice, and its current PDF if one exists. It never starts a render. Throws
 * InvoiceNotFound, also for an unknown customer, because the caller has no such invoice.
 */
export function readPdf(
	work: Work,
	customerRef: string,
	invoiceRef: string,
): { invoice: InvoiceRow; bytes: Buffer | undefined } {
	const customer = findCustomerByRefOrBillingId(work, customerRef);
	const invoice = customer && findCustomersInvoice(work, customer.id, invoiceRef);
	if (!invoice) throw invoiceNotFound(customerRef, invoiceRef);
	return { invoice, bytes: findRenderBytes(work, invoice) };
}

/**
 * Returns READY if a current PDF exists (interface, endpoint 2). Otherwise it queues one durable render task for this revision, for
 * any number of callers. Throws CustomerNotFound, InvoiceNotFound.
 */
export function generatePdf(work: Work, customerRef: string, invoiceRef: string): InvoicePdfGeneration {
	const invoice = getCustomersInvoice(work, getInvoicedCustomer(work, customerRef), invoiceRef);
	const render = findRender(work, invoice);
	const answer = { invoiceId: invoice.id, externalId: customerRef };
	if (render) return { ...answer, status: "READY", taskId: render.taskId };
	return { ...answer, status: "PENDING", taskId: queueRender(work, invoice, { invoiceId: invoice.id }).id };
}

export const findNotePdf = (work: Work, note: CreditNoteRow): Buffer | undefined =>
	findRenderBytes(work, printedNote(note));

/** Does the same as `generatePdf` for a credit note, by its row id. */
export function generateNotePdf(work: Work, id: string): TaskState {
	const note = findCreditNote(work, id);
	assert(note, "a credit note that is to be printed is there");
	return queueRender(work, printedNote(note), { creditNoteId: id });
}

/** Throws if the render failed for good: another request would fail for the same reason. */
export function stillComing(work: Work, number: string, taskId: string): undefined {
	if (getTask(work, taskId)?.status === "FAILED")
		throw new HttpRefusal(500, `The PDF of ${number} cannot be made; the log says why at the task '${taskId}'.`);
}

/** Deletes the PDFs of documents from `renders.db`; returns their number. */
export const deletePdfs = (renders: Work, documentIds: readonly string[]): number =>
	deleteRenders(renders, documentIds);

/** Returns the order form of the current agreement, if it is rendered. */
export const findAgreementPdf = (work: Work, printed: Printed): Buffer | undefined => findRenderBytes(work, printed);

/** Does the same as `generatePdf` for the order form of a contract. */
export const generateAgreementPdf = (work: Work, printed: Printed): TaskState =>
	queueRender(work, printed, { contractId: printed.id });

/** Returns the PDF of a receipt, if it is rendered. */
export const findReceiptRender = (work: Work, printed: Printed): Buffer | undefined => findRenderBytes(work, printed);

/** Does the same as `generatePdf` for a receipt. */
export const queueReceiptRender = (work: Work, printed: Pick<Printed, "id" | "revision">): TaskState =>
	queueRender(work, printed, { receiptId: printed.id });

const queueRender = (work: Work, { id, revision }: Pick<Printed, "id" | "revision">, payload: unknown): TaskState =>
	enqueueTask(work, { type: "RENDER_INVOICE", payload, dedupeKey: `${id}:${revision}` });
