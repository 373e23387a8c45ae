import { operation } from "../../openapi/operation";

const customer = { id: ["The customer's id", "customer-acme"] } as const;

export const privacyOperations = {
	erase: operation({
		operationId: "customers.erase",
		summary: "Erase what is personal of a customer",
		description:
			"Archives the customer and has a task replace names by a token and drop e-mails, addresses, notes and metadata, wherever they may legally go. Issued invoices and credit notes keep the buyer for the legal time (ten years after the year of issue); another erasure after that finishes it. Of usage events, in the log and in archives, texts in dimensions become tokens and idempotency keys hashes, so that totals stay what they are; ids stay. The certificate tells what was erased, what is kept, why, and until when. Refused while a subscription, a contract or a draft invoice of the customer is not over.",
		path: customer,
		example: {},
		query: { dryRun: "`true` answers what would be done, and changes nothing" },
		refusals: ["CustomerNotFound", "CannotDeleteCustomerError"],
	}),
	listErasures: operation({
		operationId: "customers.listErasures",
		summary: "List a customer's erasures",
		description:
			"Newest first, with their certificates. `sha256` is that of the certificate as JSON without spaces, in the order in which it is told.",
		path: customer,
		refusals: ["CustomerNotFound"],
	}),
	export: operation({
		operationId: "customers.export",
		summary: "Tell all that is held of a customer",
		description:
			"Lines of JSON: the first says of whom, when, and what is left out and why; then each row as it is kept, with the name of its section (instants in milliseconds since 1970, UTC), and each usage event; the last says how many there were. Without it the answer is not whole. A section that the caller may not read (subscriptions, invoices, contracts, credits, usage) is named as left out.",
		path: { id: ["The customer's id", "customer-acme"] },
		answer: { description: "A line for each row", contentType: "application/x-ndjson" },
		refusals: ["CustomerNotFound", "RateLimitExceeded"],
		uncoded: { 503: "Too many streams are open; try again after the seconds of `Retry-After`." },
	}),
};
