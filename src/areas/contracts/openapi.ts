import { operation } from "../../openapi/operation";

const path = { id: ["The contract's id", "contract-wayne"] } as const;
const item = { ...path, itemRef: ["The line item's own id (`externalId`), or its `itemId`", "seats"] } as const;

export const contractOperations = {
	list: operation({
		operationId: "contracts.list",
		summary: "List contracts",
		query: {
			customerExternalId: "Only contracts of this customer",
			name: "Only contracts of this name",
			search: "Only contracts whose id or name begins so",
			state: "Only contracts in these states",
			expiresWithinDays:
				"Only contracts in force that end within so many days, by the environment's clock, and do not renew by themselves; the first to end comes first",
		},
	}),
	create: operation({
		operationId: "contracts.create",
		summary: "Create a contract",
		description:
			"Over subscriptions that run, or with new ones. `contractId`, your own id for it, makes the call safe to repeat.",
		example: {
			contractId: "contract-umbrella",
			customerId: "customer-umbrella",
			name: "Umbrella 2030",
			subscriptions: [{ existingSubscriptionId: "subscription-umbrella" }],
			activationStartDate: "2030-01-01T00:00:00Z",
			activationEndDate: "2031-01-01T00:00:00Z",
		},
		refusals: ["CustomerNotFound", "SubscriptionNotFound", "PlanNotFound", "DuplicatedEntityNotAllowed"],
	}),
	listPricingModels: operation({
		operationId: "contracts.listPricingModels",
		summary: "List the ways in which a line item can be priced",
	}),
	listLegalEntities: operation({
		operationId: "contracts.listLegalEntities",
		summary: "List the legal entities that contracts are billed by",
	}),
	retrieve: operation({
		operationId: "contracts.retrieve",
		summary: "Show a contract",
		path,
		refusals: ["ContractNotFound"],
	}),
	update: operation({
		operationId: "contracts.update",
		summary: "Change a contract",
		description:
			"What is left out stays. `subscriptionIds` replaces all that it groups; `setupBilling` gives it a billing half, for good.",
		path,
		example: { name: "Wayne 2027", poNumber: "PO-2027-1" },
		refusals: ["ContractNotFound", "SubscriptionNotFound", "EntityIsArchivedError", "DuplicatedEntityNotAllowed"],
	}),
	retrieveOrderForm: operation({
		operationId: "contracts.retrieveOrderForm",
		summary: "Show a contract's order form as a PDF",
		description:
			"Ours: parties, items with their prices, total contract value, invoices and signature lines, of a draft, of what is in force and of an amendment that is open; in the customer's language. Renders it, and waits a few seconds for it.",
		path,
		answer: { description: "The order form", contentType: "application/pdf" },
		refusals: ["ContractNotFound", "BillingContractOperationRejected"],
		uncoded: {
			500: "Its render failed each time and was given up.",
			503: "Not ready in time; ask again after the seconds of `Retry-After`.",
		},
	}),
	delete: operation({
		operationId: "contracts.delete",
		summary: "Archive a contract",
		description: "Cancels it, its billing and all its subscriptions, whole or not at all. What was invoiced stays.",
		path,
		refusals: ["ContractNotFound"],
	}),
	addSubscriptions: operation({
		operationId: "contracts.addSubscriptions",
		summary: "Put more subscriptions under a contract",
		description: "Ones that run, or new ones, all or none. One that is on it already stays as it is.",
		path,
		example: { subscriptionIds: ["subscription-wayne"] },
		refusals: [
			"ContractNotFound",
			"SubscriptionNotFound",
			"PlanNotFound",
			"EntityIsArchivedError",
			"DuplicatedEntityNotAllowed",
		],
	}),
	removeSubscription: operation({
		operationId: "contracts.removeSubscription",
		summary: "Take a subscription off a contract",
		description: "It goes on as it is. One that is not on the contract changes nothing.",
		path: { ...path, subscriptionId: ["The subscription's id", "subscription-wayne"] },
		refusals: ["ContractNotFound", "SubscriptionNotFound", "EntityIsArchivedError"],
	}),
	updateTerms: operation({
		operationId: "contracts.billing.updateTerms",
		summary: "Change the terms of all line items",
		description: "Overwrites them on every item, and on the contract. Answers the totals, recomputed.",
		path,
		example: { netTerms: 45 },
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "EntityIsArchivedError"],
	}),
	updateSettings: operation({
		operationId: "contracts.billing.updateSettings",
		summary: "Change issuer, payment account and note of all line items",
		path,
		example: { note: "Please quote our order number." },
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "EntityIsArchivedError"],
	}),
	retrieveSummary: operation({
		operationId: "contracts.billing.retrieveSummary",
		summary: "Show a contract's totals",
		path,
		refusals: ["ContractNotFound"],
	}),
	retrieveInvoiceSchedule: operation({
		operationId: "contracts.billing.retrieveInvoiceSchedule",
		summary: "List the invoices that a contract brings",
		description:
			"Of a draft, those that it would bring if it were published now; of a live contract, those that were issued and those to come.",
		path,
		query: { count: "Only the first so many, by date of issue" },
		refusals: ["ContractNotFound", "BillingContractOperationRejected"],
	}),
	publish: operation({
		operationId: "contracts.billing.publish",
		summary: "Publish a contract's items, or put its amendment into force",
		description: "From then on the items are fixed, and are invoiced. What was issued stays.",
		path,
		query: { dryRun: "`true` answers what would be invoiced and credited, and changes nothing" },
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "EntityIsArchivedError"],
	}),
	editActive: operation({
		operationId: "contracts.billing.editActive",
		summary: "Open a live contract's items for change",
		description:
			"Items, rows, terms and settings change as those of a draft, and nothing is issued, until it is published or thrown away. " +
			"With `includeCurrentInvoice` the invoices of the cycles that run are then credited and issued anew.",
		path,
		example: { includeCurrentInvoice: true },
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "EntityIsArchivedError"],
	}),
	discardAmendment: operation({
		operationId: "contracts.billing.discardAmendment",
		summary: "Throw an amendment away",
		description: "What was in force is, and what fell due meanwhile is issued.",
		path,
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "EntityIsArchivedError"],
	}),
	listCreditNotes: operation({
		operationId: "contracts.billing.listCreditNotes",
		summary: "List the credit notes of a contract's invoices",
		path,
		query: { dryRun: "`true`: changes and issues nothing, and answers what would be" },
		refusals: ["ContractNotFound", "BillingContractOperationRejected"],
	}),
	previewNextInvoice: operation({
		operationId: "contracts.billing.previewNextInvoice",
		summary: "Show the invoice that comes next of a live contract",
		description: "With the usage so far; null where none is to come.",
		path,
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "InvoicePreviewNotAvailableForDraftContract"],
	}),
	refreshUsage: operation({
		operationId: "contracts.refreshUsage",
		summary: "Read what a contract's pay-as-you-go items have used so far",
		description: "Nothing has to be pushed: invoices read the same meters when they are due.",
		path,
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "EntityIsArchivedError"],
	}),
	reopenBilling: operation({
		operationId: "contracts.billing.reopen",
		summary: "Make a contract's billing a draft again",
		description: "As long as nothing of it was invoiced.",
		path,
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "EntityIsArchivedError"],
	}),
	cancelBilling: operation({
		operationId: "contracts.billing.cancel",
		summary: "Cancel a contract's billing",
		description: "Nothing more is invoiced. What was issued stays, and its subscriptions go on.",
		path,
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "EntityIsArchivedError"],
	}),
	addItems: operation({
		operationId: "contracts.billing.addItems",
		summary: "Add line items to a contract",
		description: "All or none. Answers the totals, recomputed.",
		path,
		example: {
			items: [
				{
					name: "Training days",
					externalId: "training",
					pricingModelId: "flat",
					billingCycleUnit: "one_time",
					rows: [{ quantity: 2, price: 1500 }],
				},
			],
		},
		refusals: ["ContractNotFound", "BillingContractOperationRejected"],
	}),
	updateItem: operation({
		operationId: "contracts.billing.updateItem",
		summary: "Replace the rows of a line item",
		path: item,
		example: { rows: [{ quantity: 80, from: 0, to: null, price: 9.5 }] },
		refusals: ["ContractNotFound", "BillingContractOperationRejected"],
	}),
	deleteItem: operation({
		operationId: "contracts.billing.deleteItem",
		summary: "Delete a line item",
		path: item,
		refusals: ["ContractNotFound", "BillingContractOperationRejected"],
	}),
	deleteItemRow: operation({
		operationId: "contracts.billing.deleteItemRow",
		summary: "Delete one row of a line item",
		path: { ...item, rowIndex: ["The row's place, from 0", 1] },
		refusals: ["ContractNotFound", "BillingContractOperationRejected"],
	}),
	listOfCustomer: operation({
		operationId: "customers.listContracts",
		summary: "List a customer's contracts",
		path: { id: ["The customer's id", "customer-wayne"] },
		refusals: ["CustomerNotFound"],
	}),
};
