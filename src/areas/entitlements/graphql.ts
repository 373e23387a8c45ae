import { Type } from "@sinclair/typebox";
import { fieldsOf, type GraphqlArea, inputOf, type QueryField, textOf } from "../../graphql/area";
import { meterTypeOf, resetConfigurationOf } from "../../graphql/input/value-formats";
import { costs } from "../../graphql/request/budget";
import { checker } from "../../http/validation";
import type { Work } from "../../kernel/work";
import { getCustomerById, resourcesByIds } from "../customers/operations";
import type { CustomerRow } from "../customers/table";
import { AccessDeniedReason, EffectiveCreditEntitlement, GovernanceChainNode } from "../entitlement-sources/schema";
import { findFeature } from "../features/operations";
import { FeatureUpdate } from "../features/schema";
import type { FeatureRow } from "../features/table";
import type { SubscriptionRow } from "../subscriptions/table";
import { ReportDimensions } from "../usage/reports/schema";
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
 * The fields of both types: clients before the union know the first, later clients the second. Fields that credits also have
 * are nullable in both, because one selection cannot select two types under one name.
 */
const featureEntitlementFields = `
	isGranted: Boolean! accessDeniedReason: AccessDeniedReason customerId: String! resourceId: String usageLimit: Float
	hasUnlimitedUsage: Boolean hasSoftLimit: Boolean currentUsage: Float requestedUsage: Float enumValues: [String!]
	resetPeriod: EntitlementResetPeriod resetPeriodConfiguration: ResetPeriodConfiguration nextResetDate: DateTime
	usagePeriodAnchor: DateTime usagePeriodStart: DateTime usagePeriodEnd: DateTime validUntil: DateTime
	entitlementUpdatedAt: DateTime usageUpdatedAt: DateTime
	"The cost of usage in credits. Null when it costs none."
	creditRate: CreditRate
	"Of a check with dimensions: the budgets of each entity that they name, from the entity up."
	chains: [[GovernanceChainNode!]!]
	feature: EntitlementFeature
`;

const schemas = { AccessDeniedReason, FeatureUpdate, EffectiveCreditEntitlement, GovernanceChainNode };

const typeDefs = `
	enum AccessDeniedReason from AccessDeniedReason
	type GovernanceChainNode from GovernanceChainNode { * }
	type YearlyResetPeriodConfig { accordingTo: String! yearlyAccordingTo: String! }
	type MonthlyResetPeriodConfig { accordingTo: String! monthlyAccordingTo: String! }
	type WeeklyResetPeriodConfig { accordingTo: String! weeklyAccordingTo: String! }
	union ResetPeriodConfiguration = YearlyResetPeriodConfig | MonthlyResetPeriodConfig | WeeklyResetPeriodConfig
	type EntitlementFeature from FeatureUpdate {
		id refId displayName! description featureType: FeatureType! meterType: MeterType! featureUnits
		featureUnitsPlural unitTransformation as UnitTransformation additionalMetaData
	}
	type Entitlement { ${featureEntitlementFields} }
	type FeatureEntitlement { ${featureEntitlementFields} }
	type EntitlementCurrency from EffectiveCreditEntitlement.currency { * additionalMetaData }
	type CreditEntitlement {
		isGranted: Boolean! accessDeniedReason: AccessDeniedReason customerId: String! resourceId: String
		currency: EntitlementCurrency! usageLimit: Float currentUsage: Float usagePeriodEnd: DateTime
		usageUpdatedAt: DateTime entitlementUpdatedAt: DateTime validUntil: DateTime
		chains: [[GovernanceChainNode!]!]
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
		customerId: String! featureId: String! resourceId: String options: EntitlementOptions dimensions: JSON
		environmentId: String
	}
	"Either featureId or currencyId."
	input FetchEntitlementV2Query {
		customerId: String! featureId: String currencyId: String resourceId: String options: EntitlementOptions
		dimensions: JSON environmentId: String
	}
	extend type ProvisionedCustomer {
		"The customer's entitlements after the call, on no resource."
		entitlementsV2: [EntitlementItem!]
	}
	extend type ProvisionSubscriptionResult {
		"The customer's entitlements after the call, on the subscription's resource."
		entitlementsV2: [EntitlementItem!]
	}
	extend type ApplySubscriptionResult { entitlementsV2: [EntitlementItem!] }
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
			...dimensionsOf(query),
		},
		() => resolved,
	);
	return shownOf(view, holder, resolved, usage);
}

const readDimensions = checker("body", Type.Object({ dimensions: ReportDimensions }));

function dimensionsOf({ dimensions }: Readonly<Record<string, unknown>>) {
	if (dimensions === undefined || dimensions === null) return {};
	const read = readDimensions({ dimensions });
	return { dimensions: Object.fromEntries(Object.entries(read.dimensions).map(([key, value]) => [key, `${value}`])) };
}

/** Without an omitted member. */
const named = (query: Readonly<Record<string, unknown>>, name: "featureId" | "currencyId") =>
	textOf(query, name) === undefined ? {} : { [name]: textOf(query, name) };

/** The configuration of the source that has the shown reset period. */
function shownResetConfiguration({ view, resolved }: ShownFeature) {
	const period = view.resetPeriod ?? null;
	return resetConfigurationOf(period, resolved?.sources.find(({ resetPeriod }) => resetPeriod === period)?.resetAnchor);
}

const holderFields = {
	customerId: ({ holder }: Pick<ShownFeature, "holder">) => holder.customerId,
	resourceId: ({ holder }: Pick<ShownFeature, "holder">) => holder.resourceId,
};

/** Resolvers of fields that the view has under the same name. */
const fromView = <Name extends string>(...names: readonly Name[]) =>
	Object.fromEntries(names.map((name) => [name, ({ view }: { readonly view: object }) => Reflect.get(view, name)]));

const featureEntitlement = fieldsOf<ShownFeature>({
	fields: {
		...holderFields,
		...fromView("isGranted", "accessDeniedReason", "usageLimit", "hasUnlimitedUsage", "currentUsage", "resetPeriod"),
		...fromView("usagePeriodAnchor", "usagePeriodStart", "usagePeriodEnd", "validUntil", "entitlementUpdatedAt"),
		...fromView("creditRate", "chains"),
		// One soft source is enough (docs/interface/entitlements.md).
		hasSoftLimit: ({ resolved }) => resolved?.sources.some(({ isSoft }) => isSoft),
		enumValues: ({ resolved, view }) =>
			view.feature?.featureType === "ENUM" && resolved
				? [...new Set(resolved.sources.flatMap(({ enumValues }) => enumValues))]
				: null,
		resetPeriodConfiguration: shownResetConfiguration,
		nextResetDate: ({ view }) => view.usagePeriodEnd,
		// Usage is read as of now.
		usageUpdatedAt: ({ resolved }, _, { work }) => (resolved?.isMetered ? work.now : null),
		feature: ({ resolved, view }, _, { work }) =>
			resolved?.feature ?? (view.feature && findFeature(work, view.feature.id)),
	},
});

const entitlementFeature = fieldsOf<FeatureRow>({ fields: { meterType: meterTypeOf } });

const creditEntitlement = fieldsOf<ShownCredits>({
	fields: {
		...holderFields,
		...fromView("isGranted", "accessDeniedReason", "currency", "usageLimit", "currentUsage", "usagePeriodEnd"),
		...fromView("usageUpdatedAt", "entitlementUpdatedAt", "validUntil", "chains"),
	},
});

const state = fieldsOf<State>({
	fields: { entitlements: ({ shown }) => shown, entitlementsV2: ({ shown }) => shown },
});

/** The entitlements after provisioning, read in the same transaction. */
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
	...{ signature: "(query: FetchEntitlementsQuery!): [Entitlement!]!", scope, cost },
	comment: "Empty for an unknown customer, and without subscriptions and promotional entitlements.",
	resolve: (args, { work }) => grantedFeaturesOf(work, holderOf(args)),
};

export const entitlementsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: {
		Entitlement: featureEntitlement,
		FeatureEntitlement: featureEntitlement,
		CreditEntitlement: creditEntitlement,
		EntitlementCurrency: { fields: {} },
		EntitlementFeature: entitlementFeature,
		EntitlementsState: state,
		ProvisionedCustomer: ofProvisionedCustomer,
		ProvisionSubscriptionResult: ofProvisionedSubscription,
		ApplySubscriptionResult: ofProvisionedSubscription,
	},
	queries: {
		cachedEntitlements: granted,
		entitlements: { ...granted, comment: "As cachedEntitlements, under the name that clients use." },
		entitlementsState: {
			...{ signature: "(query: FetchEntitlementsQuery!): EntitlementsState!", scope, cost },
			resolve: (args, { work }) => entitlementsStateOf(work, holderOf(args)),
		},
		entitlement: {
			...{ signature: "(query: FetchEntitlementQuery!): Entitlement!", scope, cost },
			comment: "One access decision, with its reason.",
			resolve: (args, { work }) => decisionOf(work, args),
		},
		entitlementV2: {
			...{ signature: "(query: FetchEntitlementV2Query!): EntitlementItem!", scope, cost },
			comment: "As entitlement, for a feature or the credits of a currency.",
			resolve: (args, { work }) => decisionOf(work, args),
		},
	},
};
