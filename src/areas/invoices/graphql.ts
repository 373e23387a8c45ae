import { fieldsOf, type GraphqlArea, inputOf, referred, textOf } from "../../graphql/area";
import { connectionTypes } from "../../graphql/derive/types";
import { NoBody, operation, sent } from "../../graphql/input/operation";
import { type Connection, page } from "../../graphql/lists/connection";
import { costs, smallerPages } from "../../graphql/request/budget";
import type { OperationContext } from "../../graphql/request/context";
import { isoOf } from "../../graphql/scalars";
import { checker } from "../../http/validation";
import { toDecimal } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { customersByIds } from "../customers/operations";
import { warningsOfIssuer } from "../legal-entities/rules";
import { dueOf, reducedBy } from "./credit-notes/rules";
import { creditNotesOfInvoices } from "./credit-notes/store";
import { creditorReferenceOf } from "./document/rules.creditor-reference";
import { addManualLine, finalizeInvoice, type LateUsageOf, removeManualLine } from "./drafts/operations";
import { DraftLinePath, ManualLine } from "./drafts/schema";
import { pageInvoices } from "./lists/page";
import { AllInvoicesQuery, InvoiceInBooks } from "./lists/schema";
import { getCustomersInvoice, getInvoice, getInvoicedCustomer, invoicesByIds, linesByInvoice } from "./operations";
import { isOverdue } from "./rules";
import { InvoiceListQuery, InvoicePath, invoiceStates } from "./schema";
import { missingRateOf } from "./schema.tax-conversion";
import type { InvoiceRow, LineRow } from "./table";
import { viewFreeUnitsOfLine } from "./view";

const schemas = { InvoiceInBooks, InvoiceListQuery, ManualLine };

const typeDefs = `
	enum InvoiceBillingReason from InvoiceInBooks.billingReason
	enum InvoiceOrder from InvoiceListQuery.orderBy
	"A credit is negative."
	type InvoiceLine {
		description: String! quantity: Float unitPrice: Money amount: Money!
		"The caller's id."
		productId: String
		"The customer and the subscription that it charges for, if another customer pays as its parent. The caller's ids."
		customerId: String subscriptionId: String
		"The taxes, which sum to the tax of the line. Null: the invoice has a tax percentage, or none."
		taxes: [InvoiceLineTax!]
		"The discounts of several coupons. Null: at most one coupon applies."
		discounts: [InvoiceLineDiscount!]
		"The units that coupons made free. Null: none."
		freeUnits: [InvoiceLineFreeUnits!]
	}
	"The tax in the currency of the issuer's tax declaration. rate is the price of one unit of the invoice's currency."
	type TaxConversion { rate: Float! source: String! date: String! amount: Money! }
	"The exchange rate that was unknown at issue."
	type MissingExchangeRate { from: String! to: String! }
	"The discount for payment until untilDate."
	type InvoiceCashDiscount { percentage: Float! amount: Money! untilDate: DateTime! }
	type Invoice {
		id: ID!
		"Null for a draft, as are its dates."
		number: String
		status: InvoiceStatus! billingReason: InvoiceBillingReason!
		"The caller's id."
		contractId: String
		currency: Currency! issueDate: DateTime dueDate: DateTime
		"The time at which Tollgate issues a draft."
		finalizeDate: DateTime
		paidDate: DateTime subTotal: Money! discount: Money! tax: Money! taxConversion: TaxConversion
		missingExchangeRate: MissingExchangeRate total: Money! cashDiscount: InvoiceCashDiscount
		"The reference of its payments, ISO 11649. Null for a draft."
		creditorReference: String
		"Details of the issuer that a valid invoice needs and that are missing."
		warnings: [IssuerWarning!]!
		"The payment from the customer's balance."
		balanceApplied: Money!
		amountPaid: Money!
		"The amount of credit notes before payment."
		amountCredited: Money!
		"The amount that is not paid yet."
		amountDue: Money!
		isOverdue: Boolean! poNumber: String lines: [InvoiceLine!]! customer: Customer! createdAt: DateTime!
		updatedAt: DateTime!
	}
	${connectionTypes("Invoice", false)}
	"""
	Without customerId: invoices of all customers. Sorted by issue date, earliest first; with dueBefore by due date. Both issue dates
	are inclusive. Drafts only when statusIn names them. Invoices of all customers cannot be sorted by total.
	"""
	input InvoicesInput {
		customerId: String contractId: String issuedAfter: DateTime issuedBefore: DateTime statusIn: [InvoiceStatus!]
		dueBefore: DateTime number: String isOverdue: Boolean orderBy: InvoiceOrder orderDirection: SortDirection
		paging: CursorPaging environmentId: String
	}
	input InvoiceInput { customerId: String! invoiceId: String! }
	"taxPercentage defaults to the tax of the other lines."
	input AddInvoiceLineInput from ManualLine { customerId invoiceId: String! * }
	"line: the number in lines, from 1."
	input RemoveInvoiceLineInput { customerId: String! invoiceId: String! line: Int! }
`;

const scope = "INVOICE:READ";

/** A line with the currency of its document. */
type ShownLine = LineRow & Pick<InvoiceRow, "currency">;

const lineRows = (work: Work, ids: readonly string[]): ReadonlyMap<string, LineRow[]> =>
	linesByInvoice(work, [...invoicesByIds(work, ids).values()]);

const notesByInvoice = (work: Work, ids: readonly string[]) =>
	Map.groupBy(creditNotesOfInvoices(work, ids), ({ invoiceId }) => invoiceId ?? "");

const notesOf = (row: InvoiceRow, context: OperationContext) =>
	context.related(row, ({ id }) => id, notesByInvoice) ?? [];

const invoice = fieldsOf<InvoiceRow>({
	scope,
	open: ["id"],
	fields: {
		status: ({ state }) => state,
		contractId: ({ contractRefId }) => contractRefId,
		number: ({ number }) => number || null,
		issueDate: ({ state, issuedAt }) => (state === "DRAFT" ? null : issuedAt),
		dueDate: ({ state, dueAt }) => (state === "DRAFT" ? null : dueAt),
		finalizeDate: ({ nextDueAt }) => nextDueAt,
		missingExchangeRate: missingRateOf,
		cashDiscount: ({ cashDiscount: granted, currency }) =>
			granted && { ...granted, amount: { amount: granted.amount, currency }, untilDate: granted.until },
		creditorReference: creditorReferenceOf,
		warnings: ({ issuer }) => warningsOfIssuer(issuer),
		paidDate: ({ paidAt }) => paidAt,
		amountCredited: (row, _, context) => toDecimal(reducedBy(notesOf(row, context))),
		amountDue: (row, _, context) => toDecimal(dueOf(row, notesOf(row, context))),
		isOverdue: (row, _, { work }) => isOverdue(row, work.now),
		lines: (row, _, context): ShownLine[] =>
			(context.related(row, ({ id }) => id, lineRows) ?? []).map((line) => ({ ...line, currency: row.currency })),
		customer: referred(({ customerId }) => customerId, customersByIds),
	},
});

const missingExchangeRate = fieldsOf<NonNullable<ReturnType<typeof missingRateOf>>>({
	fields: { from: ({ from }) => from.toUpperCase(), to: ({ to }) => to.toUpperCase() },
});

const line = fieldsOf<ShownLine>({
	fields: {
		productId: ({ productRefId }) => productRefId,
		customerId: ({ customerRefId }) => customerRefId,
		subscriptionId: ({ subscriptionRefId }) => subscriptionRefId,
		freeUnits: ({ basis }) => {
			const units = viewFreeUnitsOfLine(basis);
			return units.length > 0 ? units : null;
		},
	},
});

const readQuery = checker("body", InvoiceListQuery);
const readQueryOfAll = checker("body", AllInvoicesQuery);

/** Tollgate reads each state separately for a list of all customers. */
const readsOfAll = invoiceStates.length;

/** Returns pages as the REST lists do. */
function invoicesOf(args: Readonly<Record<string, unknown>>, context: OperationContext): Connection {
	const { work } = context;
	const input = inputOf(args, "input");
	const customerRef = textOf(input, "customerId");
	const customer = customerRef === undefined ? undefined : getInvoicedCustomer(work, customerRef);
	const { statusIn, orderBy, orderDirection, isOverdue: overdue } = input;
	const read = customer ? readQuery : readQueryOfAll;
	const asked: InvoiceListQuery = read(
		sent({
			contractExternalId: input.contractId,
			issuedAfter: isoOf(input.issuedAfter),
			issuedBefore: isoOf(input.issuedBefore),
			stateIn: Array.isArray(statusIn) ? statusIn.join(",") : undefined,
			dueBefore: isoOf(input.dueBefore),
			number: input.number,
			overdue: typeof overdue === "boolean" ? String(overdue) : undefined,
			orderBy,
		}),
	);
	const isDescending = orderDirection === "DESC";
	return page(context, input.paging, {
		type: "Invoice",
		assertCursor: (cursor) => void (customer ? getCustomersInvoice(work, customer, cursor) : getInvoice(work, cursor)),
		idsBeyond(from, isBackward, rowsMax) {
			context.spend((customer ? 1 : readsOfAll) * (costs.statement + rowsMax * costs.loadedRow), smallerPages);
			const place = { ...(from !== undefined && { after: from }), limit: String(rowsMax) };
			const orderDir = isBackward === isDescending ? "ASC" : "DESC";
			return pageInvoices(work, { ...asked, ...place, orderDir }, customer?.id).rows.map(({ id }) => id);
		},
		rows: invoicesByIds,
		count: () => 0,
	});
}

const writeScope = "INVOICE:WRITE";
const path = { customerId: "id", invoiceId: "invoiceRef" } as const;
const found = (work: Work, { id, invoiceRef }: { readonly id: string; readonly invoiceRef: string }): InvoiceRow =>
	getCustomersInvoice(work, getInvoicedCustomer(work, id), invoiceRef);

export const invoicesGraphql = (lateUsageOf: LateUsageOf): GraphqlArea => ({
	schemas,
	typeDefs,
	types: {
		Invoice: invoice,
		InvoiceLine: line,
		TaxConversion: { fields: {} },
		MissingExchangeRate: missingExchangeRate,
	},
	queries: {
		invoices: {
			signature: "(input: InvoicesInput!): InvoiceConnection",
			...{ comment: "Throws CustomerNotFound.", scope },
			resolve: invoicesOf,
		},
		invoice: {
			signature: "(customerId: String!, id: String!): Invoice",
			...{ comment: "Throws CustomerNotFound, InvoiceNotFound.", scope },
			resolve: (args, { work }) =>
				found(work, { id: textOf(args, "customerId") ?? "", invoiceRef: textOf(args, "id") ?? "" }),
		},
	},
	mutations: {
		addInvoiceLine: operation({
			signature: "(input: AddInvoiceLineInput!): Invoice",
			comment: "Adds a line to a draft.",
			...{ scope: writeScope, path, params: InvoicePath.properties, body: ManualLine },
			run: (work, body, { id, invoiceRef }) => addManualLine(work, found(work, { id, invoiceRef }), body),
		}),
		removeInvoiceLine: operation({
			signature: "(input: RemoveInvoiceLineInput!): Invoice",
			comment: "Removes a manually added line from a draft.",
			...{ scope: writeScope, path: { ...path, line: "line" }, params: DraftLinePath.properties, body: NoBody },
			read: (input) => ({ ...input, line: String(input.line) }),
			run: (work, _, { line: number, ...invoice }) => removeManualLine(work, found(work, invoice), Number(number)),
		}),
		finalizeInvoice: operation({
			signature: "(input: InvoiceInput!): Invoice",
			comment: "Issues a draft now.",
			...{ scope: writeScope, path, params: InvoicePath.properties, body: NoBody },
			run: (work, _, invoice) => finalizeInvoice(work, found(work, invoice), lateUsageOf),
		}),
	},
});
