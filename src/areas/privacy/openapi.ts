import { operation } from "../../openapi/operation";

export const privacyOperations = {
	export: operation({
		operationId: "customers.export",
		summary: "Tell all that is held of a customer",
		description:
			"Lines of JSON: the first says of whom, when, and what is left out and why; then each row as it is kept, with the name of its section (instants in milliseconds since 1970, UTC), and each usage event; the last says how many there were. Without it the answer is not whole. A section that the caller may not read (subscriptions, invoices, contracts, credits, usage) is named as left out.",
		path: { id: ["The customer's id", "customer-acme"] },
		answer: { description: "A line for each row", contentType: "application/x-ndjson" },
		refusals: ["CustomerNotFound"],
	}),
};
