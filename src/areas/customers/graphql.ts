import { eq, isNull, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../graphql/area";
import { belonging } from "../../graphql/belonging";
import { date, type List, reckoned, relation, text } from "../../graphql/list";
import { couponsByIds } from "../coupons/operations";
import { subscriptionsByIds } from "../subscriptions/operations";
import { subscriptions } from "../subscriptions/table";
import { customersByIds, getCustomer } from "./operations";
import { type CustomerRow, customers } from "./table";

const typeDefs = `
	type TrialedPlan { planRefId: String! productRefId: String! }
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
		awsMarketplaceCustomerId: String
		additionalMetaData: JSON
		hasPaymentMethod: Boolean!
		defaultPaymentExpirationMonth: Int
		defaultPaymentExpirationYear: Int
		defaultPaymentMethodLast4Digits: String
		billingCurrency: String
		language: String
		timezone: String
		trialedPlans: [TrialedPlan!]
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

const subscriptionsOfCustomers = belonging({
	id: subscriptions.id,
	parent: subscriptions.customerId,
	environment: subscriptions.environmentId,
	rows: subscriptionsByIds,
});

const customer = fieldsOf<CustomerRow>({
	scope: "CUSTOMER:READ",
	open: ["id", "refId", "customerId"],
	fields: {
		customerId: ({ refId }) => refId,
		crmId: (row) => syncedId(row, "HUBSPOT"),
		awsMarketplaceCustomerId: (row) => syncedId(row, "AWS_MARKETPLACE"),
		additionalMetaData: ({ metadata }) => metadata,
		hasPaymentMethod: ({ defaultPaymentMethod }) => defaultPaymentMethod !== null,
		defaultPaymentExpirationMonth: ({ defaultPaymentMethod }) => defaultPaymentMethod?.cardExpiryMonth,
		defaultPaymentExpirationYear: ({ defaultPaymentMethod }) => defaultPaymentMethod?.cardExpiryYear,
		defaultPaymentMethodLast4Digits: ({ defaultPaymentMethod }) => defaultPaymentMethod?.cardLast4Digits,
		billingCurrency: ({ billingCurrency }) => billingCurrency?.toUpperCase(),
		// There are no trials and no experiments; clients ask for them all the same (graphql.md, section 8).
		trialedPlans: () => [],
		experimentInfo: () => null,
		coupon: (row, _, asking) => asking.related(row, ({ couponId }) => couponId, couponsByIds),
		subscriptions(row, _, asking) {
			asking.assertMay("SUBSCRIPTION:READ");
			return asking.related(row, ({ id }) => id, subscriptionsOfCustomers) ?? [];
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
	// Archived customers leave the list (semantics 7).
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
	},
	rows: customersByIds,
};

export const customersGraphql: GraphqlArea = {
	typeDefs,
	types: { Customer: customer },
	queries: {
		getCustomerByRefId: {
			scope: "CUSTOMER:READ",
			resolve: (args, { work }) => getCustomer(work, textOf(inputOf(args, "input"), "customerId") ?? ""),
		},
	},
	lists: [list],
};
