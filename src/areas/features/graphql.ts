import { sql } from "drizzle-orm";
import { byRefIdQuery, fieldsOf, type GraphqlArea } from "../../graphql/area";
import { mutationsOf } from "../../graphql/input/mutations";
import { meterTypeOf } from "../../graphql/input/value-formats";
import { calculated, columns, tableList } from "../../graphql/lists/list";
import type { Work } from "../../kernel/work";
import { createFeature, type FeaturesInUse, featuresByIds, getFeature, listMeters } from "./operations";
import { shownBilledUsage } from "./rules";
import {
	BilledUsage,
	Feature,
	FeatureCreate,
	FeatureStatus,
	FeatureType,
	FeatureUpdate,
	MeterFunction,
} from "./schema";
import { type FeatureRow, features, type MeterRow } from "./table";

const schemas = { FeatureType, FeatureStatus, Feature, MeterFunction, FeatureUpdate, BilledUsage, FeatureCreate };

const typeDefs = `
	enum FeatureType from FeatureType
	enum MeterType { Fluctuating Incremental None }
	enum FeatureStatus from FeatureStatus
	enum UnitRounding from FeatureCreate.unitTransformation.round
	type EnumConfigurationEntry from FeatureUpdate.enumConfiguration
	type UnitTransformation from Feature.unitTransformation { divide round as UnitRounding * }
	enum MeterFunction from MeterFunction
	enum MeterOperation from FeatureUpdate.meter.filters.conditions.operation
	type Feature from FeatureUpdate {
		id
		"The caller's id."
		refId
		displayName! description featureType: FeatureType! meterType: MeterType! featureStatus: FeatureStatus!
		* enumConfiguration unitTransformation as UnitTransformation
		"Null unless the feature is FLUCTUATING."
		billedUsage
		"Null while none is set."
		meter as Meter "Turns events into usage: all conditions of at least one group must hold." {
			id
			aggregation as MeterAggregation { * }
			filters as MeterFilter { conditions as MeterCondition { * } }
			createdAt
		}
		additionalMetaData environmentId createdAt updatedAt
	}
	enum BilledUsage from BilledUsage
	input EnumConfigurationEntryInput from FeatureUpdate.enumConfiguration
	input UnitTransformationInput from FeatureCreate.unitTransformation
	input MeterAggregationInput from FeatureUpdate.meter.aggregation
	input MeterFilterInput from FeatureUpdate.meter.filters { conditions as MeterConditionInput { * } }
	input MeterInput { aggregation: MeterAggregationInput! filters: [MeterFilterInput!]! }
	input CreateFeatureInput from FeatureCreate {
		* meterType as MeterType unitTransformation billedUsage
	}
	"Omitted members stay. A meter replaces the previous one."
	input UpdateFeatureInput from FeatureUpdate {
		refId * meter as MeterInput unitTransformation billedUsage
	}
`;

/** The environment's meters by their features. */
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
	},
});

const list = tableList(features, {
	...{ field: "features", type: "Feature", scope: "CATALOG:READ", rows: featuresByIds },
	fields: {
		...columns(features, "id refId displayName description featureType:FeatureType"),
		meterType: calculated(
			{ enum: "MeterType" },
			sql`case ${features.meterType} when 'FLUCTUATING' then 'Fluctuating' when 'INCREMENTAL' then 'Incremental' else 'None' end`,
		),
		...columns(features, "featureStatus=status:FeatureStatus createdAt updatedAt environmentId"),
	},
});

const write = mutationsOf({ returns: "Feature", scope: "CATALOG:WRITE" });

export const featuresGraphql = (inUse: FeaturesInUse): GraphqlArea => ({
	schemas,
	typeDefs,
	types: { Feature: feature },
	queries: { feature: byRefIdQuery("Feature", "CATALOG:READ", "Throws FeatureNotFound.", getFeature) },
	mutations: {
		createOneFeature: write.create("CreateFeatureInput", FeatureCreate, createFeature),
		updateOneFeature: write.change("UpdateFeatureInput", FeatureUpdate, inUse.change),
		archiveFeature: write.act(inUse.archive),
		unarchiveFeature: write.act(inUse.unarchive),
	},
	lists: [list],
});
