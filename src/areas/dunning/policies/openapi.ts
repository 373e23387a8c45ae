import { operation } from "../../../openapi/operation";

const path = { id: ["The policy's id", "dunning-standard"] } as const;
const customer = { id: ["The customer's id", "customer-acme"] } as const;

const uncoded = { 404: "There is no such policy in this environment." };

export const policyOperations = {
	list: operation({
		operationId: "dunningPolicies.list",
		summary: "List dunning policies",
		query: { status: "Only policies in these states" },
	}),
	create: operation({
		operationId: "dunningPolicies.create",
		summary: "Create a dunning policy",
		description:
			"When customers are reminded of invoices that they pay by transfer, in days from the due date at 08:00 of the customer's zone, and what ends the schedule. Without `reminders`: -3, 0, 7, 14 and 28 days. `retries` has the days on which Tollgate charges an invoice with CHARGE again; without it: 0, 2, 5, 9, 14 and 21, as far as they are before the end. It applies to invoices that are issued from then on.",
		example: {
			...{ id: "dunning-strict", displayName: "Strict", reminders: [0, 5, 10] },
			end: { action: "CANCEL", afterDays: 20 },
			texts: [
				{
					...{ kind: "FINAL", language: "en", subject: "We will cancel your subscription" },
					text: "Dear {customer},\n\nplease pay {total} now:\n\n{invoices}\n\n{payment}\n\n{seller}\n",
				},
			],
			appliesTo: { isDefault: false, legalEntityIds: [], planIds: [] },
		},
		refusals: ["InvalidArgumentError", "DuplicatedEntityNotAllowed"],
	}),
	retrieve: operation({
		operationId: "dunningPolicies.retrieve",
		summary: "Show a dunning policy",
		path,
		uncoded,
	}),
	update: operation({
		operationId: "dunningPolicies.update",
		summary: "Change a dunning policy",
		description: "Cases that run keep the schedule and the end that they started with, and use the new texts.",
		path,
		example: { displayName: "Standard", reminders: [-3, 0, 7, 14, 28], end: { action: "LEAVE_OPEN", afterDays: 42 } },
		refusals: ["InvalidArgumentError", "EntityIsArchivedError"],
		uncoded,
	}),
	archive: operation({
		operationId: "dunningPolicies.archive",
		summary: "Archive a dunning policy",
		description: "No case starts by it any more. Cases that run continue.",
		path,
		uncoded,
	}),
	ofCustomer: operation({
		operationId: "customers.retrieveDunning",
		summary: "Show a customer's dunning policy",
		path: customer,
		refusals: ["CustomerNotFound"],
	}),
	setOfCustomer: operation({
		operationId: "customers.updateDunning",
		summary: "Set a customer's dunning policy",
		description:
			"It precedes the policies of plan, legal entity and environment. `isExempt` stops new cases of the customer. `policyId` null removes the customer's own. Cases that run keep theirs.",
		path: customer,
		example: { policyId: "dunning-standard" },
		refusals: ["CustomerNotFound", "EntityIsArchivedError", "InvalidArgumentError"],
		uncoded,
	}),
};
