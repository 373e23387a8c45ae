import { pdfResponse, pdfWaitLimits, pdfWaits } from "../../http/responses/pdf";
import type { Actor, Work } from "../../kernel/work";
import type { Services } from "../../server/context";
import { invoiceNotFound } from "../invoices/operations";
import { readPdf, stillComing } from "../invoices/operations.pdf";
import { getReceiptOfCustomer } from "../invoices/receipts/operations";
import { findReceiptPdf } from "../invoices/receipts/operations.pdf";
import { receiptNumber } from "../invoices/rules";
import { shownCustomer } from "./operations.overview";

/** Responds with an invoice as a PDF, and renders it on the first request. Throws InvoiceNotFound, also for drafts. */
export function invoicePdfs({ transactions, stopping, write }: Services) {
	const wait = pdfWaits(pdfWaitLimits, stopping);
	return async (actor: Actor, customerRef: string, invoiceRef: string, caller: AbortSignal): Promise<Response> => {
		const find = (work: Work) => {
			const found = readPdf(work, customerRef, invoiceRef);
			if (found.invoice.state === "DRAFT") throw invoiceNotFound(customerRef, invoiceRef);
			return found;
		};
		const { invoice, bytes } = transactions.read(actor, find);
		if (bytes) return pdfResponse(invoice.number, bytes);
		const taskId = await write(actor, "renderInvoice", { customerRef, invoiceRef });
		const look = () =>
			transactions.read(actor, (work) => find(work).bytes ?? stillComing(work, invoice.number, taskId));
		return pdfResponse(invoice.number, await wait(invoice.number, look, caller));
	};
}

/** Responds with a receipt as a PDF, and renders it on the first request. 404 for a receipt of another customer. */
export function receiptPdfs({ transactions, stopping, write }: Services) {
	const wait = pdfWaits(pdfWaitLimits, stopping);
	return async (actor: Actor, customerRef: string, receiptId: string, caller: AbortSignal): Promise<Response> => {
		const find = (work: Work) => {
			const receipt = getReceiptOfCustomer(work, shownCustomer(work, customerRef), receiptId);
			return { number: receiptNumber(receipt), bytes: findReceiptPdf(work, receipt) };
		};
		const { number, bytes } = transactions.read(actor, find);
		if (bytes) return pdfResponse(number, bytes);
		const taskId = await write(actor, "renderReceipt", { receiptId });
		const look = () => transactions.read(actor, (work) => find(work).bytes ?? stillComing(work, number, taskId));
		return pdfResponse(number, await wait(number, look, caller));
	};
}
