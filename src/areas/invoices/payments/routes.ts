import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { toWire } from "../../../kernel/decimal";
import { viewPage } from "../../../kernel/page";
import { listOf, single } from "../../../kernel/schema";
import type { Work } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { getCustomersInvoice, getInvoicedCustomer } from "../operations";
import { issuedStateOf } from "../rules";
import { InvoicePath } from "../schema";
import { paymentOperations as operations } from "./openapi";
import { amountDue, listPayments, type NewPayment, newPaymentOf, type RecordedPayment } from "./operations";
import { reversePayment } from "./operations.return";
import {
	Payment,
	PaymentListQuery,
	PaymentPath,
	PaymentReport,
	RecordedPayment as RecordedPaymentView,
	ReversalReport,
} from "./schema";
import { viewPayment } from "./view";

/** Records a payment, and updates the subscription. That area is later, so routes/invoices.ts passes it in. */
type PayInvoice = (work: Work, invoiceId: string, payment: NewPayment) => RecordedPayment;

const invoiceOf = (work: Work, { id, invoiceRef }: { readonly id: string; readonly invoiceRef: string }) =>
	getCustomersInvoice(work, getInvoicedCustomer(work, id), invoiceRef);

export const paymentRoutes = (services: Services, payInvoice: PayInvoice) =>
	new Elysia({ prefix: "/api/v1/customers/:id/invoices/:invoiceRef/payments", tags: ["Invoices"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, params, query }) =>
				read((work) => {
					const invoice = invoiceOf(work, params);
					return viewPage(listPayments(work, invoice, query), (payment) => viewPayment(payment, invoice));
				}),
			{
				detail: operations.list,
				permit: "INVOICE:READ",
				params: InvoicePath,
				query: PaymentListQuery,
				response: listOf(Payment),
			},
		)
		.post(
			"",
			({ create, params, body }) =>
				create((work) => {
					const asked = invoiceOf(work, params);
					const { payment, invoice } = payInvoice(work, asked.id, newPaymentOf(work, asked, body));
					const invoiceState = invoice.state;
					return {
						data: { ...viewPayment(payment, invoice), invoiceState, amountDue: toWire(amountDue(work, invoice)) },
					};
				}),
			{
				detail: operations.record,
				permit: "INVOICE:WRITE",
				params: InvoicePath,
				body: PaymentReport,
				response: { 201: single(RecordedPaymentView) },
			},
		)
		.post(
			"/:paymentId/reverse",
			({ create, params, body }) =>
				create((work) => {
					const { payment, invoice } = reversePayment(work, invoiceOf(work, params), params.paymentId, body);
					const invoiceState = issuedStateOf(invoice);
					return {
						data: { ...viewPayment(payment, invoice), invoiceState, amountDue: toWire(amountDue(work, invoice)) },
					};
				}),
			{
				detail: operations.reverse,
				permit: "INVOICE:WRITE",
				params: PaymentPath,
				body: ReversalReport,
				response: { 201: single(RecordedPaymentView) },
			},
		);
