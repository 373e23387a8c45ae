import { Type } from "@sinclair/typebox";
import { queryNumber, queryTexts } from "../../kernel/query";
import { Currency, CustomerRefId, literals, RefId } from "../../kernel/schema";

/** The known client sends missing values as the text `undefined` (docs/interface/graphql.md). */
const Switch = literals("true", "false", "undefined", "");

/** ISO 3166-1 alpha-2, or nothing. */
const Country = Type.String({
	pattern: "^([A-Za-z]{2}|undefined)?$",
	expects: "must be a country's code of two letters, such as US",
});

const resourceId = Type.Optional(Type.String({ maxLength: 255 }));

const closed = { additionalProperties: false };

export const PaywallQuery = Type.Object(
	{
		fetchAllCountriesPrices: Type.Optional(Switch),
		billingCountryCode: Type.Optional(Country),
		includeHiddenPlans: Type.Optional(Switch),
	},
	closed,
);

/** REST's paywall can be that of a customer. */
export const PaywallOfCustomerQuery = Type.Object(
	{
		...PaywallQuery.properties,
		productId: Type.Optional(RefId),
		/** The currency of prices without a customer. */
		currency: Type.Optional(Currency),
		billingCurrency: Type.Optional(Currency),
		customerId: Type.Optional(CustomerRefId),
		resourceId,
	},
	closed,
);

/** More than any web page reads at once. */
const resourcesMax = 100;

export const StateQuery = Type.Object({ resourceId }, closed);
export const EntitlementsQuery = Type.Object(
	{
		resourceId,
		featureId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
		requestedUsage: Type.Optional(queryNumber()),
	},
	closed,
);
export const SubscriptionsQuery = Type.Object(
	{ resourceId, resourceIds: Type.Optional(queryTexts(resourcesMax, 255)) },
	closed,
);
export const NoQuery = Type.Object({}, closed);

export const ofProduct = { productId: RefId } as const;
export const ofCustomer = { customerId: CustomerRefId } as const;
export const inEnvironment = { accountId: RefId, environmentId: RefId } as const;
