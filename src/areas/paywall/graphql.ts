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
		customerId: String resourceId: String
		"ISO 3166-1 alpha-2. Defaults to the customer's country, else to the default prices."
		billingCountryCode: String
		"ISO 4217. Defaults to the customer's currency. Other texts are refused."
		currency: String
		"The currency that a sale would name. Prices are in it if everything that recurs has a price in it."
		billingCurrency: Currency
		fetchAllCountriesPrices: Boolean
		"Has no effect: no plan is hidden."
		includeHiddenPlans: Boolean
		environmentId: String
	}
	type PaywallCurrency { code: Currency! symbol: String! }
	"At most ${plansMax} plans, without entitlements that paywalls hide. Plans of an offer have the offer's prices."
	type Paywall {
		"Free plans first, then plans by price, then plans without a price."
		plans: [Plan!]!
		currency: PaywallCurrency!
		"Always null."
		configuration: JSON
		customer: Customer resource: SubscriptionResource activeSubscriptions: [CustomerSubscription!]
	}
	input CustomerPortalInput { customerId: String! resourceId: String productId: String environmentId: String }
	"The subscriptions and entitlements of a customer."
	type CustomerPortal {
		customer: Customer! resource: SubscriptionResource
		"The subscriptions that give access now."
		subscriptions: [CustomerSubscription!]!
		entitlements: [Entitlement!]! promotionalEntitlements: [PromotionalEntitlement!]!
		"Always null: createCustomerPortalSession creates a link, which is shown once."
		billingPortalUrl: String
		canUpgradeSubscription: Boolean! showWatermark: Boolean! configuration: JSON
	}
`;

type Args = Readonly<Record<string, unknown>>;

/** The schema that also checks the currencies of prices. */
const readTerms = checker(
	"body",
	Type.Object({ currency: Type.Optional(Currency), billingCurrency: Type.Optional(Currency) }),
);

function queryOf(args: Args): PaywallQuery {
	const input = inputOf(args, "input");
	const currency = textOf(input, "currency")?.toLowerCase();
	const billingCurrency = textOf(input, "billingCurrency")?.toLowerCase();
	return {
		...readTerms({
			...(currency !== undefined && { currency }),
			...(billingCurrency !== undefined && { billingCurrency }),
		}),
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

/** The symbol in US English. */
const symbolOf = (currency: string): string =>
	new Intl.NumberFormat("en-US", { style: "currency", currency, currencyDisplay: "narrowSymbol" })
		.formatToParts(0)
		.find(({ type }) => type === "currency")?.value ?? currency;

const resource = ({ resourceId }: Pick<Paywall, "resourceId">) => (resourceId === null ? null : { resourceId });

const paywall = fieldsOf<Paywall>({
	fields: {
		plans: ({ plans }, _, context) => context.together(plans),
		currency: ({ currency }) => ({ code: currency, symbol: symbolOf(currency.toUpperCase()) }),
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
			...{ signature: "(input: GetPaywallInput!): [Plan!]!", scope, cost },
			comment: "The plans of paywall, for clients of the first release.",
			resolve: (args, context) => context.together(readPaywall(context.work, queryOf(args)).plans),
		},
		paywall: {
			...{ signature: "(input: GetPaywallInput!): Paywall!", scope, cost },
			comment: "The plans for sale. Throws ProductNotFoundError, CustomerNotFound, CustomerResourceNotFound.",
			resolve: (args, { work }) => readPaywall(work, queryOf(args)),
		},
		mockPaywall: {
			...{ signature: "(input: GetPaywallInput!): Paywall!", scope, cost },
			comment: "As paywall, without a customer.",
			resolve: (args, { work }) =>
				readPaywall(work, { ...queryOf(args), customerId: undefined, resourceId: undefined }),
		},
		customerPortal: {
			...{ signature: "(input: CustomerPortalInput!): CustomerPortal!", scope: "CUSTOMER:READ", cost },
			comment: "Throws CustomerNotFound, CustomerResourceNotFound, ProductNotFoundError.",
			resolve: (args, { work }) => portalOf(work, args),
		},
	},
};
