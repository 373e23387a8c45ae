import { operation } from "../../../openapi/operation";

export const explainOperations = {
	explain: operation({
		operationId: "customers.explainInvoiceLine",
		summary: "Explain how a line of an invoice was calculated",
		description:
			"Returns the version of the price, its tiers or the rows of a contract's item, the usage in its window, the part that earlier invoices billed, the share of the period, discount and tax. Each step has its arithmetic, which results in the figures of the line. If a line was issued before Tollgate stored explanations, or was not calculated from prices, the response contains only the figures of the line.",
		path: {
			id: ["The customer's id, or its id at the billing provider", "customer-acme"],
			invoiceRef: ["The invoice's id, from the list of invoices", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c70"],
			line: ["The number of the line in `lineItems`, from 1", "1"],
		},
		refusals: ["CustomerNotFound", "InvoiceNotFound"],
		uncoded: { 404: "The invoice has no such line." },
	}),
};
