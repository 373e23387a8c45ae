import type { GraphqlArea } from "../../graphql/area";
import { customerBody } from "../../graphql/input/customer-input";
import { NoBody, operation } from "../../graphql/input/operation";
import { CustomerRefId } from "../../kernel/schema";
import { importedOf, importOf, inputDefs, UpdateInput } from "./input.graphql";
import { getCustomer, unarchiveCustomer, updateCustomer } from "./operations";
import { importCustomers } from "./operations.import";
import { updateInvoicing } from "./operations.invoicing";
import { assertKnownIntegration } from "./rules";
import { linksWith } from "./rules.integrations";
import { CustomerImport, CustomerImportItem } from "./schema.import";
import { CustomerInvoicingUpdate } from "./schema.invoicing";
import type { CustomerRow } from "./table";
import { viewInvoicing } from "./view";

const typeDefs = `
	${inputDefs}
	extend type Mutation {
		updateOneCustomer(input: UpdateCustomerInput!): Customer
		"As updateOneCustomer."
		updateCustomer(input: UpdateCustomerInput!): Customer
		"Creates the customer, or changes it."
		importOneCustomer(input: ImportCustomerInput!): Customer
		"As importOneCustomer."
		importCustomer(input: ImportCustomerInput!): Customer
		"Answers the ids of the new ones."
		importCustomersBulk(input: ImportCustomersBulkInput!): [String!]
		unarchiveCustomer(input: ByCustomerIdInput!): Customer
		updateCustomerInvoicing(input: UpdateCustomerInvoicingInput!): CustomerInvoicing
	}
	"What is left out stays; null takes away."
	input UpdateCustomerInvoicingInput {
		customerId: String!
		legalEntityId: String
		taxExemption: TaxExemption
		taxExemptionProvision: String
		cashDiscount: CashDiscountInput
	}
`;

const scope = "CUSTOMER:WRITE";
const params = { id: CustomerRefId };
const byId = { scope, path: { refId: "id" }, params } as const;
const byCustomerId = {
	scope,
	path: { customerId: "id" },
	params,
	read: ({ customerId }: { readonly customerId?: unknown }) => ({ customerId }),
	body: NoBody,
} as const;

const update = operation({
	...byId,
	limitedBy: "PATCH /customers/:id",
	read: customerBody,
	body: UpdateInput,
	run(work, { vendorIds, integrationId, ...profile }, { id }) {
		assertKnownIntegration(integrationId);
		const integrations = linksWith(getCustomer(work, id).integrations, vendorIds);
		return updateCustomer(work, id, { ...profile, ...(integrations && { integrations }) });
	},
});

const importOne = operation({
	scope,
	read: importedOf,
	body: CustomerImportItem,
	run(work, item): CustomerRow {
		importCustomers(work, { customers: [item] });
		return getCustomer(work, item.id);
	},
});

export const customerMutationsGraphql: GraphqlArea = {
	typeDefs,
	mutations: {
		updateOneCustomer: update,
		updateCustomer: update,
		importOneCustomer: importOne,
		importCustomer: importOne,
		importCustomersBulk: operation({ scope, read: importOf, body: CustomerImport, run: importCustomers }),
		updateCustomerInvoicing: operation({
			scope,
			path: { customerId: "id" },
			params,
			limitedBy: "PATCH /customers/:id/invoicing",
			body: CustomerInvoicingUpdate,
			run: (work, body, { id }) => viewInvoicing(updateInvoicing(work, id, body)),
		}),
		unarchiveCustomer: operation({
			...byCustomerId,
			limitedBy: "POST /customers/:id/unarchive",
			run: (work, _, { id }) => unarchiveCustomer(work, id),
		}),
	},
};
