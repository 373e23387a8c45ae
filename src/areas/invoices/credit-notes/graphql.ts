import { and, eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../../graphql/area";
import { NoBody, operation } from "../../../graphql/input/operation";
import { moneyOf } from "../../../graphql/input/value-formats";
import { connect } from "../../../graphql/lists/connection";
import type { List } from "../../../graphql/lists/list";
import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import { getInvoicedCustomer } from "../operations";
import { InvoicePath } from "../schema";
import { missingRateOf } from "../schema.tax-conversion";
import { type CreditNoteLineRow, type CreditNoteRow, creditNotes } from "../table";
import { getCustomersCreditNote } from "./credit-note-of";
import { creditNotesByIds, linesByCreditNote } from "./operations";
import { CreditNotePath, creditNoteReasons, InvoiceCredit, reasonsByCall } from "./schema";

const typeDefs = `
	"Those that a caller may give."
	enum CreditNoteReason { ${reasonsByCall.join(" ")} }
	enum IssuedCreditNoteReason { ${creditNoteReasons.join(" ")} }
	enum CreditNoteStatus { ISSUED VOIDED }
	"Amounts are what is credited."
	type CreditNote {
		id: ID!
		number: String!
		status: CreditNoteStatus!
		reasonCode: IssuedCreditNoteReason!
		"Null where it corrects no invoice by itself."
		invoiceId: String
		invoiceNumber: String
		currency: Currency!
		issueDate: DateTime!
		voidedDate: DateTime
		subTotal: Money!
		discount: Money!
		tax: Money!
		taxConversion: TaxConversion
		missingExchangeRate: MissingExchangeRate
		total: Money!
		"How much of it the customer's balance got."
		balanceAmount: Money!
		lines: [InvoiceLine!]!
		customer: Customer!
		createdAt: DateTime!
	}
	type CreditNoteEdge { node: CreditNote! cursor: ConnectionCursor! }
	type CreditNoteConnection { edges: [CreditNoteEdge!]! pageInfo: PageInfo! }
	"Newest first."
	input CreditNotesInput { customerId: String! paging: CursorPaging }
	"The line's number in lines, from 1. Without an amount: all that is left of it."
	input CreditedLineInput { line: Int! amount: Float }
	"All that is left of it, or an amount with tax, or lines."
	input CreditInvoiceInput {
		customerId: String!
		invoiceId: String!
		reasonCode: CreditNoteReason
		issueDate: String
		amount: Float
		lines: [CreditedLineInput!]
	}
	input VoidCreditNoteInput { customerId: String! creditNoteId: String! }
	extend type Query {
		"A customer's. Throws CustomerNotFound."
		creditNotes(input: CreditNotesInput!): CreditNoteConnection
		"Throws CustomerNotFound."
		creditNote(customerId: String!, id: String!): CreditNote
	}
	extend type Mutation {
		creditInvoice(input: CreditInvoiceInput!): CreditNote
		"Takes one back that was issued by hand and not used."
		voidCreditNote(input: VoidCreditNoteInput!): CreditNote
	}
`;

const scope = "INVOICE:READ";

const money = (name: "subTotal" | "discount" | "tax" | "total" | "toBalance") => (row: CreditNoteRow) =>
	moneyOf({ amount: row[name], currency: row.currency });

const lineRows = (work: Work, ids: readonly string[]): ReadonlyMap<string, CreditNoteLineRow[]> =>
	linesByCreditNote(work, [...creditNotesByIds(work, ids).values()]);

const creditNote = fieldsOf<CreditNoteRow>({
	fields: {
		status: ({ voidedAt }) => (voidedAt === null ? "ISSUED" : "VOIDED"),
		currency: ({ currency }) => currency.toUpperCase(),
		issueDate: ({ issuedAt }) => issuedAt,
		missingExchangeRate: missingRateOf,
		voidedDate: ({ voidedAt }) => voidedAt,
		subTotal: money("subTotal"),
		discount: money("discount"),
		tax: money("tax"),
		total: money("total"),
		balanceAmount: money("toBalance"),
		lines: (row, _, context) =>
			(context.related(row, ({ id }) => id, lineRows) ?? []).map((line) => ({ line, currency: row.currency })),
		customer: (row, _, context) => context.related(row, ({ customerId }) => customerId, customersByIds),
	},
});

const listOf = (customerId: string): List => ({
	type: "CreditNote",
	scope,
	source: sql`${creditNotes}`,
	id: creditNotes.id,
	within: ({ actor }) =>
		sql`${and(eq(creditNotes.environmentId, actor.environmentId), eq(creditNotes.customerId, customerId))}`,
	fields: {},
	rows: creditNotesByIds,
});

/** With what crediting means for the subscription, which comes later: graphql/schema.ts hands it in. */
interface ByHand {
	readonly creditByHand: (work: Work, customerRef: string, invoiceRef: string, input: InvoiceCredit) => CreditNoteRow;
	readonly voidByHand: (work: Work, note: CreditNoteRow) => CreditNoteRow;
}

export const creditNotesGraphql = ({ creditByHand, voidByHand }: ByHand): GraphqlArea => ({
	typeDefs,
	types: { CreditNote: creditNote },
	queries: {
		creditNotes: {
			scope,
			resolve(args, context) {
				const input = inputOf(args, "input");
				const { id } = getInvoicedCustomer(context.work, textOf(input, "customerId") ?? "");
				return connect(context, new Map(), listOf(id), { paging: input.paging });
			},
		},
		creditNote: {
			scope,
			resolve: (args, { work }) =>
				getCustomersCreditNote(work, textOf(args, "customerId") ?? "", textOf(args, "id") ?? "").note,
		},
	},
	mutations: {
		creditInvoice: operation({
			scope: "INVOICE:WRITE",
			path: { customerId: "id", invoiceId: "invoiceRef" },
			params: InvoicePath.properties,
			body: InvoiceCredit,
			run: (work, body, { id, invoiceRef }) => creditByHand(work, id, invoiceRef, body),
		}),
		voidCreditNote: operation({
			scope: "INVOICE:WRITE",
			path: { customerId: "id", creditNoteId: "creditNoteRef" },
			params: CreditNotePath.properties,
			body: NoBody,
			run: (work, _, { id, creditNoteRef }) => voidByHand(work, getCustomersCreditNote(work, id, creditNoteRef).note),
		}),
	},
});
