import { operation } from "../../openapi/operation";

const legalEntityId = ["The legal entity's id", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c70"] as const;
const mandateId = ["The mandate's id", "0198c1a2-7d3e-7c4b-9a51-3f0e6d2b8c71"] as const;
const noMandate = { 404: "There is no such mandate." };

export const mandateOperations = {
	listCreditors: operation({
		operationId: "directDebit.listCreditors",
		summary: "List the creditors of direct debits",
		description: "The legal entities that collect by SEPA direct debit.",
	}),
	setCreditor: operation({
		operationId: "directDebit.setCreditor",
		summary: "Let a legal entity collect by direct debit",
		description:
			"`creditorId` is the identifier that the central bank has given. `leadDays` is the time between the announcement of a debit and its collection, 14 days by default. `format` is the version of the message that the bank accepts, pain.008.001.08 by default. `batchBooking` asks the bank to book a file as one entry; by default each debit is an entry of its own, and statements settle it. A missing setting stays.",
		path: { legalEntityId },
		example: { creditorId: "DE98ZZZ09999999999", leadDays: 14 },
		refusals: ["InvalidArgumentError"],
		uncoded: { 404: "There is no such legal entity." },
	}),
	list: operation({
		operationId: "directDebit.listMandates",
		summary: "List mandates",
		description: "Newest first.",
		query: { customerId: "Only mandates of this customer" },
		refusals: ["CustomerNotFound"],
	}),
	create: operation({
		operationId: "directDebit.createMandate",
		summary: "Record a SEPA mandate",
		description:
			"A mandate that the customer has signed. From then on, Tollgate plans a direct debit for each invoice in euro of this customer and legal entity when it is issued, unless a saved payment method is charged. Without a `reference`, Tollgate makes one. Accounts outside the EEA need `debtorAddress`.",
		example: { customerId: "customer-acme", iban: "DE02120300000000202051", signedOn: "2026-01-15" },
		refusals: [
			...(["CustomerNotFound", "EntityIsArchivedError"] as const),
			...(["DuplicatedEntityNotAllowed", "InvalidArgumentError"] as const),
		],
	}),
	retrieve: operation({
		operationId: "directDebit.retrieveMandate",
		summary: "Retrieve a mandate",
		path: { mandateId },
		uncoded: noMandate,
	}),
	revoke: operation({
		operationId: "directDebit.revokeMandate",
		summary: "Revoke a mandate",
		description: "Cancels its debits that are in no file. A debit in a file stays: the bank has it.",
		path: { mandateId },
		uncoded: noMandate,
	}),
};
