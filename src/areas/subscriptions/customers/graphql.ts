import { type Static, Type } from "@sinclair/typebox";
import { isNotNull } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, inputOf } from "../../../graphql/area";
import {
	customerBody,
	customerFields,
	customerFieldsWithoutEffect,
	defined,
} from "../../../graphql/input/customer-input";
import { type Input, NoBody, operation } from "../../../graphql/input/operation";
import { subscriptionBody, subscriptionInputFields } from "../../../graphql/input/subscription-input";
import { childRows } from "../../../graphql/lists/child-rows";
import { relation } from "../../../graphql/lists/list";
import { CustomerRefId } from "../../../kernel/schema";
import type { Work } from "../../../kernel/work";
import { assertAllowed } from "../../access/rules";
import { assertKnownIntegration } from "../../customers/rules";
import { linksWith } from "../../customers/rules.integrations";
import { CustomerProvision } from "../../customers/schema";
import { vendorFields } from "../../customers/schema.integrations";
import { type CustomerRow, customers } from "../../customers/table";
import { versionsByIds } from "../../packages/operations";
import { productsByIds } from "../../products/operations";
import { liveCountsOf, subscriptionsByIds } from "../operations";
import { SubscriptionProvision } from "../schema.provision";
import { type SubscriptionRow, subscriptions } from "../table";
import { archiveCustomer, detachPaymentMethod, type StartedCustomer, startCustomer } from "./operations";

const typeDefs = `
	type TrialedPlan { planRefId: String! productRefId: String! }
	type CustomerSubscriptionTotalCount { pricingType: PricingType! totalCount: Int! }
	"Active: the ones that give access now, trials included. A pricing type without any is left out."
	type CustomerStatistics { activeSubscriptionsByPricingType: [CustomerSubscriptionTotalCount!]! }
	extend type Customer {
		"Of the newest hundred subscriptions that began with a trial, each plan once."
		trialedPlans: [TrialedPlan!]
		statistics: CustomerStatistics!
		"In every state; the newest hundred."
		subscriptions: [CustomerSubscription!]
	}
	input ProvisionCustomerSubscriptionInput { ${subscriptionInputFields} }
	input ProvisionCustomerInput {
		${customerFields} ${customerFieldsWithoutEffect}
		"Has no effect: there are no experiments."
		excludeFromExperiment: Boolean
		"A subscription to begin with; the customer is created with it or not at all."
		subscriptionParams: ProvisionCustomerSubscriptionInput
	}
	input CustomerInput { ${customerFields} ${customerFieldsWithoutEffect} }
	enum SubscriptionDecisionStrategy {
		REQUESTED_PLAN PREDEFINED_FREE_PLAN PREDEFINED_TRIAL_PLAN SKIPPED_SUBSCRIPTION_CREATION
	}
	type ProvisionedCustomer {
		customer: Customer!
		"The one that was asked for, or the first that a product's start plan began."
		subscription: CustomerSubscription
		subscriptionDecisionStrategy: SubscriptionDecisionStrategy!
	}
	extend type Mutation {
		"With the start plans of the products that have one."
		provisionCustomer(input: ProvisionCustomerInput!): ProvisionedCustomer
		"As provisionCustomer, answering the customer alone."
		createOneCustomer(input: CustomerInput!): Customer
		archiveCustomer(input: ByCustomerIdInput!): Customer
		detachCustomerPaymentMethod(input: ByCustomerIdInput!): Customer
	}
`;

const subscriptionsOfCustomers = childRows({
	id: subscriptions.id,
	parent: subscriptions.customerId,
	environment: subscriptions.environmentId,
	rows: subscriptionsByIds,
});

/** On any resource; a hundred are enough to name the plans of. */
const trialsOfCustomers = childRows({
	id: subscriptions.id,
	parent: subscriptions.customerId,
	environment: subscriptions.environmentId,
	shown: isNotNull(subscriptions.trialEndAt),
	rows: subscriptionsByIds,
});

/** Its source is the subscription: plans and products of all trials are read together. */
const trialedPlan = fieldsOf<SubscriptionRow>({
	fields: {
		planRefId: (row, _, context) => context.related(row, ({ versionId }) => versionId, versionsByIds)?.refId,
		productRefId: (row, _, context) => context.related(row, ({ productId }) => productId, productsByIds)?.refId,
	},
});

const customer = fieldsOf<CustomerRow>({
	fields: {
		trialedPlans(row, _, context) {
			context.assertMay("SUBSCRIPTION:READ");
			const trials = context.related(row, ({ id }) => id, trialsOfCustomers) ?? [];
			return [...new Map(trials.map((trial) => [trial.planId, trial])).values()];
		},
		statistics(row, _, context) {
			context.assertMay("SUBSCRIPTION:READ");
			return { activeSubscriptionsByPricingType: context.related(row, ({ id }) => id, liveCountsOf) ?? [] };
		},
		subscriptions(row, _, context) {
			context.assertMay("SUBSCRIPTION:READ");
			return context.related(row, ({ id }) => id, subscriptionsOfCustomers) ?? [];
		},
	},
});

const strategies = {
	REQUEST: "REQUESTED_PLAN",
	FREE_PLAN: "PREDEFINED_FREE_PLAN",
	TRIAL_PERIOD: "PREDEFINED_TRIAL_PLAN",
} as const;

const provisioned = fieldsOf<StartedCustomer>({
	fields: {
		subscriptionDecisionStrategy: ({ startedBy }) =>
			startedBy === null ? "SKIPPED_SUBSCRIPTION_CREATION" : strategies[startedBy],
	},
});

const closed = { additionalProperties: false };

const { customerId: _, ...subscriptionTerms } = SubscriptionProvision.properties;

const ProvisionInput = Type.Object(
	{
		...CustomerProvision.properties,
		...vendorFields,
		subscriptionParams: Type.Optional(Type.Object(subscriptionTerms, closed)),
	},
	closed,
);

const provisionOf = (input: Input): Input =>
	defined({
		...customerBody(input),
		subscriptionParams:
			input.subscriptionParams == null ? undefined : subscriptionBody(inputOf(input, "subscriptionParams")),
	});

const scope = "CUSTOMER:WRITE";

const byCustomerId = {
	scope,
	path: { customerId: "id" },
	params: { id: CustomerRefId },
	read: ({ customerId }: { readonly customerId?: unknown }) => ({ customerId }),
	body: NoBody,
} as const;

function provision(
	work: Work,
	{ vendorIds, integrationId, subscriptionParams, ...profile }: Static<typeof ProvisionInput>,
): StartedCustomer {
	// What is done on the caller's word takes the caller's permission; a product's start plan is the product's word.
	if (subscriptionParams) assertAllowed(work.actor, { scope: "SUBSCRIPTION:WRITE" });
	assertKnownIntegration(integrationId);
	const integrations = linksWith([], vendorIds);
	return startCustomer(work, { ...profile, ...(integrations && { integrations }) }, subscriptionParams);
}

export const subscriptionCustomersGraphql: GraphqlArea = {
	typeDefs,
	types: { Customer: customer, TrialedPlan: trialedPlan, ProvisionedCustomer: provisioned },
	mutations: {
		provisionCustomer: operation({ scope, read: provisionOf, body: ProvisionInput, run: provision }),
		createOneCustomer: operation({
			scope,
			read: provisionOf,
			body: ProvisionInput,
			run: (work, body) => provision(work, body).customer,
		}),
		archiveCustomer: operation({
			...byCustomerId,
			limitedBy: "POST /customers/:id/archive",
			run: (work, _, { id }) => archiveCustomer(work, id),
		}),
		detachCustomerPaymentMethod: operation({
			...byCustomerId,
			limitedBy: "DELETE /customers/:id/payment-method",
			run: (work, _, { id }) => detachPaymentMethod(work, id),
		}),
	},
	relations: {
		Customer: { subscriptions: relation("CustomerSubscription", customers.id, subscriptions.customerId) },
	},
};
