import { Type } from "@sinclair/typebox";
import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../graphql/area";
import { mutationsOf } from "../../graphql/input/mutations";
import { type Input, operation, sent } from "../../graphql/input/operation";
import { subscriptionBody } from "../../graphql/input/subscription-input";
import { fail } from "../../kernel/errors";
import { CustomerRefId } from "../../kernel/schema";
import { getCustomer } from "../customers/operations";
import { getPublishedVersion } from "../packages/operations";
import { buyerOf } from "../subscriptions/operations";
import { startCheckout } from "./operations.checkout";
import { startPortalSession } from "./operations.sessions";
import { BudgetAccess, PortalSession, PortalSessionCreate } from "./schema";
import { CheckoutCreate } from "./schema.checkout";
import { viewPortalSession, viewStarted } from "./view";

const schemas = { BudgetAccess, PortalSessionCreate, PortalSession, CheckoutCreate };

const typeDefs = `
	"The access of a link to budgets."
	enum PortalBudgetAccess from BudgetAccess
	input CustomerPortalSessionInput from PortalSessionCreate {
		customerId
		"The target of the 'back' link."
		returnUrl
		"Defaults to an hour."
		expiresInMinutes
		budgets
		"The link shows only the budgets of this entity and those below. Needs budgets."
		entityId
		"Your id of the person who uses the link."
		personId
		environmentId
	}
	type CustomerPortalSession from PortalSession {
		id!
		"The customer's page. Everyone who has the link acts as the customer."
		url
		"For the widget."
		token
		expiresAt
	}
	input InitiateCheckoutInput from CheckoutCreate {
		customerId planId billingPeriod billingInterval as BillingIntervalInput successUrl cancelUrl addons as SubscriptionAddonInput
		unitQuantity billableFeatures: [BillableFeatureInput!]
		"Rejected: there are coupons, but no promotion codes."
		promotionCode: String
		resourceId billingCountryCode billingCurrency as Currency
		"Whether the customer can enter the id of a coupon."
		allowPromoCodes
		collectBillingAddress allowTaxIdCollection referenceId environmentId
	}
	"checkoutBillingId is the id of GET /api/v1/checkout-sessions/{id}."
	type InitiateCheckoutResult { checkoutUrl: String! checkoutBillingId: String! }
	input CheckoutStateInput from CheckoutCreate { customerId planId resourceId billingCountryCode billingCurrency as Currency environmentId }
	"The plan, with the prices for this customer."
	type CheckoutState { plan: Plan! customer: Customer! }
	type PaymentSession { clientSecret: String! }
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
	schemas,
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
			...{ signature: "(input: CheckoutStateInput!): CheckoutState", scope: "SUBSCRIPTION:READ" },
			comment: "Throws CustomerNotFound, PlanNotFound.",
			resolve(args, { work }) {
				const input = inputOf(args, "input");
				const customer = getCustomer(work, textOf(input, "customerId") ?? "");
				const version = getPublishedVersion(work, "PLAN", textOf(input, "planId") ?? "");
				const buyer = buyerOf(customer, textOf(input, "billingCountryCode")?.toUpperCase());
				const currency = textOf(input, "billingCurrency")?.toLowerCase();
				return { customer, plan: { ...version, offer: { buyer, currency, widget: "CHECKOUT" } } };
			},
		},
	},
	mutations: {
		createCustomerPortalSession: mutationsOf({
			...{ returns: "CustomerPortalSession", scope: "CUSTOMER:WRITE", dropsNulls: true },
			...{ path: { customerId: "id" }, params: { id: CustomerRefId } },
		}).change("CustomerPortalSessionInput", PortalSessionCreate, startPortalSession, {
			comment: "Creates a link to a customer's portal. Throws CustomerNotFound.",
		}),
		initiateCheckout: operation({
			signature: "(input: InitiateCheckoutInput!): InitiateCheckoutResult",
			comment: "Creates a link to an order that the customer confirms.",
			...{ scope: "SUBSCRIPTION:WRITE", read: checkoutBody, body: CheckoutCreate },
			run: startCheckout,
		}),
		createPaymentSession: operation({
			signature: "(input: JSON!): PaymentSession",
			comment: "Always refused: there is no payment provider.",
			...{ scope: "SUBSCRIPTION:WRITE", body: Type.Unknown() },
			run(): never {
				throw fail(
					"CheckoutIsNotSupported",
					"No payment provider is connected, so customers cannot pay by card. Send the customer to the page of 'initiateCheckout'; the order is invoiced.",
				);
			},
		}),
	},
};
