import { eq, isNotNull, isNull, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../graphql/area";
import { childRows } from "../../graphql/child-rows";
import { date, type List, reckoned, relation, text } from "../../graphql/list";
import { couponsByIds } from "../coupons/operations";
import { versionsByIds } from "../packages/operations";
import { productsByIds } from "../products/operations";
import { promotionalEntitlements } from "../promotional-entitlements/table";
import { subscriptionsByIds } from "../subscriptions/operations";
import { type SubscriptionRow, subscriptions } from "../subscriptions/table";
import { customersByIds, getCustomer, liveCountsOf } from "./operations";
import { type CustomerRow, customers } from "./table";

const typeDefs = `
	type TrialedPlan { planRefId: String! productRefId: String! }
	type CustomerSubscriptionTotalCount { pricingType: PricingType! totalCount: Int! }
	"Active: the ones that give access now, trials included. A pricing type without any is left out."
	type CustomerStatistics { activeSubscriptionsByPricingType: [CustomerSubscriptionTotalCount!]! }
	enum ExperimentGroupType { CONTROL VARIANT }
	type ExperimentInfo { id: String! name: String! groupName: String! groupType: ExperimentGroupType! }
	type Customer {
		id: ID!
		"The caller's id; customerId is another name for it."
		refId: String!
		customerId: String!
		name: String
		email: String
		billingId: String
		crmId: String
		salesforceId: String
		awsMarketplaceCustomerId: String
		additionalMetaData: JSON
		hasPaymentMethod: Boolean!
		defaultPaymentExpirationMonth: Int
		defaultPaymentExpirationYear: Int
		defaultPaymentMethodLast4Digits: String
		billingCurrency: String
		language: String
		timezone: String
		"Of the newest hundred subscriptions that began with a trial, each plan once."
		trialedPlans: [TrialedPlan!]
		statistics: CustomerStatistics!
		experimentInfo: ExperimentInfo
		coupon: Coupon
		"In every state; the newest hundred."
		subscriptions: [CustomerSubscription!]
		environmentId: String!
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	input GetCustomerByRefIdInput { customerId: String! environmentId: String }
	extend type Query {
		"Throws CustomerNotFound."
		getCustomerByRefId(input: GetCustomerByRefIdInput!): Customer
	}
`;

const syncedId = ({ integrations }: CustomerRow, vendor: string): string | null =>
	integrations.find(({ vendorIdentifier }) => vendorIdentifier === vendor)?.syncedEntityId ?? null;

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
	scope: "CUSTOMER:READ",
	open: ["id", "refId", "customerId"],
	fields: {
		customerId: ({ refId }) => refId,
		crmId: (row) => syncedId(row, "HUBSPOT"),
		salesforceId: (row) => syncedId(row, "SALESFORCE"),
		awsMarketplaceCustomerId: (row) => syncedId(row, "AWS_MARKETPLACE"),
		additionalMetaData: ({ metadata }) => metadata,
		hasPaymentMethod: ({ defaultPaymentMethod }) => defaultPaymentMethod !== null,
		defaultPaymentExpirationMonth: ({ defaultPaymentMethod }) => defaultPaymentMethod?.cardExpiryMonth,
		defaultPaymentExpirationYear: ({ defaultPaymentMethod }) => defaultPaymentMethod?.cardExpiryYear,
		defaultPaymentMethodLast4Digits: ({ defaultPaymentMethod }) => defaultPaymentMethod?.cardLast4Digits,
		billingCurrency: ({ billingCurrency }) => billingCurrency?.toUpperCase(),
		trialedPlans(row, _, context) {
			context.assertMay("SUBSCRIPTION:READ");
			const trials = context.related(row, ({ id }) => id, trialsOfCustomers) ?? [];
			return [...new Map(trials.map((trial) => [trial.planId, trial])).values()];
		},
		statistics(row, _, context) {
			context.assertMay("SUBSCRIPTION:READ");
			return { activeSubscriptionsByPricingType: context.related(row, ({ id }) => id, liveCountsOf) ?? [] };
		},
		// There are no experiments; clients ask for them all the same (docs/interface/graphql.md).
		experimentInfo: () => null,
		coupon: (row, _, context) => context.related(row, ({ couponId }) => couponId, couponsByIds),
		subscriptions(row, _, context) {
			context.assertMay("SUBSCRIPTION:READ");
			return context.related(row, ({ id }) => id, subscriptionsOfCustomers) ?? [];
		},
	},
});

const list: List = {
	field: "customers",
	type: "Customer",
	scope: "CUSTOMER:READ",
	source: sql`${customers}`,
	id: customers.id,
	within: ({ actor }) => eq(customers.environmentId, actor.environmentId),
	// Archived customers leave the list (docs/interface/customers.md).
	shown: () => isNull(customers.archivedAt),
	fields: {
		id: text(customers.id),
		refId: text(customers.refId),
		customerId: text(customers.refId),
		name: text(customers.name),
		email: text(customers.email),
		billingId: text(customers.billingId),
		crmId: reckoned(
			"String",
			sql`(select json_extract(value, '$.syncedEntityId') from json_each(${customers.integrations})
				where json_extract(value, '$.vendorIdentifier') = 'HUBSPOT' limit 1)`,
		),
		createdAt: date(customers.createdAt),
		updatedAt: date(customers.updatedAt),
		environmentId: text(customers.environmentId),
		subscriptions: relation("CustomerSubscription", customers.id, subscriptions.customerId),
		promotionalEntitlements: relation("PromotionalEntitlement", customers.id, promotionalEntitlements.customerId),
	},
	rows: customersByIds,
};

export const customersGraphql: GraphqlArea = {
	typeDefs,
	types: { Customer: customer, TrialedPlan: trialedPlan },
	queries: {
		getCustomerByRefId: {
			scope: "CUSTOMER:READ",
			resolve: (args, { work }) => getCustomer(work, textOf(inputOf(args, "input"), "customerId") ?? ""),
		},
	},
	lists: [list],
};
