import type { Work } from "../../kernel/work";
import {
	addIdentity,
	changeIdentity,
	countIdentities,
	findIdentity,
	followProvider,
	listIdentities,
	removePerson,
} from "../identity-providers/operations.people";
import type { IdentityProviderRow, IdentityRow } from "../identity-providers/table";
import { type Filter, readFilter, readWindow, type Window } from "./rules.filter";
import { missing, ScimRefusal } from "./rules.refusals";
import { patched, type UserFields } from "./rules.users";
import type { ScimListQuery, ScimPatchBody } from "./schema";
import { groupsOfIdentities } from "./store";

export interface Listed<Row> {
	readonly rows: readonly Row[];
	readonly total: number;
	readonly window: Window;
}

/** The attributes that filters support. Several people may share an address; the first one is returned. */
const filtered = {
	id: "id",
	username: "userName",
	externalid: "externalId",
	emails: "email",
	"emails.value": "email",
} as const;

/** Throws 404. */
export function getPerson(work: Work, provider: IdentityProviderRow, id: string): IdentityRow {
	const identity = findIdentity(work, provider.id, "id", id);
	if (!identity) throw missing("user", id);
	return identity;
}

export function listPeople(
	work: Work,
	provider: IdentityProviderRow,
	{ filter, ...query }: ScimListQuery,
): Listed<IdentityRow> {
	const window = readWindow(query);
	if (filter !== undefined) {
		const found = personBy(work, provider, readFilter(filter, filtered));
		const rows = found && window.startIndex === 1 && window.count > 0 ? [found] : [];
		return { rows, total: found ? 1 : 0, window };
	}
	const rows = listIdentities(work, provider.id, window.startIndex - 1, window.count);
	return { rows, total: countIdentities(work, provider.id), window };
}

function personBy(
	work: Work,
	{ id }: IdentityProviderRow,
	{ attribute, value }: Filter<(typeof filtered)[keyof typeof filtered]>,
): IdentityRow | undefined {
	if (attribute === "userName") return findIdentity(work, id, "userNameKey", value.toLowerCase());
	return findIdentity(work, id, attribute, attribute === "email" ? value.toLowerCase() : value);
}

/** Creates a person, and a member if the role mapping gives it a role. 409 for a name or id that exists. */
export function createPerson(work: Work, provider: IdentityProviderRow, user: UserFields): IdentityRow {
	assertFree(work, provider, user);
	const identity = addIdentity(work, { ...columnsOf(user), providerId: provider.id });
	followProvider(work, provider, identity, []);
	return identity;
}

/** Replaces all data of a person. A deactivated one is signed out. */
export function replacePerson(work: Work, provider: IdentityProviderRow, id: string, user: UserFields): IdentityRow {
	const identity = getPerson(work, provider, id);
	assertFree(work, provider, user, identity);
	const saved = changeIdentity(work, identity, columnsOf(user));
	if (saved.isActive !== identity.isActive) followProvider(work, provider, saved, groupNamesOf(work, saved));
	return saved;
}

export const patchPerson = (
	work: Work,
	provider: IdentityProviderRow,
	id: string,
	changes: ScimPatchBody,
): IdentityRow => replacePerson(work, provider, id, patched(getPerson(work, provider, id), changes));

/** Ends the membership and signs the person out. */
export const deletePerson = (work: Work, provider: IdentityProviderRow, id: string): void =>
	removePerson(work, getPerson(work, provider, id));

/** Returns the names and external ids of a person's groups, as the role mapping may use either. */
export const groupNamesOf = (work: Work, { id }: IdentityRow): string[] =>
	(groupsOfIdentities(work, [id]).get(id) ?? []).flatMap(({ displayName, externalId }) =>
		externalId === null ? [displayName] : [displayName, externalId],
	);

const columnsOf = ({ userName, externalId, displayName, givenName, familyName, email, isActive }: UserFields) => ({
	...{ userName, userNameKey: userName.toLowerCase() },
	...{ externalId, displayName, givenName, familyName, email, isActive },
});

function assertFree(
	work: Work,
	{ id }: IdentityProviderRow,
	{ userName, externalId }: UserFields,
	own?: IdentityRow,
): void {
	const named = findIdentity(work, id, "userNameKey", userName.toLowerCase());
	if (named && named.id !== own?.id)
		throw new ScimRefusal(409, "uniqueness", `There is a user '${userName}' of this provider already.`);
	const other = externalId === null ? undefined : findIdentity(work, id, "externalId", externalId);
	if (other && other.id !== own?.id)
		throw new ScimRefusal(409, "uniqueness", `There is a user with the externalId '${externalId}' already.`);
}
