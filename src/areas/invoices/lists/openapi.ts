import { operation } from "../../../openapi/operation";

export const invoiceListOperations = {
	list: operation({
		operationId: "invoices.list",
		summary: "List the invoices of all customers",
		description:
			"The first issued comes first, unless it is asked otherwise; with what has become of each: paid, credited, due, overdue. An OPEN invoice is overdue once the day of its due date has passed (UTC). As CSV with a book-keeper's columns and exact decimals by `format=csv` or `Accept: text/csv`: up to 1000 rows at once, and `Link` leads to the next ones.",
		query: {
			customerId: "Only invoices of this customer",
			contractExternalId: "Only invoices of this contract",
			issuedAfter: "Only invoices issued at this instant or after",
			issuedBefore: "Only invoices issued at this instant or before",
			stateIn: "Only invoices in these states",
			dueBefore: "Only invoices that are due before this instant",
			number: "Only the invoice of this number",
			search: "Only invoices whose number begins so, or the one of this id",
			overdue: "`true`: only OPEN invoices whose due date has passed; `false`: only others",
			orderBy:
				"By what to sort; when left out by the date of issue, or, with `dueBefore` or `overdue`, by the due date",
			orderDir: "Upwards (when left out) or downwards",
			format: "`json`, unless `Accept` asks for CSV",
		},
		refusals: ["CustomerNotFound"],
	}),
};
