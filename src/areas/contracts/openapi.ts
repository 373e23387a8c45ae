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
			state: "Only contracts in these states",
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
		summary: "Publish a contract's items",
		description: "From then on the items are fixed. What is due is invoiced at once, the rest when its time comes.",
		path,
		refusals: ["ContractNotFound", "BillingContractOperationRejected"],
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
