import { eq, isNull, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, referred } from "../../graphql/area";
import { type Input, NoBody, operation } from "../../graphql/input/operation";
import { resetConfigurationOf } from "../../graphql/input/value-formats";
import { childRows } from "../../graphql/lists/child-rows";
import { calculated, columns, type List, refOf, relation } from "../../graphql/lists/list";
import { customersByIds } from "../customers/operations";
import { type CustomerRow, customers } from "../customers/table";
import { featuresByIds } from "../features/operations";
import { features } from "../features/table";
import {
	grantPromotionalEntitlements,
	grantPromotionalEntitlementsGroup,
	promotionalEntitlementsByIds,
	revokePromotionalEntitlement,
	revokePromotionalEntitlementsGroup,
	unlinkPromotionalEntitlementsGroup,
} from "./operations";
import {
	PromotionalEntitlement,
	PromotionalEntitlementPath,
	PromotionalEntitlementsPath,
	PromotionalGrants,
	PromotionalGroupPath,
	type PromotionalPeriod,
	PromotionalStatus,
} from "./schema";
import { type Grant, statusAt, withOwners } from "./store";
import { promotionalEntitlements } from "./table";

/** GraphQL names cannot begin with a digit (docs/interface/graphql.md). */
const periods = {
	"1 week": "ONE_WEEK",
	"1 month": "ONE_MONTH",
	"6 month": "SIX_MONTH",
	"1 year": "ONE_YEAR",
	lifetime: "LIFETIME",
	custom: "CUSTOM",
} as const satisfies Readonly<Record<PromotionalPeriod, string>>;

const restPeriods: ReadonlyMap<unknown, string> = new Map(
	Object.entries(periods).map(([rest, graphql]) => [graphql, rest]),
);

const schemas = { PromotionalStatus, PromotionalEntitlement, PromotionalGrants };

const typeDefs = `
	enum PromotionalEntitlementStatus from PromotionalStatus
	enum PromotionalEntitlementPeriod { ${Object.values(periods).join(" ")} }
	"A feature that was granted to a customer in addition to its purchases."
	type PromotionalEntitlement from PromotionalEntitlement {
		id status
		"The caller's id of the feature."
		featureId
		feature: Feature! customer: Customer! description period as PromotionalEntitlementPeriod startDate
		"Null means no end."
		endDate
		*
		"The caller's ids of the feature groups that granted it. Null when it was granted alone."
		featureGroupIds
		resetPeriod resetPeriodConfiguration as ResetPeriodConfiguration environmentId
		createdAt updatedAt
	}
	extend type Customer {
		"The newest hundred that are not revoked."
		promotionalEntitlements: [PromotionalEntitlement!]
	}
	"A NUMBER needs usageLimit or hasUnlimitedUsage. CUSTOM needs customEndDate, an ISO 8601 date-time."
	input PromotionalEntitlementInput from PromotionalGrants.promotionalEntitlements {
		featureId period as PromotionalEntitlementPeriod customEndDate = null usageLimit = null
		hasUnlimitedUsage = null hasSoftLimit = null isVisible = null enumValues = null
		resetPeriod = null
		yearlyResetPeriodConfiguration = null
		monthlyResetPeriodConfiguration = null
		weeklyResetPeriodConfiguration = null
	}
	"All or none. An existing promotional entitlement is replaced from now on."
	input GrantPromotionalEntitlementsInput {
		customerId: String! promotionalEntitlements: [PromotionalEntitlementInput!]! environmentId: String
	}
	input RevokePromotionalEntitlementInput { customerId: String! featureId: String! environmentId: String }
	"All features of the group, each with its own terms."
	input GrantPromotionalEntitlementsGroupInput {
		customerId: String! featureGroupId: String! promotionalEntitlements: [PromotionalEntitlementInput!]!
		environmentId: String
	}
	input PromotionalEntitlementsGroupInput { customerId: String! featureGroupId: String! environmentId: String }
`;

const { customerId, revokedAt } = promotionalEntitlements;
const grantsOfCustomers = childRows(
	promotionalEntitlements,
	customerId,
	promotionalEntitlementsByIds,
	isNull(revokedAt),
);

const customer = fieldsOf<CustomerRow>({
	fields: {
		promotionalEntitlements: (row, _, context) => context.related(row, ({ id }) => id, grantsOfCustomers) ?? [],
	},
});

const entitlement = fieldsOf<Grant>({
	scope: "CUSTOMER:READ",
	open: ["id"],
	fields: {
		featureId: ({ featureRefId }) => featureRefId,
		feature: referred(({ featureId }) => featureId, featuresByIds),
		customer: referred(({ customerId }) => customerId, customersByIds),
		period: ({ period }) => periods[period],
		startDate: ({ startAt }) => startAt,
		endDate: ({ endAt }) => endAt,
		resetPeriodConfiguration: ({ resetPeriod, resetAnchor }) => resetConfigurationOf(resetPeriod, resetAnchor),
	},
});

/** Only `CustomerFilter.promotionalEntitlements` filters by it. */
const list: List = {
	...{ type: "PromotionalEntitlement", scope: "CUSTOMER:READ", rows: promotionalEntitlementsByIds },
	...{ source: withOwners, id: promotionalEntitlements.id },
	within: ({ actor }) =>
		sql`${eq(promotionalEntitlements.environmentId, actor.environmentId)} and ${isNull(revokedAt)}`,
	fields: {
		...columns(promotionalEntitlements, "id"),
		status: calculated({ enum: "PromotionalEntitlementStatus" }, ({ now }) => statusAt(now)),
		featureId: refOf(promotionalEntitlements.featureId, features),
		usageLimit: calculated("Number", sql`cast(${promotionalEntitlements.usageLimit} as real)`),
		...columns(promotionalEntitlements, "hasUnlimitedUsage hasSoftLimit isVisible"),
		...columns(promotionalEntitlements, "resetPeriod:EntitlementResetPeriod startDate=startAt endDate=endAt"),
		...columns(promotionalEntitlements, "createdAt updatedAt"),
	},
};

/** REST has other names of the periods. */
function withRestPeriods({ promotionalEntitlements: items, ...input }: Input): Input {
	const renamed = Array.isArray(items) && {
		promotionalEntitlements: items.map((item) => ({ ...item, period: restPeriods.get(item.period) })),
	};
	return { ...input, ...renamed };
}

const returns = "[PromotionalEntitlement!]";
const scope = "CUSTOMER:WRITE";

const ofGroup = {
	scope,
	path: { customerId: "id", featureGroupId: "featureGroupId" },
	params: PromotionalGroupPath.properties,
} as const;

export const promotionalEntitlementsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { PromotionalEntitlement: entitlement, Customer: customer },
	mutations: {
		grantPromotionalEntitlements: operation({
			...{ signature: `(input: GrantPromotionalEntitlementsInput!): ${returns}`, scope, read: withRestPeriods },
			...{ path: { customerId: "id" }, params: PromotionalEntitlementsPath.properties, body: PromotionalGrants },
			run: (work, body, { id }) => grantPromotionalEntitlements(work, id, body),
		}),
		revokePromotionalEntitlement: operation({
			...{ signature: "(input: RevokePromotionalEntitlementInput!): PromotionalEntitlement", scope, body: NoBody },
			...{ path: { customerId: "id", featureId: "featureId" }, params: PromotionalEntitlementPath.properties },
			run: (work, _, { id, featureId }) => revokePromotionalEntitlement(work, id, featureId),
		}),
		grantPromotionalEntitlementsGroup: operation({
			signature: `(input: GrantPromotionalEntitlementsGroupInput!): ${returns}`,
			...{ ...ofGroup, read: withRestPeriods, body: PromotionalGrants },
			run: (work, body, { id, featureGroupId }) => grantPromotionalEntitlementsGroup(work, id, featureGroupId, body),
		}),
		revokePromotionalEntitlementsGroup: operation({
			signature: `(input: PromotionalEntitlementsGroupInput!): ${returns}`,
			comment: "Revokes the group. Features that another group granted stay. Returns the entitlements before the call.",
			...{ ...ofGroup, body: NoBody },
			run: (work, _, { id, featureGroupId }) => revokePromotionalEntitlementsGroup(work, id, featureGroupId),
		}),
		unlinkPromotionalEntitlementsGroup: operation({
			signature: `(input: PromotionalEntitlementsGroupInput!): ${returns}`,
			comment: "Turns the entitlements of the group into single ones.",
			...{ ...ofGroup, body: NoBody },
			run: (work, _, { id, featureGroupId }) => unlinkPromotionalEntitlementsGroup(work, id, featureGroupId),
		}),
	},
	lists: [list],
	relations: {
		Customer: {
			promotionalEntitlements: relation("PromotionalEntitlement", customers.id, customerId),
		},
	},
};
