import { Type } from "@sinclair/typebox";
import type { GraphqlArea } from "../../graphql/area";
import { operation } from "../../graphql/input/operation";
import { fail } from "../../kernel/errors";

const typeDefs = `
	input InitiateCheckoutInput {
		customerId: String!
		planId: String!
		billingPeriod: BillingPeriod
		successUrl: String!
		cancelUrl: String!
		addons: [SubscriptionAddonInput!]
		unitQuantity: Float
		billableFeatures: [BillableFeatureInput!]
		promotionCode: String
		resourceId: String
		billingCountryCode: String
		allowPromoCodes: Boolean
		collectBillingAddress: Boolean
		referenceId: String
		environmentId: String
	}
	type InitiateCheckoutResult { checkoutUrl: String! checkoutBillingId: String! }
	input CheckoutStateInput {
		customerId: String!
		planId: String!
		resourceId: String
		billingCountryCode: String
		environmentId: String
	}
	type CheckoutState { plan: Plan! customer: Customer! }
	type PaymentSession { clientSecret: String! }
	extend type Query {
		"Refused: there is no checkout."
		checkoutState(input: CheckoutStateInput!): CheckoutState
	}
	extend type Mutation {
		"Refused: there is no checkout."
		initiateCheckout(input: InitiateCheckoutInput!): InitiateCheckoutResult
		"Refused: there is no checkout."
		createPaymentSession(input: JSON!): PaymentSession
	}
`;

/** A customer who were sent to a page that does not exist would be lost, so what needs one is refused. */
const refused = {
	body: Type.Unknown(),
	run(): never {
		throw fail(
			"CheckoutIsNotSupported",
			"There is no checkout: provision the subscription, which begins at once, or with 'awaitPaymentConfirmation' when its invoice is paid.",
		);
	},
} as const;

export const checkoutGraphql: GraphqlArea = {
	typeDefs,
	queries: { checkoutState: operation({ ...refused, scope: "SUBSCRIPTION:READ" }) },
	mutations: {
		initiateCheckout: operation({ ...refused, scope: "SUBSCRIPTION:WRITE" }),
		createPaymentSession: operation({ ...refused, scope: "SUBSCRIPTION:WRITE" }),
	},
};
