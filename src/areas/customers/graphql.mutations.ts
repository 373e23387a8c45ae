import type { GraphqlArea } from "../../graphql/area";
import { customerBody } from "../../graphql/input/customer-input";
import { mutationsOf } from "../../graphql/input/mutations";
import { operation } from "../../graphql/input/operation";
import { CustomerRefId } from "../../kernel/schema";
import { importedOf, importOf, inputDefs, inputSchemas, UpdateInput } from "./input.graphql";
import { getCustomer, unarchiveCustomer, updateCustomer } from "./operations";
import { importCustomers } from "./operations.import";
import { updateInvoicing } from "./operations.invoicing";
import { assertKnownIntegration } from "./rules";
import { linksWith } from "./rules.integrations";
import { CustomerImport, CustomerImportItem } from "./schema.import";
import { CustomerInvoicingUpdate } from "./schema.invoicing";
import type { CustomerRow } from "./table";
import { viewInvoicing } from "./view";

const schemas = { ...inputSchemas, CustomerInvoicingUpdate };

const typeDefs = `
	${inputDefs}
	"Omitted members stay. Null clears."
	input UpdateCustomerInvoicingInput from CustomerInvoicingUpdate {
		customerId legalEntityId taxExemption as TaxExemption taxExemptionProvision cashDiscount as CashDiscountInput
	}
`;

const scope = "CUSTOMER:WRITE";
const params = { id: CustomerRefId };
const write = mutationsOf({
	...{ returns: "Customer", scope, input: "ByCustomerIdInput", path: { customerId: "id" }, params },
});

const update = operation({
	signature: "(input: UpdateCustomerInput!): Customer",
	...{ scope, path: { refId: "id" }, params, limitedBy: "PATCH /customers/:id", read: customerBody, body: UpdateInput },
	run(work, { vendorIds, integrationId, ...profile }, { id }) {
		assertKnownIntegration(integrationId);
		const integrations = linksWith(getCustomer(work, id).integrations, vendorIds);
		return updateCustomer(work, id, { ...profile, ...(integrations && { integrations }) });
	},
});

const importOne = operation({
	signature: "(input: ImportCustomerInput!): Customer",
	comment: "Creates or changes the customer.",
	...{ scope, read: importedOf, body: CustomerImportItem },
	run(work, item): CustomerRow {
		importCustomers(work, { customers: [item] });
		return getCustomer(work, item.id);
	},
});

export const customerMutationsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	mutations: {
		updateOneCustomer: update,
		updateCustomer: { ...update, comment: "As updateOneCustomer." },
		importOneCustomer: importOne,
		importCustomer: { ...importOne, comment: "As importOneCustomer." },
		importCustomersBulk: write.create("ImportCustomersBulkInput", CustomerImport, importCustomers, {
			...{ returns: "[String!]", read: importOf, comment: "Returns the ids of the new customers." },
		}),
		unarchiveCustomer: write.act(unarchiveCustomer, { limitedBy: "POST /customers/:id/unarchive" }),
		updateCustomerInvoicing: write.change(
			"UpdateCustomerInvoicingInput",
			CustomerInvoicingUpdate,
			(work, id, body) => viewInvoicing(updateInvoicing(work, id, body)),
			{ returns: "CustomerInvoicing", limitedBy: "PATCH /customers/:id/invoicing" },
		),
	},
};
