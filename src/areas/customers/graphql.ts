import { eq, isNull, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../graphql/area";
import { childRows } from "../../graphql/lists/child-rows";
import { date, type List, reckoned, relation, text } from "../../graphql/lists/list";
import { couponsByIds } from "../coupons/operations";
import { type CouponRow, coupons } from "../coupons/table";
import { countCustomers, customersByIds, getCustomer } from "./operations";
import { taxExemptions } from "./schema.invoicing";
import { type CustomerRow, customers } from "./table";
import { viewInvoicing } from "./view";

const typeDefs = `
	enum ExperimentGroupType { CONTROL VARIANT }
	type ExperimentInfo { id: String! name: String! groupName: String! groupType: ExperimentGroupType! }
	enum TaxExemption { ${taxExemptions.join(" ")} }
	"Who invoices a customer, and how."
	type CustomerInvoicing {
		customerId: String!
		"Null: its plans' legal entity, else the default one."
		legalEntityId: ID
		taxExemption: TaxExemption
		"The provision of law behind the exemption, as documents print it."
		taxExemptionProvision: String
		"In the place of the legal entity's."
		cashDiscount: CashDiscount
	}
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
		experimentInfo: ExperimentInfo
		coupon: Coupon
		invoicing: CustomerInvoicing!
		environmentId: String!
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	extend type Coupon {
		"The newest hundred customers that hold it."
		customers: [Customer!]
	}
	input GetCustomerByRefIdInput { customerId: String! environmentId: String }
	extend type Query {
		"Throws CustomerNotFound."
		getCustomerByRefId(input: GetCustomerByRefIdInput!): Customer
	}
`;

const syncedId = ({ integrations }: CustomerRow, vendor: string): string | null =>
	integrations.find(({ vendorIdentifier }) => vendorIdentifier === vendor)?.syncedEntityId ?? null;

const customersOfCoupons = childRows({
	id: customers.id,
	parent: customers.couponId,
	environment: customers.environmentId,
	shown: isNull(customers.archivedAt),
	rows: customersByIds,
});

const coupon = fieldsOf<CouponRow>({
	fields: {
		customers(row, _, context) {
			context.assertMay("CUSTOMER:READ");
			return context.related(row, ({ id }) => id, customersOfCoupons) ?? [];
		},
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
		// There are no experiments; clients ask for them all the same (docs/interface/graphql.md).
		experimentInfo: () => null,
		invoicing: viewInvoicing,
		coupon: (row, _, context) => context.related(row, ({ couponId }) => couponId, couponsByIds),
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
	kept: (work, filter) => (Object.keys(filter).length === 0 ? countCustomers(work) : undefined),
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
	},
	rows: customersByIds,
};

export const customersGraphql: GraphqlArea = {
	typeDefs,
	types: { Customer: customer, Coupon: coupon },
	queries: {
		getCustomerByRefId: {
			scope: "CUSTOMER:READ",
			resolve: (args, { work }) => getCustomer(work, textOf(inputOf(args, "input"), "customerId") ?? ""),
		},
	},
	lists: [list],
	relations: { Coupon: { customers: relation("Customer", coupons.id, customers.couponId) } },
};
