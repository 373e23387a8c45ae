import type { Work } from "../../../kernel/work";
import { assertPerson } from "../rules";
import type { MembershipRow } from "../table";
import { isBuiltInRole, ownerStanding, type Rights, rightsOfBuiltIn, roleIn, type Standing } from "./rules";
import { environmentRolesOf, findMemberOfUser, findRole } from "./store";

/** What a role of an account may; without a role, or with one that is gone, nothing. */
export function rightsOfRole(work: Work, accountId: string, role: string | null): Rights {
	if (role === null) return new Set();
	if (isBuiltInRole(role)) return rightsOfBuiltIn(role);
	return new Set(findRole(work, accountId, role)?.scopes);
}

export const standingOf = (work: Work, { id, role }: MembershipRow): Standing => ({
	role,
	environmentRoles: environmentRolesOf(work, [id]).get(id) ?? [],
});

/** Undefined where the member is not let in. */
export function rightsIn(work: Work, membership: MembershipRow, environmentId: string): Rights | undefined {
	const role = roleIn(standingOf(work, membership), environmentId);
	return role === null ? undefined : rightsOfRole(work, membership.accountId, role);
}

/** What the caller has to give, in its account. IdentityForbidden for a key: it belongs to one environment. */
export function myStanding(work: Work): Standing {
	assertPerson(work.actor, "say who may do what");
	if (work.actor.kind === "SYSTEM") return ownerStanding;
	return findMemberOfUser(work, work.actor.id) ?? { role: null, environmentRoles: [] };
}
