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
		"Left out: of all products."
		productId: String
		customerId: String
		resourceId: String
		"ISO 3166-1 alpha-2; left out: that of the customer, else the default prices."
		billingCountryCode: String
		"ISO 4217; the customer's currency when left out. Another text is refused."
		currency: String
		fetchAllCountriesPrices: Boolean
		"Has no effect: no plan is hidden."
		includeHiddenPlans: Boolean
		environmentId: String
	}
	type PaywallCurrency { code: Currency! symbol: String! }
	"At most ${plansMax} plans, without the entitlements that are hidden from paywalls; those of an offer have its prices."
	type Paywall {
		"Free ones first, then by price, then what has none."
		plans: [Plan!]!
		currency: PaywallCurrency!
		"Null: clients look as they look."
		configuration: JSON
		customer: Customer
		resource: SubscriptionResource
		activeSubscriptions: [CustomerSubscription!]
	}
	input CustomerPortalInput { customerId: String! resourceId: String productId: String environmentId: String }
	"What a customer has."
	type CustomerPortal {
		customer: Customer!
		resource: SubscriptionResource
		"What gives access now."
		subscriptions: [CustomerSubscription!]!
		entitlements: [Entitlement!]!
		promotionalEntitlements: [PromotionalEntitlement!]!
		"Null: createCustomerPortalSession makes a link, which is shown once."
		billingPortalUrl: String
		canUpgradeSubscription: Boolean!
		showWatermark: Boolean!
		configuration: JSON
	}
	extend type Query {
		"The plans of paywall, for the first release."
		getPaywall(input: GetPaywallInput!): [Plan!]!
		"What is for sale. Throws ProductNotFoundError, CustomerNotFound, CustomerResourceNotFound."
		paywall(input: GetPaywallInput!): Paywall!
		"As paywall, of no customer."
		mockPaywall(input: GetPaywallInput!): Paywall!
		"Throws CustomerNotFound, CustomerResourceNotFound, ProductNotFoundError."
		customerPortal(input: CustomerPortalInput!): CustomerPortal!
	}
`;

type Args = Readonly<Record<string, unknown>>;

/** Prices have the same currencies, so the same schema checks them. */
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

/** As people of the United States write it. */
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
