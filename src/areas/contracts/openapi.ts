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
				"Only active contracts without automatic renewal that end within this number of days, by the environment's clock; earliest end first",
		},
	}),
	create: operation({
		operationId: "contracts.create",
		summary: "Create a contract",
		description:
			"Groups existing or new subscriptions. `contractId`, your own id of the contract, makes the call safe to repeat.",
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
		summary: "List the pricing models of line items",
	}),
	listLegalEntities: operation({
		operationId: "contracts.listLegalEntities",
		summary: "List the legal entities that issue the invoices of contracts",
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
			"Absent fields stay as they are. `subscriptionIds` replaces all grouped subscriptions; `setupBilling` adds a billing half for good.",
		path,
		example: { name: "Wayne 2027", poNumber: "PO-2027-1" },
		refusals: ["ContractNotFound", "SubscriptionNotFound", "EntityIsArchivedError", "DuplicatedEntityNotAllowed"],
	}),
	retrieveOrderForm: operation({
		operationId: "contracts.retrieveOrderForm",
		summary: "Show a contract's order form as a PDF",
		description:
			"An addition to the reference service: parties, items with their prices, total contract value, invoices and signature lines, of a draft, a live contract or an open amendment; in the customer's language. The call renders the PDF and waits a few seconds for it.",
		path,
		answer: { description: "The order form", contentType: "application/pdf" },
		refusals: ["ContractNotFound", "BillingContractOperationRejected"],
		uncoded: {
			500: "Every attempt to render it failed.",
			503: "Not ready in time; ask again after the seconds of `Retry-After`.",
		},
	}),
	delete: operation({
		operationId: "contracts.delete",
		summary: "Archive a contract",
		description: "Cancels the contract, its billing and all its subscriptions, all or nothing. Issued invoices stay.",
		path,
		refusals: ["ContractNotFound"],
	}),
	addSubscriptions: operation({
		operationId: "contracts.addSubscriptions",
		summary: "Add subscriptions to a contract",
		description: "Adds existing or new subscriptions, all or none. A subscription on the contract stays as it is.",
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
		summary: "Remove a subscription from a contract",
		description: "The subscription continues. A subscription that is not on the contract changes nothing.",
		path: { ...path, subscriptionId: ["The subscription's id", "subscription-wayne"] },
		refusals: ["ContractNotFound", "SubscriptionNotFound", "EntityIsArchivedError"],
	}),
	updateTerms: operation({
		operationId: "contracts.billing.updateTerms",
		summary: "Change the terms of all line items",
		description: "Overwrites the terms on every item and on the contract. Returns the new totals.",
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
	retrieveItems: operation({
		operationId: "contracts.billing.retrieveItems",
		summary: "List a contract's line items with their rows",
		description:
			"An addition to the reference service: the current items in the order in which they were added; while an amendment is open, as amended. `isOpen` says whether they can be changed now.",
		path,
		refusals: ["ContractNotFound", "BillingContractOperationRejected"],
	}),
	retrieveInvoiceSchedule: operation({
		operationId: "contracts.billing.retrieveInvoiceSchedule",
		summary: "List the issued and future invoices of a contract",
		description:
			"For a draft, the invoices if it were published now; for a live contract, the issued and the future ones.",
		path,
		query: { count: "Only the first so many, by date of issue" },
		refusals: ["ContractNotFound", "BillingContractOperationRejected"],
	}),
	publish: operation({
		operationId: "contracts.billing.publish",
		summary: "Publish a contract's items or its amendment",
		description: "The items are then fixed, and are invoiced. Issued invoices stay.",
		path,
		query: { dryRun: "`true` answers what would be invoiced and credited, and changes nothing" },
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "EntityIsArchivedError"],
	}),
	editActive: operation({
		operationId: "contracts.billing.editActive",
		summary: "Open a live contract's items for change",
		description:
			"Items, rows, terms and settings can then be changed as in a draft. No invoice is issued until the amendment is published or discarded. " +
			"With `includeCurrentInvoice` the invoices of running cycles are then credited and issued again.",
		path,
		example: { includeCurrentInvoice: true },
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "EntityIsArchivedError"],
	}),
	discardAmendment: operation({
		operationId: "contracts.billing.discardAmendment",
		summary: "Discard an amendment",
		description: "The former items are in force again, and invoices that became due meanwhile are issued.",
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
		summary: "Preview the next invoice of a live contract",
		description: "With the usage so far; null if no invoice follows.",
		path,
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "InvoicePreviewNotAvailableForDraftContract"],
	}),
	refreshUsage: operation({
		operationId: "contracts.refreshUsage",
		summary: "Read the usage so far of a contract's pay-as-you-go items",
		description: "Usage needs no push: due invoices read the same meters.",
		path,
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "EntityIsArchivedError"],
	}),
	reopenBilling: operation({
		operationId: "contracts.billing.reopen",
		summary: "Return a contract's billing to draft",
		description: "Only while nothing was invoiced.",
		path,
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "EntityIsArchivedError"],
	}),
	cancelBilling: operation({
		operationId: "contracts.billing.cancel",
		summary: "Cancel a contract's billing",
		description: "No further invoices follow. Issued invoices stay, and the subscriptions continue.",
		path,
		refusals: ["ContractNotFound", "BillingContractOperationRejected", "EntityIsArchivedError"],
	}),
	addItems: operation({
		operationId: "contracts.billing.addItems",
		summary: "Add line items to a contract",
		description: "Adds all items or none. Returns the new totals.",
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
		path: { ...item, rowIndex: ["The row's index, from 0", 1] },
		refusals: ["ContractNotFound", "BillingContractOperationRejected"],
	}),
	listOfCustomer: operation({
		operationId: "customers.listContracts",
		summary: "List a customer's contracts",
		path: { id: ["The customer's id", "customer-wayne"] },
		refusals: ["CustomerNotFound"],
	}),
};
