import { operation } from "../../openapi/operation";

const customer = { id: ["The customer's id", "customer-acme"] } as const;

export const privacyOperations = {
	erase: operation({
		operationId: "customers.erase",
		summary: "Erase a customer's personal data",
		description:
			"Archives the customer and starts a task. The task replaces names by a token and deletes emails, addresses, notes and metadata wherever the law permits. Issued invoices and credit notes keep the buyer for the legal period (ten years after the year of issue); a later erasure removes it then. In usage events, in the log and in archives, texts in dimensions become tokens and idempotency keys become hashes, so totals and ids stay. The certificate lists the erased and the retained data, with the reason and the end of the retention. Rejected while the customer has an active subscription or contract, or a draft invoice.",
		path: customer,
		example: {},
		query: { dryRun: "`true` returns a preview and changes nothing" },
		refusals: ["CustomerNotFound", "CannotDeleteCustomerError"],
	}),
	listErasures: operation({
		operationId: "customers.listErasures",
		summary: "List a customer's erasures",
		description:
			"Newest first, with their certificates. `sha256` is the hash of the certificate as JSON without spaces, in the order of its fields.",
		path: customer,
		refusals: ["CustomerNotFound"],
	}),
	export: operation({
		operationId: "customers.export",
		summary: "Export a customer's data",
		description:
			"JSON Lines. The first line names the customer, the time, and the omitted sections with the reason. Then follow each row with the name of its section (instants in milliseconds since 1970, UTC) and each usage event. The last line has the number of rows; an export without it is incomplete. Sections that the caller may not read (subscriptions, invoices, contracts, credits, usage) are listed as omitted.",
		path: { id: ["The customer's id", "customer-acme"] },
		answer: { description: "A line for each row", contentType: "application/x-ndjson" },
		refusals: ["CustomerNotFound", "RateLimitExceeded"],
		uncoded: { 503: "Too many streams are open; try again after the seconds in `Retry-After`." },
	}),
};
