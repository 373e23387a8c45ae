import { and, asc, eq, isNull, type SQL } from "drizzle-orm";
import { amongIds, changeRow, idsIn, insertRow, newRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { type FeatureGroupRow, featureGroups } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(featureGroups.environmentId, actor.environmentId);

export const findFeatureGroup = (work: Work, refId: string): FeatureGroupRow | undefined =>
	work.tx
		.select()
		.from(featureGroups)
		.where(and(inEnvironment(work), eq(featureGroups.refId, refId)))
		.get();

const groupsAmong = (tx: Transaction) =>
	tx.select().from(featureGroups).where(amongIds(featureGroups.environmentId, featureGroups.id)).prepare();

export const selectFeatureGroups = (work: Work, ids: readonly string[]): FeatureGroupRow[] =>
	ids.length === 0 ? [] : work.prepared(groupsAmong).all(idsIn(work, ids));

/** Those that are not archived, so many at most. */
export const selectActiveFeatureGroups = (work: Work, rowsMax: number): FeatureGroupRow[] =>
	work.tx
		.select()
		.from(featureGroups)
		.where(and(inEnvironment(work), isNull(featureGroups.archivedAt)))
		.orderBy(asc(featureGroups.id))
		.limit(rowsMax)
		.all();

export type FeatureGroupChanges = Partial<
	Pick<FeatureGroupRow, "displayName" | "description" | "featureIds" | "metadata" | "archivedAt">
>;

export const insertFeatureGroup = (
	work: Work,
	group: Omit<FeatureGroupRow, "id" | "environmentId" | "archivedAt" | "createdAt" | "updatedAt">,
): FeatureGroupRow => insertRow(work, featureGroups, { ...group, ...newRow(work) });

export const saveFeatureGroup = (work: Work, { id }: FeatureGroupRow, changes: FeatureGroupChanges): FeatureGroupRow =>
	changeRow(work, featureGroups, id, { ...changes, updatedAt: work.now });
