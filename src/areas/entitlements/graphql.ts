import { fieldsOf, type GraphqlArea, inputOf, type QueryField, textOf } from "../../graphql/area";
import { meterTypeOf, resetConfigurationOf } from "../../graphql/input/value-formats";
import { costs } from "../../graphql/request/budget";
import type { Work } from "../../kernel/work";
import { getCustomerById, resourcesByIds } from "../customers/operations";
import type { CustomerRow } from "../customers/table";
import type { EffectiveCreditEntitlement } from "../entitlement-sources/schema";
import { findFeature } from "../features/operations";
import type { FeatureRow } from "../features/table";
import type { SubscriptionRow } from "../subscriptions/table";
import { checkEntitlement } from "./operations";
import { resolveEntitlements } from "./operations.resolve";
import {
	entitlementsStateOf,
	grantedFeaturesOf,
	type Holder,
	type Shown,
	type ShownCredits,
	type ShownFeature,
	type State,
	shownOf,
} from "./operations.state";

/**
 * Older clients know the first type, newer ones the second; the fields are the same. Fields that credits also have are nullable in
 * both types, because one selection cannot use the same name with two types.
 */
const featureEntitlementFields = `
	isGranted: Boolean!
	accessDeniedReason: AccessDeniedReason
	customerId: String!
	resourceId: String
	usageLimit: Float
	hasUnlimitedUsage: Boolean
	hasSoftLimit: Boolean
	currentUsage: Float
	requestedUsage: Float
	enumValues: [String!]
	resetPeriod: EntitlementResetPeriod
	resetPeriodConfiguration: ResetPeriodConfiguration
	nextResetDate: DateTime
	usagePeriodAnchor: DateTime
	usagePeriodStart: DateTime
	usagePeriodEnd: DateTime
	validUntil: DateTime
	entitlementUpdatedAt: DateTime
	usageUpdatedAt: DateTime
	"What using it costs in credits; null where it costs none."
	creditRate: CreditRate
	feature: EntitlementFeature
`;

const typeDefs = `
	enum AccessDeniedReason {
		FeatureNotFound CustomerNotFound CustomerIsArchived CustomerResourceNotFound NoActiveSubscription
		NoFeatureEntitlementInSubscription RequestedUsageExceedingLimit RequestedValuesMismatch BudgetExceeded Unknown
		FeatureTypeMismatch Revoked InsufficientCredits EntitlementNotFound
	}
	type YearlyResetPeriodConfig { accordingTo: String! yearlyAccordingTo: String! }
	type MonthlyResetPeriodConfig { accordingTo: String! monthlyAccordingTo: String! }
	type WeeklyResetPeriodConfig { accordingTo: String! weeklyAccordingTo: String! }
	union ResetPeriodConfiguration = YearlyResetPeriodConfig | MonthlyResetPeriodConfig | WeeklyResetPeriodConfig
	type EntitlementFeature {
		id: ID!
		refId: String!
		displayName: String!
		description: String
		featureType: FeatureType!
		meterType: MeterType!
		featureUnits: String
		featureUnitsPlural: String
		unitTransformation: UnitTransformation
		additionalMetaData: JSON
	}
	type Entitlement { ${featureEntitlementFields} }
	type FeatureEntitlement { ${featureEntitlementFields} }
	type EntitlementCurrency {
		currencyId: String!
		displayName: String!
		description: String
		unitSingular: String
		unitPlural: String
		additionalMetaData: JSON
	}
	type CreditEntitlement {
		isGranted: Boolean!
		accessDeniedReason: AccessDeniedReason
		customerId: String!
		resourceId: String
		currency: EntitlementCurrency!
		usageLimit: Float
		currentUsage: Float
		usagePeriodEnd: DateTime
		usageUpdatedAt: DateTime
		entitlementUpdatedAt: DateTime
		validUntil: DateTime
	}
	union EntitlementItem = FeatureEntitlement | CreditEntitlement
	type EntitlementsState {
		accessDeniedReason: AccessDeniedReason
		"entitlementsV2 is another name for it."
		entitlements: [EntitlementItem!]!
		entitlementsV2: [EntitlementItem!]!
	}
	input FetchEntitlementsQuery { customerId: String! resourceId: String environmentId: String }
	input EntitlementOptions { requestedUsage: Float requestedValues: [String!] }
	input FetchEntitlementQuery {
		customerId: String!
		featureId: String!
		resourceId: String
		options: EntitlementOptions
		environmentId: String
	}
	"Either featureId or currencyId."
	input FetchEntitlementV2Query {
		customerId: String!
		featureId: String
		currencyId: String
		resourceId: String
		options: EntitlementOptions
		environmentId: String
	}
	extend type ProvisionedCustomer {
		"What the customer may do from now on, on no resource."
		entitlementsV2: [EntitlementItem!]
	}
	extend type ProvisionSubscriptionResult {
		"What the customer may do from now on, on the subscription's resource."
		entitlementsV2: [EntitlementItem!]
	}
	extend type ApplySubscriptionResult { entitlementsV2: [EntitlementItem!] }
	extend type Query {
		"Empty for an unknown customer, and for one that has neither a subscription nor a promotional entitlement."
		cachedEntitlements(query: FetchEntitlementsQuery!): [Entitlement!]!
		"The same, by the name under which clients read it."
		entitlements(query: FetchEntitlementsQuery!): [Entitlement!]!
		entitlementsState(query: FetchEntitlementsQuery!): EntitlementsState!
		"One access decision, with its reason."
		entitlement(query: FetchEntitlementQuery!): Entitlement!
		"The same, of a feature or of a currency's credits."
		entitlementV2(query: FetchEntitlementV2Query!): EntitlementItem!
	}
`;

const holderOf = (args: Readonly<Record<string, unknown>>): Holder => {
	const query = inputOf(args, "query");
	return { customerId: textOf(query, "customerId") ?? "", resourceId: textOf(query, "resourceId") || null };
};

function decisionOf(work: Work, args: Readonly<Record<string, unknown>>): Shown {
	const holder = holderOf(args);
	const query = inputOf(args, "query");
	const { requestedUsage, requestedValues } = inputOf(query, "options");
	const usage = typeof requestedUsage === "number" ? requestedUsage : null;
	const resolved = resolveEntitlements(work, holder.customerId, holder.resourceId);
	const view = checkEntitlement(
		work,
		holder.customerId,
		{
			...named(query, "featureId"),
			...named(query, "currencyId"),
			...(holder.resourceId !== null && { resourceId: holder.resourceId }),
			...(usage !== null && { requestedUsage: String(usage) }),
			...(Array.isArray(requestedValues) && { requestedValues: requestedValues.map(String) }),
		},
		() => resolved,
	);
	return shownOf(view, holder, resolved, usage);
}

/** Removes omitted fields from the request. */
const named = (query: Readonly<Record<string, unknown>>, name: "featureId" | "currencyId") =>
	textOf(query, name) === undefined ? {} : { [name]: textOf(query, name) };

/** Returns the shown source, which is the one with the reset period of the answer. */
function shownResetConfiguration({ view, resolved }: ShownFeature) {
	const period = view.resetPeriod ?? null;
	return resetConfigurationOf(period, resolved?.sources.find(({ resetPeriod }) => resetPeriod === period)?.resetAnchor);
}

const featureEntitlement = fieldsOf<ShownFeature>({
	fields: {
		isGranted: ({ view }) => view.isGranted,
		accessDeniedReason: ({ view }) => view.accessDeniedReason,
		customerId: ({ holder }) => holder.customerId,
		resourceId: ({ holder }) => holder.resourceId,
		usageLimit: ({ view }) => view.usageLimit,
		hasUnlimitedUsage: ({ view }) => view.hasUnlimitedUsage,
		// Any source that gives access gives it (docs/interface/entitlements.md).
		hasSoftLimit: ({ resolved }) => resolved?.sources.some(({ isSoft }) => isSoft),
		currentUsage: ({ view }) => view.currentUsage,
		enumValues: ({ resolved, view }) =>
			view.feature?.featureType === "ENUM" && resolved
				? [...new Set(resolved.sources.flatMap(({ enumValues }) => enumValues))]
				: null,
		resetPeriod: ({ view }) => view.resetPeriod,
		resetPeriodConfiguration: shownResetConfiguration,
		nextResetDate: ({ view }) => view.usagePeriodEnd,
		usagePeriodAnchor: ({ view }) => view.usagePeriodAnchor,
		usagePeriodStart: ({ view }) => view.usagePeriodStart,
		usagePeriodEnd: ({ view }) => view.usagePeriodEnd,
		validUntil: ({ view }) => view.validUntil,
		entitlementUpdatedAt: ({ view }) => view.entitlementUpdatedAt,
		// Usage is read as of now.
		usageUpdatedAt: ({ resolved }, _, { work }) => (resolved?.isMetered ? work.now : null),
		creditRate: ({ view }) => view.creditRate,
		feature: ({ resolved, view }, _, { work }) =>
			resolved?.feature ?? (view.feature && findFeature(work, view.feature.id)),
	},
});

const entitlementFeature = fieldsOf<FeatureRow>({
	fields: { meterType: meterTypeOf, additionalMetaData: ({ metadata }) => metadata },
});

const creditEntitlement = fieldsOf<ShownCredits>({
	fields: {
		isGranted: ({ view }) => view.isGranted,
		accessDeniedReason: ({ view }) => view.accessDeniedReason,
		customerId: ({ holder }) => holder.customerId,
		resourceId: ({ holder }) => holder.resourceId,
		currency: ({ view }) => view.currency,
		usageLimit: ({ view }) => view.usageLimit,
		currentUsage: ({ view }) => view.currentUsage,
		usagePeriodEnd: ({ view }) => view.usagePeriodEnd,
		usageUpdatedAt: ({ view }) => view.usageUpdatedAt,
		entitlementUpdatedAt: ({ view }) => view.entitlementUpdatedAt,
		validUntil: ({ view }) => view.validUntil,
	},
});

const currency = fieldsOf<EffectiveCreditEntitlement["currency"]>({
	fields: { additionalMetaData: ({ metadata }) => metadata },
});

const state = fieldsOf<State>({
	fields: { entitlements: ({ shown }) => shown, entitlementsV2: ({ shown }) => shown },
});

/** Returns the entitlements in the answer of provisioning, read in the same transaction. */
const ofProvisionedCustomer = fieldsOf<{ readonly customer: CustomerRow }>({
	fields: {
		entitlementsV2: ({ customer }, _, { work }) =>
			entitlementsStateOf(work, { customerId: customer.refId, resourceId: null }).shown,
	},
});

const ofProvisionedSubscription = fieldsOf<SubscriptionRow>({
	fields: {
		entitlementsV2({ customerId, resourceId }, _, { work }) {
			const resource = resourceId === null ? undefined : resourcesByIds(work, [resourceId]).get(resourceId);
			const holder = { customerId: getCustomerById(work, customerId).refId, resourceId: resource?.refId ?? null };
			return entitlementsStateOf(work, holder).shown;
		},
	},
});

/** REST's scope for entitlements is the customer's (docs/interface/access.md). */
const scope = "CUSTOMER:READ";
const cost = costs.entitlements;

const granted: QueryField = {
	scope,
	cost,
	resolve: (args, { work }) => grantedFeaturesOf(work, holderOf(args)),
};

export const entitlementsGraphql: GraphqlArea = {
	typeDefs,
	types: {
		Entitlement: featureEntitlement,
		FeatureEntitlement: featureEntitlement,
		CreditEntitlement: creditEntitlement,
		EntitlementFeature: entitlementFeature,
		EntitlementCurrency: currency,
		EntitlementsState: state,
		ProvisionedCustomer: ofProvisionedCustomer,
		ProvisionSubscriptionResult: ofProvisionedSubscription,
		ApplySubscriptionResult: ofProvisionedSubscription,
	},
	queries: {
		cachedEntitlements: granted,
		entitlements: granted,
		entitlementsState: { scope, cost, resolve: (args, { work }) => entitlementsStateOf(work, holderOf(args)) },
		entitlement: { scope, cost, resolve: (args, { work }) => decisionOf(work, args) },
		entitlementV2: { scope, cost, resolve: (args, { work }) => decisionOf(work, args) },
	},
};
