import { generateOrderForm } from "../areas/contracts/order-form/operations";
import { generateNotePdf, generatePdf } from "../areas/invoices/operations.pdf";
import { generateReceiptPdf } from "../areas/invoices/receipts/operations.pdf";
import type { Work } from "../kernel/work";

/** The writes by name that request a document (writer-calls.ts). Each returns the task. */
export const documentWrites = {
	renderInvoice: (work: Work, { customerRef, invoiceRef }: { customerRef: string; invoiceRef: string }): string =>
		generatePdf(work, customerRef, invoiceRef).taskId,
	renderCreditNote: (work: Work, { creditNoteId }: { creditNoteId: string }): string =>
		generateNotePdf(work, creditNoteId).id,
	renderReceipt: (work: Work, { receiptId }: { receiptId: string }): string => generateReceiptPdf(work, receiptId).id,
	renderOrderForm: (work: Work, { contractRef }: { contractRef: string }): string =>
		generateOrderForm(work, contractRef).id,
};
