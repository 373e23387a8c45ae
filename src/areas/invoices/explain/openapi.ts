import { operation } from "../../../openapi/operation";

export const explainOperations = {
	explain: operation({
		operationId: "customers.explainInvoiceLine",
		summary: "Explain how a line of an invoice came about",
		description:
			"The version of the price, its tiers, or the rows of a contract's item, what was used in its window and billed before, the part of the period, discount and tax; and every step with its arithmetic, which comes to the line's figures. A line that was issued before this was kept, or that was not calculated from prices, is told as far as it says itself.",
		path: {
			id: ["The customer's id, or its id at the billing provider", "customer-acme"],
			invoiceRef: ["The invoice's id, which the list of invoices answers", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c70"],
			line: ["The number of the line in `lineItems`, from 1", "1"],
		},
		refusals: ["CustomerNotFound", "InvoiceNotFound"],
		uncoded: { 404: "The invoice has no such line." },
	}),
};
