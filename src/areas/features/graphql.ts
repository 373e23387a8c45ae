import { sql } from "drizzle-orm";
import { byRefIdQuery, fieldsOf, type GraphqlArea } from "../../graphql/area";
import { derive } from "../../graphql/derive/types";
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

const typeDefs = derive(
	{ FeatureType, FeatureStatus, Feature, MeterFunction, FeatureUpdate, BilledUsage, FeatureCreate },
	`
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
		* enumConfiguration as EnumConfigurationEntry unitTransformation as UnitTransformation
		"Null unless the feature is FLUCTUATING."
		billedUsage as BilledUsage
		"Null while none is set."
		meter as Meter "Turns events into usage: all conditions of at least one group must hold." {
			id
			aggregation as MeterAggregation { function as MeterFunction * }
			filters as MeterFilter { conditions as MeterCondition { field operation as MeterOperation * } }
			createdAt
		}
		additionalMetaData environmentId createdAt updatedAt
	}
	enum BilledUsage from BilledUsage
	input EnumConfigurationEntryInput from FeatureUpdate.enumConfiguration
	input UnitTransformationInput from FeatureCreate.unitTransformation { divide round as UnitRounding * }
	input MeterAggregationInput from FeatureUpdate.meter.aggregation { function as MeterFunction * }
	input MeterFilterInput from FeatureUpdate.meter.filters {
		conditions as MeterConditionInput { field operation as MeterOperation * }
	}
	input MeterInput { aggregation: MeterAggregationInput! filters: [MeterFilterInput!]! }
	input CreateFeatureInput from FeatureCreate {
		refId displayName featureType as FeatureType description enumConfiguration as EnumConfigurationEntryInput
		featureStatus as FeatureStatus * meterType as MeterType unitTransformation as UnitTransformationInput
		billedUsage as BilledUsage
	}
	"Omitted members stay. A meter replaces the previous one."
	input UpdateFeatureInput from FeatureUpdate {
		refId displayName description enumConfiguration as EnumConfigurationEntryInput * meter as MeterInput
		unitTransformation as UnitTransformationInput billedUsage as BilledUsage
	}
`,
);

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
