import { operation } from "../../../openapi/operation";

export const invoiceTotalsOperations = {
	list: operation({
		operationId: "invoices.totals",
		summary: "Show what was invoiced over time",
		description:
			"The totals of the invoices that were issued in each interval, by currency, tax included; drafts and canceled invoices are left out, and so is an interval without any. Days are those of UTC. A year by days when nothing is asked for, at most two years.",
		query: {
			from: ["The beginning", "2026-01-01T00:00:00Z"],
			to: ["The end", "2026-12-31T00:00:00Z"],
			interval: "By days, or by months",
		},
	}),
};
