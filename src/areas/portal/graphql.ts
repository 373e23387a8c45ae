import { Type } from "@sinclair/typebox";
import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../graphql/area";
import { type Input, operation } from "../../graphql/input/operation";
import { sent, subscriptionBody } from "../../graphql/input/subscription-input";
import { fail } from "../../kernel/errors";
import { CustomerRefId } from "../../kernel/schema";
import { getCustomer } from "../customers/operations";
import { getPublishedVersion } from "../packages/operations";
import { buyerOf } from "../subscriptions/operations";
import { startCheckout } from "./operations.checkout";
import { startPortalSession } from "./operations.sessions";
import { PortalSessionCreate } from "./schema";
import { CheckoutCreate } from "./schema.checkout";
import { viewPortalSession, viewStarted } from "./view";

const typeDefs = `
	input CustomerPortalSessionInput {
		customerId: String!
		"The address of the link back."
		returnUrl: String
		"Defaults to one hour."
		expiresInMinutes: Int
		environmentId: String
	}
	type CustomerPortalSession {
		id: String!
		"The customer's page. Anybody who has this address acts as the customer."
		url: String!
		"The token for the widget."
		token: String!
		expiresAt: DateTime!
	}
	input InitiateCheckoutInput {
		customerId: String!
		planId: String!
		billingPeriod: BillingPeriod
		successUrl: String!
		cancelUrl: String!
		addons: [SubscriptionAddonInput!]
		unitQuantity: Float
		billableFeatures: [BillableFeatureInput!]
		"Rejected: Tollgate has coupons but no promotion codes."
		promotionCode: String
		resourceId: String
		billingCountryCode: String
		"Whether the customer may enter a coupon ID."
		allowPromoCodes: Boolean
		collectBillingAddress: Boolean
		allowTaxIdCollection: Boolean
		referenceId: String
		environmentId: String
	}
	"checkoutBillingId is the id of GET /api/v1/checkout-sessions/{id}."
	type InitiateCheckoutResult { checkoutUrl: String! checkoutBillingId: String! }
	input CheckoutStateInput {
		customerId: String!
		planId: String!
		resourceId: String
		billingCountryCode: String
		environmentId: String
	}
	"The plan with the prices for this customer."
	type CheckoutState { plan: Plan! customer: Customer! }
	type PaymentSession { clientSecret: String! }
	extend type Query {
		"Throws CustomerNotFound, PlanNotFound."
		checkoutState(input: CheckoutStateInput!): CheckoutState
	}
	extend type Mutation {
		"Creates a link to the portal of a customer. Throws CustomerNotFound."
		createCustomerPortalSession(input: CustomerPortalSessionInput!): CustomerPortalSession
		"Creates a link to an order for the customer to confirm."
		initiateCheckout(input: InitiateCheckoutInput!): InitiateCheckoutResult
		"Rejected: no payment provider is connected."
		createPaymentSession(input: JSON!): PaymentSession
	}
`;

function checkoutBody({ promotionCode, successUrl, cancelUrl, referenceId, ...input }: Input): Input {
	if (promotionCode)
		throw fail(
			"PromotionCodeNotFound",
			"Tollgate has no promotion codes. Set a coupon with the REST route, or let the customer enter one.",
		);
	const { allowPromoCodes, collectBillingAddress, allowTaxIdCollection, ...order } = input;
	const options = { allowPromoCodes, collectBillingAddress, allowTaxIdCollection };
	return { ...subscriptionBody(order), ...sent({ ...options, successUrl, cancelUrl, referenceId }) };
}

export const portalGraphql: GraphqlArea = {
	typeDefs,
	types: {
		CustomerPortalSession: fieldsOf<ReturnType<typeof startPortalSession>>({
			fields: {
				id: ({ session }) => session.id,
				url: (started, _, { origin }) => viewPortalSession(started, origin).url,
				expiresAt: ({ session }) => session.expiresAt,
			},
		}),
		InitiateCheckoutResult: fieldsOf<ReturnType<typeof startCheckout>>({
			fields: {
				checkoutUrl: (started, _, { work, origin }) => viewStarted(work, started, origin).url,
				checkoutBillingId: ({ checkout }) => checkout.id,
			},
		}),
	},
	queries: {
		checkoutState: {
			scope: "SUBSCRIPTION:READ",
			resolve(args, { work }) {
				const input = inputOf(args, "input");
				const customer = getCustomer(work, textOf(input, "customerId") ?? "");
				const version = getPublishedVersion(work, "PLAN", textOf(input, "planId") ?? "");
				const buyer = buyerOf(customer, textOf(input, "billingCountryCode")?.toUpperCase());
				return { customer, plan: { ...version, offer: { buyer, widget: "CHECKOUT" } } };
			},
		},
	},
	mutations: {
		createCustomerPortalSession: operation({
			scope: "CUSTOMER:WRITE",
			path: { customerId: "id" },
			params: { id: CustomerRefId },
			read: ({ environmentId: _, ...input }) => sent(input),
			body: PortalSessionCreate,
			run: (work, body, { id }) => startPortalSession(work, id, body),
		}),
		initiateCheckout: operation({
			scope: "SUBSCRIPTION:WRITE",
			read: checkoutBody,
			body: CheckoutCreate,
			run: startCheckout,
		}),
		createPaymentSession: operation({
			scope: "SUBSCRIPTION:WRITE",
			body: Type.Unknown(),
			run(): never {
				throw fail(
					"CheckoutIsNotSupported",
					"No payment provider is connected, so customers cannot pay by card. Send the customer to the page of 'initiateCheckout'; the order is invoiced.",
				);
			},
		}),
	},
};
