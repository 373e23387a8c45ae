import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Work } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { invoiceOperations as operations } from "../openapi";
import { getInvoicedCustomer } from "../operations";
import { CustomerPath, InvoicePath } from "../schema";
import type { CreditNoteRow } from "../table";
import { viewCreditNote } from "../view";
import { getCustomersCreditNote } from "./credit-note-of";
import { linesByCreditNote, listCreditNotes } from "./operations";
import { CreditNote, CreditNoteListQuery, CreditNotePath, InvoiceCredit } from "./schema";

const showNote = (work: Work, note: CreditNoteRow, customerRefId: string) => ({
	data: viewCreditNote(note, linesByCreditNote(work, [note]).get(note.id) ?? [], customerRefId),
});

/** Credits an invoice by hand, and updates the subscription. That area is later, so routes/invoices.ts passes it in. */
type CreditByHand = (work: Work, customerRef: string, invoiceRef: string, input: InvoiceCredit) => CreditNoteRow;

/** Voids a credit note, and updates the subscription. routes/invoices.ts passes it in too. */
type VoidByHand = (work: Work, note: CreditNoteRow) => CreditNoteRow;

export const creditNoteRoutes = (services: Services, creditByHand: CreditByHand, voidByHand: VoidByHand) =>
	new Elysia({ prefix: "/api/v1/customers/:id", tags: ["Invoices"], normalize: false })
		.use(identity(services))
		.post(
			"/invoices/:invoiceRef/credit-note",
			({ create, params: { id, invoiceRef }, body }) =>
				create((work) => {
					const note = creditByHand(work, id, invoiceRef, body ?? {});
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
					const page = listCreditNotes(work, { customerId: customer.id }, query);
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
					const { note, customer } = getCustomersCreditNote(work, id, creditNoteRef);
					return showNote(work, note, customer.refId);
				}),
			{
				detail: operations.retrieveCreditNote,
				permit: "INVOICE:READ",
				params: CreditNotePath,
				response: single(CreditNote),
			},
		)
		.post(
			"/credit-notes/:creditNoteRef/void",
			({ write, params: { id, creditNoteRef } }) =>
				write((work) => {
					const { note, customer } = getCustomersCreditNote(work, id, creditNoteRef);
					return showNote(work, voidByHand(work, note), customer.refId);
				}),
			{
				detail: operations.voidCreditNote,
				permit: "INVOICE:WRITE",
				params: CreditNotePath,
				response: single(CreditNote),
			},
		);
