import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { featuresByRefs } from "../features/operations";
import { assertFeatureUsable } from "../features/rules";
import type { FeatureGroupCreate, FeatureGroupUpdate } from "./schema";
import {
	type FeatureGroupChanges,
	findFeatureGroup,
	insertFeatureGroup,
	saveFeatureGroup,
	selectActiveFeatureGroups,
	selectFeatureGroups,
} from "./store";
import type { FeatureGroupRow } from "./table";

/** Throws FeatureGroupNotFoundError. */
export function getFeatureGroup(work: Work, refId: string): FeatureGroupRow {
	const group = findFeatureGroup(work, refId);
	if (!group) throw fail("FeatureGroupNotFoundError", `There is no feature group '${refId}' in this environment.`);
	return group;
}

/** Those that are not archived, so many at most. */
export const activeFeatureGroups = (work: Work, rowsMax: number): FeatureGroupRow[] =>
	selectActiveFeatureGroups(work, rowsMax);

/** Undefined where there is none, archived or not. */
export { findFeatureGroup } from "./store";

/** Row id → row. */
export const featureGroupsByIds = (work: Work, ids: readonly string[]): Map<string, FeatureGroupRow> =>
	new Map(selectFeatureGroups(work, ids).map((group) => [group.id, group]));

/** Throws DuplicatedEntityNotAllowed, FeatureNotFound, EntityIsArchivedError. */
export function createFeatureGroup(work: Work, input: FeatureGroupCreate): FeatureGroupRow {
	if (findFeatureGroup(work, input.id))
		throw fail("DuplicatedEntityNotAllowed", `There is a feature group '${input.id}' already; choose another id.`);
	return insertFeatureGroup(work, {
		refId: input.id,
		displayName: input.displayName,
		description: input.description ?? null,
		featureIds: featureIdsOf(work, input.featureIds),
		metadata: input.metadata ?? {},
	});
}

/** Changes what is sent; the list of features as a whole. Throws FeatureGroupNotFoundError, FeatureNotFound, EntityIsArchivedError. */
export function updateFeatureGroup(work: Work, refId: string, input: FeatureGroupUpdate): FeatureGroupRow {
	const group = getFeatureGroup(work, refId);
	assertFeatureGroupUsable(group);
	const { featureIds, ...rest } = input;
	const changes: FeatureGroupChanges = featureIds ? { ...rest, featureIds: featureIdsOf(work, featureIds) } : rest;
	return saveFeatureGroup(work, group, changes);
}

/** Nothing more for one that is archived already, as of all that is archived. */
export function archiveFeatureGroup(work: Work, refId: string): FeatureGroupRow {
	const group = getFeatureGroup(work, refId);
	return group.archivedAt === null ? saveFeatureGroup(work, group, { archivedAt: work.now }) : group;
}

export function unarchiveFeatureGroup(work: Work, refId: string): FeatureGroupRow {
	const group = getFeatureGroup(work, refId);
	return group.archivedAt === null ? group : saveFeatureGroup(work, group, { archivedAt: null });
}

/** Throws EntityIsArchivedError. */
export function assertFeatureGroupUsable({ refId, archivedAt }: FeatureGroupRow): void {
	if (archivedAt !== null)
		throw fail("EntityIsArchivedError", `The feature group '${refId}' is archived; unarchive it first.`);
}

/** Row ids, in the order of the caller's. */
function featureIdsOf(work: Work, refIds: readonly string[]): string[] {
	const found = featuresByRefs(work, refIds);
	for (const feature of found.values()) assertFeatureUsable(feature);
	return refIds.flatMap((refId) => found.get(refId)?.id ?? []);
}
