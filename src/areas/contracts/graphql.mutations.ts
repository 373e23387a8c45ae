import { type GraphqlArea, inputOf } from "../../graphql/area";
import { type Input, NoBody, operation } from "../../graphql/input/operation";
import { itemsOf, sent, subscriptionBody, subscriptionInputFields } from "../../graphql/input/subscription-input";
import { discardAmendment, openAmendment } from "./billing/amendments/operations";
import { publishContract } from "./billing/operations.publish";
import { cancelBilling, reopenBilling } from "./billing/operations.state";
import { EditActive } from "./billing/schema";
import { createContract } from "./operations";
import { addItems, deleteItem, deleteItemRow, replaceItemRows } from "./operations.billing";
import { addSubscriptions, archiveContract, unlinkSubscription, updateContract } from "./operations.changes";
import { changeSettings, changeTerms } from "./operations.terms";
import {
	BillingSettings,
	BillingTerms,
	ContractCreate,
	ContractPath,
	ContractUpdate,
	ItemPath,
	ItemsAdd,
	ItemUpdate,
	MemberPath,
	RowPath,
	SubscriptionsAdd,
} from "./schema";
import { viewTotals } from "./view";

const typeDefs = `
	enum ContractCycleUnit { monthly yearly quarterly weekly one_time }
	enum ContractPaymentTime { IN_ADVANCE IN_ARREARS }
	input ContractSubscriptionInput { customerId: String! ${subscriptionInputFields} }
	"Exactly one of the two."
	input ContractSubscriptionEntryInput {
		existingSubscriptionId: String
		newSubscription: ContractSubscriptionInput
	}
	"How it goes on after its term."
	input ContractRenewalInput { autoRenew: Boolean! months: Int noticePeriodDays: Int upliftPercentage: Float }
	input CreateContractInput {
		"The caller's id. Of a contract that exists, that one is answered, unchanged."
		contractId: String
		customerId: String!
		subscriptions: [ContractSubscriptionEntryInput!]!
		name: String
		poNumber: String
		setupBilling: Boolean
		activationStartDate: String
		activationEndDate: String
		renewal: ContractRenewalInput
	}
	"What is left out stays. subscriptionIds replaces all that it groups."
	input UpdateContractInput {
		contractId: String!
		name: String
		poNumber: String
		setupBilling: Boolean
		activationStartDate: String
		activationEndDate: String
		subscriptionIds: [String!]
		renewal: ContractRenewalInput
	}
	input ByContractIdInput { contractId: String! }
	"With includeCurrentInvoice the invoices of the cycles that run are credited and issued anew."
	input AmendContractInput { contractId: String! includeCurrentInvoice: Boolean }
	"Either of the two lists."
	input AddContractSubscriptionsInput {
		contractId: String!
		subscriptions: [ContractSubscriptionEntryInput!]
		subscriptionIds: [String!]
	}
	input RemoveContractSubscriptionInput { contractId: String! subscriptionId: String! }
	input ContractItemRowInput { quantity: Float price: Float from: Float to: Float packageSize: Float }
	input ContractItemInput {
		name: String!
		externalId: String
		itemName: String
		pricingModelId: String
		rows: [ContractItemRowInput!]
		billingCycleUnit: ContractCycleUnit
		billingCycleCount: Int
		paymentTime: ContractPaymentTime
		discount: Float
		tax: Float
		netTerms: Int
		separateInvoice: Boolean
		prorateCutCycles: Boolean
		activationStartDate: String
		activationEndDate: String
	}
	"All or none."
	input AddContractItemsInput {
		contractId: String!
		items: [ContractItemInput!]!
		currency: Currency
		legalEntityId: String
		activationStartDate: String
		activationEndDate: String
	}
	"Replaces all rows. itemRef is the item's externalId, or its itemId."
	input UpdateContractItemInput { contractId: String! itemRef: String! rows: [ContractItemRowInput!]! }
	input DeleteContractItemInput { contractId: String! itemRef: String! }
	input DeleteContractItemRowInput { contractId: String! itemRef: String! rowIndex: Int! }
	input UpdateContractTermsInput {
		contractId: String!
		activationStartDate: String
		activationEndDate: String
		currency: Currency
		netTerms: Int
	}
	input UpdateContractSettingsInput {
		contractId: String!
		legalEntityId: String
		paymentAccountId: String
		note: String
	}
	extend type Mutation {
		createOneContract(input: CreateContractInput!): Contract
		updateOneContract(input: UpdateContractInput!): Contract
		"Cancels the contract, its billing and all its subscriptions."
		archiveContract(input: ByContractIdInput!): Contract
		addContractSubscriptions(input: AddContractSubscriptionsInput!): Contract
		"Takes it off the contract; it goes on as it is."
		removeContractSubscription(input: RemoveContractSubscriptionInput!): Contract
		addContractItems(input: AddContractItemsInput!): ContractTotals
		updateContractItem(input: UpdateContractItemInput!): ContractTotals
		deleteContractItem(input: DeleteContractItemInput!): ContractTotals
		deleteContractItemRow(input: DeleteContractItemRowInput!): ContractTotals
		"Overwrites these terms on every item."
		updateContractTerms(input: UpdateContractTermsInput!): ContractTotals
		updateContractSettings(input: UpdateContractSettingsInput!): ContractTotals
		publishContract(input: ByContractIdInput!): Contract
		"Back to draft, as long as nothing was invoiced."
		reopenContractBilling(input: ByContractIdInput!): Contract
		"Opens the items of a live contract for change, while nothing is issued; publishContract puts them into force."
		amendContract(input: AmendContractInput!): Contract
		discardContractAmendment(input: ByContractIdInput!): Contract
		cancelContractBilling(input: ByContractIdInput!): Contract
	}
`;

const scope = "CONTRACT:WRITE";
const byContract = { path: { contractId: "id" }, params: ContractPath.properties } as const;
const byItem = { path: { contractId: "id", itemRef: "itemRef" }, params: ItemPath.properties } as const;

const withSubscriptions = (input: Input): Input => ({
	...input,
	...sent({ subscriptions: itemsOf(input.subscriptions)?.map(entryOf) }),
});

const entryOf = ({ newSubscription, ...entry }: Input): Input => ({
	...entry,
	...(newSubscription !== undefined && {
		newSubscription: subscriptionBody(inputOf({ newSubscription }, "newSubscription")),
	}),
});

export const contractMutationsGraphql: GraphqlArea = {
	typeDefs,
	mutations: {
		// Its `contractId` is the id that the contract gets: a part of the body.
		createOneContract: operation({ scope, read: withSubscriptions, body: ContractCreate, run: createContract }),
		updateOneContract: operation({
			scope,
			...byContract,
			body: ContractUpdate,
			run: (work, body, { id }) => updateContract(work, id, body),
		}),
		archiveContract: operation({
			scope,
			...byContract,
			body: NoBody,
			run: (work, _, { id }) => archiveContract(work, id),
		}),
		addContractSubscriptions: operation({
			scope,
			...byContract,
			read: withSubscriptions,
			body: SubscriptionsAdd,
			run: (work, body, { id }) => addSubscriptions(work, id, body),
		}),
		removeContractSubscription: operation({
			scope,
			path: { contractId: "id", subscriptionId: "subscriptionId" },
			params: MemberPath.properties,
			body: NoBody,
			run: (work, _, { id, subscriptionId }) => unlinkSubscription(work, id, subscriptionId),
		}),
		addContractItems: operation({
			scope,
			...byContract,
			body: ItemsAdd,
			run: (work, body, { id }) => viewTotals(addItems(work, id, body)),
		}),
		updateContractItem: operation({
			scope,
			...byItem,
			body: ItemUpdate,
			run: (work, { rows }, { id, itemRef }) => viewTotals(replaceItemRows(work, id, itemRef, rows)),
		}),
		deleteContractItem: operation({
			scope,
			...byItem,
			body: NoBody,
			run: (work, _, { id, itemRef }) => viewTotals(deleteItem(work, id, itemRef)),
		}),
		deleteContractItemRow: operation({
			scope,
			path: { ...byItem.path, rowIndex: "rowIndex" },
			params: RowPath.properties,
			read: (input) => ({ ...input, rowIndex: String(input.rowIndex) }),
			body: NoBody,
			run: (work, _, { id, itemRef, rowIndex }) => viewTotals(deleteItemRow(work, id, itemRef, Number(rowIndex))),
		}),
		updateContractTerms: operation({
			scope,
			...byContract,
			body: BillingTerms,
			run: (work, body, { id }) => viewTotals(changeTerms(work, id, body)),
		}),
		updateContractSettings: operation({
			scope,
			...byContract,
			body: BillingSettings,
			run: (work, body, { id }) => viewTotals(changeSettings(work, id, body)),
		}),
		amendContract: operation({
			scope,
			...byContract,
			body: EditActive,
			run: (work, body, { id }) => openAmendment(work, id, body),
		}),
		discardContractAmendment: operation({
			scope,
			...byContract,
			body: NoBody,
			run: (work, _, { id }) => discardAmendment(work, id),
		}),
		reopenContractBilling: operation({
			scope,
			...byContract,
			body: NoBody,
			run: (work, _, { id }) => reopenBilling(work, id),
		}),
		cancelContractBilling: operation({
			scope,
			...byContract,
			body: NoBody,
			run: (work, _, { id }) => cancelBilling(work, id),
		}),
		publishContract: operation({
			scope,
			...byContract,
			body: NoBody,
			run: (work, _, { id }) => publishContract(work, id),
		}),
	},
};
