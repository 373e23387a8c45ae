import { eq } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../../graphql/area";
import { connectionTypes } from "../../../graphql/derive/types";
import { operation } from "../../../graphql/input/operation";
import { connect } from "../../../graphql/lists/connection";
import { type List, tableList } from "../../../graphql/lists/list";
import type { Work } from "../../../kernel/work";
import { getCustomersInvoice, getInvoicedCustomer } from "../operations";
import { InvoicePath } from "../schema";
import type { InvoiceRow } from "../table";
import { allocations } from "../table.receipts";
import { type NewPayment, newPaymentOf, paymentsByIds, type RecordedPayment } from "./operations";
import { reversePayment } from "./operations.return";
import { Payment, PaymentPath, PaymentReport, ReversalReport } from "./schema";
import { viewPayment } from "./view";

const schemas = { Payment, PaymentReport, ReversalReport };

const typeDefs = `
	enum InvoicePaymentKind from PaymentReport.kind
	enum RecordedInvoicePaymentKind from Payment.kind
	enum InvoicePaymentMethod from PaymentReport.method
	"A payment of an invoice, or a refund."
	type InvoicePayment from PaymentReport {
		id invoiceId: String! kind! as RecordedInvoicePaymentKind amount as Money
		"The part that was added to the customer's balance, or that a refund took from it."
		balanceAmount: Money!
		method! * paidDate! createdAt
		"Of a reversal: the payment that no longer counts, and why."
		reversesPaymentId: String reason: InvoicePaymentReversalReason
	}
	enum InvoicePaymentReversalReason from ReversalReport.reason
	${connectionTypes("InvoicePayment", false)}
	"The payment, and the invoice after it."
	type RecordedInvoicePayment { payment: InvoicePayment! invoice: Invoice! }
	"Newest first."
	input InvoicePaymentsInput { customerId: String! invoiceId: String! paging: CursorPaging }
	"In major units of the invoice's currency. Defaults: a payment, another method, now. A reference is recorded once."
	input ReverseInvoicePaymentInput from ReversalReport {
		customerId: String! invoiceId: String! paymentId: String! reason! as InvoicePaymentReversalReason *
	}
	input RecordInvoicePaymentInput from PaymentReport {
		customerId invoiceId: String! amount kind as InvoicePaymentKind method as InvoicePaymentMethod *
	}
`;

const payment = fieldsOf<Payment>({ fields: { id: ({ paymentId }) => paymentId } });

const listOf = (invoice: InvoiceRow): List =>
	tableList(
		allocations,
		{
			...{ type: "InvoicePayment", scope: "INVOICE:READ" },
			rows: (work, ids) => new Map([...paymentsByIds(work, ids)].map(([id, row]) => [id, viewPayment(row, invoice)])),
		},
		eq(allocations.invoiceId, invoice.id),
	);

const invoiceOf = (work: Work, customerRef: string, invoiceRef: string): InvoiceRow =>
	getCustomersInvoice(work, getInvoicedCustomer(work, customerRef), invoiceRef);

/** The payment also changes the subscription. That area is later, so `graphql/schema.ts` passes it in. */
export const invoicePaymentsGraphql = (
	payInvoice: (work: Work, invoiceId: string, payment: NewPayment) => RecordedPayment,
): GraphqlArea => ({
	schemas,
	typeDefs,
	types: { InvoicePayment: payment },
	queries: {
		invoicePayments: {
			signature: "(input: InvoicePaymentsInput!): InvoicePaymentConnection",
			...{ comment: "Throws CustomerNotFound, InvoiceNotFound.", scope: "INVOICE:READ" },
			resolve(args, context) {
				const input = inputOf(args, "input");
				const [customerRef = "", invoiceRef = ""] = [textOf(input, "customerId"), textOf(input, "invoiceId")];
				const list = listOf(invoiceOf(context.work, customerRef, invoiceRef));
				return connect(context, new Map(), list, { paging: input.paging });
			},
		},
	},
	mutations: {
		recordInvoicePayment: operation({
			...{ signature: "(input: RecordInvoicePaymentInput!): RecordedInvoicePayment", scope: "INVOICE:WRITE" },
			comment: "The invoice is PAID when nothing is due. An overpayment is added to the customer's balance.",
			...{ path: { customerId: "id", invoiceId: "invoiceRef" }, params: InvoicePath.properties },
			body: PaymentReport,
			run(work, report, { id, invoiceRef }) {
				const invoice = invoiceOf(work, id, invoiceRef);
				const recorded = payInvoice(work, invoice.id, newPaymentOf(work, invoice, report));
				return { payment: viewPayment(recorded.payment, recorded.invoice), invoice: recorded.invoice };
			},
		}),
		reverseInvoicePayment: operation({
			...{ signature: "(input: ReverseInvoicePaymentInput!): RecordedInvoicePayment", scope: "INVOICE:WRITE" },
			comment:
				"A PAID invoice with an amount due is OPEN again. Throws InvalidArgumentError for a payment that was reversed.",
			...{
				path: { customerId: "id", invoiceId: "invoiceRef", paymentId: "paymentId" },
				params: PaymentPath.properties,
			},
			body: ReversalReport,
			run(work, report, { id, invoiceRef, paymentId }) {
				const reversed = reversePayment(work, invoiceOf(work, id, invoiceRef), paymentId, report);
				return { payment: viewPayment(reversed.payment, reversed.invoice), invoice: reversed.invoice };
			},
		}),
	},
});
