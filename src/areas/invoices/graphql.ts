import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../graphql/area";
import { NoBody, operation } from "../../graphql/input/operation";
import { isoText, sent } from "../../graphql/input/subscription-input";
import { moneyOf } from "../../graphql/input/value-formats";
import { type Connection, page } from "../../graphql/lists/connection";
import { costs, smallerPages } from "../../graphql/request/budget";
import type { OperationContext } from "../../graphql/request/context";
import { checker } from "../../http/validation";
import { toDecimal, toWire, toWireOrNull } from "../../kernel/decimal";
import type { Money } from "../../kernel/money";
import type { Work } from "../../kernel/work";
import { customersByIds } from "../customers/operations";
import { warningsOfIssuer } from "../legal-entities/rules";
import { dueOf, reducedBy } from "./credit-notes/rules";
import { creditNotesOfInvoices } from "./credit-notes/store";
import { addManualLine, finalizeInvoice, type LateUsageOf, removeManualLine } from "./drafts/operations";
import { DraftLinePath, ManualLine } from "./drafts/schema";
import { pageInvoices } from "./lists/page";
import { AllInvoicesQuery } from "./lists/schema";
import { getCustomersInvoice, getInvoice, getInvoicedCustomer, invoicesByIds, linesByInvoice } from "./operations";
import { isOverdue } from "./rules";
import { billingReasons, InvoiceListQuery, InvoicePath, invoiceStates } from "./schema";
import type { TaxConversion } from "./schema.party";
import { missingRateOf } from "./schema.tax-conversion";
import type { InvoiceRow, LineRow } from "./table";

const typeDefs = `
	enum InvoiceBillingReason { ${billingReasons.join(" ")} }
	enum InvoiceOrder { issueDate dueDate total }
	"A credit is negative."
	type InvoiceLine {
		description: String!
		quantity: Float
		unitPrice: Money
		amount: Money!
		"The caller's id."
		productId: String
	}
	"The tax in the currency in which its issuer declares it; so many units of that (rate) are one of the invoice's currency."
	type TaxConversion { rate: Float! source: String! date: String! amount: Money! }
	"The rate that was not known at issue."
	type MissingExchangeRate { from: String! to: String! }
	"What is taken off for who pays until then."
	type InvoiceCashDiscount { percentage: Float! amount: Money! untilDate: DateTime! }
	type Invoice {
		id: ID!
		"Null of a draft, as its dates are."
		number: String
		status: InvoiceStatus!
		billingReason: InvoiceBillingReason!
		"The caller's id."
		contractId: String
		currency: Currency!
		issueDate: DateTime
		dueDate: DateTime
		"When a draft is issued by itself."
		finalizeDate: DateTime
		paidDate: DateTime
		subTotal: Money!
		discount: Money!
		tax: Money!
		taxConversion: TaxConversion
		missingExchangeRate: MissingExchangeRate
		total: Money!
		cashDiscount: InvoiceCashDiscount
		"What its issuer lacks for a valid invoice."
		warnings: [IssuerWarning!]!
		"Paid by what the customer had in credit."
		balanceApplied: Money!
		amountPaid: Money!
		"Taken off by credit notes before it was paid."
		amountCredited: Money!
		"What is left to collect."
		amountDue: Money!
		isOverdue: Boolean!
		poNumber: String
		lines: [InvoiceLine!]!
		customer: Customer!
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	type InvoiceEdge { node: Invoice! cursor: ConnectionCursor! }
	type InvoiceConnection { edges: [InvoiceEdge!]! pageInfo: PageInfo! }
	"""
	Of all customers, unless it names one. By issue date (what is asked for by its due date: by that), the earliest first, unless it
	says otherwise; the dates of issue are inclusive. Drafts where statusIn names them. Over all customers nothing is ordered by total.
	"""
	input InvoicesInput {
		customerId: String
		contractId: String
		issuedAfter: DateTime
		issuedBefore: DateTime
		statusIn: [InvoiceStatus!]
		dueBefore: DateTime
		number: String
		isOverdue: Boolean
		orderBy: InvoiceOrder
		orderDirection: SortDirection
		paging: CursorPaging
		environmentId: String
	}
	extend type Query {
		"Throws CustomerNotFound."
		invoices(input: InvoicesInput!): InvoiceConnection
		"Throws CustomerNotFound, InvoiceNotFound."
		invoice(customerId: String!, id: String!): Invoice
	}
	input InvoiceInput { customerId: String! invoiceId: String! }
	"Taxed as the other lines, unless it says otherwise."
	input AddInvoiceLineInput {
		customerId: String!
		invoiceId: String!
		description: String!
		quantity: Float
		unit: String
		unitPrice: Float!
		taxPercentage: Float
	}
	"The line's number in lines, from 1."
	input RemoveInvoiceLineInput { customerId: String! invoiceId: String! line: Int! }
	extend type Mutation {
		"Adds a line to a draft."
		addInvoiceLine(input: AddInvoiceLineInput!): Invoice
		"Takes a line off a draft that was added by hand."
		removeInvoiceLine(input: RemoveInvoiceLineInput!): Invoice
		"Issues a draft now."
		finalizeInvoice(input: InvoiceInput!): Invoice
	}
`;

const scope = "INVOICE:READ";
const money =
	(name: "subTotal" | "discount" | "tax" | "total" | "balanceApplied" | "amountPaid") => (row: InvoiceRow) =>
		moneyOf({ amount: row[name], currency: row.currency });

/** With the currency of its document. */
interface ShownLine {
	readonly line: LineRow;
	readonly currency: Money["currency"];
}

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
		currency: ({ currency }) => currency.toUpperCase(),
		number: ({ number }) => number || null,
		issueDate: ({ state, issuedAt }) => (state === "DRAFT" ? null : issuedAt),
		dueDate: ({ state, dueAt }) => (state === "DRAFT" ? null : dueAt),
		finalizeDate: ({ nextDueAt }) => nextDueAt,
		missingExchangeRate: missingRateOf,
		cashDiscount: ({ cashDiscount: granted, currency }) =>
			granted && {
				percentage: toWire(granted.percentage),
				amount: moneyOf({ amount: granted.amount, currency }),
				untilDate: granted.until,
			},
		warnings: ({ issuer }) => warningsOfIssuer(issuer),
		paidDate: ({ paidAt }) => paidAt,
		subTotal: money("subTotal"),
		discount: money("discount"),
		tax: money("tax"),
		total: money("total"),
		balanceApplied: money("balanceApplied"),
		amountPaid: money("amountPaid"),
		amountCredited: (row, _, context) =>
			moneyOf({ amount: toDecimal(reducedBy(notesOf(row, context))), currency: row.currency }),
		amountDue: (row, _, context) =>
			moneyOf({ amount: toDecimal(dueOf(row, notesOf(row, context))), currency: row.currency }),
		isOverdue: (row, _, { work }) => isOverdue(row, work.now),
		lines: (row, _, context): ShownLine[] =>
			(context.related(row, ({ id }) => id, lineRows) ?? []).map((line) => ({ line, currency: row.currency })),
		customer: (row, _, context) => context.related(row, ({ customerId }) => customerId, customersByIds),
	},
});

const missingExchangeRate = fieldsOf<NonNullable<ReturnType<typeof missingRateOf>>>({
	fields: { from: ({ from }) => from.toUpperCase(), to: ({ to }) => to.toUpperCase() },
});

const taxConversion = fieldsOf<TaxConversion>({
	fields: {
		rate: ({ rate }) => toWire(rate),
		amount: ({ amount, currency }) => moneyOf({ amount, currency }),
	},
});

const line = fieldsOf<ShownLine>({
	fields: {
		description: ({ line: { description } }) => description,
		quantity: ({ line: { quantity } }) => toWireOrNull(quantity),
		unitPrice: ({ line: { unitPrice }, currency }) => unitPrice && moneyOf({ amount: unitPrice, currency }),
		amount: ({ line: { amount }, currency }) => moneyOf({ amount, currency }),
		productId: ({ line: { productRefId } }) => productRefId,
	},
});

const readQuery = checker("body", InvoiceListQuery);
const readQueryOfAll = checker("body", AllInvoicesQuery);

/** Over all customers each state is looked for by itself. */
const readsOfAll = invoiceStates.length;

/** In the steps of the REST lists. */
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
			issuedAfter: isoText(input.issuedAfter),
			issuedBefore: isoText(input.issuedBefore),
			stateIn: Array.isArray(statusIn) ? statusIn.join(",") : undefined,
			dueBefore: isoText(input.dueBefore),
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
const byInvoice = { path: { customerId: "id", invoiceId: "invoiceRef" }, params: InvoicePath.properties } as const;
const found = (work: Work, { id, invoiceRef }: { readonly id: string; readonly invoiceRef: string }): InvoiceRow =>
	getCustomersInvoice(work, getInvoicedCustomer(work, id), invoiceRef);

export const invoicesGraphql = (lateUsageOf: LateUsageOf): GraphqlArea => ({
	typeDefs,
	types: {
		Invoice: invoice,
		InvoiceLine: line,
		TaxConversion: taxConversion,
		MissingExchangeRate: missingExchangeRate,
	},
	queries: {
		invoices: { scope, resolve: invoicesOf },
		invoice: {
			scope,
			resolve: (args, { work }) =>
				getCustomersInvoice(
					work,
					getInvoicedCustomer(work, textOf(args, "customerId") ?? ""),
					textOf(args, "id") ?? "",
				),
		},
	},
	mutations: {
		addInvoiceLine: operation({
			scope: writeScope,
			...byInvoice,
			body: ManualLine,
			run: (work, body, path) => addManualLine(work, found(work, path), body),
		}),
		removeInvoiceLine: operation({
			scope: writeScope,
			path: { ...byInvoice.path, line: "line" },
			params: DraftLinePath.properties,
			read: (input) => ({ ...input, line: String(input.line) }),
			body: NoBody,
			run: (work, _, { line: number, ...path }) => removeManualLine(work, found(work, path), Number(number)),
		}),
		finalizeInvoice: operation({
			scope: writeScope,
			...byInvoice,
			body: NoBody,
			run: (work, _, path) => finalizeInvoice(work, found(work, path), lateUsageOf),
		}),
	},
});
