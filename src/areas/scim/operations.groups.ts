import type { Work } from "../../kernel/work";
import { followProvider } from "../identity-providers/operations.people";
import type { IdentityProviderRow, IdentityRow } from "../identity-providers/table";
import { groupNamesOf, type Listed } from "./operations.users";
import { groupsMaxOf, readFilter, readWindow } from "./rules.filter";
import { type GroupFields, patchedGroup } from "./rules.groups";
import { invalid, missing, ScimRefusal } from "./rules.refusals";
import type { ScimGroupBody, ScimListQuery, ScimPatchBody } from "./schema";
import {
	countGroups,
	deleteGroupRow,
	deleteMembers,
	findGroup,
	identitiesAmong,
	insertGroup,
	insertMembers,
	listGroups,
	memberIdsOf,
	saveGroup,
} from "./store";
import type { ScimGroupRow } from "./table";

const filtered = { id: "id", displayname: "displayName", externalid: "externalId" } as const;

/** Throws 404. */
export function getGroup(work: Work, provider: IdentityProviderRow, id: string): ScimGroupRow {
	const group = findGroup(work, provider.id, "id", id);
	if (!group) throw missing("group", id);
	return group;
}

export function listGroupsOf(
	work: Work,
	provider: IdentityProviderRow,
	{ filter, ...query }: ScimListQuery,
): Listed<ScimGroupRow> {
	const window = readWindow(query, groupsMaxOf(query.excludedAttributes));
	if (filter !== undefined) {
		const { attribute, value } = readFilter(filter, filtered);
		const found = findGroup(work, provider.id, attribute, value);
		const rows = found && window.startIndex === 1 && window.count > 0 ? [found] : [];
		return { rows, total: found ? 1 : 0, window };
	}
	const rows = listGroups(work, provider.id, window.startIndex - 1, window.count);
	return { rows, total: countGroups(work, provider.id), window };
}

export const fieldsOfGroup = ({ displayName, externalId, members }: ScimGroupBody): GroupFields => ({
	displayName,
	externalId: externalId || null,
	members: new Set((members ?? []).map(({ value }) => value)),
});

/** Creates a group. Its members get the roles of the role mapping. 409 for a name that exists. */
export function createGroup(work: Work, provider: IdentityProviderRow, fields: GroupFields): ScimGroupRow {
	const { displayName, externalId } = fields;
	assertFree(work, provider, displayName);
	const group = insertGroup(work, { providerId: provider.id, displayName, externalId });
	setMembers(work, provider, group, fields.members);
	return group;
}

export function replaceGroup(work: Work, provider: IdentityProviderRow, id: string, fields: GroupFields): ScimGroupRow {
	const group = getGroup(work, provider, id);
	const { displayName, externalId } = fields;
	const isRenamed = displayName !== group.displayName || externalId !== group.externalId;
	if (displayName !== group.displayName) assertFree(work, provider, displayName);
	const saved = saveGroup(work, group, { displayName, externalId });
	const touched = setMembers(work, provider, saved, fields.members);
	// A renamed group may map to another role.
	if (isRenamed) follow(work, provider, [...fields.members.difference(touched)]);
	return saved;
}

export const patchGroup = (
	work: Work,
	provider: IdentityProviderRow,
	id: string,
	changes: ScimPatchBody,
): ScimGroupRow => {
	const { displayName, externalId } = getGroup(work, provider, id);
	const members = new Set(memberIdsOf(work, id));
	return replaceGroup(work, provider, id, patchedGroup({ displayName, externalId, members }, changes));
};

/** Deletes a group. Its members lose its role. */
export function deleteGroup(work: Work, provider: IdentityProviderRow, id: string): void {
	const group = getGroup(work, provider, id);
	setMembers(work, provider, group, new Set());
	deleteGroupRow(work, group);
}

/** Returns the people whose groups changed. */
function setMembers(
	work: Work,
	provider: IdentityProviderRow,
	{ id }: ScimGroupRow,
	wanted: ReadonlySet<string>,
): Set<string> {
	const had = new Set(memberIdsOf(work, id));
	const added = wanted.difference(had);
	const removed = had.difference(wanted);
	const known = identitiesAmong(work, provider.id, [...added]);
	if (known.length < added.size) {
		const ids = new Set(known.map((identity) => identity.id));
		const [unknown] = added.difference(ids);
		throw invalid("invalidValue", `'members' names '${unknown}', who is no user of this provider.`);
	}
	insertMembers(work, id, [...added]);
	deleteMembers(work, id, [...removed]);
	const touched = added.union(removed);
	follow(work, provider, [...touched]);
	return touched;
}

function follow(work: Work, provider: IdentityProviderRow, ids: readonly string[]): void {
	const people: IdentityRow[] = identitiesAmong(work, provider.id, ids);
	for (const identity of people) followProvider(work, provider, identity, groupNamesOf(work, identity));
}

function assertFree(work: Work, { id }: IdentityProviderRow, displayName: string): void {
	if (findGroup(work, id, "displayName", displayName))
		throw new ScimRefusal(409, "uniqueness", `There is a group '${displayName}' of this provider already.`);
}
