import { eq } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, referred, textOf } from "../../../graphql/area";
import { connectionTypes } from "../../../graphql/derive/types";
import { NoBody, operation } from "../../../graphql/input/operation";
import { pagedQuery } from "../../../graphql/lists/paged";
import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import { getInvoicedCustomer } from "../operations";
import { InvoicePath } from "../schema";
import { missingRateOf } from "../schema.tax-conversion";
import { type CreditNoteLineRow, type CreditNoteRow, creditNotes } from "../table";
import { getCustomersCreditNote } from "./credit-note-of";
import { creditNotesByIds, linesByCreditNote } from "./operations";
import { CreditNote, CreditNotePath, InvoiceCredit } from "./schema";

const schemas = { CreditNote, InvoiceCredit };

const typeDefs = `
	"The reasons that a caller may send."
	enum CreditNoteReason from InvoiceCredit.reasonCode
	enum IssuedCreditNoteReason from CreditNote.reasonCode
	enum CreditNoteStatus from CreditNote.state
	"Credited amounts are positive."
	type CreditNote from CreditNote {
		id number: String! status: CreditNoteStatus! reasonCode
		"Null when it corrects no single invoice."
		invoiceId
		invoiceNumber currency issueDate voidedDate subTotal: Money! discount as Money tax as Money
		taxConversion as TaxConversion missingExchangeRate as MissingExchangeRate total as Money
		"The amount that was added to the customer's balance."
		balanceAmount as Money
		lines: [InvoiceLine!]! customer: Customer! createdAt
	}
	${connectionTypes("CreditNote", false)}
	"Newest first."
	input CreditNotesInput { customerId: String! paging: CursorPaging }
	"Without amount and lines: the whole remaining amount. amount includes tax."
	input CreditInvoiceInput from InvoiceCredit {
		customerId invoiceId: String! *
		lines as CreditedLineInput "line: the number in lines, from 1. amount defaults to the line's remaining amount." { * }
	}
	input VoidCreditNoteInput { customerId: String! creditNoteId: String! }
`;

const scope = "INVOICE:READ";

const lineRows = (work: Work, ids: readonly string[]): ReadonlyMap<string, CreditNoteLineRow[]> =>
	linesByCreditNote(work, [...creditNotesByIds(work, ids).values()]);

const creditNote = fieldsOf<CreditNoteRow>({
	fields: {
		status: ({ voidedAt }) => (voidedAt === null ? "ISSUED" : "VOIDED"),
		issueDate: ({ issuedAt }) => issuedAt,
		missingExchangeRate: missingRateOf,
		voidedDate: ({ voidedAt }) => voidedAt,
		balanceAmount: ({ toBalance }) => toBalance,
		lines: (row, _, context) =>
			(context.related(row, ({ id }) => id, lineRows) ?? []).map((line) => ({ ...line, currency: row.currency })),
		customer: referred(({ customerId }) => customerId, customersByIds),
	},
});

/** These also change the subscription. That area is later, so `graphql/schema.ts` passes them in. */
interface ByHand {
	readonly creditByHand: (work: Work, customerRef: string, invoiceRef: string, input: InvoiceCredit) => CreditNoteRow;
	readonly voidByHand: (work: Work, note: CreditNoteRow) => CreditNoteRow;
}

export const creditNotesGraphql = ({ creditByHand, voidByHand }: ByHand): GraphqlArea => ({
	schemas,
	typeDefs,
	types: { CreditNote: creditNote },
	queries: {
		creditNotes: pagedQuery(creditNotes, {
			...{ type: "CreditNote", args: "(input: CreditNotesInput!)", scope, rows: creditNotesByIds },
			comment: "The credit notes of a customer. Throws CustomerNotFound.",
			where: (work, input) =>
				eq(creditNotes.customerId, getInvoicedCustomer(work, textOf(input, "customerId") ?? "").id),
		}),
		creditNote: {
			signature: "(customerId: String!, id: String!): CreditNote",
			...{ comment: "Throws CustomerNotFound.", scope },
			resolve: (args, { work }) =>
				getCustomersCreditNote(work, textOf(args, "customerId") ?? "", textOf(args, "id") ?? "").note,
		},
	},
	mutations: {
		creditInvoice: operation({
			...{ signature: "(input: CreditInvoiceInput!): CreditNote", scope: "INVOICE:WRITE" },
			...{ path: { customerId: "id", invoiceId: "invoiceRef" }, params: InvoicePath.properties },
			body: InvoiceCredit,
			run: (work, body, { id, invoiceRef }) => creditByHand(work, id, invoiceRef, body),
		}),
		voidCreditNote: operation({
			...{ signature: "(input: VoidCreditNoteInput!): CreditNote", scope: "INVOICE:WRITE" },
			comment: "Voids a manually issued credit note that has not been used.",
			...{ path: { customerId: "id", creditNoteId: "creditNoteRef" }, params: CreditNotePath.properties },
			body: NoBody,
			run: (work, _, { id, creditNoteRef }) => voidByHand(work, getCustomersCreditNote(work, id, creditNoteRef).note),
		}),
	},
});
