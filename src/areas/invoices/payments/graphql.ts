import { and, eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../../graphql/area";
import { operation } from "../../../graphql/input/operation";
import { connect } from "../../../graphql/lists/connection";
import type { List } from "../../../graphql/lists/list";
import type { Work } from "../../../kernel/work";
import { getCustomersInvoice, getInvoicedCustomer } from "../operations";
import { InvoicePath } from "../schema";
import { type InvoiceRow, invoicePayments } from "../table";
import { type NewPayment, newPaymentOf, paymentsByIds, type RecordedPayment } from "./operations";
import { type Payment, PaymentReport, paymentKinds, paymentMethods } from "./schema";
import { viewPayment } from "./view";

const typeDefs = `
	enum InvoicePaymentKind { ${paymentKinds.join(" ")} }
	enum InvoicePaymentMethod { ${paymentMethods.join(" ")} }
	"What came in for an invoice, or was paid back of it."
	type InvoicePayment {
		id: ID!
		invoiceId: String!
		kind: InvoicePaymentKind!
		amount: Money!
		"How much of it the customer's balance got; of a refund, gave."
		balanceAmount: Money!
		method: InvoicePaymentMethod!
		reference: String
		note: String
		paidDate: DateTime!
		createdAt: DateTime!
	}
	type InvoicePaymentEdge { node: InvoicePayment! cursor: ConnectionCursor! }
	type InvoicePaymentConnection { edges: [InvoicePaymentEdge!]! pageInfo: PageInfo! }
	"With what has become of the invoice by it."
	type RecordedInvoicePayment { payment: InvoicePayment! invoice: Invoice! }
	"Newest first."
	input InvoicePaymentsInput { customerId: String! invoiceId: String! paging: CursorPaging }
	"In major units of the invoice's currency. Left out: a payment, by another method, now. What is told again under a reference is recorded once."
	input RecordInvoicePaymentInput {
		customerId: String!
		invoiceId: String!
		amount: Float!
		kind: InvoicePaymentKind
		method: InvoicePaymentMethod
		paidDate: String
		reference: String
		note: String
	}
	extend type Query {
		"Throws CustomerNotFound, InvoiceNotFound."
		invoicePayments(input: InvoicePaymentsInput!): InvoicePaymentConnection
	}
	extend type Mutation {
		"The invoice is PAID once nothing is due; what is beyond that goes to the customer's balance."
		recordInvoicePayment(input: RecordInvoicePaymentInput!): RecordedInvoicePayment
	}
`;

const moneyIn = (currency: string, amount: number) => ({ amount, currency: currency.toUpperCase() });

const payment = fieldsOf<Payment>({
	fields: {
		id: ({ paymentId }) => paymentId,
		amount: ({ amount, currency }) => moneyIn(currency, amount),
		balanceAmount: ({ balanceAmount, currency }) => moneyIn(currency, balanceAmount),
	},
});

const listOf = (invoice: InvoiceRow): List => ({
	type: "InvoicePayment",
	scope: "INVOICE:READ",
	source: sql`${invoicePayments}`,
	id: invoicePayments.id,
	within: ({ actor }) =>
		sql`${and(eq(invoicePayments.environmentId, actor.environmentId), eq(invoicePayments.invoiceId, invoice.id))}`,
	fields: {},
	rows: (work, ids) => new Map([...paymentsByIds(work, ids)].map(([id, row]) => [id, viewPayment(row, invoice)])),
});

const invoiceOf = (work: Work, customerRef: string, invoiceRef: string): InvoiceRow =>
	getCustomersInvoice(work, getInvoicedCustomer(work, customerRef), invoiceRef);

/** `takePayment`: with what a payment means for the subscription, which comes later: graphql/schema.ts hands it in. */
export const invoicePaymentsGraphql = (
	takePayment: (work: Work, invoiceId: string, payment: NewPayment) => RecordedPayment,
): GraphqlArea => ({
	typeDefs,
	types: { InvoicePayment: payment },
	queries: {
		invoicePayments: {
			scope: "INVOICE:READ",
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
			scope: "INVOICE:WRITE",
			path: { customerId: "id", invoiceId: "invoiceRef" },
			params: InvoicePath.properties,
			body: PaymentReport,
			run(work, report, { id, invoiceRef }) {
				const asked = invoiceOf(work, id, invoiceRef);
				const recorded = takePayment(work, asked.id, newPaymentOf(work, asked, report));
				return { payment: viewPayment(recorded.payment, recorded.invoice), invoice: recorded.invoice };
			},
		}),
	},
});
