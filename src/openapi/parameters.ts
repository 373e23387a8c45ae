import type { ParameterNote } from "./operation";

/** The descriptions of query parameters that many routes share. */
export const commonParameters: Readonly<Record<string, ParameterNote>> = {
	after: "The page that follows this cursor: `pagination.next` of the page before",
	before: "The page that ends before this cursor: `pagination.prev` of the page after",
	limit: "How many entries a page has at most; 20 when left out",
	"createdAt[gt]": "Created after this instant",
	"createdAt[gte]": "Created at this instant or after",
	"createdAt[lt]": "Created before this instant",
	"createdAt[lte]": "Created at this instant or before",
	search: "Only those whose id or name begins so",
	version: "One version by its number, in place of the one that is sold now",
};

/** Headers by their names in the document's components. */
export const headers = {
	IdempotencyKey: {
		name: "Idempotency-Key",
		in: "header",
		description:
			"For 24 hours the same call with the same key is answered from what was kept, and nothing is done again",
		schema: { type: "string", minLength: 1, maxLength: 255 },
	},
	CustomerToken: {
		name: "X-CUSTOMER-TOKEN",
		in: "header",
		description:
			"With a publishable key where client hardening is on, and always for what the portal shows: the customer's id signed by your backend, as hexadecimal HMAC-SHA256",
		schema: { type: "string", maxLength: 255 },
	},
};
