import type { Work } from "../../../kernel/work";
import { assertPerson } from "../rules";
import type { MembershipRow } from "../table";
import { isBuiltInRole, ownerStanding, type Rights, rightsOfBuiltIn, roleIn, type Standing } from "./rules";
import { environmentRolesOf, findMemberOfUser, findRole } from "./store";

/** Returns the rights of a role of an account; none without a role, or if the role was deleted. */
export function rightsOfRole(work: Work, accountId: string, role: string | null): Rights {
	if (role === null) return new Set();
	if (isBuiltInRole(role)) return rightsOfBuiltIn(role);
	return new Set(findRole(work, accountId, role)?.scopes);
}

export const standingOf = (work: Work, { id, role }: MembershipRow): Standing => ({
	role,
	environmentRoles: environmentRolesOf(work, [id]).get(id) ?? [],
});

/** Returns undefined if the member has no access to the environment. */
export function rightsIn(work: Work, membership: MembershipRow, environmentId: string): Rights | undefined {
	const role = roleIn(standingOf(work, membership), environmentId);
	return role === null ? undefined : rightsOfRole(work, membership.accountId, role);
}

/**
 * Returns the rights that the caller can grant in its account. Throws IdentityForbidden for a key, because it belongs to one
 * environment.
 */
export function myStanding(work: Work): Standing {
	assertPerson(work.actor, "manage the rights of others");
	if (work.actor.kind === "SYSTEM") return ownerStanding;
	return findMemberOfUser(work, work.actor.id) ?? { role: null, environmentRoles: [] };
}
