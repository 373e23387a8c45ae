import { eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../graphql/area";
import { byRefId, NoBody, operation } from "../../graphql/input/operation";
import { meterTypeOf } from "../../graphql/input/value-formats";
import { choice, date, type List, reckoned, text } from "../../graphql/lists/list";
import { toWire } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { createFeature, type FeaturesInUse, featuresByIds, getFeature, listMeters } from "./operations";
import { shownBilledUsage } from "./rules";
import { FeatureCreate, FeatureUpdate } from "./schema";
import { type FeatureRow, features, type MeterRow, type UnitTransformation } from "./table";

const typeDefs = `
	enum FeatureType { BOOLEAN NUMBER ENUM }
	enum MeterType { Fluctuating Incremental None }
	enum FeatureStatus { NEW SUSPENDED ACTIVE }
	enum UnitRounding { UP DOWN }
	type EnumConfigurationEntry { value: String! displayName: String! }
	type UnitTransformation { divide: Float! round: UnitRounding! featureUnits: String featureUnitsPlural: String }
	enum MeterFunction { SUM MAX MIN AVG COUNT UNIQUE LATEST PERCENTILE }
	enum MeterOperation {
		EQUALS NOT_EQUALS GREATER_THAN GREATER_THAN_OR_EQUAL LESS_THAN LESS_THAN_OR_EQUAL
		IS_NULL IS_NOT_NULL CONTAINS STARTS_WITH ENDS_WITH IN
	}
	type MeterAggregation { function: MeterFunction! field: String percentile: Float }
	type MeterCondition { field: String! operation: MeterOperation! value: String values: [String!] }
	type MeterFilter { conditions: [MeterCondition!]! }
	"How events become usage: one group of conditions has to hold, all of the conditions inside it."
	type Meter { id: ID! aggregation: MeterAggregation! filters: [MeterFilter!]! createdAt: DateTime! }
	type Feature {
		id: ID!
		"The caller's id."
		refId: String!
		displayName: String!
		description: String
		featureType: FeatureType!
		meterType: MeterType!
		featureStatus: FeatureStatus!
		featureUnits: String
		featureUnitsPlural: String
		enumConfiguration: [EnumConfigurationEntry!]
		unitTransformation: UnitTransformation
		"Null where it has no meaning: of all but FLUCTUATING features."
		billedUsage: BilledUsage
		"Null while none is set."
		meter: Meter
		additionalMetaData: JSON
		environmentId: String!
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	enum BilledUsage { LAST_VALUE TIME_WEIGHTED_AVERAGE }
	input EnumConfigurationEntryInput { value: String! displayName: String! }
	input UnitTransformationInput {
		divide: Float!
		round: UnitRounding
		featureUnits: String
		featureUnitsPlural: String
	}
	input MeterAggregationInput { function: MeterFunction! field: String percentile: Float }
	input MeterConditionInput { field: String! operation: MeterOperation! value: String values: [String!] }
	input MeterFilterInput { conditions: [MeterConditionInput!]! }
	input MeterInput { aggregation: MeterAggregationInput! filters: [MeterFilterInput!]! }
	input CreateFeatureInput {
		refId: String!
		displayName: String!
		featureType: FeatureType!
		description: String
		enumConfiguration: [EnumConfigurationEntryInput!]
		featureStatus: FeatureStatus
		featureUnits: String
		featureUnitsPlural: String
		additionalMetaData: JSON
		meterType: MeterType
		unitTransformation: UnitTransformationInput
		billedUsage: BilledUsage
	}
	"What is left out stays. A meter takes the place of the former one."
	input UpdateFeatureInput {
		refId: String!
		displayName: String
		description: String
		enumConfiguration: [EnumConfigurationEntryInput!]
		featureUnits: String
		featureUnitsPlural: String
		additionalMetaData: JSON
		meter: MeterInput
		unitTransformation: UnitTransformationInput
		billedUsage: BilledUsage
	}
	extend type Query {
		"Throws FeatureNotFound."
		feature(refId: String!): Feature
	}
	extend type Mutation {
		createOneFeature(input: CreateFeatureInput!): Feature
		updateOneFeature(input: UpdateFeatureInput!): Feature
		archiveFeature(input: ByRefIdInput!): Feature
		unarchiveFeature(input: ByRefIdInput!): Feature
	}
`;

/** The environment's meters, by their features. */
const metersOfFeatures = (work: Work): Map<string, MeterRow> =>
	new Map(listMeters(work).map((meter) => [meter.featureId, meter]));

const feature = fieldsOf<FeatureRow>({
	scope: "CATALOG:READ",
	open: ["id", "refId"],
	fields: {
		billedUsage: (row) => shownBilledUsage(row),
		meterType: meterTypeOf,
		featureStatus: ({ status }) => status,
		meter: (row, _, context) => context.related(row, ({ id }) => id, metersOfFeatures),
		additionalMetaData: ({ metadata }) => metadata,
	},
});

const transformation = fieldsOf<UnitTransformation>({ fields: { divide: ({ divide }) => toWire(divide) } });

const list: List = {
	field: "features",
	type: "Feature",
	scope: "CATALOG:READ",
	source: sql`${features}`,
	id: features.id,
	within: ({ actor }) => eq(features.environmentId, actor.environmentId),
	fields: {
		id: text(features.id),
		refId: text(features.refId),
		displayName: text(features.displayName),
		description: text(features.description),
		featureType: choice("FeatureType", features.featureType),
		meterType: reckoned(
			{ enum: "MeterType" },
			sql`case ${features.meterType} when 'FLUCTUATING' then 'Fluctuating' when 'INCREMENTAL' then 'Incremental' else 'None' end`,
		),
		featureStatus: choice("FeatureStatus", features.status),
		createdAt: date(features.createdAt),
		updatedAt: date(features.updatedAt),
		environmentId: text(features.environmentId),
	},
	rows: featuresByIds,
};

const scope = "CATALOG:WRITE";

export const featuresGraphql = (inUse: FeaturesInUse): GraphqlArea => ({
	typeDefs,
	types: { Feature: feature, UnitTransformation: transformation },
	queries: {
		feature: { scope: "CATALOG:READ", resolve: (args, { work }) => getFeature(work, textOf(args, "refId") ?? "") },
	},
	mutations: {
		createOneFeature: operation({ scope, body: FeatureCreate, run: createFeature }),
		updateOneFeature: operation({
			scope,
			path: byRefId,
			body: FeatureUpdate,
			run: (work, body, { id }) => inUse.change(work, id, body),
		}),
		archiveFeature: operation({
			scope,
			path: byRefId,
			body: NoBody,
			run: (work, _, { id }) => inUse.archive(work, id),
		}),
		unarchiveFeature: operation({
			scope,
			path: byRefId,
			body: NoBody,
			run: (work, _, { id }) => inUse.unarchive(work, id),
		}),
	},
	lists: [list],
});
