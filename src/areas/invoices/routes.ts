import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { HttpRefusal } from "../../http/refusal";
import { instantOf } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../services";
import { payInvoice } from "../subscriptions/lifecycle/operations.payment";
import { balancesOf } from "./balance";
import { invoiceOperations as operations } from "./openapi";
import { getCustomersInvoice, getInvoicedCustomer, linesByInvoice, listCustomerInvoices } from "./operations";
import { creditInvoice, findCreditNoteOf, linesByCreditNote, listCreditNotes } from "./operations.credit-notes";
import { findNotePdf, generatePdf, hasRenderFailed, readPdf } from "./operations.pdf";
import { pdfWaitLimits, pdfWaits, type WaitLimits } from "./pdf-wait";
import { assertDateOf } from "./rules.credit-notes";
import {
	CustomerBalance,
	CustomerInvoice,
	CustomerPath,
	InvoiceListQuery,
	InvoicePath,
	InvoicePayment,
	InvoicePdf,
	InvoicePdfGeneration,
} from "./schema";
import { CreditNote, CreditNoteListQuery, CreditNotePath, InvoiceCredit } from "./schema.credit-notes";
import type { CreditNoteRow, InvoiceRow } from "./table";
import { pdfResponse, viewCreditNote, viewInvoice, viewPdf } from "./view";

const show = (work: Work, invoice: InvoiceRow, customerRefId: string) => ({
	data: viewInvoice(invoice, linesByInvoice(work, [invoice]).get(invoice.id) ?? [], customerRefId),
});

const showNote = (work: Work, note: CreditNoteRow, customerRefId: string) => ({
	data: viewCreditNote(note, linesByCreditNote(work, [note]).get(note.id) ?? [], customerRefId),
});

/** The catalogue has no code for it. */
function getNote(work: Work, customerRef: string, creditNoteRef: string) {
	const customer = getInvoicedCustomer(work, customerRef);
	const note = findCreditNoteOf(work, customer.id, creditNoteRef);
	if (!note)
		throw new HttpRefusal(
			404,
			`The customer '${customerRef}' has no credit note '${creditNoteRef}' in this environment.`,
		);
	return { note, customer };
}

function pay(work: Work, customerRef: string, invoiceRef: string, paidDate: string | undefined) {
	const customer = getInvoicedCustomer(work, customerRef);
	const invoice = getCustomersInvoice(work, customer, invoiceRef);
	const paidAt = paidDate === undefined ? work.now : instantOf(paidDate);
	if (paidDate !== undefined) assertDateOf(invoice, "paidDate", paidAt, work.now);
	return show(work, payInvoice(work, invoice.id, paidAt), customer.refId);
}

/** Who waits for a PDF is told when its render was given up: to ask again would fail for the same reason. */
function stillComing(work: Work, number: string, taskId: string): undefined {
	if (hasRenderFailed(work, taskId))
		throw new HttpRefusal(500, `The PDF of ${number} cannot be made; the log says why at the task '${taskId}'.`);
}

export const invoiceRoutes = (services: Services, waitLimits: WaitLimits = pdfWaitLimits) => {
	const wait = pdfWaits(waitLimits, services.stopping);
	return new Elysia({ prefix: "/api/v1/customers/:id", tags: ["Invoices"], normalize: false })
		.use(identity(services))
		.get(
			"/invoices",
			({ read, params, query }) =>
				read((work) => {
					const customer = getInvoicedCustomer(work, params.id);
					const page = listCustomerInvoices(work, customer.id, query);
					const lines = linesByInvoice(work, page.rows);
					return viewPage(page, (invoice) => viewInvoice(invoice, lines.get(invoice.id) ?? [], customer.refId));
				}),
			{
				detail: operations.list,
				permit: "INVOICE:READ",
				params: CustomerPath,
				query: InvoiceListQuery,
				response: listOf(CustomerInvoice),
			},
		)
		.get(
			"/balance",
			({ read, params }) =>
				read((work) => {
					const { id } = getInvoicedCustomer(work, params.id);
					return { data: balancesOf(work, id).map(({ amount, currency }) => ({ amount: toWire(amount), currency })) };
				}),
			{
				detail: operations.retrieveBalance,
				permit: "CUSTOMER:READ",
				params: CustomerPath,
				response: single(CustomerBalance),
			},
		)
		.get(
			"/invoices/:invoiceRef",
			({ read, params: { id, invoiceRef } }) =>
				read((work) => {
					const customer = getInvoicedCustomer(work, id);
					return show(work, getCustomersInvoice(work, customer, invoiceRef), customer.refId);
				}),
			{ detail: operations.retrieve, permit: "INVOICE:READ", params: InvoicePath, response: single(CustomerInvoice) },
		)
		.get(
			"/invoices/:invoiceRef/pdf",
			async ({ actor, read, request, params: { id, invoiceRef } }) => {
				const pdfOf = (work: Work) => readPdf(work, getInvoicedCustomer(work, id).refId, invoiceRef);
				const { invoice, bytes } = read(pdfOf);
				if (bytes) return pdfResponse(invoice, bytes);
				const taskId = await services.write(actor, "renderInvoice", { customerRef: id, invoiceRef });
				const look = () => read((work) => pdfOf(work).bytes ?? stillComing(work, invoice.number, taskId));
				return pdfResponse(invoice, await wait(invoice.number, look, request.signal));
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
		.post(
			"/invoices/:invoiceRef/paid",
			({ write, params: { id, invoiceRef }, body }) => write((work) => pay(work, id, invoiceRef, body?.paidDate)),
			{
				detail: operations.markAsPaid,
				permit: "INVOICE:WRITE",
				params: InvoicePath,
				// No body at all is the same as an empty one (docs/interface/http.md).
				body: Type.Union([InvoicePayment, Type.Undefined()]),
				response: single(CustomerInvoice),
			},
		)
		.post(
			"/invoices/:invoiceRef/credit-note",
			({ create, params: { id, invoiceRef }, body }) =>
				create((work) => {
					const note = creditInvoice(work, id, invoiceRef, body ?? {});
					return showNote(work, note, getInvoicedCustomer(work, id).refId);
				}),
			{
				detail: operations.credit,
				permit: "INVOICE:WRITE",
				params: InvoicePath,
				body: Type.Union([InvoiceCredit, Type.Undefined()]),
				response: { 201: single(CreditNote) },
			},
		)
		.get(
			"/credit-notes",
			({ read, params, query }) =>
				read((work) => {
					const customer = getInvoicedCustomer(work, params.id);
					const page = listCreditNotes(work, customer.id, query);
					const lines = linesByCreditNote(work, page.rows);
					return viewPage(page, (note) => viewCreditNote(note, lines.get(note.id) ?? [], customer.refId));
				}),
			{
				detail: operations.listCreditNotes,
				permit: "INVOICE:READ",
				params: CustomerPath,
				query: CreditNoteListQuery,
				response: listOf(CreditNote),
			},
		)
		.get(
			"/credit-notes/:creditNoteRef",
			({ read, params: { id, creditNoteRef } }) =>
				read((work) => {
					const { note, customer } = getNote(work, id, creditNoteRef);
					return showNote(work, note, customer.refId);
				}),
			{
				detail: operations.retrieveCreditNote,
				permit: "INVOICE:READ",
				params: CreditNotePath,
				response: single(CreditNote),
			},
		)
		.get(
			"/credit-notes/:creditNoteRef/pdf",
			async ({ actor, read, request, params: { id, creditNoteRef } }) => {
				const { note } = read((work) => getNote(work, id, creditNoteRef));
				const bytes = read((work) => findNotePdf(work, note));
				if (bytes) return pdfResponse(note, bytes);
				const taskId = await services.write(actor, "renderCreditNote", { creditNoteId: note.id });
				const look = () => read((work) => findNotePdf(work, note) ?? stillComing(work, note.number, taskId));
				return pdfResponse(note, await wait(note.number, look, request.signal));
			},
			{ detail: operations.retrieveCreditNotePdf, permit: "INVOICE:READ", params: CreditNotePath },
		);
};
