import { type Static, Type } from "@sinclair/typebox";
import { createdAtQuery, pageQuery } from "../../kernel/page";
import { queryList } from "../../kernel/query";
import { Description, DisplayName, literals, Metadata, nullable, RefId } from "../../kernel/schema";
import { SearchText } from "../../kernel/search";

export const FeatureType = literals("BOOLEAN", "NUMBER", "ENUM");
export type FeatureType = Static<typeof FeatureType>;

export const MeterType = literals("None", "FLUCTUATING", "INCREMENTAL");
export type MeterType = Static<typeof MeterType>;

/**
 * An addition to the interface: the billed usage of a FLUCTUATING feature with reported usage, which is the value at the end of the
 * period or its time-weighted average.
 */
export const BilledUsage = literals("LAST_VALUE", "TIME_WEIGHTED_AVERAGE");
export type BilledUsage = Static<typeof BilledUsage>;

export const FeatureStatus = literals("NEW", "SUSPENDED", "ACTIVE");
export type FeatureStatus = Static<typeof FeatureStatus>;

/** Our limit for texts that are compared with events or shown alongside numbers. */
const ShortText = Type.String({ minLength: 1, maxLength: 255 });

export const EnumConfigurationEntry = Type.Object(
	{ value: ShortText, displayName: DisplayName },
	{ additionalProperties: false },
);
export type EnumConfigurationEntry = Static<typeof EnumConfigurationEntry>;

/** Our choice (docs/interface/catalogue.md#limits): the number of values of an ENUM feature. */
const EnumConfiguration = Type.Array(EnumConfigurationEntry, { maxItems: 200 });

const UnitTransformationInput = Type.Object(
	{
		divide: Type.Number({ exclusiveMinimum: 0 }),
		round: Type.Optional(literals("UP", "DOWN")),
		featureUnits: Type.Optional(ShortText),
		featureUnitsPlural: Type.Optional(ShortText),
	},
	{ additionalProperties: false },
);
export type UnitTransformationInput = Static<typeof UnitTransformationInput>;

/** Source: docs/interface/catalogue.md#features-and-meters. LATEST is the last reported value. */
export const MeterFunction = literals("SUM", "MAX", "MIN", "AVG", "COUNT", "UNIQUE", "LATEST", "PERCENTILE");
export type MeterFunction = Static<typeof MeterFunction>;

const MeterOperation = literals(
	"EQUALS",
	"NOT_EQUALS",
	"GREATER_THAN",
	"GREATER_THAN_OR_EQUAL",
	"LESS_THAN",
	"LESS_THAN_OR_EQUAL",
	"IS_NULL",
	"IS_NOT_NULL",
	"CONTAINS",
	"STARTS_WITH",
	"ENDS_WITH",
	"IN",
);

/** `field` is `eventName`, or a dimension of the event. */
const MeterCondition = Type.Object(
	{
		field: ShortText,
		operation: MeterOperation,
		value: Type.Optional(Type.String({ maxLength: 255 })),
		values: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100 })),
	},
	{ additionalProperties: false },
);
export type MeterCondition = Static<typeof MeterCondition>;

/**
 * Our choice (docs/interface/catalogue.md#limits): at most 50 groups of at most 50 conditions, because every event is
 * compared with all of them.
 */
const MeterFilter = Type.Object(
	{ conditions: Type.Array(MeterCondition, { minItems: 1, maxItems: 50 }) },
	{ additionalProperties: false },
);
export type MeterFilter = Static<typeof MeterFilter>;

const MeterAggregation = Type.Object(
	{
		function: MeterFunction,
		/** The dimension to aggregate. */
		field: Type.Optional(ShortText),
		/** PERCENTILE only: 50 is the median, 100 the greatest value. */
		percentile: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 100 })),
	},
	{ additionalProperties: false },
);
export type MeterAggregation = Static<typeof MeterAggregation>;

export const MeterInput = Type.Object(
	{
		aggregation: MeterAggregation,
		filters: Type.Array(MeterFilter, { maxItems: 50 }),
	},
	{ additionalProperties: false },
);
export type MeterInput = Static<typeof MeterInput>;

/** Our addition: the meter of a feature. */
export const Meter = Type.Object(
	{
		featureId: Type.String(),
		aggregation: MeterAggregation,
		filters: Type.Array(MeterFilter),
		createdAt: Type.String(),
	},
	{ $id: "Meter" },
);
export type Meter = Static<typeof Meter>;

export const FeatureCreate = Type.Object(
	{
		id: RefId,
		displayName: DisplayName,
		featureType: FeatureType,
		description: Type.Optional(Description),
		enumConfiguration: Type.Optional(EnumConfiguration),
		featureStatus: Type.Optional(FeatureStatus),
		featureUnits: Type.Optional(ShortText),
		featureUnitsPlural: Type.Optional(ShortText),
		billedUsage: Type.Optional(BilledUsage),
		metadata: Type.Optional(Metadata),
		meterType: Type.Optional(MeterType),
		unitTransformation: Type.Optional(nullable(UnitTransformationInput)),
	},
	{ additionalProperties: false },
);
export type FeatureCreate = Static<typeof FeatureCreate>;

export const FeatureUpdate = Type.Object(
	{
		displayName: Type.Optional(DisplayName),
		description: Type.Optional(Description),
		enumConfiguration: Type.Optional(EnumConfiguration),
		featureUnits: Type.Optional(ShortText),
		featureUnitsPlural: Type.Optional(ShortText),
		billedUsage: Type.Optional(BilledUsage),
		metadata: Type.Optional(Metadata),
		meter: Type.Optional(MeterInput),
		unitTransformation: Type.Optional(nullable(UnitTransformationInput)),
	},
	{ additionalProperties: false },
);
export type FeatureUpdate = Static<typeof FeatureUpdate>;

export const FeatureListQuery = Type.Object(
	{
		...pageQuery,
		...createdAtQuery,
		id: Type.Optional(Type.String({ maxLength: 255 })),
		// Our addition.
		search: Type.Optional(SearchText),
		featureType: Type.Optional(queryList("BOOLEAN", "NUMBER", "ENUM")),
		meterType: Type.Optional(queryList("None", "FLUCTUATING", "INCREMENTAL")),
		status: Type.Optional(queryList("NEW", "SUSPENDED", "ACTIVE")),
	},
	{ additionalProperties: false },
);
export type FeatureListQuery = Static<typeof FeatureListQuery>;

export const Feature = Type.Object(
	{
		id: Type.String(),
		displayName: Type.String(),
		description: nullable(Type.String()),
		featureType: FeatureType,
		meterType: MeterType,
		featureStatus: FeatureStatus,
		featureUnits: nullable(Type.String()),
		featureUnitsPlural: nullable(Type.String()),
		enumConfiguration: nullable(Type.Array(EnumConfigurationEntry)),
		unitTransformation: nullable(
			Type.Object({
				divide: Type.Number(),
				round: literals("UP", "DOWN"),
				featureUnits: nullable(Type.String()),
				featureUnitsPlural: nullable(Type.String()),
			}),
		),
		/** Our addition; absent for LAST_VALUE. */
		billedUsage: Type.Optional(BilledUsage),
		metadata: Metadata,
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "Feature" },
);
export type Feature = Static<typeof Feature>;

/** The response of an update also has the meter, which the same call may have set. */
export const FeatureUpdated = Type.Composite([Feature, Type.Object({ meter: nullable(Meter) })], {
	$id: "FeatureUpdated",
});
