import { eq, isNull, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea } from "../../graphql/area";
import { type Input, NoBody, operation } from "../../graphql/input/operation";
import { resetConfigurationOf } from "../../graphql/input/value-formats";
import { childRows } from "../../graphql/lists/child-rows";
import { choice, date, flag, type List, reckoned, relation, text, textThrough } from "../../graphql/lists/list";
import { toWireOrNull } from "../../kernel/decimal";
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
	PromotionalEntitlementPath,
	PromotionalEntitlementsPath,
	PromotionalGrants,
	PromotionalGroupPath,
	type PromotionalPeriod,
} from "./schema";
import { type Grant, statusAt, withOwners } from "./store";
import { promotionalEntitlements } from "./table";

const typeDefs = `
	enum PromotionalEntitlementStatus { Active Expired Paused }
	enum PromotionalEntitlementPeriod { ONE_WEEK ONE_MONTH SIX_MONTH ONE_YEAR LIFETIME CUSTOM }
	"What a customer was given beside what it bought."
	type PromotionalEntitlement {
		id: ID!
		status: PromotionalEntitlementStatus!
		"The caller's id of the feature."
		featureId: String!
		feature: Feature!
		customer: Customer!
		description: String
		period: PromotionalEntitlementPeriod!
		startDate: DateTime!
		"Null is without end."
		endDate: DateTime
		usageLimit: Float
		hasUnlimitedUsage: Boolean
		hasSoftLimit: Boolean
		enumValues: [String!]
		isVisible: Boolean!
		"The caller's ids of the feature groups by which it was given; null where it was given alone."
		featureGroupIds: [String!]
		resetPeriod: EntitlementResetPeriod
		resetPeriodConfiguration: ResetPeriodConfiguration
		environmentId: String!
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	extend type Customer {
		"What it was given and was not taken back; the newest hundred."
		promotionalEntitlements: [PromotionalEntitlement!]
	}
	"A NUMBER needs either usageLimit or hasUnlimitedUsage; CUSTOM needs customEndDate, an ISO 8601 date-time."
	input PromotionalEntitlementInput {
		featureId: String!
		period: PromotionalEntitlementPeriod!
		customEndDate: String = null
		usageLimit: Float = null
		hasUnlimitedUsage: Boolean = null
		hasSoftLimit: Boolean = null
		isVisible: Boolean = null
		enumValues: [String!] = null
		resetPeriod: EntitlementResetPeriod = null
		yearlyResetPeriodConfiguration: YearlyResetPeriodConfigInput = null
		monthlyResetPeriodConfiguration: MonthlyResetPeriodConfigInput = null
		weeklyResetPeriodConfiguration: WeeklyResetPeriodConfigInput = null
	}
	"All or nothing; what was given already is given anew from now on."
	input GrantPromotionalEntitlementsInput {
		customerId: String!
		promotionalEntitlements: [PromotionalEntitlementInput!]!
		environmentId: String
	}
	input RevokePromotionalEntitlementInput { customerId: String! featureId: String! environmentId: String }
	"All features of the group, each with terms of its own."
	input GrantPromotionalEntitlementsGroupInput {
		customerId: String!
		featureGroupId: String!
		promotionalEntitlements: [PromotionalEntitlementInput!]!
		environmentId: String
	}
	input PromotionalEntitlementsGroupInput { customerId: String! featureGroupId: String! environmentId: String }
	extend type Mutation {
		grantPromotionalEntitlements(input: GrantPromotionalEntitlementsInput!): [PromotionalEntitlement!]
		revokePromotionalEntitlement(input: RevokePromotionalEntitlementInput!): PromotionalEntitlement
		grantPromotionalEntitlementsGroup(input: GrantPromotionalEntitlementsGroupInput!): [PromotionalEntitlement!]
		"What another group has given too stays with that one. Answers all of it as it stood."
		revokePromotionalEntitlementsGroup(input: PromotionalEntitlementsGroupInput!): [PromotionalEntitlement!]
		"What the group has given goes on without it."
		unlinkPromotionalEntitlementsGroup(input: PromotionalEntitlementsGroupInput!): [PromotionalEntitlement!]
	}
`;

/** GraphQL's names cannot begin with a digit (docs/interface/graphql.md). */
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

const grantsOfCustomers = childRows({
	id: promotionalEntitlements.id,
	parent: promotionalEntitlements.customerId,
	environment: promotionalEntitlements.environmentId,
	shown: isNull(promotionalEntitlements.revokedAt),
	rows: promotionalEntitlementsByIds,
});

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
		feature: (row, _, context) => context.related(row, ({ featureId }) => featureId, featuresByIds),
		customer: (row, _, context) => context.related(row, ({ customerId }) => customerId, customersByIds),
		period: ({ period }) => periods[period],
		startDate: ({ startAt }) => startAt,
		endDate: ({ endAt }) => endAt,
		usageLimit: ({ usageLimit }) => toWireOrNull(usageLimit),
		resetPeriodConfiguration: ({ resetPeriod, resetAnchor }) => resetConfigurationOf(resetPeriod, resetAnchor),
	},
});

/** Behind `CustomerFilter.promotionalEntitlements` only. */
const list: List = {
	type: "PromotionalEntitlement",
	scope: "CUSTOMER:READ",
	source: withOwners,
	id: promotionalEntitlements.id,
	within: ({ actor }) =>
		sql`${eq(promotionalEntitlements.environmentId, actor.environmentId)} and ${isNull(promotionalEntitlements.revokedAt)}`,
	fields: {
		id: text(promotionalEntitlements.id),
		status: reckoned({ enum: "PromotionalEntitlementStatus" }, ({ now }) => statusAt(now)),
		featureId: textThrough(features.refId, {
			own: promotionalEntitlements.featureId,
			theirs: features.id,
			environment: features.environmentId,
		}),
		usageLimit: reckoned("Number", sql`cast(${promotionalEntitlements.usageLimit} as real)`),
		hasUnlimitedUsage: flag(promotionalEntitlements.hasUnlimitedUsage),
		hasSoftLimit: flag(promotionalEntitlements.hasSoftLimit),
		isVisible: flag(promotionalEntitlements.isVisible),
		resetPeriod: choice("EntitlementResetPeriod", promotionalEntitlements.resetPeriod),
		startDate: date(promotionalEntitlements.startAt),
		endDate: date(promotionalEntitlements.endAt),
		createdAt: date(promotionalEntitlements.createdAt),
		updatedAt: date(promotionalEntitlements.updatedAt),
	},
	rows: promotionalEntitlementsByIds,
};

const scope = "CUSTOMER:WRITE";

/** The environment is the key's (docs/interface/graphql.md), and REST spells the periods its own way. */
function spelt({ environmentId: _, promotionalEntitlements: items, ...input }: Input): Input {
	const given = Array.isArray(items) && {
		promotionalEntitlements: items.map((item) => ({ ...item, period: restPeriods.get(item.period) })),
	};
	return { ...input, ...given };
}

const ofGroup = {
	scope,
	path: { customerId: "id", featureGroupId: "featureGroupId" },
	params: PromotionalGroupPath.properties,
	read: spelt,
} as const;

export const promotionalEntitlementsGraphql: GraphqlArea = {
	typeDefs,
	types: { PromotionalEntitlement: entitlement, Customer: customer },
	mutations: {
		grantPromotionalEntitlements: operation({
			scope,
			path: { customerId: "id" },
			params: PromotionalEntitlementsPath.properties,
			read: spelt,
			body: PromotionalGrants,
			run: (work, body, { id }) => grantPromotionalEntitlements(work, id, body),
		}),
		revokePromotionalEntitlement: operation({
			scope,
			path: { customerId: "id", featureId: "featureId" },
			params: PromotionalEntitlementPath.properties,
			read: spelt,
			body: NoBody,
			run: (work, _, { id, featureId }) => revokePromotionalEntitlement(work, id, featureId),
		}),
		grantPromotionalEntitlementsGroup: operation({
			...ofGroup,
			body: PromotionalGrants,
			run: (work, body, { id, featureGroupId }) => grantPromotionalEntitlementsGroup(work, id, featureGroupId, body),
		}),
		revokePromotionalEntitlementsGroup: operation({
			...ofGroup,
			body: NoBody,
			run: (work, _, { id, featureGroupId }) => revokePromotionalEntitlementsGroup(work, id, featureGroupId),
		}),
		unlinkPromotionalEntitlementsGroup: operation({
			...ofGroup,
			body: NoBody,
			run: (work, _, { id, featureGroupId }) => unlinkPromotionalEntitlementsGroup(work, id, featureGroupId),
		}),
	},
	lists: [list],
	relations: {
		Customer: {
			promotionalEntitlements: relation("PromotionalEntitlement", customers.id, promotionalEntitlements.customerId),
		},
	},
};
