import { operation } from "../../openapi/operation";

const customer = { id: ["The customer's id", "customer-acme"] } as const;
const invoice = {
	...customer,
	invoiceRef: ["The invoice's id, from the customer's invoices", "019a0000-0000-7000-8000-000000000001"],
} as const;
const refusals = ["CustomerNotFound", "InvoiceNotFound", "InvalidArgumentError", "BillingInvoiceStatusError"] as const;

export const collectionOperations = {
	cases: operation({
		operationId: "dunningCases.list",
		summary: "List dunning cases",
		query: { customerId: "Only cases of this customer", state: "Only cases in these states" },
	}),
	customer: operation({
		operationId: "customers.retrieveCollection",
		summary: "Show what is due of a customer",
		description: "The open invoices, and what Tollgate does next about each, when and why.",
		path: customer,
		refusals: ["CustomerNotFound"],
	}),
	reminders: operation({
		operationId: "customers.listReminders",
		summary: "List the reminders to a customer",
		description:
			"Newest first, with their texts. TEST_CLOCK: the environment had a frozen clock, so the mail was not sent. NO_MAIL_SERVER: `TOLLGATE_SMTP_URL` is not set.",
		path: customer,
		refusals: ["CustomerNotFound"],
	}),
	invoice: operation({
		operationId: "customers.retrieveInvoiceCollection",
		summary: "Show the collection of an invoice",
		description: "What is due, the dunning case, the steps that ran, and what Tollgate does next and why.",
		path: invoice,
		refusals: ["CustomerNotFound", "InvoiceNotFound", "BillingInvoiceStatusError"],
	}),
	start: operation({
		operationId: "customers.startInvoiceCollection",
		summary: "Start the dunning case of an invoice",
		description:
			"For an OPEN invoice without a running case: one that was issued before there was a policy, or whose case has ended.",
		path: invoice,
		example: { policyId: "dunning-standard" },
		refusals: [...refusals, "EntityIsArchivedError"],
		uncoded: { 404: "There is no such policy in this environment." },
	}),
	suspend: operation({
		operationId: "customers.suspendInvoiceCollection",
		summary: "Suspend the dunning case of an invoice",
		description:
			"The schedule stands still: for a PROMISE to pay until a day, a HOLD, or a DISPUTE. A PROMISE resumes at 08:00 of the day after; the other steps move by the days in which the schedule stood still.",
		path: invoice,
		example: { reason: "HOLD", note: "Waits for the purchase order" },
		refusals,
	}),
	resume: operation({
		operationId: "customers.resumeInvoiceCollection",
		summary: "Resume the dunning case of an invoice",
		path: invoice,
		refusals,
	}),
	stop: operation({
		operationId: "customers.stopInvoiceCollection",
		summary: "Stop the dunning case of an invoice",
		description: "The invoice stays OPEN. No further step runs.",
		path: invoice,
		example: { note: "Settled by phone" },
		refusals,
	}),
};
