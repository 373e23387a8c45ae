import { eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea } from "../../graphql/area";
import { choice, date, type List, reckoned, text } from "../../graphql/list";
import { meterTypeOf } from "../../graphql/spelling";
import { toWire } from "../../kernel/decimal";
import { featuresByIds } from "./operations";
import { type FeatureRow, features, type UnitTransformation } from "./table";

const typeDefs = `
	enum FeatureType { BOOLEAN NUMBER ENUM }
	enum MeterType { Fluctuating Incremental None }
	enum FeatureStatus { NEW SUSPENDED ACTIVE }
	enum UnitRounding { UP DOWN }
	type EnumConfigurationEntry { value: String! displayName: String! }
	type UnitTransformation { divide: Float! round: UnitRounding! featureUnits: String featureUnitsPlural: String }
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
		additionalMetaData: JSON
		environmentId: String!
		createdAt: DateTime!
		updatedAt: DateTime!
	}
`;

const feature = fieldsOf<FeatureRow>({
	scope: "CATALOG:READ",
	open: ["id", "refId"],
	fields: {
		meterType: meterTypeOf,
		featureStatus: ({ status }) => status,
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

export const featuresGraphql: GraphqlArea = {
	typeDefs,
	types: { Feature: feature, UnitTransformation: transformation },
	lists: [list],
};
