import { type Static, Type } from "@sinclair/typebox";
import { isNotNull } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, inputOf } from "../../../graphql/area";
import {
	customerBody,
	customerFields,
	customerFieldsWithoutEffect,
	defined,
} from "../../../graphql/input/customer-input";
import { mutationsOf } from "../../../graphql/input/mutations";
import type { Input } from "../../../graphql/input/operation";
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
	"Counts the subscriptions that give access now, trials included. A pricing type without any is omitted."
	type CustomerStatistics { activeSubscriptionsByPricingType: [CustomerSubscriptionTotalCount!]! }
	extend type Customer {
		"The plans of the newest hundred subscriptions that began with a trial, each plan once."
		trialedPlans: [TrialedPlan!]
		statistics: CustomerStatistics!
		"The newest hundred, in every status."
		subscriptions: [CustomerSubscription!]
	}
	input ProvisionCustomerSubscriptionInput { ${subscriptionInputFields} }
	input ProvisionCustomerInput {
		${customerFields} ${customerFieldsWithoutEffect}
		"Has no effect: there are no experiments."
		excludeFromExperiment: Boolean
		"The first subscription. Tollgate creates the customer and the subscription together, or neither."
		subscriptionParams: ProvisionCustomerSubscriptionInput
	}
	input CustomerInput { ${customerFields} ${customerFieldsWithoutEffect} }
	enum SubscriptionDecisionStrategy {
		REQUESTED_PLAN PREDEFINED_FREE_PLAN PREDEFINED_TRIAL_PLAN SKIPPED_SUBSCRIPTION_CREATION
	}
	type ProvisionedCustomer {
		customer: Customer!
		"The requested subscription, or the first that a product's start plan created."
		subscription: CustomerSubscription
		subscriptionDecisionStrategy: SubscriptionDecisionStrategy!
	}
`;

const subscriptionsOfCustomers = childRows(subscriptions, subscriptions.customerId, subscriptionsByIds);

const trialsOfCustomers = childRows(
	subscriptions,
	subscriptions.customerId,
	subscriptionsByIds,
	isNotNull(subscriptions.trialEndAt),
);

/** Its source is the subscription, so one query reads the plans of all trials, and one the products. */
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

const write = mutationsOf({
	...{ returns: "Customer", scope: "CUSTOMER:WRITE", input: "ByCustomerIdInput" },
	...{ path: { customerId: "id" }, params: { id: CustomerRefId } },
});

function provision(
	work: Work,
	{ vendorIds, integrationId, subscriptionParams, ...profile }: Static<typeof ProvisionInput>,
): StartedCustomer {
	// A requested subscription needs the caller's permission. A start plan is configured on the product and needs none.
	if (subscriptionParams) assertAllowed(work.actor, { scope: "SUBSCRIPTION:WRITE" });
	assertKnownIntegration(integrationId);
	const integrations = linksWith([], vendorIds);
	return startCustomer(work, { ...profile, ...(integrations && { integrations }) }, subscriptionParams);
}

export const subscriptionCustomersGraphql: GraphqlArea = {
	typeDefs,
	types: { Customer: customer, TrialedPlan: trialedPlan, ProvisionedCustomer: provisioned },
	mutations: {
		provisionCustomer: write.create("ProvisionCustomerInput", ProvisionInput, provision, {
			returns: "ProvisionedCustomer",
			comment: "Creates the customer and the start plans of all products.",
			read: provisionOf,
		}),
		createOneCustomer: write.create("CustomerInput", ProvisionInput, (work, body) => provision(work, body).customer, {
			comment: "As provisionCustomer. Returns the customer only.",
			read: provisionOf,
		}),
		archiveCustomer: write.act(archiveCustomer, { limitedBy: "POST /customers/:id/archive" }),
		detachCustomerPaymentMethod: write.act(detachPaymentMethod, { limitedBy: "DELETE /customers/:id/payment-method" }),
	},
	relations: {
		Customer: { subscriptions: relation("CustomerSubscription", customers.id, subscriptions.customerId) },
	},
};
