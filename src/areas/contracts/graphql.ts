import { byRefIdQuery, fieldsOf, type GraphqlArea, referred } from "../../graphql/area";
import { childRows } from "../../graphql/lists/child-rows";
import { calculated, columns, refOf, relation, tableList } from "../../graphql/lists/list";
import type { OperationContext } from "../../graphql/request/context";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { customersByIds } from "../customers/operations";
import { type CustomerRow, customers } from "../customers/table";
import { subscriptionsByIds } from "../subscriptions/operations";
import { getContract, surroundingsOf } from "./operations";
import { getBillingSummary } from "./operations.billing";
import { pricingModels } from "./rules.models";
import { ContractState } from "./schema";
import { Contract, ContractTotals, PricingModelView } from "./schema.shown";
import { contractsByIds, membersOf, type StatedContract, stateOf } from "./store";
import { contracts } from "./table";
import { viewContract, viewPricingModel, viewTotals } from "./view";

const schemas = { ContractState, Contract, ContractTotals, PricingModelView };

const typeDefs = `
	enum ContractState from ContractState
	"Negotiated terms of a customer: custom-priced subscriptions, and line items that are invoiced."
	type Contract from Contract {
		id
		"The caller's id. contractId is another name for it."
		refId!
		contractId name poNumber state
		"Null when the contract has no billing."
		billingState
		billingId activationStartDate activationEndDate
		latestInvoice as ContractInvoice {
			billingId status as InvoiceStatus * currency as String pdfUrl total createdAt
		}
		nextInvoice as ContractNextInvoice { * }
		"Null when the contract ends with its term."
		renewal as ContractRenewal { * }
		customer: Customer! subscriptions as CustomerSubscription environmentId createdAt! updatedAt
	}
	"The figures of the whole term. A term that differs between line items is null."
	type ContractTotals from ContractTotals {
		* items as ContractItemTotals { * } currency as String activationStartDate activationEndDate netTerms
		legalEntityId paymentAccountId
	}
	type ContractPricingModel from PricingModelView {
		id! *
		"Distinguishes models of the same name in different categories."
		isPayAsYouGo
		"The keys of a row that the model uses."
		editableInputs
	}
	extend type Customer {
		"The newest hundred."
		contracts: [Contract!]
	}
`;

const viewsByIds = (work: Work, ids: readonly string[]): Map<string, Contract> => {
	const rows = [...contractsByIds(work, ids).values()];
	const surroundings = surroundingsOf(work, rows);
	return new Map(
		rows.map((row) => {
			const found = surroundings.get(row.id);
			assert(found, "a contract has surroundings");
			return [row.id, viewContract(row, found)];
		}),
	);
};

const viewOf = (row: StatedContract, context: OperationContext): Contract | undefined =>
	context.related(row, ({ id }) => id, viewsByIds);

const contract = fieldsOf<StatedContract>({
	scope: "CONTRACT:READ",
	open: ["id", "refId", "contractId"],
	fields: {
		contractId: ({ refId }) => refId,
		billingId: ({ id, billingState }) => (billingState === null ? null : id),
		activationStartDate: ({ activationStartAt }) => activationStartAt,
		activationEndDate: ({ activationEndAt }) => activationEndAt,
		latestInvoice: (row, _, context) => {
			const invoice = viewOf(row, context)?.latestInvoice;
			return invoice && { ...invoice, currency: invoice.currency?.toUpperCase() };
		},
		nextInvoice: (row, _, context) => viewOf(row, context)?.nextInvoice,
		renewal: (row, _, context) => viewOf(row, context)?.renewal,
		customer: referred(({ customerId }) => customerId, customersByIds),
		subscriptions: (row, _, context) =>
			context.relatedAll(row, (of) => context.related(of, ({ id }) => id, membersOf) ?? [], subscriptionsByIds),
	},
});

const totals = fieldsOf<ContractTotals>({
	scope: "CONTRACT:READ",
	fields: { currency: ({ currency }) => currency.toUpperCase() },
});

const contractsOfCustomers = childRows(contracts, contracts.customerId, contractsByIds);

const customer = fieldsOf<CustomerRow>({
	fields: { contracts: (row, _, context) => context.related(row, ({ id }) => id, contractsOfCustomers) ?? [] },
});

const scope = "CONTRACT:READ";

const list = tableList(contracts, {
	...{ field: "contracts", type: "Contract", scope, rows: contractsByIds },
	fields: {
		...columns(contracts, "id refId contractId=refId name poNumber"),
		state: calculated({ enum: "ContractState" }, (work) => stateOf(work.tx, work.now)),
		...columns(contracts, "billingState:ContractState activationStartDate=activationStartAt"),
		...columns(contracts, "activationEndDate=activationEndAt createdAt updatedAt environmentId"),
		customerId: refOf(contracts.customerId, customers),
		customer: relation("Customer", contracts.customerId, customers.id),
	},
});

export const contractsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { Contract: contract, ContractTotals: totals, Customer: customer },
	queries: {
		contract: byRefIdQuery("Contract", scope, "Throws ContractNotFound.", getContract),
		contractSummary: byRefIdQuery("ContractTotals", scope, undefined, (work, refId) =>
			viewTotals(getBillingSummary(work, refId)),
		),
		contractPricingModels: {
			...{ signature: ": [ContractPricingModel!]", scope },
			resolve: () => pricingModels.map(viewPricingModel),
		},
	},
	lists: [list],
};
