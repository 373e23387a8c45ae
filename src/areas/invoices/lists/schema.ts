import { type Static, Type } from "@sinclair/typebox";
import { CustomerRefId, literals, nullable } from "../../../kernel/schema";
import { billingReasons, InvoiceListQuery, ShownInvoice } from "../schema";
import { taxInOtherCurrency } from "../schema.tax-conversion";

/** Our own route: the list of a customer's invoices, for all customers. */
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

/**
 * Our choice (docs/interface/invoices.md#limits): the number of CSV rows in a response, unless the caller requests
 * fewer. `Link` leads to the next rows.
 */
export const csvRowsMax = 1000;

/** The fields of an invoice in `customers.listInvoices`, with its payments and credits. */
export const InvoiceInBooks = Type.Object(
	{
		...ShownInvoice.properties,
		customerName: nullable(Type.String()),
		billingReason: literals(...billingReasons),
		poNumber: nullable(Type.String()),
		/** The amount that the customer's balance paid. */
		balanceApplied: Type.Number(),
		amountPaid: Type.Number(),
		/** The sum of credit notes issued before the payment. */
		amountCredited: Type.Number(),
		amountDue: Type.Number(),
		isOverdue: Type.Boolean(),
		...taxInOtherCurrency,
		/** The time when a DRAFT is issued automatically; null for an issued invoice. */
		finalizeDate: nullable(Type.String()),
	},
	{ $id: "InvoiceInBooks", additionalProperties: false },
);
export type InvoiceInBooks = Static<typeof InvoiceInBooks>;
