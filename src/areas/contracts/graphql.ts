import { eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../graphql/area";
import { childRows } from "../../graphql/lists/child-rows";
import { choice, date, type List, reckoned, relation, text, textThrough } from "../../graphql/lists/list";
import type { OperationContext } from "../../graphql/request/context";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { customersByIds } from "../customers/operations";
import { type CustomerRow, customers } from "../customers/table";
import { subscriptionsByIds } from "../subscriptions/operations";
import { getContract, surroundingsOf } from "./operations";
import { getBillingSummary } from "./operations.billing";
import { pricingModels } from "./rules.models";
import type { Contract, ContractTotals } from "./schema";
import { contractsByIds, membersOf, type StatedContract, stateOf } from "./store";
import { contracts } from "./table";
import { viewContract, viewPricingModel, viewTotals } from "./view";

const typeDefs = `
	enum ContractState { DRAFT ACTIVE CANCELED END_BILLING }
	type ContractInvoice {
		billingId: String!
		status: InvoiceStatus!
		requiresAction: Boolean!
		amountDue: Float
		billingReason: String
		currency: String
		pdfUrl: String
		total: Float
		createdAt: DateTime!
	}
	type ContractNextInvoice { amount: Money! dueDate: DateTime periodStart: DateTime periodEnd: DateTime }
	type ContractRenewal { months: Int! noticePeriodDays: Int! upliftPercentage: Float! }
	"What was negotiated with a customer: custom-priced subscriptions, and line items that are invoiced."
	type Contract {
		id: ID!
		"The caller's id; contractId is another name for it."
		refId: String!
		contractId: String!
		name: String
		poNumber: String
		state: ContractState!
		"Null: it has no billing half."
		billingState: ContractState
		billingId: String
		activationStartDate: DateTime
		activationEndDate: DateTime
		latestInvoice: ContractInvoice
		nextInvoice: ContractNextInvoice
		"Null: it ends with its term."
		renewal: ContractRenewal
		customer: Customer!
		subscriptions: [CustomerSubscription!]!
		environmentId: String!
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	type ContractItemTotals {
		itemId: String!
		name: String!
		subTotal: Float!
		discount: Float!
		tax: Float!
		total: Float!
	}
	"The whole term's figures. A term on which the line items differ is null."
	type ContractTotals {
		contractId: String!
		externalId: String!
		subTotal: Float!
		totalDiscount: Float!
		totalTax: Float!
		total: Float!
		items: [ContractItemTotals!]!
		currency: String!
		activationStartDate: DateTime
		activationEndDate: DateTime
		netTerms: Int
		legalEntityId: String!
		paymentAccountId: String!
	}
	type ContractPricingModel {
		id: String!
		name: String!
		categoryName: String!
		"Names repeat across categories; this tells them apart."
		isPayAsYouGo: Boolean!
		"The keys of a row that the model reads."
		editableInputs: [String!]!
	}
	extend type Customer {
		"The newest hundred."
		contracts: [Contract!]
	}
	extend type Query {
		"Throws ContractNotFound."
		contract(refId: String!): Contract
		contractSummary(refId: String!): ContractTotals
		contractPricingModels: [ContractPricingModel!]
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
		nextInvoice: (row, _, context) => {
			const next = viewOf(row, context)?.nextInvoice;
			return next && { ...next, amount: { ...next.amount, currency: next.amount.currency.toUpperCase() } };
		},
		renewal: (row, _, context) => viewOf(row, context)?.renewal,
		customer: (row, _, context) => context.related(row, ({ customerId }) => customerId, customersByIds),
		subscriptions: (row, _, context) =>
			context.relatedAll(row, (of) => context.related(of, ({ id }) => id, membersOf) ?? [], subscriptionsByIds),
	},
});

const totals = fieldsOf<ContractTotals>({
	scope: "CONTRACT:READ",
	fields: { currency: ({ currency }) => currency.toUpperCase() },
});

const contractsOfCustomers = childRows({
	id: contracts.id,
	parent: contracts.customerId,
	environment: contracts.environmentId,
	rows: contractsByIds,
});

const customer = fieldsOf<CustomerRow>({
	fields: {
		contracts: (row, _, context) => context.related(row, ({ id }) => id, contractsOfCustomers) ?? [],
	},
});

const list: List = {
	field: "contracts",
	type: "Contract",
	scope: "CONTRACT:READ",
	source: sql`${contracts}`,
	id: contracts.id,
	within: ({ actor }) => eq(contracts.environmentId, actor.environmentId),
	fields: {
		id: text(contracts.id),
		refId: text(contracts.refId),
		contractId: text(contracts.refId),
		name: text(contracts.name),
		poNumber: text(contracts.poNumber),
		state: reckoned({ enum: "ContractState" }, (work) => stateOf(work.tx, work.now)),
		billingState: choice("ContractState", contracts.billingState),
		activationStartDate: date(contracts.activationStartAt),
		activationEndDate: date(contracts.activationEndAt),
		createdAt: date(contracts.createdAt),
		updatedAt: date(contracts.updatedAt),
		environmentId: text(contracts.environmentId),
		customerId: textThrough(customers.refId, {
			own: contracts.customerId,
			theirs: customers.id,
			environment: customers.environmentId,
		}),
		customer: relation("Customer", contracts.customerId, customers.id),
	},
	rows: contractsByIds,
};

const scope = "CONTRACT:READ";
const refOf = (args: Readonly<Record<string, unknown>>): string => textOf(args, "refId") ?? "";

export const contractsGraphql: GraphqlArea = {
	typeDefs,
	types: { Contract: contract, ContractTotals: totals, Customer: customer },
	queries: {
		contract: { scope, resolve: (args, { work }) => getContract(work, refOf(args)) },
		contractSummary: { scope, resolve: (args, { work }) => viewTotals(getBillingSummary(work, refOf(args))) },
		contractPricingModels: { scope, resolve: () => pricingModels.map(viewPricingModel) },
	},
	lists: [list],
};
