import { Type } from "@sinclair/typebox";
import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../graphql/area";
import { costs } from "../../graphql/request/budget";
import { checker } from "../../http/validation";
import { Currency } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import { type Paywall, type PaywallQuery, plansMax, readPaywall } from "./operations";
import { type CustomerPortal, readPortal } from "./operations.portal";

const typeDefs = `
	input GetPaywallInput {
		"Defaults to all products."
		productId: String
		customerId: String
		resourceId: String
		"ISO 3166-1 alpha-2. Defaults to the country of the customer, then to the default prices."
		billingCountryCode: String
		"ISO 4217. Defaults to the currency of the customer. Other texts are rejected."
		currency: String
		fetchAllCountriesPrices: Boolean
		"Has no effect: plans cannot be hidden."
		includeHiddenPlans: Boolean
		environmentId: String
	}
	type PaywallCurrency { code: Currency! symbol: String! }
	"At most ${plansMax} plans with the prices of the offer, without entitlements that are hidden from paywalls."
	type Paywall {
		"Free plans first, then by price, then plans without a price."
		plans: [Plan!]!
		currency: PaywallCurrency!
		"Always null: a paywall has no layout settings."
		configuration: JSON
		customer: Customer
		resource: SubscriptionResource
		activeSubscriptions: [CustomerSubscription!]
	}
	input CustomerPortalInput { customerId: String! resourceId: String productId: String environmentId: String }
	"The subscriptions and entitlements of a customer."
	type CustomerPortal {
		customer: Customer!
		resource: SubscriptionResource
		"The subscriptions that give access now."
		subscriptions: [CustomerSubscription!]!
		entitlements: [Entitlement!]!
		promotionalEntitlements: [PromotionalEntitlement!]!
		"Always null. Use createCustomerPortalSession to create a link."
		billingPortalUrl: String
		canUpgradeSubscription: Boolean!
		showWatermark: Boolean!
		configuration: JSON
	}
	extend type Query {
		"The plans of the paywall, for early clients."
		getPaywall(input: GetPaywallInput!): [Plan!]!
		"The plans for sale. Throws ProductNotFoundError, CustomerNotFound, CustomerResourceNotFound."
		paywall(input: GetPaywallInput!): Paywall!
		"Like paywall, without a customer."
		mockPaywall(input: GetPaywallInput!): Paywall!
		"Throws CustomerNotFound, CustomerResourceNotFound, ProductNotFoundError."
		customerPortal(input: CustomerPortalInput!): CustomerPortal!
	}
`;

type Args = Readonly<Record<string, unknown>>;

/** Checks the currency with the schema of prices. */
const readTerms = checker("body", Type.Object({ currency: Type.Optional(Currency) }));

function queryOf(args: Args): PaywallQuery {
	const input = inputOf(args, "input");
	const currency = textOf(input, "currency")?.toLowerCase();
	return {
		...readTerms({ ...(currency !== undefined && { currency }) }),
		productId: textOf(input, "productId"),
		customerId: textOf(input, "customerId"),
		resourceId: textOf(input, "resourceId") || undefined,
		billingCountryCode: textOf(input, "billingCountryCode")?.toUpperCase(),
		fetchAllCountriesPrices: input.fetchAllCountriesPrices === true,
	};
}

function portalOf(work: Work, args: Args): CustomerPortal {
	const input = inputOf(args, "input");
	return readPortal(work, {
		customerId: textOf(input, "customerId") ?? "",
		resourceId: textOf(input, "resourceId") || undefined,
		productId: textOf(input, "productId"),
	});
}

/** Returns the symbol in the format of the United States. */
const symbolOf = (currency: string): string =>
	new Intl.NumberFormat("en-US", { style: "currency", currency, currencyDisplay: "narrowSymbol" })
		.formatToParts(0)
		.find(({ type }) => type === "currency")?.value ?? currency;

const resource = ({ resourceId }: Pick<Paywall, "resourceId">) => (resourceId === null ? null : { resourceId });

const paywall = fieldsOf<Paywall>({
	fields: {
		plans: ({ plans }, _, context) => context.together(plans),
		currency: ({ currency }) => ({ code: currency.toUpperCase(), symbol: symbolOf(currency.toUpperCase()) }),
		resource,
		activeSubscriptions: ({ activeSubscriptions }, _, context) => context.together(activeSubscriptions),
	},
});

const portal = fieldsOf<CustomerPortal>({
	fields: {
		resource,
		subscriptions: ({ subscriptions }, _, context) => context.together(subscriptions),
		promotionalEntitlements: ({ promotionalEntitlements }, _, context) => context.together(promotionalEntitlements),
		canUpgradeSubscription: () => true,
		showWatermark: () => false,
	},
});

const scope = "CATALOG:READ";
const cost = 2 * costs.entitlements;

export const paywallGraphql: GraphqlArea = {
	typeDefs,
	types: { Paywall: paywall, CustomerPortal: portal },
	queries: {
		getPaywall: {
			scope,
			cost,
			resolve: (args, context) => context.together(readPaywall(context.work, queryOf(args)).plans),
		},
		paywall: { scope, cost, resolve: (args, { work }) => readPaywall(work, queryOf(args)) },
		mockPaywall: {
			scope,
			cost,
			resolve: (args, { work }) =>
				readPaywall(work, { ...queryOf(args), customerId: undefined, resourceId: undefined }),
		},
		customerPortal: { scope: "CUSTOMER:READ", cost, resolve: (args, { work }) => portalOf(work, args) },
	},
};
