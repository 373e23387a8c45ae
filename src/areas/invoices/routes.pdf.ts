import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { pdfResponse, pdfWaitLimits, pdfWaits, type WaitLimits } from "../../http/responses/pdf";
import { single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../server/context";
import { getCustomersCreditNote } from "./credit-notes/credit-note-of";
import { CreditNotePath } from "./credit-notes/schema";
import { invoiceOperations as operations } from "./openapi";
import { getInvoicedCustomer } from "./operations";
import { findNotePdf, generatePdf, readPdf, stillComing } from "./operations.pdf";
import { InvoicePath, InvoicePdf, InvoicePdfGeneration } from "./schema";
import { viewPdf } from "./view";

export const documentRoutes = (services: Services, waitLimits: WaitLimits = pdfWaitLimits) => {
	const { transactions, stopping } = services;
	const wait = pdfWaits(waitLimits, stopping);
	return new Elysia({ prefix: "/api/v1/customers/:id", tags: ["Invoices"], normalize: false })
		.use(identity(services))
		.get(
			"/invoices/:invoiceRef/pdf",
			async ({ actor, request, params: { id, invoiceRef } }) => {
				const pdfOf = (work: Work) => readPdf(work, getInvoicedCustomer(work, id).refId, invoiceRef);
				const { invoice, bytes } = transactions.read(actor, pdfOf);
				if (bytes) return pdfResponse(invoice.number, bytes);
				const taskId = await services.write(actor, "renderInvoice", { customerRef: id, invoiceRef });
				const look = () =>
					transactions.read(actor, (work) => pdfOf(work).bytes ?? stillComing(work, invoice.number, taskId));
				return pdfResponse(invoice.number, await wait(invoice.number, look, request.signal));
			},
			{ detail: operations.retrievePdf, permit: "INVOICE:READ", params: InvoicePath },
		)
		.get(
			"/invoices/:invoiceRef/pdf/status",
			({ read, params: { id, invoiceRef } }) =>
				read((work) => {
					const { invoice, bytes } = readPdf(work, id, invoiceRef);
					return { data: viewPdf(invoice, id, bytes) };
				}),
			{
				detail: operations.retrievePdfStatus,
				permit: "INVOICE:READ",
				params: InvoicePath,
				response: single(InvoicePdf),
			},
		)
		.post(
			"/invoices/:invoiceRef/pdf/generate",
			({ write, params: { id, invoiceRef } }) => write((work) => ({ data: generatePdf(work, id, invoiceRef) })),
			{
				detail: operations.generatePdf,
				permit: "INVOICE:WRITE",
				params: InvoicePath,
				response: single(InvoicePdfGeneration),
			},
		)
		.get(
			"/credit-notes/:creditNoteRef/pdf",
			async ({ actor, request, params: { id, creditNoteRef } }) => {
				const { note } = transactions.read(actor, (work) => getCustomersCreditNote(work, id, creditNoteRef));
				const bytes = transactions.read(actor, (work) => findNotePdf(work, note));
				if (bytes) return pdfResponse(note.number, bytes);
				const taskId = await services.write(actor, "renderCreditNote", { creditNoteId: note.id });
				const look = () =>
					transactions.read(actor, (work) => findNotePdf(work, note) ?? stillComing(work, note.number, taskId));
				return pdfResponse(note.number, await wait(note.number, look, request.signal));
			},
			{ detail: operations.retrieveCreditNotePdf, permit: "INVOICE:READ", params: CreditNotePath },
		);
};
