import { type GraphqlArea, inputOf } from "../../graphql/area";
import { mutationsOf } from "../../graphql/input/mutations";
import { type Input, NoBody, operation, sent } from "../../graphql/input/operation";
import { itemsOf, subscriptionBody, subscriptionInputFields } from "../../graphql/input/subscription-input";
import { discardAmendment, openAmendment } from "./billing/amendments/operations";
import { publishContract } from "./billing/operations.publish";
import { cancelBilling, reopenBilling } from "./billing/operations.state";
import { EditActive } from "./billing/schema";
import { createContract } from "./operations";
import { addItems, deleteItem, deleteItemRow, replaceItemRows } from "./operations.billing";
import { addSubscriptions, archiveContract, unlinkSubscription, updateContract } from "./operations.changes";
import { changeSettings, changeTerms } from "./operations.terms";
import {
	BillingCycleUnit,
	BillingSettings,
	BillingTerms,
	ContractCreate,
	ContractPath,
	ContractPaymentTime,
	ContractUpdate,
	ItemPath,
	ItemsAdd,
	ItemUpdate,
	MemberPath,
	RowPath,
	SubscriptionsAdd,
} from "./schema";
import { viewTotals } from "./view";

const schemas = {
	BillingCycleUnit,
	ContractPaymentTime,
	ContractCreate,
	ContractUpdate,
	ItemsAdd,
	BillingTerms,
	BillingSettings,
	EditActive,
};

const typeDefs = `
	enum ContractCycleUnit from BillingCycleUnit
	enum ContractPaymentTime from ContractPaymentTime
	input ContractSubscriptionInput { customerId: String! ${subscriptionInputFields} }
	"Exactly one of the two."
	input ContractSubscriptionEntryInput { existingSubscriptionId: String newSubscription: ContractSubscriptionInput }
	"How the contract continues after its term."
	input ContractRenewalInput from ContractCreate.renewal
	input CreateContractInput from ContractCreate {
		"The caller's id. If the contract exists, it is returned unchanged."
		contractId
		customerId subscriptions as ContractSubscriptionEntryInput *
	}
	"Omitted members stay. subscriptionIds replaces the list of grouped subscriptions."
	input UpdateContractInput from ContractUpdate {
		contractId: String! * activationStartDate activationEndDate subscriptionIds renewal
	}
	input ByContractIdInput { contractId: String! }
	"With includeCurrentInvoice, the invoices of the current cycles are credited and issued again."
	input AmendContractInput from EditActive { contractId: String! * }
	"Either of the two lists."
	input AddContractSubscriptionsInput {
		contractId: String! subscriptions: [ContractSubscriptionEntryInput!] subscriptionIds: [String!]
	}
	input RemoveContractSubscriptionInput { contractId: String! subscriptionId: String! }
	input ContractItemRowInput from ItemsAdd.items.rows
	"All items, or none."
	input AddContractItemsInput from ItemsAdd {
		contractId: String!
		items as ContractItemInput { * }
		*
	}
	"Replaces all rows. itemRef is the item's externalId or its itemId."
	input UpdateContractItemInput { contractId: String! itemRef: String! rows: [ContractItemRowInput!]! }
	input DeleteContractItemInput { contractId: String! itemRef: String! }
	input DeleteContractItemRowInput { contractId: String! itemRef: String! rowIndex: Int! }
	input UpdateContractTermsInput from BillingTerms { contractId: String! * }
	input UpdateContractSettingsInput from BillingSettings { contractId: String! * }
`;

const scope = "CONTRACT:WRITE";
const byItem = { path: { contractId: "id", itemRef: "itemRef" }, params: ItemPath.properties } as const;
const byContract = { path: { contractId: "id" }, params: ContractPath.properties } as const;
const write = mutationsOf({ returns: "Contract", scope, input: "ByContractIdInput", ...byContract });
const writeItems = mutationsOf({ returns: "ContractTotals", scope, ...byContract });

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
	schemas,
	typeDefs,
	mutations: {
		// Its `contractId` is the id of the new contract, a part of the body.
		createOneContract: write.create("CreateContractInput", ContractCreate, createContract, { read: withSubscriptions }),
		updateOneContract: write.change("UpdateContractInput", ContractUpdate, updateContract),
		archiveContract: write.act(archiveContract, {
			comment: "Cancels the contract, its billing and its subscriptions.",
		}),
		addContractSubscriptions: write.change("AddContractSubscriptionsInput", SubscriptionsAdd, addSubscriptions, {
			read: withSubscriptions,
		}),
		removeContractSubscription: operation({
			signature: "(input: RemoveContractSubscriptionInput!): Contract",
			comment: "Removes the subscription from the contract. The subscription continues.",
			...{ scope, path: { contractId: "id", subscriptionId: "subscriptionId" }, params: MemberPath.properties },
			body: NoBody,
			run: (work, _, { id, subscriptionId }) => unlinkSubscription(work, id, subscriptionId),
		}),
		addContractItems: writeItems.change("AddContractItemsInput", ItemsAdd, (work, id, body) =>
			viewTotals(addItems(work, id, body)),
		),
		updateContractItem: operation({
			...{ signature: "(input: UpdateContractItemInput!): ContractTotals", scope, ...byItem, body: ItemUpdate },
			run: (work, { rows }, { id, itemRef }) => viewTotals(replaceItemRows(work, id, itemRef, rows)),
		}),
		deleteContractItem: operation({
			...{ signature: "(input: DeleteContractItemInput!): ContractTotals", scope, ...byItem, body: NoBody },
			run: (work, _, { id, itemRef }) => viewTotals(deleteItem(work, id, itemRef)),
		}),
		deleteContractItemRow: operation({
			signature: "(input: DeleteContractItemRowInput!): ContractTotals",
			...{ scope, path: { ...byItem.path, rowIndex: "rowIndex" }, params: RowPath.properties, body: NoBody },
			read: (input) => ({ ...input, rowIndex: String(input.rowIndex) }),
			run: (work, _, { id, itemRef, rowIndex }) => viewTotals(deleteItemRow(work, id, itemRef, Number(rowIndex))),
		}),
		updateContractTerms: writeItems.change(
			"UpdateContractTermsInput",
			BillingTerms,
			(work, id, body) => viewTotals(changeTerms(work, id, body)),
			{ comment: "Overwrites these terms on every item." },
		),
		updateContractSettings: writeItems.change("UpdateContractSettingsInput", BillingSettings, (work, id, body) =>
			viewTotals(changeSettings(work, id, body)),
		),
		publishContract: write.act(publishContract),
		reopenContractBilling: write.act(reopenBilling, { comment: "Back to draft. Refused after the first invoice." }),
		amendContract: write.change("AmendContractInput", EditActive, openAmendment, {
			comment: "Opens the items of an active contract for changes. publishContract makes the changes effective.",
		}),
		discardContractAmendment: write.act(discardAmendment),
		cancelContractBilling: write.act(cancelBilling),
	},
};
