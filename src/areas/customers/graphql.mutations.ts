import type { Static } from "@sinclair/typebox";
import { fieldsOf, type GraphqlArea } from "../../graphql/area";
import { NoBody, operation } from "../../graphql/operation";
import { CustomerRefId } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import { assertAllowed } from "../access/rules";
import { entitlementsStateOf } from "../entitlements/state";
import { archiveCustomer } from "../subscriptions/operations";
import {
	importedOf,
	importOf,
	inputDefs,
	linksWith,
	ProvisionInput,
	profileOf,
	provisionOf,
	UpdateInput,
} from "./inputs";
import { getCustomer, unarchiveCustomer, updateCustomer } from "./operations";
import { importCustomers } from "./operations.import";
import { detachPaymentMethod, type Welcomed, welcomeCustomer } from "./operations.whole";
import { assertKnownIntegration } from "./rules";
import { CustomerImport, CustomerImportItem } from "./schema.import";
import type { CustomerRow } from "./table";

const typeDefs = `
	${inputDefs}
	enum SubscriptionDecisionStrategy {
		REQUESTED_PLAN PREDEFINED_FREE_PLAN PREDEFINED_TRIAL_PLAN SKIPPED_SUBSCRIPTION_CREATION
	}
	type ProvisionedCustomer {
		customer: Customer!
		"The one that was asked for, or the first that a product's journey began."
		subscription: CustomerSubscription
		subscriptionDecisionStrategy: SubscriptionDecisionStrategy!
		"What the customer may do from now on, on no resource."
		entitlementsV2: [EntitlementItem!]
	}
	extend type Mutation {
		"With the start plans of the products whose journey begins by itself."
		provisionCustomer(input: ProvisionCustomerInput!): ProvisionedCustomer
		"As provisionCustomer, answering the customer alone."
		createOneCustomer(input: CustomerInput!): Customer
		updateOneCustomer(input: UpdateCustomerInput!): Customer
		"As updateOneCustomer."
		updateCustomer(input: UpdateCustomerInput!): Customer
		"Creates the customer, or changes it."
		importOneCustomer(input: ImportCustomerInput!): Customer
		"As importOneCustomer."
		importCustomer(input: ImportCustomerInput!): Customer
		"Answers the ids of the new ones."
		importCustomersBulk(input: ImportCustomersBulkInput!): [String!]
		archiveCustomer(input: ByCustomerIdInput!): Customer
		unarchiveCustomer(input: ByCustomerIdInput!): Customer
		detachCustomerPaymentMethod(input: ByCustomerIdInput!): Customer
	}
`;

const strategies = {
	REQUEST: "REQUESTED_PLAN",
	FREE_PLAN: "PREDEFINED_FREE_PLAN",
	TRIAL_PERIOD: "PREDEFINED_TRIAL_PLAN",
} as const;

const provisioned = fieldsOf<Welcomed>({
	fields: {
		subscriptionDecisionStrategy: ({ startedBy }) =>
			startedBy === null ? "SKIPPED_SUBSCRIPTION_CREATION" : strategies[startedBy],
		entitlementsV2: ({ customer }, _, { work }) =>
			entitlementsStateOf(work, { customerId: customer.refId, resourceId: null }).shown,
	},
});

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

function provision(
	work: Work,
	{ vendorIds, integrationId, subscriptionParams, ...profile }: Static<typeof ProvisionInput>,
): Welcomed {
	// What is done on the caller's word takes the caller's permission; a product's journey is the product's word.
	if (subscriptionParams) assertAllowed(work.actor, { scope: "SUBSCRIPTION:WRITE" });
	assertKnownIntegration(integrationId);
	const integrations = linksWith([], vendorIds);
	return welcomeCustomer(work, { ...profile, ...(integrations && { integrations }) }, subscriptionParams);
}

const update = operation({
	...byId,
	limitedBy: "PATCH /customers/:id",
	read: profileOf,
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
	types: { ProvisionedCustomer: provisioned },
	mutations: {
		provisionCustomer: operation({ scope, read: provisionOf, body: ProvisionInput, run: provision }),
		createOneCustomer: operation({
			scope,
			read: provisionOf,
			body: ProvisionInput,
			run: (work, body) => provision(work, body).customer,
		}),
		updateOneCustomer: update,
		updateCustomer: update,
		importOneCustomer: importOne,
		importCustomer: importOne,
		importCustomersBulk: operation({ scope, read: importOf, body: CustomerImport, run: importCustomers }),
		archiveCustomer: operation({
			...byCustomerId,
			limitedBy: "POST /customers/:id/archive",
			run: (work, _, { id }) => archiveCustomer(work, id),
		}),
		unarchiveCustomer: operation({
			...byCustomerId,
			limitedBy: "POST /customers/:id/unarchive",
			run: (work, _, { id }) => unarchiveCustomer(work, id),
		}),
		detachCustomerPaymentMethod: operation({
			...byCustomerId,
			limitedBy: "DELETE /customers/:id/payment-method",
			run: (work, _, { id }) => detachPaymentMethod(work, id),
		}),
	},
};
