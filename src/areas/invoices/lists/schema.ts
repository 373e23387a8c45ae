import { type Static, Type } from "@sinclair/typebox";
import { CustomerRefId, literals, nullable } from "../../../kernel/schema";
import { billingReasons, InvoiceListQuery, ShownInvoice } from "../schema";
import { taxInOtherCurrency } from "../schema.tax-conversion";

/** Our own route: a customer's list, over all of them. */
export const AllInvoicesQuery = Type.Object(
	{
		...InvoiceListQuery.properties,
		orderBy: Type.Optional(literals("issueDate", "dueDate")),
		customerId: Type.Optional(CustomerRefId),
		format: Type.Optional(literals("json", "csv")),
	},
	{ additionalProperties: false },
);
export type AllInvoicesQuery = Static<typeof AllInvoicesQuery>;

/** Our choice: so many rows of CSV come at once, unless fewer are asked for; `Link` leads to the next ones. */
export const csvRowsMax = 1000;

/** What `customers.listInvoices` shows of an invoice, and what has become of it. */
export const InvoiceInBooks = Type.Object(
	{
		...ShownInvoice.properties,
		customerName: nullable(Type.String()),
		billingReason: literals(...billingReasons),
		poNumber: nullable(Type.String()),
		/** Paid by what the customer had in credit. */
		balanceApplied: Type.Number(),
		amountPaid: Type.Number(),
		/** Taken off by credit notes before it was paid. */
		amountCredited: Type.Number(),
		amountDue: Type.Number(),
		isOverdue: Type.Boolean(),
		...taxInOtherCurrency,
		/** When a DRAFT is issued by itself; null of what is issued. */
		finalizeDate: nullable(Type.String()),
	},
	{ $id: "InvoiceInBooks", additionalProperties: false },
);
export type InvoiceInBooks = Static<typeof InvoiceInBooks>;
