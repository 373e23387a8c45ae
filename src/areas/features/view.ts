import { toIso } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import type { Feature, Meter } from "./schema";
import type { FeatureRow, MeterRow } from "./table";

export const viewFeature = (row: FeatureRow): Feature => ({
	id: row.refId,
	displayName: row.displayName,
	description: row.description,
	featureType: row.featureType,
	meterType: row.meterType,
	featureStatus: row.status,
	featureUnits: row.featureUnits,
	featureUnitsPlural: row.featureUnitsPlural,
	enumConfiguration: row.enumConfiguration,
	unitTransformation: row.unitTransformation && {
		...row.unitTransformation,
		divide: toWire(row.unitTransformation.divide),
	},
	...(row.billedUsage !== null && { billedUsage: row.billedUsage }),
	metadata: row.metadata,
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});

export const viewMeter = (featureRef: string, { aggregation, filters, createdAt }: MeterRow): Meter => ({
	featureId: featureRef,
	aggregation,
	filters,
	createdAt: toIso(createdAt),
});
