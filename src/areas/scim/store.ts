import { and, asc, count, eq, inArray } from "drizzle-orm";
import { changeRow, insertRow, insertRows } from "../../kernel/storage/rows";
import type { Work } from "../../kernel/work";
import { type IdentityRow, identities } from "../identity-providers/table";
import { type ScimGroupRow, scimGroupMembers, scimGroups } from "./table";

export type GroupKey = "id" | "displayName" | "externalId";

export const findGroup = (work: Work, providerId: string, by: GroupKey, value: string): ScimGroupRow | undefined =>
	work.tx
		.select()
		.from(scimGroups)
		.where(and(eq(scimGroups.providerId, providerId), eq(scimGroups[by], value)))
		.limit(1)
		.get();

export const countGroups = (work: Work, providerId: string): number =>
	work.tx.select({ rows: count() }).from(scimGroups).where(eq(scimGroups.providerId, providerId)).get()?.rows ?? 0;

/** Oldest first, from the one at `offset`. */
export const listGroups = (work: Work, providerId: string, offset: number, rowsMax: number): ScimGroupRow[] =>
	work.tx
		.select()
		.from(scimGroups)
		.where(eq(scimGroups.providerId, providerId))
		.orderBy(asc(scimGroups.id))
		.limit(rowsMax)
		.offset(offset)
		.all();

type NewGroup = Pick<ScimGroupRow, "providerId" | "displayName" | "externalId">;

export const insertGroup = (work: Work, group: NewGroup): ScimGroupRow =>
	insertRow(work, scimGroups, {
		...group,
		id: work.newId(),
		createdAt: work.machineNow,
		updatedAt: work.machineNow,
	});

export const saveGroup = (work: Work, { id }: ScimGroupRow, changes: Partial<NewGroup>): ScimGroupRow =>
	changeRow(work, scimGroups, id, { ...changes, updatedAt: work.machineNow });

export const deleteGroupRow = (work: Work, { id }: ScimGroupRow): void => {
	work.tx.delete(scimGroups).where(eq(scimGroups.id, id)).run();
};

/** Returns up to `groupMembersMax` members of each group. */
export function membersOfGroups(work: Work, groupIds: readonly string[]): Map<string, IdentityRow[]> {
	if (groupIds.length === 0) return new Map();
	const rows = work.tx
		.select({ groupId: scimGroupMembers.groupId, identity: identities })
		.from(scimGroupMembers)
		.innerJoin(identities, eq(identities.id, scimGroupMembers.identityId))
		.where(inArray(scimGroupMembers.groupId, [...groupIds]))
		.orderBy(asc(scimGroupMembers.groupId), asc(scimGroupMembers.identityId))
		.all();
	return listedBy(rows.map(({ groupId, identity }) => [groupId, identity]));
}

export const memberIdsOf = (work: Work, groupId: string): string[] =>
	work.tx
		.select({ id: scimGroupMembers.identityId })
		.from(scimGroupMembers)
		.where(eq(scimGroupMembers.groupId, groupId))
		.all()
		.map(({ id }) => id);

export function groupsOfIdentities(work: Work, identityIds: readonly string[]): Map<string, ScimGroupRow[]> {
	if (identityIds.length === 0) return new Map();
	const rows = work.tx
		.select({ identityId: scimGroupMembers.identityId, group: scimGroups })
		.from(scimGroupMembers)
		.innerJoin(scimGroups, eq(scimGroups.id, scimGroupMembers.groupId))
		.where(inArray(scimGroupMembers.identityId, [...identityIds]))
		.orderBy(asc(scimGroupMembers.identityId), asc(scimGroups.id))
		.all();
	return listedBy(rows.map(({ identityId, group }) => [identityId, group]));
}

function listedBy<Row>(pairs: ReadonlyArray<readonly [key: string, row: Row]>): Map<string, Row[]> {
	const found = new Map<string, Row[]>();
	for (const [key, row] of pairs) {
		const listed = found.get(key);
		if (listed) listed.push(row);
		else found.set(key, [row]);
	}
	return found;
}

/** Returns the provider's people among some ids. */
export const identitiesAmong = (work: Work, providerId: string, ids: readonly string[]): IdentityRow[] =>
	ids.length === 0
		? []
		: work.tx
				.select()
				.from(identities)
				.where(and(eq(identities.providerId, providerId), inArray(identities.id, [...ids])))
				.all();

export const insertMembers = (work: Work, groupId: string, identityIds: readonly string[]): void =>
	insertRows(
		work,
		scimGroupMembers,
		identityIds.map((identityId) => ({ groupId, identityId })),
	);

export const deleteMembers = (work: Work, groupId: string, identityIds: readonly string[]): void => {
	if (identityIds.length === 0) return;
	work.tx
		.delete(scimGroupMembers)
		.where(and(eq(scimGroupMembers.groupId, groupId), inArray(scimGroupMembers.identityId, [...identityIds])))
		.run();
};
