import { isNull, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, inputOf, referred, textOf } from "../../graphql/area";
import { childRows } from "../../graphql/lists/child-rows";
import { calculated, columns, relation, tableList } from "../../graphql/lists/list";
import { couponsByIds } from "../coupons/operations";
import { type CouponRow, coupons } from "../coupons/table";
import { countCustomers, customersByIds, getCustomer } from "./operations";
import { Customer } from "./schema";
import { CustomerInvoicing } from "./schema.invoicing";
import { type CustomerRow, customers } from "./table";
import { viewInvoicing } from "./view";

const schemas = { Customer, CustomerInvoicing };

const typeDefs = `
	enum ExperimentGroupType { CONTROL VARIANT }
	type ExperimentInfo { id: String! name: String! groupName: String! groupType: ExperimentGroupType! }
	enum BillsTo from Customer.billsTo
	enum InvoiceGrouping from Customer.invoiceGrouping
	enum TaxExemption from CustomerInvoicing.taxExemption
	"The invoice settings of a customer."
	type CustomerInvoicing from CustomerInvoicing {
		customerId
		"Null: the legal entity of the plans, else the default one."
		legalEntityId as ID
		taxExemption
		"The legal provision of the exemption, as documents print it."
		taxExemptionProvision
		"Replaces the cash discount of the legal entity."
		cashDiscount
	}
	type Customer from Customer {
		id
		"The caller's id. customerId is another name for it."
		refId
		customerId: String! name email billingId crmId: String salesforceId: String awsMarketplaceCustomerId: String
		additionalMetaData hasPaymentMethod: Boolean! defaultPaymentExpirationMonth: Int
		defaultPaymentExpirationYear: Int defaultPaymentMethodLast4Digits: String billingCurrency language timezone
		"From when billing periods count, unless subscription or plan state it."
		billingAnchor as ChosenBillingAnchor
		"The ids of the taxes that the customer pays. Null: those of the environment."
		taxes
		"The customer that this one belongs to."
		parentCustomer: Customer
		"PARENT: the parent pays for subscriptions that name no payer. Null: the customer has no parent."
		billsTo
		"CONSOLIDATED: subscriptions that fall due together for this payer share an invoice."
		invoiceGrouping: InvoiceGrouping!
		"The newest hundred customers that belong to this one."
		childCustomers: [Customer!]
		experimentInfo: ExperimentInfo coupon: Coupon invoicing: CustomerInvoicing! environmentId createdAt updatedAt
	}
	extend type Coupon {
		"The newest hundred customers of the coupon."
		customers: [Customer!]
	}
	input GetCustomerByRefIdInput { customerId: String! environmentId: String }
`;

const syncedId = ({ integrations }: CustomerRow, vendor: string): string | null =>
	integrations.find(({ vendorIdentifier }) => vendorIdentifier === vendor)?.syncedEntityId ?? null;

const customersOfCoupons = childRows(customers, customers.couponId, customersByIds, isNull(customers.archivedAt));

const childrenOfCustomers = childRows(
	customers,
	customers.parentCustomerId,
	customersByIds,
	isNull(customers.archivedAt),
);

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
		hasPaymentMethod: ({ defaultPaymentMethod }) => defaultPaymentMethod !== null,
		defaultPaymentExpirationMonth: ({ defaultPaymentMethod }) => defaultPaymentMethod?.cardExpiryMonth,
		defaultPaymentExpirationYear: ({ defaultPaymentMethod }) => defaultPaymentMethod?.cardExpiryYear,
		defaultPaymentMethodLast4Digits: ({ defaultPaymentMethod }) => defaultPaymentMethod?.cardLast4Digits,
		billingCurrency: ({ billingCurrency }) => billingCurrency?.toUpperCase(),
		// There are no experiments, but clients select the field (docs/interface/graphql.md).
		experimentInfo: () => null,
		invoicing: viewInvoicing,
		coupon: referred(({ couponId }) => couponId, couponsByIds),
		invoiceGrouping: ({ invoiceGrouping }) => invoiceGrouping ?? "SEPARATE",
		billsTo: ({ billsTo, parentCustomerId }) => parentCustomerId && (billsTo ?? "SELF"),
		parentCustomer: referred(({ parentCustomerId }) => parentCustomerId, customersByIds),
		childCustomers: (row, _, context) => context.related(row, ({ id }) => id, childrenOfCustomers) ?? [],
	},
});

const list = tableList(customers, {
	...{ field: "customers", type: "Customer", scope: "CUSTOMER:READ", rows: customersByIds },
	// The list shows no archived customers (docs/interface/customers.md).
	shown: () => isNull(customers.archivedAt),
	storedCount: (work, filter) => (Object.keys(filter).length === 0 ? countCustomers(work) : undefined),
	fields: {
		...columns(customers, "id refId customerId=refId name email billingId"),
		crmId: calculated(
			"String",
			sql`(select json_extract(value, '$.syncedEntityId') from json_each(${customers.integrations})
				where json_extract(value, '$.vendorIdentifier') = 'HUBSPOT' limit 1)`,
		),
		...columns(customers, "createdAt updatedAt environmentId"),
	},
});

export const customersGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { Customer: customer, Coupon: coupon },
	queries: {
		getCustomerByRefId: {
			signature: "(input: GetCustomerByRefIdInput!): Customer",
			comment: "Throws CustomerNotFound.",
			scope: "CUSTOMER:READ",
			resolve: (args, { work }) => getCustomer(work, textOf(inputOf(args, "input"), "customerId") ?? ""),
		},
	},
	lists: [list],
	relations: { Coupon: { customers: relation("Customer", coupons.id, customers.couponId) } },
};
