import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { createdWithin, type Page, readTablePage } from "../../kernel/page";
import { queryValues } from "../../kernel/query";
import { beginsWith, foundIds } from "../../kernel/search";
import { amongIds, changeRow, idsIn, insertRow, newRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { emitFeatureEvent } from "./events";
import type { FeatureListQuery } from "./schema";
import { type FeatureRow, features, type MeterRow, meters } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(features.environmentId, actor.environmentId);

export const findFeature = (work: Work, refId: string): FeatureRow | undefined => selectFeaturesByRef(work, [refId])[0];

const featuresAmong = (tx: Transaction) =>
	tx.select().from(features).where(amongIds(features.environmentId, features.id)).prepare();

export const selectFeatures = (work: Work, ids: readonly string[]): FeatureRow[] =>
	ids.length === 0 ? [] : work.remembered(featuresAmong).all(idsIn(work, ids));

const featuresAmongRefs = (tx: Transaction) =>
	tx.select().from(features).where(amongIds(features.environmentId, features.refId)).prepare();

export const selectFeaturesByRef = (work: Work, refIds: readonly string[]): FeatureRow[] =>
	refIds.length === 0 ? [] : work.remembered(featuresAmongRefs).all(idsIn(work, refIds));

const foundBy = (work: Work, text: string): SQL =>
	foundIds(
		features.id,
		features,
		[beginsWith(features.refId, text), beginsWith(sql`${features.displayName} collate nocase`, text)].map((condition) =>
			and(inEnvironment(work), condition),
		),
	);

export const pageFeatures = (work: Work, query: FeatureListQuery): Page<FeatureRow> => {
	const types = queryValues(query.featureType);
	const meterTypes = queryValues(query.meterType);
	const statuses = queryValues(query.status);
	return readTablePage(work, query, features, inEnvironment(work), [
		query.id === undefined ? undefined : eq(features.refId, query.id),
		query.search === undefined ? undefined : foundBy(work, query.search),
		types && inArray(features.featureType, types),
		meterTypes && inArray(features.meterType, meterTypes),
		statuses && inArray(features.status, statuses),
		...createdWithin(query, features.createdAt),
	]);
};

export function insertFeature(
	work: Work,
	feature: Omit<FeatureRow, "id" | "environmentId" | "createdAt" | "updatedAt">,
): FeatureRow {
	const row = insertRow(work, features, {
		...feature,
		...newRow(work),
	});
	emitFeatureEvent(work, "feature.created", row);
	return row;
}

export type FeatureChanges = Partial<Omit<FeatureRow, "id" | "environmentId" | "refId" | "createdAt" | "updatedAt">>;

export function saveFeature(work: Work, { id }: FeatureRow, changes: FeatureChanges): FeatureRow {
	const row = changeRow(work, features, id, { ...changes, updatedAt: work.now });
	emitFeatureEvent(work, "feature.updated", row);
	return row;
}

/** Marks new features active at their first use. Their `updatedAt` stays, because nobody changed them. */
export const markActive = (work: Work, ids: readonly string[]): void => {
	work.tx
		.update(features)
		.set({ status: "ACTIVE" })
		.where(and(inEnvironment(work), inArray(features.id, [...ids]), eq(features.status, "NEW")))
		.run();
};

export const findMeter = (work: Work, featureId: string): MeterRow | undefined =>
	work.tx
		.select()
		.from(meters)
		.where(and(eq(meters.environmentId, work.actor.environmentId), eq(meters.featureId, featureId)))
		.get();

const meterOf = (tx: Transaction) =>
	tx
		.select({ id: meters.id })
		.from(meters)
		.where(eq(meters.featureId, sql.placeholder("featureId")))
		.prepare();

/** Whether a feature (a row id) has a meter. */
export const hasMeter = (work: Work, featureId: string): boolean =>
	work.remembered(meterOf).get({ featureId }) !== undefined;

export const selectMeters = (work: Work): MeterRow[] =>
	work.remembered(metersOf).all({ environmentId: work.actor.environmentId });

const metersOf = (tx: Transaction) =>
	tx
		.select()
		.from(meters)
		.where(eq(meters.environmentId, sql.placeholder("environmentId")))
		.orderBy(asc(meters.id))
		.prepare();

/** Replaces the meter. The new meter gets a new id, so everything is counted again from the beginning of the event log. */
export function replaceMeter(
	work: Work,
	featureId: string,
	meter: Pick<MeterRow, "aggregation" | "filters">,
): MeterRow {
	work.tx
		.delete(meters)
		.where(and(eq(meters.environmentId, work.actor.environmentId), eq(meters.featureId, featureId)))
		.run();
	return insertRow(work, meters, {
		...meter,
		id: work.newId(),
		environmentId: work.actor.environmentId,
		featureId,
		createdAt: work.now,
	});
}
